//! What a verification says.

use super::Unreadable;
use crate::tlog::{EMPTY_ROOT, Hash};

/// The most findings that a report lists; more are counted.
pub const FINDINGS_MAX: usize = 1000;

/// What is wrong with an entry, or with the ledger from there on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The entry is another one than was recorded: its hash is not the one that was kept apart.
    Edited,
    /// The entry is not there, and its hash is.
    Missing,
    /// The entry can't be read, and its hash is there; the text says why.
    Damaged(String),
    /// The hash that was kept apart is damaged, and the entry is there.
    LeafDamaged,
    /// Neither the entry nor its hash is there.
    Lost,
    /// The entry is no object with `v`, `agent`, `seq`, `prev`, `at` and `kind`; the text says why.
    Form(&'static str),
    /// The agent's number is not the next one, which is given.
    Seq(String, u64),
    /// The entry does not name the agent's entry before.
    Prev(String),
    /// The agent's first entry is no genesis, its second no policy, or one of them comes again.
    Birth(String),
    /// The first so many entries are not the ones that a checkpoint signed; the entry of the
    /// finding is the first that no other checkpoint holds.
    Rewritten(u64),
    /// A checkpoint signed this many entries, and there are fewer.
    Truncated(u64),
}

impl What {
    pub(super) fn of(why: &Unreadable) -> Self {
        match why {
            Unreadable::Missing => What::Missing,
            Unreadable::Damaged(why) | Unreadable::Failed(why) => What::Damaged(why.clone()),
        }
    }

    /// As one word, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            What::Edited => "edited",
            What::Missing => "missing",
            What::Damaged(_) => "damaged",
            What::LeafDamaged => "leaf_damaged",
            What::Lost => "lost",
            What::Form(_) => "form",
            What::Seq(..) => "seq",
            What::Prev(_) => "prev",
            What::Birth(_) => "birth",
            What::Rewritten(_) => "rewritten",
            What::Truncated(_) => "truncated",
        }
    }

    /// The agent whose chain it concerns, if it is one's.
    #[must_use]
    pub fn agent(&self) -> Option<&str> {
        match self {
            What::Seq(agent, _) | What::Prev(agent) | What::Birth(agent) => Some(agent),
            _ => None,
        }
    }
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            What::Edited => f.write_str("the entry is not the one that was recorded"),
            What::Missing => f.write_str("the entry is missing"),
            What::Damaged(why) => write!(f, "the entry is damaged: {why}"),
            What::LeafDamaged => f.write_str("the hash that was kept apart is damaged"),
            What::Lost => f.write_str("the entry is lost, and so is its hash"),
            What::Form(why) => write!(f, "this is no entry: {why}"),
            What::Seq(agent, next) => write!(f, "`{agent}` goes on with number {next}"),
            What::Prev(agent) => write!(f, "this does not follow the entry of `{agent}` before"),
            What::Birth(agent) => write!(f, "`{agent}` begins with genesis and policy, once"),
            What::Rewritten(size) => {
                write!(f, "the first {size} entries are not the ones that were signed")
            }
            What::Truncated(size) => write!(f, "{size} entries were signed, and there are fewer"),
        }
    }
}

/// Something that is wrong, at an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The place of the entry in the ledger, from 0.
    pub index: u64,
    /// What.
    pub what: What,
}

/// Something that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proved {
    /// The first so many entries are the ones that the log's key has signed.
    Checkpoint(u64),
    /// A witness has signed the first so many entries, at a time in seconds since 1970.
    Cosigned(u64, String, u64),
    /// The first so many entries are the ones that a witness remembers.
    Witnessed(u64),
}

impl std::fmt::Display for Proved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Proved::Checkpoint(size) => write!(f, "the first {size} entries are as signed"),
            Proved::Cosigned(size, name, _) => {
                write!(f, "the witness `{name}` has signed the first {size} entries")
            }
            Proved::Witnessed(size) => {
                write!(f, "the first {size} entries are as a witness remembers them")
            }
        }
    }
}

/// Something that could not be proved with what was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// No checkpoint of a known key: whoever can write the disk can have written all of this.
    Unsigned,
    /// Entries from the first number until the second lie after the last checkpoint.
    AfterCheckpoint(u64, u64),
    /// The list of keys wants witnesses, and no checkpoint has enough of them.
    Witnesses,
    /// No earlier checkpoint and no witness: a cut tail or a restored backup shows nowhere.
    Rollback,
}

impl Unproved {
    /// As one word, for programs.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Unproved::Unsigned => "unsigned",
            Unproved::AfterCheckpoint(..) => "after_checkpoint",
            Unproved::Witnesses => "witnesses",
            Unproved::Rollback => "rollback",
        }
    }

    /// What would prove it.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Unproved::Unsigned => {
                "sign with `lawbook ledger checkpoint`, and give the public key with `--key`"
            }
            Unproved::AfterCheckpoint(..) => "sign again with `lawbook ledger checkpoint`",
            Unproved::Witnesses => "ask the witnesses to sign the checkpoint",
            Unproved::Rollback => {
                "give a checkpoint that was kept elsewhere with `--expect`, or use a witness"
            }
        }
    }
}

impl std::fmt::Display for Unproved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unproved::Unsigned => f.write_str(
                "no known key has signed: whoever can write here can have written all of it",
            ),
            Unproved::AfterCheckpoint(from, to) => {
                let last = to.saturating_sub(1);
                write!(f, "nobody has signed entries {from} to {last}, after the last checkpoint")
            }
            Unproved::Witnesses => f.write_str("too few witnesses have signed"),
            Unproved::Rollback => f.write_str(
                "rollback is not detectable: a cut tail or a restored backup shows nowhere",
            ),
        }
    }
}

/// Something that no verification of this ledger can tell, whatever is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Entries after the first so many could have been there and been cut.
    CutAfter(u64),
    /// A witness has signed the first so many entries at this time, in seconds since 1970; what
    /// was added after that can have been cut.
    CutSince(u64, u64),
    /// So many hashes were not kept apart, so that only the entries vouch for themselves.
    LeavesMissing(u64),
}

impl Limit {
    /// As one word, for programs.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Limit::CutAfter(_) => "cut_after",
            Limit::CutSince(..) => "cut_since",
            Limit::LeavesMissing(_) => "leaves_missing",
        }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::CutAfter(size) => {
                write!(f, "entries after the first {size} can have been cut unseen")
            }
            Limit::CutSince(size, _) => {
                write!(f, "entries after the {size} that a witness signed can have been cut unseen")
            }
            Limit::LeavesMissing(count) => {
                write!(f, "the hashes of {count} entries were not kept apart")
            }
        }
    }
}

/// What was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many entries there are.
    pub size: u64,
    /// The root of their tree.
    pub root: Hash,
    /// How many of them are the ones that were recorded.
    pub whole: u64,
    /// How many agents they are of.
    pub agents: u64,
    /// How many hashes were not kept apart.
    pub leaves_missing: u64,
    /// What is wrong, in order of the entries; at most [`FINDINGS_MAX`].
    pub findings: Vec<Finding>,
    /// How many findings there are beyond those.
    pub more: u64,
    /// What holds.
    pub proved: Vec<Proved>,
    /// What could not be proved.
    pub unproved: Vec<Unproved>,
    /// What can't be told at all.
    pub limits: Vec<Limit>,
}

impl Default for Report {
    fn default() -> Self {
        Report {
            size: 0,
            root: EMPTY_ROOT,
            whole: 0,
            agents: 0,
            leaves_missing: 0,
            findings: Vec::new(),
            more: 0,
            proved: Vec::new(),
            unproved: Vec::new(),
            limits: Vec::new(),
        }
    }
}

impl Report {
    pub(super) fn proved(&mut self, proved: Proved) {
        if !self.proved.contains(&proved) {
            self.proved.push(proved);
        }
    }

    pub(super) fn add(&mut self, finding: Finding) {
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(finding);
        } else {
            self.more = self.more.saturating_add(1);
        }
    }
}
