//! Snapshots: caches, so that opening needs not fold every entry again. Any of them may be deleted.
//!
//! A snapshot of an agent is shut under its secret, so nobody who can only write to the disk makes
//! one. Beside them lies a list of agents, which says from where on the log must be read. Nothing
//! is taken on its word: all agents that have entries must be found, and every one that was taken up
//! from a snapshot must end at the head that its entries have, or all are folded from the first
//! entry on. Whoever verifies a ledger or judges
//! it again uses none of this.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use lawbook_event::Time;
use lawbook_ledger::store::{Kept, LEDGER_AGENT};
use lawbook_rule::{Broken, Reader, Writer, coded};

use super::{Agents, Place, lock};
use crate::agent::{Agent, Saved, Unwritten};
use crate::seal::Sealer;

/// After how many entries of an agent a snapshot of it is written, unless its server says otherwise.
pub const SNAPSHOT_ENTRIES: u64 = 10_000;
/// How many entries of an agent are rather folded than kept from when the ledger is closed.
const FEW_ENTRIES: u64 = 100;
/// The version of the list.
const LIST_VERSION: u8 = 1;

/// An agent that the list names.
struct Listed {
    name: String,
    /// The index of its genesis, or an earlier one.
    founded: u64,
    /// How many entries it had.
    entries: u64,
}

coded!(Listed { name, founded, entries });

/// What was taken up from snapshots.
#[derive(Default)]
pub(super) struct TakenUp {
    /// The index from which on entries must be read.
    pub from: u64,
    pub newest: Option<Time>,
    /// The newest entry of each agent that has a snapshot.
    pub last: BTreeMap<String, u64>,
}

impl Agents {
    /// The same, writing a snapshot of an agent after so many entries of it; none ever, where that
    /// is 0.
    #[must_use]
    pub fn snapshots_every(mut self, entries: u64) -> Self {
        self.snapshots = entries;
        self
    }

    /// Writes a snapshot of an agent. Others go on meanwhile; one that can't be written is no loss.
    pub(super) fn keep(&self, place: &Mutex<Place>) {
        let unwritten = match &mut *lock(place) {
            Place::Live(agent) if agent.is_due(self.snapshots) => agent.save(),
            _ => None,
        };
        if unwritten.is_some_and(|it| self.put(&it)) {
            self.keep_list();
        }
    }

    fn put(&self, it: &Unwritten) -> bool {
        let durable = it.ticket.as_ref().is_none_or(|it| it.wait().is_ok());
        durable && self.store.put_snapshot(&it.agent, it.size, &it.bytes).is_ok()
    }

    /// Writes down which agents there are.
    fn keep_list(&self) {
        // Whoever has an entry below this size is among the names that are read after it.
        let size = self.store.size();
        let listed = self.names().into_iter().map(|name| {
            let place = self.place_of(&name);
            let (founded, entries) = match &*lock(&place) {
                Place::Live(agent) => agent.extent(),
                Place::Founded(founded) => (founded.index, 1),
                Place::Begun | Place::Stopped(_) => (0, 0),
            };
            Listed { name, founded, entries }
        });
        let listed: Vec<Listed> = listed.collect();
        let mut out = Writer::default();
        out.byte(LIST_VERSION);
        out.each(listed.iter());
        // Without it more is read.
        let _ = self.store.put_snapshot(LEDGER_AGENT, size, &out.into_bytes());
    }

    /// Takes up every agent that has a snapshot which fits.
    pub(super) fn take_up(&self) -> TakenUp {
        let mut taken = TakenUp::default();
        let Some((size, bytes)) = self.store.snapshot(LEDGER_AGENT) else { return taken };
        let Ok(listed) = list(&bytes) else { return taken };
        taken.from = size;
        for Listed { name, founded, entries } in listed {
            let Some(agent) = self.resume(&name) else {
                taken.from = taken.from.min(founded);
                continue;
            };
            let (_, has) = agent.extent();
            let read_to = if has == entries { size } else { agent.last().saturating_add(1) };
            taken.from = taken.from.min(read_to);
            taken.newest = taken.newest.max(Some(agent.newest()));
            taken.last.insert(name.clone(), agent.last());
            *lock(&self.place_of(&name)) = Place::Live(Box::new(agent));
        }
        taken
    }

    /// An agent as its snapshot has it, if there is one that fits.
    pub(super) fn resume(&self, name: &str) -> Option<Agent> {
        let (size, shut) = self.store.snapshot(name)?;
        let Ok(Kept::Here(secret)) = self.store.secret(name) else { return None };
        // An agent that the ledger has stopped is folded up to where it can't be followed.
        self.store.head(name).ok()?;
        let seal = Sealer::new(&secret);
        let saved = Saved::open(&*self.store, name, &seal, size, &shut)?;
        let engine = (self.compile)(&saved.policy.as_text()).ok()?;
        Agent::resume(name, saved, engine, Arc::new(seal), self.quota).ok()
    }

    /// Whether no agent is missing, and every one that was taken up from a snapshot has come to the
    /// end of its entries.
    pub(super) fn is_whole(&self, taken: &TakenUp) -> bool {
        let all = taken.from == 0 || self.names().len() == self.store.agent_count();
        all && taken.last.keys().all(|name| match &*lock(&self.place_of(name)) {
            Place::Live(agent) => self.store.head(name).is_ok_and(|it| it == agent.head()),
            Place::Begun | Place::Founded(_) | Place::Stopped(_) => false,
        })
    }

    /// Writes what the next opening would have to fold.
    fn close(&self) {
        if self.snapshots == 0 || self.store.flush().is_err() {
            return;
        }
        let size = self.store.size();
        let mut kept = 0_u64;
        for name in self.names() {
            let place = self.place_of(&name);
            let unwritten = match &mut *lock(&place) {
                Place::Live(agent) if !agent.is_stale() => {
                    let unsaved = agent.unsaved();
                    let far = size.saturating_sub(agent.extent().0) >= self.snapshots;
                    let worth = unsaved >= FEW_ENTRIES || (far && unsaved > 0);
                    if worth { agent.save() } else { None }
                }
                _ => None,
            };
            kept = kept.saturating_add(u64::from(unwritten.is_some_and(|it| self.put(&it))));
        }
        if kept > 0 {
            self.keep_list();
        }
    }
}

impl Drop for Agents {
    fn drop(&mut self) {
        self.close();
    }
}

fn list(bytes: &[u8]) -> Result<Vec<Listed>, Broken> {
    let mut from = Reader::new(bytes);
    if from.byte()? != LIST_VERSION {
        return Err(Broken);
    }
    let listed = from.each()?;
    from.end()?;
    Ok(listed)
}
