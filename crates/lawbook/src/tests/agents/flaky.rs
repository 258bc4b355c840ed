//! A store whose machine breaks off at a chosen moment, over one that does not.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lawbook_ledger::store::{
    Entries, Entry, FileStore, Head, Kept, Leaf, Placed, Secret, Store, Ticket, Waits, leaf_hash,
};
use lawbook_ledger::{Code, Error};

/// The store, and what breaks.
pub struct Flaky {
    inner: Arc<FileStore>,
    /// The so manieth entry from now on is taken, never comes to the disk, and is waited for in
    /// vain; none at 0.
    pub loses: AtomicU64,
    /// Nothing is erased.
    pub keeps: AtomicBool,
}

impl Flaky {
    pub fn over(inner: Arc<FileStore>) -> Self {
        Flaky { inner, loses: AtomicU64::new(0), keeps: AtomicBool::new(false) }
    }

    fn may_erase(&self) -> Result<(), Error> {
        if self.keeps.load(Ordering::Relaxed) { Err(broke_off()) } else { Ok(()) }
    }
}

struct Lost;

impl Waits for Lost {
    fn wait(&self, _number: u64) -> Result<(), Error> {
        Err(broke_off())
    }
}

fn broke_off() -> Error {
    Error::new(Code::Io, "the machine broke off")
}

impl Store for Flaky {
    fn submit(&self, entry: Entry) -> Result<Ticket, Error> {
        let left = self.loses.load(Ordering::Relaxed);
        self.loses.store(left.saturating_sub(1), Ordering::Relaxed);
        if left == 1 {
            let placed = Placed { index: self.inner.size(), leaf: leaf_hash(&entry.bytes) };
            return Ok(Ticket::new(placed, 0, Arc::new(Lost)));
        }
        self.inner.submit(entry)
    }

    fn erase(&self, index: u64) -> Result<u64, Error> {
        self.may_erase()?;
        self.inner.erase(index)
    }

    fn erase_agent(&self, agent: &str) -> Result<u64, Error> {
        self.may_erase()?;
        self.inner.erase_agent(agent)
    }

    fn erase_before(&self, agents: &BTreeMap<String, u64>) -> Result<u64, Error> {
        self.may_erase()?;
        self.inner.erase_before(agents)
    }

    fn entries(&self, from: u64) -> Entries<'_> {
        Entries::new(self, from)
    }

    fn head(&self, agent: &str) -> Result<Head, Error> {
        self.inner.head(agent)
    }

    fn size(&self) -> u64 {
        self.inner.size()
    }

    fn agent_count(&self) -> usize {
        self.inner.agent_count()
    }

    fn entry(&self, index: u64) -> Result<Vec<u8>, Error> {
        self.inner.entry(index)
    }

    fn leaf(&self, index: u64) -> Result<Leaf, Error> {
        self.inner.leaf(index)
    }

    fn put_text(&self, index: u64, text: Vec<u8>) -> Result<Ticket, Error> {
        self.inner.put_text(index, text)
    }

    fn text(&self, index: u64) -> Result<Vec<u8>, Error> {
        self.inner.text(index)
    }

    fn flush(&self) -> Result<(), Error> {
        self.inner.flush()
    }

    fn secret(&self, agent: &str) -> Result<Kept, Error> {
        self.inner.secret(agent)
    }

    fn make_secret(&self, agent: &str) -> Result<Secret, Error> {
        self.inner.make_secret(agent)
    }

    fn share_secret(&self, from: &str, to: &str) -> Result<Secret, Error> {
        self.inner.share_secret(from, to)
    }

    fn erase_secret(&self, agent: &str) -> Result<bool, Error> {
        self.inner.erase_secret(agent)
    }

    fn put_snapshot(&self, agent: &str, size: u64, bytes: &[u8]) -> Result<(), Error> {
        self.inner.put_snapshot(agent, size, bytes)
    }

    fn snapshot(&self, agent: &str) -> Option<(u64, Vec<u8>)> {
        self.inner.snapshot(agent)
    }
}
