//! What a judge says of the way that a run took.

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

    fn of(&self, _: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        given.judged.cloned()
    }
}
