//! The list of rule kinds, in the order of the documentation.

mod approval_above;
mod arg_equals;
mod arg_in;
mod arg_never_matches;
mod arg_range;
mod arg_required;
mod arg_size;
mod at_most;
mod command;
mod complete;
mod confirm;
mod host_in;
mod never;
mod only_listed;
mod path_within;
mod require_before;
mod self_protect;

use crate::params::{Definition, Field, Shape};

/// Every kind that a native policy can name, in the order of the documentation.
pub const KINDS: &[&dyn Definition] = &[
    &approval_above::Native,
    &arg_equals::Native,
    &arg_in::Native,
    &arg_never_matches::Native,
    &arg_range::Native,
    &arg_required::Native,
    &arg_size::Native,
    &at_most::Native,
    &command::Native,
    &complete::Native,
    &confirm::Native,
    &host_in::Native,
    &never::Native,
    &only_listed::Native,
    &path_within::Native,
    &require_before::Native,
    &self_protect::Native,
];

/// The pages of the engine's own kinds, which stand in no policy as rules.
pub const OWN_PAGES: &[(&str, &str)] = &[
    ("ran_anyway", include_str!("own/ran_anyway.md")),
    ("used_id", include_str!("own/used_id.md")),
    ("waiver", include_str!("own/waiver.md")),
];

/// The parameter that most kinds share.
const TOOLS: Field =
    Field::optional("tools", Shape::Tools, "The tools it covers; every tool if left out.");

/// The parameter of kinds that judge one argument.
const OPTIONAL: Field = Field::optional(
    "optional",
    Shape::Bool,
    "Whether a call without the argument passes; if left out, it passes only where `tools` is left out too.",
);

pub use approval_above::{APPROVALS_MAX, ApprovalAbove, Lets};
pub use arg_equals::{ArgEquals, Source};
pub use arg_in::ArgIn;
pub use arg_never_matches::{ArgNeverMatches, Counts, Searched};
pub use arg_range::ArgRange;
pub use arg_required::ArgRequired;
pub use arg_size::ArgSize;
pub use at_most::{AtMost, EVIDENCE_MAX, LeavesOut, Per, WINDOW_ENTRIES_MAX};
pub use command::Command;
pub(crate) use command::matcher as command_matcher;
pub use complete::{BROKEN_OFF, Complete};
pub use confirm::{Confirm, ConfirmBy, Consent, DOUBT, Refusals, UNSPENT_MAX};
pub use host_in::HostIn;
pub use never::Never;
pub use only_listed::{Entry, OnlyListed, Pick as PickEntry, Wanted};
pub use path_within::PathWithin;
pub use require_before::{RequireBefore, SUBJECTS_MAX};
pub use self_protect::SelfProtect;

#[cfg(test)]
mod tests;
