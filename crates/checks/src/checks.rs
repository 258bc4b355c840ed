//! The list of checks, in the order of reports.

mod abstention;
mod context_overflow;
mod outcome;
mod repeated_call;
mod search_loop;
mod truncation;
mod unrecovered_tool_error;
mod wrong_answer;
mod wrong_direction;

use crate::Check;

/// Every check, in the order of reports.
pub const CHECKS: &[&dyn Check] = &[
    &search_loop::SearchLoop,
    &abstention::Abstention,
    &repeated_call::RepeatedCall,
    &unrecovered_tool_error::UnrecoveredToolError,
    &context_overflow::ContextOverflow,
    &wrong_answer::WrongAnswer,
    &truncation::Truncation,
    &wrong_direction::WrongDirection,
    &outcome::Outcome,
];

/// The check of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Check> {
    CHECKS.iter().find(|it| it.name() == name).copied()
}
