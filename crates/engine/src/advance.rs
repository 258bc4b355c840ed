//! What changes when an event happens.

use lawbook_diag::Verdict;
use lawbook_event::{Answer, Call, Event, Ran, Start, Text, Time, What};
use lawbook_rule::{Applies, EvidenceFrom, Moment, Outcome, Speaker, Spoken};

use crate::index::{Engine, Opened};
use crate::judge::Judgement;
use crate::note::{Note, Opens, Pen, Sort};
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
            What::User(text) => self.said(state, Speaker::User, text, event.message, pen),
            What::Agent(text) => self.said(state, Speaker::Agent, text, event.message, pen),
            What::Call(call) => {
                let (faces, seal) = (self.faces(call), state.seal.clone());
                let opened = faces.each_ref().map(|it| Opened::new(it, seal.keys()));
                self.advance_call(state, event, &opened, judgement, pen);
            }
            What::Answer { step, answer } => self.answered(state, *step, answer, pen),
            What::Approval { step, .. } => {
                self.approved(state, *step, event.at, judgement.verdict, pen);
            }
            What::Rejection { step, .. } => {
                pen.sort(|| Sort::Rejection { step: *step });
                refuse(state, *step);
            }
            What::Other | What::End(_) => {}
        }
    }

    fn said(&self, state: &mut State, who: Speaker, text: &Text<'_>, message: u64, pen: &mut Pen) {
        pen.sort(|| Sort::Words);
        let spoken = Spoken::new(who, &text.text, message, state.seal.keys());
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
        opened: &[Opened<'_>; 2],
        judgement: &Judgement,
        pen: &mut Pen,
    ) {
        let What::Call(call) = &event.what else { return };
        state.calls = state.calls.saturating_add(1);
        match fate(state.door, call, judgement.verdict) {
            Fate::Happened => {
                pen.sort(|| Sort::Happened { step: call.step });
                self.happened_opened(state, opened, event.at, event.message, pen);
            }
            fate => {
                let (at, message, step) = (event.at, event.message, call.step);
                let waits = fate == Fate::Waiting;
                pen.sort(|| Sort::Held { step, tool: call.tool.to_string(), at, message, waits });
                hold(state, HeldCall { call: call.clone().into_owned(), at, message, fate });
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
        let (faces, seal) = (self.faces(call), state.seal.clone());
        let opened = faces.each_ref().map(|it| Opened::new(it, seal.keys()));
        self.happened_opened(state, &opened, at, message, pen);
    }

    fn happened_opened(
        &self,
        state: &mut State,
        opened: &[Opened<'_>; 2],
        at: Option<Time>,
        message: u64,
        pen: &mut Pen,
    ) {
        let [Opened { call, .. }, _] = opened;
        let (step, foreseen) = (call.step, call.hindsight.is_some());
        let waits = !foreseen || self.waits_for_answers();
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
        if let Some(held) = state.held.remove(&step) {
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
        verdict: Verdict,
        pen: &mut Pen,
    ) {
        let allowed = verdict == Verdict::Allow;
        pen.sort(|| Sort::Approval { step, allowed });
        if !allowed {
            return refuse(state, step);
        }
        if let Some(held) = state.held.remove(&step) {
            self.happened(state, &held.call, at.or(held.at), held.message, pen);
        }
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
