//! What every check can do.

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
    /// How sure the check is, from 0 to 1. Rules are sure.
    pub confidence: f64,
    /// What was seen, in words.
    pub reason: String,
}

/// One check.
pub trait Check: Sync {
    /// Its name, as `--checks` takes it.
    fn name(&self) -> &'static str;

    /// The page that says when it fires and what it can't see.
    fn page(&self) -> &'static str;

    /// What it needs beside the run itself.
    fn group(&self) -> Group;
}
