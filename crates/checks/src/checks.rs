//! The list of checks, in the order of reports.

use crate::Check;

/// Every check, in the order of reports.
pub const CHECKS: &[&dyn Check] = &[];

/// The check of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Check> {
    CHECKS.iter().find(|it| it.name() == name).copied()
}
