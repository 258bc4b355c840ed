//! The review file: what a policy's owner says of each finding, and of each note of a reviewer on a
//! trace that the policy lets pass. It is written by commands and filled in by hand.

mod edits;
mod merge;
mod read;
mod state;
mod write;

use std::path::Path;

use lawbook_diag::Problem;

use crate::masking;

pub use edits::Editor;
pub use merge::{Found, Gathered, is_open, key};
pub use state::{NoteCounts, Standing};

/// The name and version of the file's form.
pub const SCHEMA: &str = "lawbook.review/1";

/// Findings that a review file holds.
pub const REVIEW_ENTRIES_MAX: usize = 10_000;

/// A review file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// The policies that findings are of, each with the digest of its file.
    pub policies: Vec<(String, String)>,
    /// One entry for each finding, those of a rule together.
    pub findings: Vec<Entry>,
    /// One entry for each note on a trace that the policy lets pass.
    pub notes: Vec<Noted>,
}

/// What tells a finding from others, from one run to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The rule's id.
    pub rule: String,
    /// The session's id.
    pub session: String,
    /// The printed id of the step; empty for a finding on the run.
    pub step_id: String,
    /// The tool; empty for a finding on no call.
    pub tool: String,
}

/// One finding, and what was said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Which one.
    pub key: Key,
    /// What is wrong.
    pub message: String,
    /// Why the rule is there.
    pub why: String,
    /// What the owner says.
    pub mark: Mark,
    /// In the owner's words.
    pub note: String,
    /// What became of it.
    pub state: State,
    /// The smallest edit of the policy that clears it, if there is one.
    pub edit: Option<Proposal>,
}

/// What the owner says of a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing yet.
    #[default]
    Open,
    /// The call broke the rule.
    Real,
    /// The rule asks too much.
    RuleToFix,
}

/// What became of a finding when its session was last judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It is still found.
    #[default]
    Found,
    /// It is found no more.
    Cleared,
    /// Its rule could not be judged there.
    Unknown,
}

/// An edit of a policy that clears a finding; judging again has shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The policy file.
    pub policy: String,
    /// Where in it; the top where it is empty.
    pub at: String,
    /// What to write there.
    pub write: String,
}

/// A note of a reviewer on a trace that the policy lets pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted {
    /// The trace's id.
    pub trace: String,
    /// The reviewer's words.
    pub said: String,
    /// The failure modes that the reviewer names.
    pub modes: Vec<String>,
    /// What follows for the policy.
    pub disposition: Disposition,
    /// The new rule, the instruction, or who else checks.
    pub with: String,
    /// Whether the policy finds something there by now.
    pub found: bool,
}

/// What follows from a note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Disposition {
    /// Nobody has said yet.
    #[default]
    Unsorted,
    /// The policy gets a rule.
    NewRule,
    /// The agent gets an instruction.
    Instruction,
    /// Something or somebody else checks it.
    WhoElseChecks,
    /// It is nothing for a policy.
    NoGap,
}

impl Mark {
    /// Every mark with the word that the file has for it.
    pub const ALL: &'static [(Mark, &'static str)] =
        &[(Mark::Open, ""), (Mark::Real, "real"), (Mark::RuleToFix, "rule to fix")];
}

impl State {
    /// Every state with the word that the file has for it.
    pub const ALL: &'static [(State, &'static str)] =
        &[(State::Found, "found"), (State::Cleared, "cleared"), (State::Unknown, "unknown")];
}

impl Disposition {
    /// Every disposition with the word that the file has for it.
    pub const ALL: &'static [(Disposition, &'static str)] = &[
        (Disposition::Unsorted, ""),
        (Disposition::NewRule, "new rule"),
        (Disposition::Instruction, "instruction"),
        (Disposition::WhoElseChecks, "who else checks"),
        (Disposition::NoGap, "no gap"),
    ];
}

/// The word for a value of a list such as [`Mark::ALL`].
#[must_use]
pub fn word<T: PartialEq>(all: &[(T, &'static str)], value: &T) -> &'static str {
    all.iter().find(|it| it.0 == *value).map_or("", |it| it.1)
}

/// The value of a word; a hyphen may stand for a space.
#[must_use]
pub fn named<T: Copy>(all: &[(T, &'static str)], word: &str) -> Option<T> {
    let word = word.trim().to_lowercase().replace(['-', '_'], " ");
    all.iter().find(|it| it.1 == word).map(|it| it.0)
}

impl Key {
    /// The same as a report names it.
    #[must_use]
    pub fn masked(self) -> Self {
        let text = |it: String| masking::text(&it).into_owned();
        Key {
            rule: self.rule,
            session: masking::key(&self.session).into_owned(),
            step_id: text(self.step_id),
            tool: text(self.tool),
        }
    }

    /// A short name for commands: eight hexadecimal digits of a digest.
    #[must_use]
    pub fn id(&self) -> String {
        let Key { rule, session, step_id, tool } = self;
        let digest = lawbook::digest([&**rule, session, step_id, tool].join("\0").as_bytes());
        digest.trim_start_matches("sha256:").chars().take(8).collect()
    }
}

impl Review {
    /// Reads a review file; one that is not there yet is empty.
    ///
    /// # Errors
    /// For everything that is wrong with it.
    pub fn load_or_new(path: &Path) -> Result<Self, Vec<Problem>> {
        if path.exists() { Review::load(path) } else { Ok(Review::default()) }
    }

    /// Reads a review file.
    ///
    /// # Errors
    /// For everything that is wrong with it.
    pub fn load(path: &Path) -> Result<Self, Vec<Problem>> {
        let text = crate::fields::file_text(path).map_err(|it| vec![it])?;
        read::read(&path.display().to_string(), &text)
    }

    /// Writes the file; it changes only once it is whole.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn save(&self, path: &Path) -> Result<(), Problem> {
        crate::output::replace(path, &write::written(self))
    }
}

#[cfg(test)]
mod tests;
