//! What somebody states of a run in a file of outcomes.

use crate::given::unsure_of_scenario;
use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct Outcome;

impl Check for Outcome {
    fn name(&self) -> &'static str {
        "outcome"
    }

    fn page(&self) -> &'static str {
        include_str!("outcome.md")
    }

    fn group(&self) -> Group {
        Group::Outcome
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        Some(match given.outcomes?.of(run) {
            Some(_) if !run.is_sure_of_scenario() => unsure_of_scenario(),
            Some(true) => Told::clean("outcome true in the outcomes file"),
            Some(false) => Told::wrong("outcome false in the outcomes file"),
            None => Told::unknown("no outcome for this scenario"),
        })
    }
}
