//! Where entries lie: files that outlive a crash, behind a trait.
//!
//! `FORMAT.md` beside this crate's sources gives every byte. [`FileStore`] is the store in a folder;
//! [`Store`] is what it and others have in common.

mod crc;
mod cuts;
mod entry;
mod file_store;
mod frame;
mod inner;
mod io;
mod log;
mod opening;
mod queue;
mod report;
mod scan;
mod seal;
mod secrets;
#[cfg(any(test, feature = "sim"))]
pub mod sim;
mod snapshots;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use entry::{
    AGENT_BYTES_MAX, Head, LEDGER_AGENT, Link, Links, NO_LEAF, entry_bytes, hex, leaf_of,
};
pub use file_store::{FileStore, Options, SEGMENT_BYTES_MAX, SEGMENT_BYTES_MIN};
pub use frame::{ENTRY_BYTES_MAX, Id, Leaf, agent_tag, leaf_hash};
pub use io::{Disk, How, Io, IoFile};
pub use queue::{BATCH_BYTES_MAX, BATCH_ENTRIES_MAX, WAITING_BYTES_MAX, WAITING_ENTRIES_MAX};
pub use report::{FAULTS_MAX, Fault, Opened, Stops, Tail, What};
pub use seal::{HmacSeal, Secret};
pub use secrets::Kept;
pub use snapshots::SNAPSHOT_BYTES_MAX;
pub use texts::TEXT_BYTES_MAX;

use crate::error::{Code, Error};

/// What is given to a store: the bytes of an entry, and the text that belongs to it, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The entry, which is stored and hashed as it is.
    pub bytes: Vec<u8>,
    /// What lies apart and may be erased.
    pub text: Option<Vec<u8>>,
}

impl Entry {
    /// An entry without a text.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Entry { bytes, text: None }
    }

    /// The same with a text, which is durable when the entry is.
    #[must_use]
    pub fn with_text(self, text: Vec<u8>) -> Self {
        Entry { text: Some(text), ..self }
    }
}

/// Where an entry is, once it is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Its place in the ledger, from 0.
    pub index: u64,
    /// Its leaf hash.
    pub leaf: Leaf,
}

/// What is durable later: an entry that has its place already.
#[derive(Clone)]
pub struct Ticket {
    placed: Placed,
    number: u64,
    waits: Arc<dyn Waits>,
}

impl Ticket {
    /// A ticket for what a store took as its `number`th.
    #[must_use]
    pub fn new(placed: Placed, number: u64, waits: Arc<dyn Waits>) -> Self {
        Ticket { placed, number, waits }
    }

    /// The place that the entry has if it becomes durable.
    #[must_use]
    pub fn placed(&self) -> Placed {
        self.placed
    }

    /// Waits until the entry is durable.
    ///
    /// # Errors
    /// When the store failed before that. Whether the entry is there is told by opening it again.
    pub fn wait(&self) -> Result<Placed, Error> {
        self.waits.wait(self.number)?;
        Ok(self.placed)
    }
}

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ticket").field("placed", &self.placed).finish_non_exhaustive()
    }
}

/// Where tickets wait.
pub trait Waits: Send + Sync {
    /// Waits until what was taken as that number is durable.
    ///
    /// # Errors
    /// When the store failed before that.
    fn wait(&self, number: u64) -> Result<(), Error>;
}

/// An append-only log of entries with one chain per agent, and texts beside it.
pub trait Store: Send + Sync {
    /// Takes an entry and gives it its place at once. It is written when somebody waits.
    ///
    /// # Errors
    /// `entry_invalid`, `too_large`; `chain` when it does not continue its agent's head; `busy` when
    /// too much waits; `agent_stopped`, `stopped`.
    fn submit(&self, entry: Entry) -> Result<Ticket, Error>;

    /// What the next entry of an agent continues, entries that wait included.
    ///
    /// # Errors
    /// `agent_stopped`, `stopped`.
    fn head(&self, agent: &str) -> Result<Head, Error>;

    /// How many entries are durable.
    fn size(&self) -> u64;

    /// How many agents have entries, those that wait included and the ledger's own left out.
    fn agent_count(&self) -> usize;

    /// The bytes of a durable entry.
    ///
    /// # Errors
    /// `missing`, `damaged`, `io`.
    fn entry(&self, index: u64) -> Result<Vec<u8>, Error>;

    /// The leaf hash of a durable entry, kept apart from it.
    ///
    /// # Errors
    /// `missing`, `damaged`, `io`.
    fn leaf(&self, index: u64) -> Result<Leaf, Error>;

    /// The durable entries from an index on, in order.
    fn entries(&self, from: u64) -> Entries<'_>;

    /// Adds a text to an entry that was submitted without one.
    ///
    /// # Errors
    /// `missing` without such an entry, `entry_invalid` when it has a text; else as
    /// [`submit`](Store::submit).
    fn put_text(&self, index: u64, text: Vec<u8>) -> Result<Ticket, Error>;

    /// The text of a durable entry.
    ///
    /// # Errors
    /// `missing`, `erased`, `damaged`, `io`.
    fn text(&self, index: u64) -> Result<Vec<u8>, Error>;

    /// Erases the text of an entry, durably. Gives the number of texts that were erased.
    ///
    /// # Errors
    /// `io`; the store is stopped then.
    fn erase(&self, index: u64) -> Result<u64, Error>;

    /// Erases all texts of an agent, durably, and its snapshot. Gives the number of texts.
    ///
    /// # Errors
    /// As [`erase`](Store::erase).
    fn erase_agent(&self, agent: &str) -> Result<u64, Error>;

    /// Erases the texts of agents' entries before an index each, durably, and their snapshots where
    /// there were any. Gives the number of texts.
    ///
    /// # Errors
    /// As [`erase`](Store::erase).
    fn erase_before(&self, agents: &BTreeMap<String, u64>) -> Result<u64, Error>;

    /// Writes what waits and makes it durable.
    ///
    /// # Errors
    /// As [`Ticket::wait`].
    fn flush(&self) -> Result<(), Error>;

    /// An agent's secret.
    ///
    /// # Errors
    /// `damaged`, `io`.
    fn secret(&self, agent: &str) -> Result<Kept, Error>;

    /// Makes an agent's secret, durably; one that is there is given.
    ///
    /// # Errors
    /// `erased` when it was erased: an erased secret is never made again; else as
    /// [`secret`](Store::secret).
    fn make_secret(&self, agent: &str) -> Result<Secret, Error>;

    /// Gives an agent the secret of another one, durably, so that what was sealed for the one means
    /// the same to the other.
    ///
    /// # Errors
    /// `missing` and `erased` when the other one has none; `chain` when the agent has another one
    /// already; else as [`secret`](Store::secret).
    fn share_secret(&self, from: &str, to: &str) -> Result<Secret, Error>;

    /// Erases an agent's secret from the disk; whether there was one.
    ///
    /// # Errors
    /// `io`.
    fn erase_secret(&self, agent: &str) -> Result<bool, Error>;

    /// Keeps what was folded from the first `size` entries for an agent, in place of an older
    /// snapshot.
    ///
    /// # Errors
    /// `missing` when the log is shorter; `too_large`; `io`. The store goes on.
    fn put_snapshot(&self, agent: &str, size: u64, bytes: &[u8]) -> Result<(), Error>;

    /// An agent's snapshot, with the size of the log it was taken at. One that does not fit this
    /// log, or is damaged, is none.
    fn snapshot(&self, agent: &str) -> Option<(u64, Vec<u8>)>;
}

/// Entries in order, each with its index.
pub struct Entries<'s> {
    store: &'s dyn Store,
    next: u64,
}

impl<'s> Entries<'s> {
    /// The entries of a store from an index on.
    #[must_use]
    pub fn new(store: &'s dyn Store, from: u64) -> Self {
        Entries { store, next: from }
    }
}

impl std::fmt::Debug for Entries<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entries").field("next", &self.next).finish_non_exhaustive()
    }
}

impl Iterator for Entries<'_> {
    type Item = (u64, Result<Vec<u8>, Error>);

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.next;
        if index >= self.store.size() {
            return None;
        }
        self.next = index.saturating_add(1);
        Some((index, self.store.entry(index)))
    }
}

/// The numbers of the files in a folder that are named by a number and an ending, in order.
fn listed(io: &dyn Io, dir: &str, ending: &str) -> Result<Vec<u64>, Error> {
    let names = io.list(dir).map_err(|e| Error::io("list", dir, &e))?;
    let number = |name: &String| {
        let digits = name.strip_suffix(ending)?;
        let plain = digits.len() == 20 && digits.bytes().all(|it| it.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten()
    };
    Ok(names.iter().filter_map(number).collect())
}

/// An error that says that a store stopped, and why.
fn stopped(why: &str) -> Error {
    Error::new(Code::Stopped, format!("the ledger accepts nothing until it is opened again: {why}"))
}
