//! What changes when an event happens.

use std::collections::BTreeSet;

use lawbook_diag::Verdict;
use lawbook_event::{Answer, Call, Effect, Event, Ran, Text, Time, What};
use lawbook_rule::{Applies, EvidenceFrom, Outcome, Pick, Session, Speaker};

use crate::index::{Concern, Engine, Opened};
use crate::judge::Judgement;
use crate::state::{Door, Fate, HeldCall, LET_GO_MAX, OPEN_MAX, State, WAITING_MAX};

impl Engine {
    /// Takes in an event that was judged.
    pub fn advance(&self, state: &mut State, event: &Event<'_>, judgement: &Judgement) {
        if judgement.misuse.is_some() {
            return;
        }
        match &event.what {
            What::Start(start) => state.session = Session::new(start),
            What::User(text) => self.said(state, Speaker::User, text, event.message),
            What::Agent(text) => self.said(state, Speaker::Agent, text, event.message),
            What::Call(call) => {
                let [first, second] = &self.faces(call);
                let opened = [Opened::new(first), Opened::new(second)];
                self.advance_call(state, event, &opened, judgement);
            }
            What::Answer { step, answer } => self.answered(state, *step, answer),
            What::Approval { step, by } => self.approved(state, *step, event.at, by, judgement),
            What::Rejection { step, .. } => {
                refuse(state, *step);
                self.bear(state, judgement);
            }
            What::Outcome { step, effect, .. } => {
                state.unreported.remove(*step);
                if *effect == Effect::Harmful {
                    state.happened.remove(*step);
                }
                self.bear(state, judgement);
            }
            What::Scar { .. } | What::Terminate { .. } => self.bear(state, judgement),
            What::Other | What::End(_) => {}
        }
    }

    fn said(&self, state: &mut State, who: Speaker, text: &Text<'_>, message: u64) {
        for (place, _) in self.placed().iter().enumerate().filter(|(_, it)| it.watches.words) {
            if let Some((_, _, rule)) = self.rule(place)
                && let Some(memory) = state.memories.get_mut(place)
            {
                rule.body.said(memory, who, text, message);
            }
        }
    }

    pub(crate) fn advance_call(
        &self,
        state: &mut State,
        event: &Event<'_>,
        opened: &[Opened<'_>; 2],
        judgement: &Judgement,
    ) {
        let What::Call(call) = &event.what else { return };
        state.calls = state.calls.saturating_add(1);
        state.seen.insert(call.step);
        let fate = fate(state.door, call, judgement.verdict);
        match fate {
            Fate::Happened => self.happened_opened(state, opened, event.at, event.message),
            Fate::Refused | Fate::Waiting => {
                self.in_vain(state, opened, event.at, event.message, judgement);
                hold(state, call, event, fate);
            }
        }
        let life = &mut state.life;
        let count = match fate {
            Fate::Happened => &mut life.allowed,
            Fate::Refused => &mut life.denied,
            Fate::Waiting => &mut life.pending,
        };
        *count = count.saturating_add(1);
        // Where another policy refused it, what this one would have charged ends nobody.
        if fate == Fate::Happened || judgement.scar.is_some() {
            self.bear(state, judgement);
        }
    }

    /// Tells the rules that judged a call and want to know that it did not happen.
    fn in_vain(
        &self,
        state: &mut State,
        opened: &[Opened<'_>; 2],
        at: Option<Time>,
        message: u64,
        judgement: &Judgement,
    ) {
        for face in opened {
            for concern in face.plan.concerns.iter().filter(|it| it.roles.has(0)) {
                let Some((placed, policy, rule)) = self.rule(concern.rule) else { continue };
                let rank = (placed.layer, placed.rank);
                let first = judgement.held.iter().find(|it| it.rank.0 == placed.layer);
                let judged = state.life.ended.is_none()
                    && (policy.pick == Pick::All || first.is_none_or(|it| it.rank >= rank));
                if !placed.watches.refusals || !judged {
                    continue;
                }
                let Some(memory) = state.memories.get_mut(concern.rule) else { continue };
                let asked = face.asked(at, message, &state.session, policy.manner);
                rule.body.refused(memory, &asked);
            }
        }
    }

    fn happened(&self, state: &mut State, call: &Call<'_>, at: Option<Time>, message: u64) {
        let [first, second] = &self.faces(call);
        self.happened_opened(state, &[Opened::new(first), Opened::new(second)], at, message);
    }

    fn happened_opened(
        &self,
        state: &mut State,
        opened: &[Opened<'_>; 2],
        at: Option<Time>,
        message: u64,
    ) {
        let [Opened { call, .. }, _] = opened;
        let (step, foreseen) = (call.step, call.hindsight.is_some());
        state.happened.insert(step);
        state.unreported.insert(step);
        let waits = !foreseen || self.waits_for_answers();
        if waits && state.open.len() >= OPEN_MAX {
            state.overfull = true;
        }
        let mut open = Vec::new();
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
                rule.body.happened(memory, &asked, roles);
                if answers {
                    open.push(Concern { roles, ..*concern });
                }
            }
        }
        if waits && !state.overfull {
            state.open.insert(step, open);
        }
    }

    fn answered(&self, state: &mut State, step: u32, answer: &Answer<'_>) {
        if let Some(held) = state.held.remove(&step) {
            if held.fate == Fate::Waiting {
                state.life.settle_waiting(false);
            }
            self.happened(state, &held.call, held.at, held.message);
        }
        state.let_go.remove(&step);
        let Some(open) = state.open.remove(&step) else { return };
        let outcome = Outcome::new(answer);
        for concern in open {
            if let Some((_, policy, rule)) = self.rule(concern.rule)
                && let Some(memory) = state.memories.get_mut(concern.rule)
            {
                rule.body.answered(memory, step, &outcome, policy.manner);
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
    ) {
        match judgement.verdict {
            Verdict::Allow => {
                if let Some(held) = state.held.remove(&step) {
                    state.life.settle_waiting(true);
                    self.happened(state, &held.call, at.or(held.at), held.message);
                }
            }
            Verdict::Ask => {
                if let Some(held) = state.held.get_mut(&step) {
                    held.approved_by.insert(by.to_owned());
                }
                return;
            }
            Verdict::Deny => {
                if let Some(held) = state.held.get(&step).cloned() {
                    let [first, second] = &self.faces(&held.call);
                    let opened = [Opened::new(first), Opened::new(second)];
                    let at = at.or(held.at);
                    self.in_vain(state, &opened, at, held.message, judgement);
                }
                refuse(state, step);
            }
        }
        if judgement.verdict == Verdict::Allow || judgement.scar.is_some() {
            self.bear(state, judgement);
        }
    }
}

/// A waiting call does not happen.
fn refuse(state: &mut State, step: u32) {
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
fn hold(state: &mut State, call: &Call<'_>, event: &Event<'_>, fate: Fate) {
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
    let call = call.clone().into_owned();
    let (at, message, approved_by) = (event.at, event.message, BTreeSet::new());
    state.held.insert(call.step, HeldCall { call, at, message, fate, approved_by });
}
