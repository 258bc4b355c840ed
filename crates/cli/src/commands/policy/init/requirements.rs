//! The requirements that an owner is asked for, in the order of the interview.

mod access;
mod amounts;
mod approvals;
mod call_limits;
mod channels;
mod consent;
mod duties;
mod identity;
mod irreversible;
mod logging;
mod own_record;
mod recorded_args;
mod sensitive;
mod tools;
mod values;

pub use sensitive::{ADDRESS, CARD};

use super::making::Making;
use super::question::Question;
use super::seen::Seen;

/// A requirement: what it asks, given what was seen and answered so far.
pub trait Requirement: Sync {
    /// Its name, with which the ids of its questions begin.
    fn name(&self) -> &'static str;

    /// Its questions. They are asked for again after each answer, so that a later one may rest on
    /// an earlier one.
    fn questions(&self, seen: &Seen, making: &Making) -> Questions;
}

/// What a requirement has to ask.
pub enum Questions {
    /// These, one after another.
    Ask(Vec<Question>),
    /// Nothing, since this was found.
    Found(String),
}

/// Every requirement.
pub const REQUIREMENTS: &[&dyn Requirement] = &[
    &tools::Tools,
    &access::Access,
    &consent::Consent,
    &approvals::Approvals,
    &amounts::Amounts,
    &values::Values,
    &identity::Identity,
    &own_record::OwnRecord,
    &sensitive::Sensitive,
    &channels::Channels,
    &call_limits::CallLimits,
    &recorded_args::RecordedArgs,
    &duties::Duties,
    &irreversible::Irreversible,
    &logging::Logging,
];

/// These questions, or what was found where there is none.
fn ask_or(questions: Vec<Question>, found: impl Into<String>) -> Questions {
    if questions.is_empty() { Questions::Found(found.into()) } else { Questions::Ask(questions) }
}

/// The tools of the table that change something and were seen, with what was seen of them.
fn seen_writes<'s>(seen: &'s Seen, making: &Making) -> Vec<(String, &'s super::seen::Tool)> {
    let writes = making.writes().into_iter();
    writes.filter_map(|it| seen.tools.get(&it).map(|tool| (it, tool))).collect()
}
