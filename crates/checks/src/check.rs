//! What every check can do.

use crate::{Given, Run};

/// What a check needs beside the run itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Nothing: it is always on.
    Rule,
    /// The expected answers (`--golden`).
    Golden,
    /// A judge (`--judge`).
    Judge,
    /// What each run came to, as somebody stated it (`--outcomes`).
    Outcome,
}

/// What a check says of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Whether something is wrong.
    pub detected: bool,
    /// How sure the check is, from 0 to 1. Rules are sure; at 0 the check could not tell.
    pub confidence: f64,
    /// What was seen, in words.
    pub reason: String,
}

impl Told {
    /// Something is wrong.
    pub fn wrong(reason: impl Into<String>) -> Self {
        Told { detected: true, confidence: 1.0, reason: reason.into() }
    }

    /// Nothing is wrong.
    pub fn clean(reason: impl Into<String>) -> Self {
        Told { detected: false, confidence: 1.0, reason: reason.into() }
    }

    /// Nothing is wrong, unless something is missing: then the check could not tell.
    pub(crate) fn clean_unless(missing: Option<impl Into<String>>, reason: &str) -> Self {
        missing.map_or_else(|| Told::clean(reason), Told::unknown)
    }

    /// The check could not tell, because of what is missing.
    pub fn unknown(reason: impl Into<String>) -> Self {
        Told { detected: false, confidence: 0.0, reason: reason.into() }
    }

    /// Whether the check could not tell.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        !self.detected && self.confidence <= 0.0
    }
}

/// One check.
pub trait Check: Sync {
    /// Its name, as `--checks` takes it.
    fn name(&self) -> &'static str;

    /// The page that says when it fires and what it can't see.
    fn page(&self) -> &'static str;

    /// What it needs beside the run itself.
    fn group(&self) -> Group;

    /// What it says of a run; nothing where it was not given what it needs.
    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told>;
}
