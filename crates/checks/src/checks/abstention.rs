//! Stub.

use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct Abstention;

impl Check for Abstention {
    fn name(&self) -> &'static str {
        "abstention"
    }

    fn page(&self) -> &'static str {
        include_str!("abstention.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        let _ = (run, given);
        Some(Told::unknown(""))
    }
}
