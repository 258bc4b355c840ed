//! What changes when an event happens.

use lawbook_diag::Verdict;
use lawbook_event::{Answer, Call, Effect, Event, Ran, Speaker, Start, Text, Time, What, person};
use lawbook_rule::{Applies, EvidenceFrom, Key, Moment, Outcome, Pick, Spoken};

use crate::index::{Engine, Opened};
use crate::judge::Judgement;
use crate::note::{Answered, Note, Opens, Pen, Sort};
use crate::state::{Door, Fate, HeldCall, LET_GO_MAX, OPEN_MAX, State, WAITING_MAX};

impl Engine {
    /// Takes in an event that was judged.
    pub fn advance(&self, state: &mut State, event: &Event<'_>, judgement: &Judgement) {
        self.advance_with(state, event, judgement, &mut Pen::default());
    }

    /// The same, and says what changed: what [`Engine::fold`] needs to change another state in the
    /// same way when the event itself is gone.
    pub fn advance_noting(
        &self,
        state: &mut State,
        event: &Event<'_>,
        judgement: &Judgement,
    ) -> Note {
        let mut pen = Pen::noting();
        self.advance_with(state, event, judgement, &mut pen);
        pen.into_note()
    }

    fn advance_with(
        &self,
        state: &mut State,
        event: &Event<'_>,
        judgement: &Judgement,
        pen: &mut Pen,
    ) {
        if judgement.misuse.is_some() {
            return;
        }
        match &event.what {
            What::Start(start) => started(state, start, pen),
            What::User(text) => self.said(state, Speaker::User, (text, false), event.message, pen),
            What::Agent(text) => {
                self.said(state, Speaker::Agent, (text, false), event.message, pen);
            }
            What::Unheard { who, left } => {
                self.said(state, *who, (left, true), event.message, pen);
            }
            What::Call(call) => {
                let seal = state.seal.clone();
                self.faces(call).opened(seal.keys(), |opened| {
                    self.advance_call(state, event, opened, judgement, pen);
                });
            }
            What::Answer { step, answer } => self.answered(state, *step, answer, pen),
            What::Approval { step, by } => {
                self.approved(state, *step, event.at, by, judgement, pen);
            }
            What::Rejection { step, .. } => {
                pen.sort(|| Sort::Rejection { step: *step });
                refuse(state, *step);
                self.bear(state, judgement, pen);
            }
            What::Outcome { step, effect, .. } => {
                let (step, harmful) = (*step, *effect == Effect::Harmful);
                pen.sort(|| Sort::Outcome { step, harmful });
                report(state, step, harmful);
                self.bear(state, judgement, pen);
            }
            What::Scar { .. } | What::Terminate { .. } => {
                pen.sort(|| Sort::Life);
                self.bear(state, judgement, pen);
            }
            What::Other | What::End(_) => {}
        }
    }

    fn said(
        &self,
        state: &mut State,
        who: Speaker,
        (text, cut): (&Text<'_>, bool),
        message: u64,
        pen: &mut Pen,
    ) {
        pen.sort(|| Sort::Words);
        let spoken = Spoken::new(who, &text.text, message, state.seal.keys()).cut(cut);
        for (place, _) in self.placed().iter().enumerate().filter(|(_, it)| it.watches.words) {
            if let Some((_, _, rule)) = self.rule(place)
                && let Some(memory) = state.memories.get_mut(place)
            {
                pen.take(place, &*rule.body, memory, &Moment::Said(&spoken));
            }
        }
    }

    pub(crate) fn advance_call(
        &self,
        state: &mut State,
        event: &Event<'_>,
        opened: &[Opened<'_>],
        judgement: &Judgement,
        pen: &mut Pen,
    ) {
        let What::Call(call) = &event.what else { return };
        let fate = fate(state.door, call, judgement.verdict);
        asked(state, call.step, fate);
        match fate {
            Fate::Happened => {
                pen.sort(|| Sort::Happened { step: call.step });
                self.happened_opened(state, opened, event.at, event.message, pen);
            }
            Fate::Refused | Fate::Waiting => {
                let (at, message, step) = (event.at, event.message, call.step);
                let waits = fate == Fate::Waiting;
                pen.sort(|| Sort::Held { step, tool: call.tool.to_string(), at, message, waits });
                self.in_vain(state, opened, at, message, judgement, pen);
                let (call, approved_by) = (call.clone().into_owned(), Vec::new());
                hold(state, HeldCall { call, at, message, fate, approved_by });
            }
        }
        // Where another policy refused it, what this one would have charged ends nobody.
        if fate == Fate::Happened || judgement.scar.is_some() {
            self.bear(state, judgement, pen);
        }
    }

    /// Tells the rules that judged a call and want to know that it did not happen.
    fn in_vain(
        &self,
        state: &mut State,
        opened: &[Opened<'_>],
        at: Option<Time>,
        message: u64,
        judgement: &Judgement,
        pen: &mut Pen,
    ) {
        if state.life.ended.is_some() {
            return;
        }
        for face in opened {
            for concern in face.plan.concerns.iter().filter(|it| it.roles.has(0)) {
                let Some((placed, policy, rule)) = self.rule(concern.rule) else { continue };
                if !placed.watches.refusals {
                    continue;
                }
                let rank = (placed.layer, placed.rank);
                let first = judgement.held.iter().find(|it| it.rank.0 == placed.layer);
                let judged = policy.pick == Pick::All || first.is_none_or(|it| it.rank >= rank);
                if let Some(memory) = state.memories.get_mut(concern.rule).filter(|_| judged) {
                    let asked = face.asked(at, message, &state.session, policy.manner);
                    pen.take(concern.rule, &*rule.body, memory, &Moment::Refused { asked: &asked });
                }
            }
        }
    }

    fn happened(
        &self,
        state: &mut State,
        call: &Call<'_>,
        at: Option<Time>,
        message: u64,
        pen: &mut Pen,
    ) {
        let seal = state.seal.clone();
        self.faces(call).opened(seal.keys(), |opened| {
            self.happened_opened(state, opened, at, message, pen);
        });
    }

    fn happened_opened(
        &self,
        state: &mut State,
        opened: &[Opened<'_>],
        at: Option<Time>,
        message: u64,
        pen: &mut Pen,
    ) {
        let Some(Opened { call, .. }) = opened.first() else { return };
        let (step, foreseen) = (call.step, call.hindsight.is_some());
        let waits = !foreseen || self.waits_for_answers();
        ran(state, step);
        make_room(state, waits);
        let mut rules = Vec::new();
        for face in opened {
            for concern in &face.plan.concerns {
                let Some((placed, policy, rule)) = self.rule(concern.rule) else { continue };
                let later = !foreseen || policy.manner.evidence != EvidenceFrom::Call;
                let answers = placed.watches.answers && later;
                if answers && state.overfull {
                    continue;
                }
                let Some(memory) = state.memories.get_mut(concern.rule) else { continue };
                let asked = face.asked(at, message, &state.session, policy.manner);
                let off = rule.when.as_ref().is_some_and(|it| it.applies(&asked) == Applies::No);
                let (roles, told) = self.roles(concern, rule, &asked);
                // What may be the command of a rule counts as one.
                let roles = if told { roles } else { roles.with(0) };
                let roles = if off { roles.without_judged() } else { roles };
                if roles.is_none() {
                    continue;
                }
                let moment = Moment::Happened { asked: &asked, roles };
                pen.take(concern.rule, &*rule.body, memory, &moment);
                if answers {
                    rules.push(concern.rule);
                }
            }
        }
        pen.opens(|| Opens { waits, rules: rules.clone() });
        open(state, step, waits, rules);
    }

    fn answered(&self, state: &mut State, step: u32, answer: &Answer<'_>, pen: &mut Pen) {
        pen.sort(|| Sort::Answer { step });
        if let Some(held) = state.take_held(step) {
            self.happened(state, &held.call, held.at, held.message, pen);
        }
        state.let_go.remove(&step);
        let Some(open) = state.open.remove(&step) else { return };
        let outcome = Outcome::new(answer, state.seal.keys());
        for place in open {
            if let Some((_, policy, rule)) = self.rule(place)
                && let Some(memory) = state.memories.get_mut(place)
            {
                let moment = Moment::Answered { step, out: &outcome, manner: policy.manner };
                pen.take(place, &*rule.body, memory, &moment);
            }
        }
    }

    fn approved(
        &self,
        state: &mut State,
        step: u32,
        at: Option<Time>,
        by: &str,
        judgement: &Judgement,
        pen: &mut Pen,
    ) {
        match judgement.verdict {
            Verdict::Allow => {
                pen.sort(|| Sort::Approval { step, answered: Answered::Yes });
                if let Some(held) = state.held.remove(&step) {
                    state.life.settle_waiting(true);
                    self.happened(state, &held.call, at.or(held.at), held.message, pen);
                }
                self.bear(state, judgement, pen);
            }
            Verdict::Ask => {
                let by = state.seal.keys().key(&person(by));
                pen.sort(|| Sort::Approval { step, answered: Answered::OneYes(by.clone()) });
                one_yes(state, step, by);
            }
            Verdict::Deny => {
                pen.sort(|| Sort::Approval { step, answered: Answered::TooLate });
                if let Some(held) = state.held.get(&step).cloned() {
                    let (seal, at) = (state.seal.clone(), at.or(held.at));
                    self.faces(&held.call).opened(seal.keys(), |opened| {
                        self.in_vain(state, opened, at, held.message, judgement, pen);
                    });
                }
                refuse(state, step);
                if judgement.scar.is_some() {
                    self.bear(state, judgement, pen);
                }
            }
        }
    }
}

/// Counts a call that was asked for.
pub(crate) fn asked(state: &mut State, step: u32, fate: Fate) {
    state.calls = state.calls.saturating_add(1);
    state.seen.insert(step);
    let count = match fate {
        Fate::Happened => &mut state.life.allowed,
        Fate::Refused => &mut state.life.denied,
        Fate::Waiting => &mut state.life.pending,
    };
    *count = count.saturating_add(1);
}

/// Keeps in mind that a call happened, so that its outcome can be told.
pub(crate) fn ran(state: &mut State, step: u32) {
    state.happened.insert(step);
    state.unreported.insert(step);
}

/// Keeps in mind what was told of a call's outcome.
pub(crate) fn report(state: &mut State, step: u32, harmful: bool) {
    state.unreported.remove(step);
    if harmful {
        state.happened.remove(step);
    }
}

/// Keeps in mind who said yes to a call that needs more than one.
pub(crate) fn one_yes(state: &mut State, step: u32, by: Key) {
    if let Some(held) = state.held.get_mut(&step) {
        held.approved_by.push(by);
    }
}

fn started(state: &mut State, start: &Start<'_>, pen: &mut Pen) {
    let wordless = start.wordless;
    pen.sort(|| {
        let bare = *start == Start { wordless, ..Start::default() };
        Sort::Start { wordless, bare }
    });
    state.restore_start(start);
}

/// Makes room for one more call that is not answered, or stops following them.
pub(crate) fn make_room(state: &mut State, waits: bool) {
    if waits && state.open.len() >= OPEN_MAX {
        state.overfull = true;
    }
}

/// Follows a call that happened until it is answered, with the rules that wait for the answer.
pub(crate) fn open(state: &mut State, step: u32, waits: bool, rules: Vec<usize>) {
    if waits && !state.overfull {
        state.open.insert(step, rules);
    }
}

pub(crate) fn refuse(state: &mut State, step: u32) {
    if let Some(held) = state.held.get_mut(&step) {
        held.fate = Fate::Refused;
        state.life.settle_waiting(false);
    }
}

fn fate(door: Door, call: &Call<'_>, verdict: Verdict) -> Fate {
    match (door, call.ran, verdict) {
        (Door::Recorded, Ran::Yes, _) | (Door::Live, Ran::Yes, Verdict::Allow) => Fate::Happened,
        (Door::Live, Ran::Yes, Verdict::Ask) => Fate::Waiting,
        (_, Ran::No, _) | (Door::Live, Ran::Yes, Verdict::Deny) => Fate::Refused,
    }
}

/// Keeps a call that did not happen, in case it ran all the same. Past the bound the oldest one
/// that nobody waits for gives way.
pub(crate) fn hold(state: &mut State, held: HeldCall) {
    if state.held.len() >= WAITING_MAX {
        let oldest = state.held.iter().find(|(_, it)| it.fate == Fate::Refused).map(|(it, _)| *it);
        match oldest {
            Some(step) => {
                state.held.remove(&step);
                if state.let_go.len() >= LET_GO_MAX {
                    state.let_go.pop_first();
                }
                state.let_go.insert(step);
            }
            None => return,
        }
    }
    state.held.insert(held.call.step, held);
}
