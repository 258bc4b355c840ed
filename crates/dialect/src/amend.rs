//! The smallest edits of a policy that could clear a finding, for a rule that its owner finds too
//! strict.
//!
//! They are candidates in the order of preference and promise nothing: whoever asks judges again by
//! the edited policy before offering one.

mod change;
mod consent;
mod faultgate;
mod native;
mod pmstack;

use lawbook_rule::Access;
use lawbook_rule::params::Node;

use crate::dialects::parse;
use change::Change;

/// A policy file that edits are asked for.
#[derive(Debug)]
pub struct Amender {
    root: Node,
    edits: Edits,
    /// Whether the file is JSON, so that what is to be written is JSON too.
    json: bool,
}

/// What is known of a finding, as far as an edit rests on it.
#[derive(Clone, Copy, Debug)]
pub struct Cause<'c> {
    /// The rule's id.
    pub rule: &'c str,
    /// The tool of the call; none where the finding is on the run.
    pub tool: Option<&'c str>,
    /// What the tool does, as the policy says or its name lets guess.
    pub access: Access,
    /// The argument that the finding is about, as JSON text.
    pub value: Option<&'c str>,
    /// The last words of the user before the call.
    pub words: Option<&'c str>,
    /// Calls of the tool up to this one; all calls where the finding is on the run.
    pub calls: u64,
    /// Plain values of the session's metadata, by path.
    pub details: &'c [(String, String)],
}

/// One edit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// Where in the file, as `tools` or `rules[2].arg_range`; the top where it is empty.
    pub at: String,
    /// What to write there.
    pub write: String,
    /// The whole policy with the edit, as JSON text of the same dialect.
    pub policy: String,
}

/// What could clear a finding, in one dialect.
type Edits = fn(&Node, &Cause<'_>) -> Vec<Change>;

/// The dialects that can be edited.
const DIALECTS: &[(&str, Edits)] =
    &[("lawbook", native::edits), ("faultgate", faultgate::edits), ("pmstack", pmstack::edits)];

impl Amender {
    /// A policy file of a dialect; none where the dialect has no edits or the file no tree.
    #[must_use]
    pub fn new(dialect: &str, bytes: &[u8]) -> Option<Self> {
        let edits = DIALECTS.iter().find(|it| it.0 == dialect)?.1;
        let text = std::str::from_utf8(bytes).ok()?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let root = parse("", text).ok()?;
        Some(Amender { root, edits, json: text.trim_start().starts_with('{') })
    }

    /// The edits that could clear a finding, the preferred first.
    #[must_use]
    pub fn edits(&self, cause: &Cause<'_>) -> Vec<Edit> {
        let changes = (self.edits)(&self.root, cause);
        changes.into_iter().filter_map(|it| it.edit(&self.root, self.json)).collect()
    }
}

#[cfg(test)]
mod tests;
