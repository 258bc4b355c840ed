//! The list of rule kinds, in the order of the documentation.

mod approval;
mod approval_above;
mod arg_equals;
mod arg_in;
mod arg_never_matches;
mod arg_range;
mod arg_required;
mod arg_size;
mod at_most;
mod budget;
mod command;
mod complete;
mod confirm;
mod host_in;
mod never;
mod only_listed;
mod path_within;
mod require_before;
mod scars;
mod self_protect;

use crate::params::{Definition, Field, Params, Shape};
use crate::{SessionPath, Share};

/// Every kind that a native policy can name, in the order of the documentation.
pub const KINDS: &[&dyn Definition] = &[
    &approval::Native,
    &approval_above::Native,
    &arg_equals::Native,
    &arg_in::Native,
    &arg_never_matches::Native,
    &arg_range::Native,
    &arg_required::Native,
    &arg_size::Native,
    &at_most::Native,
    &budget::Native,
    &command::Native,
    &complete::Native,
    &confirm::Native,
    &host_in::Native,
    &never::Native,
    &only_listed::Native,
    &path_within::Native,
    &require_before::Native,
    &scars::Native,
    &self_protect::Native,
];

/// The pages of the engine's own kinds, which stand in no policy as rules.
pub const OWN_PAGES: &[(&str, &str)] = &[
    ("ended", include_str!("own/ended.md")),
    ("ran_anyway", include_str!("own/ran_anyway.md")),
    ("rejected", include_str!("own/rejected.md")),
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

/// Who has a budget or a score of their own, as `per` and `subject` say.
fn share(params: &mut Params<'_>) -> Option<Share> {
    let subject = params.text("subject").map(SessionPath::parse);
    match (params.text("per"), subject) {
        (None | Some("agent"), None) => Some(Share::Agent),
        (Some("session"), None) => Some(Share::Session),
        (Some("subject"), Some(subject)) => Some(Share::Subject(subject)),
        (Some("subject"), None) => {
            let help = "as in `subject: enduser.id`, an attribute of the session";
            params.refuse("per", "`per: subject` needs `subject`", help);
            None
        }
        (_, Some(_)) => {
            let help = "write `per: subject` beside it";
            params.refuse("subject", "`subject` means nothing without `per: subject`", help);
            None
        }
        (Some(_), None) => None,
    }
}

pub use approval::{Approval, PEOPLE_MAX};
pub use approval_above::{APPROVALS_MAX, ApprovalAbove, Lets};
pub use arg_equals::{ArgEquals, Source};
pub use arg_in::ArgIn;
pub use arg_never_matches::{ArgNeverMatches, Counts, Searched};
pub use arg_range::ArgRange;
pub use arg_required::ArgRequired;
pub use arg_size::ArgSize;
pub use at_most::{AtMost, EVIDENCE_MAX, LeavesOut, Per, WINDOW_ENTRIES_MAX};
pub use budget::{Budget, CREDITS_MAX, Cost, Ends, Prices, cost};
pub use command::Command;
pub(crate) use command::matcher as command_matcher;
pub use complete::{BROKEN_OFF, Complete};
pub use confirm::{Confirm, ConfirmBy, Consent, DOUBT, Refusals, UNSPENT_MAX};
pub use host_in::HostIn;
pub use never::Never;
pub use only_listed::{Entry, OnlyListed, Pick as PickEntry, Wanted};
pub use path_within::PathWithin;
pub use require_before::{RequireBefore, SUBJECTS_MAX};
pub use scars::{Scars, WEIGHTS};
pub use self_protect::SelfProtect;

#[cfg(test)]
mod tests;
