//! Stub.

use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct RepeatedCall;

impl Check for RepeatedCall {
    fn name(&self) -> &'static str {
        "repeated_call"
    }

    fn page(&self) -> &'static str {
        include_str!("repeated_call.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        let _ = (run, given);
        Some(Told::unknown(""))
    }
}
