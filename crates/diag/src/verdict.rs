//! The three answers to a call.

use std::fmt;

/// What may become of a call. The strictest of several decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It may run.
    #[default]
    Allow,
    /// A person must say yes first.
    Ask,
    /// It may not run.
    Deny,
}

impl Verdict {
    /// The word that policies, reports and answers use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
