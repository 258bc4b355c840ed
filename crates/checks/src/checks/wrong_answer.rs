//! Stub.

use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct WrongAnswer;

impl Check for WrongAnswer {
    fn name(&self) -> &'static str {
        "wrong_answer"
    }

    fn page(&self) -> &'static str {
        include_str!("wrong_answer.md")
    }

    fn group(&self) -> Group {
        Group::Golden
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        let _ = (run, given);
        given.golden.map(|_| Told::unknown(""))
    }
}
