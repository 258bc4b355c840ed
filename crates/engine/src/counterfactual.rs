//! A recording as it would have gone had a policy been enforced: a call that it denies did not
//! happen, so its answer and all that rests on it are gone.

use std::collections::BTreeSet;

use lawbook_diag::{Finding, Unknown, Verdict};
use lawbook_event::{Call, Event, Ran, What};

use crate::index::Opened;
use crate::judge::Judgement;
use crate::note::Pen;
use crate::settle::waive_now;
use crate::{Door, Engine, State};

/// What policies say of one call of a recording, or of the run.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The place of the event among those that were replayed.
    pub place: usize,
    /// The step of the call; none on the run.
    pub step: Option<u32>,
    /// All in one word.
    pub verdict: Ruled,
    /// The findings, those that don't count among them.
    pub findings: Vec<Finding>,
    /// What could not be told.
    pub unknowns: Vec<Unknown>,
}

/// A verdict on what was recorded, where evidence may be missing. The order is that of strictness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ruled {
    /// Nothing counts against it.
    #[default]
    Allow,
    /// A person must say yes first.
    Ask,
    /// Evidence is missing that could count against it.
    Unknown,
    /// It may not run.
    Deny,
}

impl Ruled {
    /// The word that reports use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Ruled::Allow => "allow",
            Ruled::Ask => "ask",
            Ruled::Unknown => "unknown",
            Ruled::Deny => "deny",
        }
    }
}

/// What is said of each call of a recording, and last of the run, where all happened as recorded.
#[must_use]
pub fn recorded(engine: &Engine, events: &[Event<'_>]) -> Vec<Ruling> {
    rulings(engine, events, |_| false)
}

/// The same where each call that is denied did not happen. One that a person must say yes to did,
/// and so did one that could not be told: nobody knows that it would have been refused.
#[must_use]
pub fn enforced(engine: &Engine, events: &[Event<'_>]) -> Vec<Ruling> {
    rulings(engine, events, |it| it.verdict == Ruled::Deny)
}

/// The same where the calls of these steps did not happen, and all others did.
#[must_use]
pub fn without(engine: &Engine, events: &[Event<'_>], steps: &BTreeSet<u32>) -> Vec<Ruling> {
    rulings(engine, events, |it| it.step.is_some_and(|step| steps.contains(&step)))
}

fn rulings(
    engine: &Engine,
    events: &[Event<'_>],
    refuses: impl Fn(&Ruling) -> bool,
) -> Vec<Ruling> {
    let mut replay =
        Replay { engine, state: State::new(engine, Door::Recorded), refused: BTreeSet::new() };
    let each = events.iter().enumerate();
    each.filter_map(|(place, event)| replay.event(place, event, &refuses)).collect()
}

/// A replay under way.
struct Replay<'e> {
    engine: &'e Engine,
    state: State,
    /// The calls that did not happen although they are recorded.
    refused: BTreeSet<u32>,
}

impl Replay<'_> {
    fn event(
        &mut self,
        place: usize,
        event: &Event<'_>,
        refuses: &impl Fn(&Ruling) -> bool,
    ) -> Option<Ruling> {
        match &event.what {
            What::Call(call) => Some(self.call(place, event, call, refuses)),
            What::End(_) => {
                let judgement = self.engine.judge(&self.state, event);
                Some(self.ruling(place, None, judgement))
            }
            What::Answer { step, .. }
            | What::Approval { step, .. }
            | What::Rejection { step, .. }
            | What::Outcome { step, .. }
                if self.refused.contains(step) =>
            {
                None
            }
            _ => {
                self.engine.step(&mut self.state, event);
                None
            }
        }
    }

    fn call(
        &mut self,
        place: usize,
        event: &Event<'_>,
        call: &Call<'_>,
        refuses: &impl Fn(&Ruling) -> bool,
    ) -> Ruling {
        let (engine, seal) = (self.engine, self.state.seal.clone());
        engine
            .faces(call)
            .opened(seal.keys(), |opened| self.opened(place, (event, call), opened, refuses))
    }

    fn opened(
        &mut self,
        place: usize,
        (event, call): (&Event<'_>, &Call<'_>),
        opened: &[Opened<'_>],
        refuses: &impl Fn(&Ruling) -> bool,
    ) -> Ruling {
        let judgement = self.engine.judge_opened(&self.state, opened, event.at, event.message);
        let ruling = self.ruling(place, Some(call.step), judgement.clone());
        if refuses(&ruling) {
            self.refused.insert(call.step);
            let call = Call { hindsight: None, ran: Ran::No, ..call.clone() };
            let event = Event { what: What::Call(call), ..*event };
            self.engine.advance(&mut self.state, &event, &judgement);
        } else {
            let pen = &mut Pen::default();
            self.engine.advance_call(&mut self.state, event, opened, &judgement, pen);
        }
        ruling
    }

    fn ruling(&self, place: usize, step: Option<u32>, mut judgement: Judgement) -> Ruling {
        waive_now(self.engine, self.state.session.id(), None, &mut judgement.held);
        let findings: Vec<Finding> = judgement.held.into_iter().map(|it| it.finding).collect();
        let unknowns = judgement.unknowns;
        Ruling { place, step, verdict: ruled(&findings, &unknowns), findings, unknowns }
    }
}

fn ruled(findings: &[Finding], unknowns: &[Unknown]) -> Ruled {
    let found = findings.iter().filter(|it| it.counts()).map(|it| match it.verdict {
        Verdict::Allow => Ruled::Allow,
        Verdict::Ask => Ruled::Ask,
        Verdict::Deny => Ruled::Deny,
    });
    let unknown = unknowns.iter().filter(|it| it.counts).map(|_| Ruled::Unknown);
    found.chain(unknown).max().unwrap_or_default()
}
