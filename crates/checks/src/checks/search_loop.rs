//! Stub.

use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct SearchLoop;

impl Check for SearchLoop {
    fn name(&self) -> &'static str {
        "search_loop"
    }

    fn page(&self) -> &'static str {
        include_str!("search_loop.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        let _ = (run, given);
        Some(Told::unknown(""))
    }
}
