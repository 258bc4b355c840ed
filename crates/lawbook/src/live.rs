//! The states of all policies at a live door: one verdict over all of them decides what becomes of
//! a call in each.

use lawbook_diag::{Finding, Unknown, Verdict};
use lawbook_engine::{Door, Held, Judgement, Misuse, State};
use lawbook_event::{Call, Event, Time};
use lawbook_rule::Past;

use crate::Policy;

/// What of an agent's past no door of this crate is shown.
pub const LIFE: Past = Past { session: false, times: false, life: true };

/// What stands against a call when nobody can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// A person can be asked, or has said yes already.
    Somebody,
    /// Nobody can be asked.
    Nobody,
}

/// The states of all policies.
#[derive(Clone, Debug)]
pub struct Live {
    policy: Policy,
    states: Vec<State>,
}

/// What all policies together say of an event.
#[derive(Debug, Default)]
pub struct Said {
    /// What they hold against it.
    pub held: Vec<Held>,
    /// What could not be told.
    pub unknown: Vec<Unknown>,
    /// The strictest of all that counts.
    pub verdict: Verdict,
    /// The event can't follow what came before.
    pub misuse: Option<Misuse>,
}

impl Live {
    /// Nothing happened yet.
    pub fn new(policy: &Policy, unseen: Past) -> Self {
        let state = |it: &crate::policy::Part| State::new(&it.engine, Door::Live).without(unseen);
        Live { states: policy.parts().iter().map(state).collect(), policy: policy.clone() }
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Tells the policies of one part an event of the past, which happened whatever they say of it.
    pub fn recall(&mut self, part: usize, event: &Event<'_>) {
        let parts = self.policy.parts();
        if let (Some(part), Some(state)) = (parts.get(part), self.states.get_mut(part)) {
            part.engine.advance(state, event, &Judgement::default());
        }
    }

    /// Takes in a call with the verdict that it was given when it was asked about.
    pub fn recall_with(&mut self, event: &Event<'_>, verdict: Verdict) {
        let judgement = Judgement { verdict, ..Judgement::default() };
        for (part, state) in self.policy.parts().iter().zip(&mut self.states) {
            part.engine.advance(state, event, &judgement);
        }
    }

    /// Whether some part of the policies lists this call as one that may run, and none leaves it out
    /// of its list.
    pub fn permits(&self, call: &Call<'_>, at: Time) -> bool {
        let parts = self.policy.parts().iter().zip(&self.states);
        let said = parts.filter_map(|(part, state)| part.engine.permits(state, call, Some(at)));
        said.fold((false, true), |(any, all), it| (any || it, all && it)) == (true, true)
    }

    /// Judges an event, which each part sees as it stands at its place of the list, and takes it
    /// in under the one verdict of all.
    pub fn ask(&mut self, events: &[Event<'_>], asking: Asking) -> Said {
        let policy = self.policy.clone();
        if let ([part], [state], [event], Asking::Somebody) =
            (policy.parts(), self.states.as_mut_slice(), events, asking)
        {
            let mut said = Said::default();
            said.add(part.engine.step(state, event), &part.layers);
            return said;
        }
        let seen = || policy.parts().iter().zip(events);
        let judge = |((part, event), state): ((&crate::policy::Part, &Event<'_>), &State)| {
            part.engine.judge(state, event)
        };
        let mut judgements: Vec<Judgement> = seen().zip(&self.states).map(judge).collect();
        let strictest = judgements.iter().map(|it| it.verdict).max().unwrap_or_default();
        let verdict = match (strictest, asking) {
            (Verdict::Ask, Asking::Nobody) => Verdict::Deny,
            (verdict, _) => verdict,
        };
        let mut said = Said::default();
        for (((part, event), state), mut judgement) in
            seen().zip(&mut self.states).zip(judgements.drain(..))
        {
            judgement.verdict = verdict;
            part.engine.advance(state, event, &judgement);
            said.add(judgement, &part.layers);
        }
        said.sort();
        said
    }

    /// The same for an event that all policies see alike.
    pub fn ask_alike(&mut self, event: &Event<'_>, asking: Asking) -> Said {
        let events = vec![event.clone(); self.states.len()];
        self.ask(&events, asking)
    }

    /// How many calls wait for a person.
    pub fn waiting(&self) -> usize {
        self.states.iter().map(State::waiting).max().unwrap_or_default()
    }
}

impl Said {
    fn add(&mut self, judgement: Judgement, layers: &[usize]) {
        let place = |layer: usize| layers.get(layer).copied().unwrap_or(layer);
        self.held.extend(judgement.held.into_iter().map(|mut it| {
            it.finding.layer = place(it.finding.layer);
            it
        }));
        let unknown = judgement.unknowns.into_iter();
        self.unknown.extend(unknown.map(|it| Unknown { layer: place(it.layer), ..it }));
        self.verdict = self.verdict.max(judgement.verdict);
        self.misuse = self.misuse.or(judgement.misuse);
    }

    /// Policies that read differently are judged apart; what they say stands together all the same.
    fn sort(&mut self) {
        self.held.sort_by_key(|it| it.finding.layer);
        self.unknown.sort_by_key(|it| it.layer);
    }

    /// Leaves what no person can say yes to.
    pub fn keep_denials(&mut self) {
        self.held.retain(|it| it.finding.verdict == Verdict::Deny);
        self.unknown.retain(|it| it.verdict == Verdict::Deny);
    }

    /// The findings alone.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.held.iter().map(|it| &it.finding)
    }
}
