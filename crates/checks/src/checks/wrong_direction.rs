//! Stub.

use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct WrongDirection;

impl Check for WrongDirection {
    fn name(&self) -> &'static str {
        "wrong_direction"
    }

    fn page(&self) -> &'static str {
        include_str!("wrong_direction.md")
    }

    fn group(&self) -> Group {
        Group::Judge
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        let _ = (run, given);
        given.judged.cloned()
    }
}
