//! What opening a ledger found: what a crash left and was cut, and what is wrong, each at its place.

use std::fmt;

/// So many faults are told one by one; the others are counted.
pub const FAULTS_MAX: usize = 1_000;

/// What opening a ledger found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opened {
    /// The torn tail that was cut off, or stands there still when the ledger is only read.
    pub torn: Option<Tail>,
    /// What is wrong, in the order of the log; at most [`FAULTS_MAX`].
    pub faults: Vec<Fault>,
    /// How many faults there are.
    pub faults_count: u64,
    /// Leaf hashes that were not synced and were made again from their entries.
    pub leaves_made: u64,
    /// Texts of batches that were lost, which were erased.
    pub texts_cut: u64,
}

impl Opened {
    /// Adds a fault.
    pub(super) fn fault(&mut self, fault: Fault) {
        self.faults_count = self.faults_count.saturating_add(1);
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(fault);
        }
    }
}

/// A tail that was being written when the process or the machine stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    /// The first index that was cut; nothing from there on was acknowledged.
    pub index: u64,
    /// The first index of its segment.
    pub segment: u64,
    /// Where it begins in the segment.
    pub offset: u64,
    /// How long it is, in bytes.
    pub bytes: u64,
}

/// What a fault stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stops {
    /// Nothing: it was made good, or concerns a text or a secret alone.
    Nothing,
    /// The agent whose record it is.
    Agent,
    /// The whole store.
    Store,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub what: What,
    /// What it stops.
    pub stops: Stops,
    /// The entry, where it concerns one.
    pub index: Option<u64>,
    /// Whose record it is, where that is known.
    pub agent: Option<String>,
    /// The file.
    pub file: String,
    /// Where in the file, in bytes.
    pub offset: u64,
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// An entry's bytes are damaged or gone; its leaf hash is known.
    Damaged,
    /// An entry's bytes are damaged or gone, and its leaf hash too.
    Lost,
    /// An entry's bytes hold, and are not those that were hashed when it was stored.
    Edited,
    /// An entry is not the next of its agent.
    Seq,
    /// An entry does not continue the entry of its agent before it.
    Prev,
    /// The bytes of an entry are no entry.
    NotAnEntry,
    /// A leaf record was damaged or gone, and was made again from its entry.
    LeafRecord,
    /// The header of a file is not what it must be.
    Header,
    /// A text is damaged.
    Text,
    /// A secret is damaged.
    Secret,
}

impl What {
    /// The code as it stands in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            What::Damaged => "damaged",
            What::Lost => "lost",
            What::Edited => "edited",
            What::Seq => "seq",
            What::Prev => "prev",
            What::NotAnEntry => "not_an_entry",
            What::LeafRecord => "leaf_record",
            What::Header => "header",
            What::Text => "text",
            What::Secret => "secret",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            What::Damaged => "the entry is damaged or gone",
            What::Lost => "the entry is damaged or gone, and its leaf hash too",
            What::Edited => "the entry is not the one that was stored",
            What::Seq => "the entry is not its agent's next",
            What::Prev => "the entry does not continue its agent's entry before it",
            What::NotAnEntry => "the bytes are no entry",
            What::LeafRecord => "the leaf record was damaged or gone",
            What::Header => "the header is not what it must be",
            What::Text => "the text is damaged",
            What::Secret => "the secret is damaged",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at byte {}: {}", self.file, self.offset, self.what.sentence())?;
        if let Some(index) = self.index {
            write!(f, ", index {index}")?;
        }
        if let Some(agent) = &self.agent {
            write!(f, ", agent `{}`", agent.escape_debug())?;
        }
        match self.stops {
            Stops::Nothing => Ok(()),
            Stops::Agent => f.write_str("; the agent is stopped"),
            Stops::Store => f.write_str("; the ledger is stopped"),
        }
    }
}
