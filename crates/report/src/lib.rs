//! Findings to reports. A reporter writes what it is given and decides nothing.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::panic,
        clippy::string_slice
    )
)]

mod audit;
mod gate;
mod grouped;
mod labels;
mod object;
mod place;
mod reasons;
mod report;
mod reporter;
mod reporters;
mod said;
mod sealed;
mod unseen;
mod written;

pub use audit::{AuditInput, AuditOutput, AuditRecord, audit_manifest, audit_script};
pub use gate::{CheckLine, Gate, GateTest, GateVerdict, UsageLine};
pub use grouped::{GROUP_LINES_MAX, GroupLine, Grouped, RULE_GROUPS_MAX, RuleGroup};
pub use labels::{LABEL_BYTES_MAX, LABELS_MAX, ToolLabels};
pub use object::{quote, write_finding, write_unknown};
pub use reasons::{REASONS_MAX, Reason, Reasons};
pub use report::{
    Closing, GROUPS_MAX, Header, PolicyLine, Report, Selection, SessionReport, StrictView, Summary,
    Tally,
};
pub use reporter::{Options, Reporter};
pub use reporters::{REPORTERS, code_span, named};
pub use unseen::{cut, is_unseen, shown};
pub use written::{Bound, Written};
