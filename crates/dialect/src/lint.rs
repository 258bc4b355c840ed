//! What is allowed in a policy and probably not meant.

use lawbook_diag::Problem;

use crate::load::{Options, open};

/// Something in a policy that works and is probably not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// What it is, where, and the way out.
    pub problem: Problem,
    /// Whether it is only worth knowing. What is not a note is worth a failing exit code.
    pub note: bool,
}

/// Everything that is allowed in a policy file and probably not meant. A file that can't be lowered
/// has problems instead, which [`crate::load`] tells.
#[must_use]
pub fn lint(source: &str, bytes: &[u8], options: &Options<'_>) -> Vec<Lint> {
    match open(source, bytes, options) {
        Ok((dialect, text)) => (dialect.lint)(source, text),
        Err(_) => Vec::new(),
    }
}
