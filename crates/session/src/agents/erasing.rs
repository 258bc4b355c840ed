//! Erasures that the record says and the disk may not have done yet: a crash may come between.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_ledger::store::Store;

use crate::Error;
use crate::agent::stopped;

/// Texts that entries say are erased.
#[derive(Debug, Default)]
pub(super) struct Owed {
    /// The agents all of whose texts before an index are.
    agents: BTreeMap<String, u64>,
    /// The entries whose own text is.
    entries: BTreeSet<u64>,
}

impl Owed {
    /// An entry at an index says that texts of an agent are erased: that of one entry, or of all
    /// before it.
    pub fn owe(&mut self, agent: &str, entry: Option<u64>, index: u64) {
        match (entry, self.agents.get_mut(agent)) {
            (Some(entry), _) => {
                self.entries.insert(entry);
            }
            (None, Some(before)) => *before = index.max(*before),
            (None, None) => {
                self.agents.insert(agent.to_owned(), index);
            }
        }
    }

    /// Erases what is not erased yet: one look at where texts lie, however many entries say so.
    pub fn pay(&self, store: &dyn Store) -> Result<(), Error> {
        for entry in &self.entries {
            store.erase(*entry).map_err(stopped)?;
        }
        if !self.agents.is_empty() {
            store.erase_before(&self.agents).map_err(stopped)?;
        }
        Ok(())
    }
}
