//! Stub.

use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct ContextOverflow;

impl Check for ContextOverflow {
    fn name(&self) -> &'static str {
        "context_overflow"
    }

    fn page(&self) -> &'static str {
        include_str!("context_overflow.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        let _ = (run, given);
        Some(Told::unknown(""))
    }
}
