//! Stub.

use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct UnrecoveredToolError;

impl Check for UnrecoveredToolError {
    fn name(&self) -> &'static str {
        "unrecovered_tool_error"
    }

    fn page(&self) -> &'static str {
        include_str!("unrecovered_tool_error.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        let _ = (run, given);
        Some(Told::unknown(""))
    }
}
