//! The engine itself as a door: a recording told at the time, or a live session without a ledger.

use lawbook_engine::{Door, Engine, Standing, State, without_hindsight};
use lawbook_event::Event;

use crate::case::Mode;
use crate::subject::{Heard, Run, Subject};
use crate::{OfAgents, Step};

/// The subject.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replay;

impl Subject for Replay {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn cannot(&self, step: &Step) -> Option<&'static str> {
        match step {
            Step::OfAgents(OfAgents::Restart) => Some("a restart needs a ledger"),
            Step::OfAgents(OfAgents::Fact) => Some("facts need a rule that reads them"),
            _ => None,
        }
    }

    fn begin<'e>(&self, engine: &'e Engine, mode: Mode) -> Box<dyn Run + 'e> {
        let door = match mode {
            Mode::Enforce => Door::Live,
            Mode::Observe => Door::Recorded,
        };
        Box::new(Session { engine, state: State::new(engine, door) })
    }
}

struct Session<'e> {
    engine: &'e Engine,
    state: State,
}

impl Run for Session<'_> {
    fn tell(&mut self, event: &Event<'_>) -> Heard {
        let event = without_hindsight(event);
        let judgement = self.engine.judge(&self.state, &event);
        self.engine.advance(&mut self.state, &event, &judgement);
        let findings = judgement.held.into_iter().map(|it| it.finding);
        Heard {
            verdict: judgement.verdict,
            findings: findings.filter(|it| it.counts()).collect(),
            unknowns: judgement.unknowns,
            misuse: judgement.misuse.map(|it| it.code()),
            charge: judgement.charge,
        }
    }

    fn pending(&self) -> usize {
        self.state.waiting()
    }

    fn standing(&self) -> Option<Standing> {
        Some(self.state.standing(self.engine))
    }
}
