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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use lawbook_engine::Engine;
    use lawbook_ledger::store::{FileStore, LEDGER_AGENT, Options, Store};

    use crate::{Agents, PolicyText, Quota, Request};

    struct Desk {
        folder: PathBuf,
        store: Arc<FileStore>,
    }

    impl Desk {
        fn new(name: &str) -> Self {
            let name = format!("lawbook-kept-{}-{name}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            let _ = std::fs::remove_dir_all(&folder);
            let store = FileStore::create(&folder, &Options::at(0)).unwrap();
            Desk { folder, store: Arc::new(store) }
        }

        fn open(&self) -> Agents {
            let compile = |_: &PolicyText| Ok(Arc::new(Engine::new(Vec::new(), None)));
            let agents = Agents::open(self.store.clone(), Box::new(compile)).unwrap();
            agents.quota(Quota { attempts_per_sec: 1_000_000, bytes_per_min: u32::MAX })
        }
    }

    impl Drop for Desk {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }

    fn policy() -> PolicyText {
        let [name, dialect, profile, text] = ["none", "none", "none", ""].map(str::to_owned);
        PolicyText { name, dialect, profile, text }
    }

    fn ask(agents: &Agents, agent: &str, times: usize) {
        let request =
            Request { tool: "look".to_owned(), args: "{}".to_owned(), ..Request::default() };
        for _ in 0..times {
            agents.request(agent, &request).unwrap();
        }
    }

    #[test]
    fn after_a_clean_close_nothing_is_read_again() {
        let desk = Desk::new("closed");
        let agents = desk.open();
        for name in ["one", "two"] {
            agents.create(name, &policy()).unwrap();
            ask(&agents, name, 150);
        }
        drop(agents);
        let taken = desk.open().take_up();
        assert_eq!((taken.from, taken.last.len()), (desk.store.size(), 2));
        // A few entries more are folded and not worth a snapshot.
        let agents = desk.open();
        ask(&agents, "one", 5);
        drop(agents);
        let agents = desk.open();
        assert_eq!(agents.status("one").unwrap().allowed, 155);
        assert_eq!(agents.take_up().from, desk.store.size() - 5);
    }

    #[test]
    fn snapshots_come_less_often_as_a_life_grows_long() {
        let desk = Desk::new("due");
        let agents = desk.open().snapshots_every(10);
        agents.create("one", &policy()).unwrap();
        let mut sizes = Vec::new();
        for _ in 0..300 {
            ask(&agents, "one", 1);
            sizes.extend(desk.store.snapshot("one").map(|it| it.0));
        }
        sizes.dedup();
        // The first entry is the ledger's own.
        assert_eq!(sizes[..4], [11, 21, 31, 41]);
        let gaps: Vec<u64> = sizes.windows(2).map(|it| it[1] - it[0]).collect();
        assert!(
            gaps.iter().all(|it| (10..=35).contains(it)) && gaps.last() > Some(&25),
            "{sizes:?}"
        );
        assert_eq!(desk.store.snapshot(LEDGER_AGENT).map(|it| it.0), sizes.last().copied());
        drop(agents.snapshots_every(0));
        assert_eq!(desk.open().status("one").unwrap().allowed, 300);
    }

    /// What an agent left is what it had when its successor began, not what it has now.
    #[test]
    fn where_an_agent_is_ahead_of_its_successor_all_is_folded() {
        let desk = Desk::new("heir");
        let agents = desk.open().snapshots_every(0);
        agents.create("one", &policy()).unwrap();
        ask(&agents, "one", 3);
        agents.succeed("heir", &policy(), "one", None).unwrap();
        let ended = agents.status("one").unwrap();
        agents.user_said("one", None, "still here").unwrap();
        let agents = agents.snapshots_every(1);
        agents.user_said("one", None, "and again").unwrap();
        drop(agents.snapshots_every(0));
        assert!(desk.store.snapshot("one").is_some() && desk.store.snapshot("heir").is_none());
        let agents = desk.open();
        let taken = agents.take_up();
        let (mut newest, mut owed) = (None, crate::agents::Owed::default());
        let quiet = &mut |_: &mut _, _: &_, _| Ok(());
        assert!(!agents.fold_after(&taken, (&mut newest, &mut owed), quiet).unwrap());
        drop(agents.snapshots_every(0));
        let agents = desk.open();
        assert_eq!(agents.status("one").unwrap(), ended);
        assert!(agents.status("heir").unwrap().alive);
    }
}
