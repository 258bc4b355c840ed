//! Agents are found again: their entries are folded in the order of the ledger.

use std::sync::{Arc, Mutex, PoisonError};

use lawbook_event::Time;
use lawbook_ledger::Code;
use lawbook_ledger::store::{Head, Kept, LEDGER_AGENT, Links, leaf_hash, leaf_of};

use super::snapshots::TakenUp;
use super::{Agents, Founded, Owed, Place, lock, unreadable};
use crate::Error;
use crate::agent::{Agent, Inheritance, no_seal, stopped};
use crate::entry::{self, Body, Entry, Genesis, PolicyOf};
use crate::seal::Sealer;

/// Looks at an agent before one of its entries is folded.
pub(super) type Seen<'s> = dyn FnMut(&mut Agent, &Entry, u64) -> Result<(), Error> + 's;

impl Agents {
    /// Folds every entry that no snapshot holds. What can't be followed stops its agent and no other.
    pub(super) fn fold_all(&self) -> Result<Option<Time>, Error> {
        let taken = self.take_up();
        let mut newest = taken.newest;
        let mut owed = Owed::default();
        let quiet: &mut Seen<'_> = &mut |_, _, _| Ok(());
        if !self.fold_after(&taken, (&mut newest, &mut owed), quiet)? || !self.is_whole(&taken) {
            // Snapshots are caches: where they don't fit, all is folded as if there were none.
            self.agents.write().unwrap_or_else(PoisonError::into_inner).clear();
            (newest, owed) = (None, Owed::default());
            self.fold_after(&TakenUp::default(), (&mut newest, &mut owed), quiet)?;
        }
        self.settle(&owed)?;
        self.wake_all()?;
        Ok(newest)
    }

    /// Erases what entries say is erased: a crash may have come before that.
    fn settle(&self, owed: &Owed) -> Result<(), Error> {
        owed.pay(&*self.store)?;
        for name in self.names() {
            if let Place::Live(agent) = &mut *lock(&self.place_of(&name)) {
                agent.all_erased();
            }
        }
        Ok(())
    }

    /// Folds every entry, from the first one on, and looks at each before.
    pub(super) fn fold_seen(&self, seen: &mut Seen<'_>) -> Result<(), Error> {
        let mut owed = Owed::default();
        self.fold_after(&TakenUp::default(), (&mut None, &mut owed), seen)?;
        self.wake_all()
    }

    fn wake_all(&self) -> Result<(), Error> {
        for name in self.names() {
            let place = self.place_of(&name);
            let mut place = lock(&place);
            match self.wake(&name, &mut place) {
                Ok(()) => {}
                Err(error) if error.code() == "not_readable" => return Err(error),
                Err(error) => *place = Place::Stopped(error),
            }
            let predecessor = match &*place {
                Place::Live(agent) => agent.predecessor().map(str::to_owned),
                Place::Begun | Place::Founded(_) | Place::Stopped(_) => None,
            };
            drop(place);
            // A snapshot of its predecessor may be older than what it took over.
            if let Some(predecessor) = predecessor {
                self.mark_succeeded(&predecessor, &name);
            }
        }
        Ok(())
    }

    /// Folds the entries of one agent alone, whose state ran ahead of its record. What others wrote
    /// since, and what they left it, stays as it was.
    pub(super) fn fold_again(&self, name: &str, before: &Place) -> Result<Place, Error> {
        let (origin, successor) = match before {
            Place::Live(agent) => (agent.origin(), agent.successor().map(str::to_owned)),
            _ => (None, None),
        };
        let mut place = self.fold_one(name, origin)?;
        if let (Place::Live(agent), Some(successor)) = (&mut place, successor) {
            agent.succeeded_by(&successor);
        }
        if let (Place::Live(agent), Place::Live(before)) = (&mut place, before) {
            agent.allotted_as(before);
        }
        Ok(place)
    }

    /// Folds what comes after snapshots. Says whether they fit: an agent may have gone on after it
    /// left something to one that must be folded.
    pub(super) fn fold_after(
        &self,
        taken: &TakenUp,
        (newest, owed): (&mut Option<Time>, &mut Owed),
        seen: &mut Seen<'_>,
    ) -> Result<bool, Error> {
        let mut links = Links::default();
        for (index, bytes) in self.store.entries(taken.from) {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(error) if error.code() == Code::Io => return Err(unreadable(error)),
                // A damaged entry is somebody's: whose it is, waking says.
                Err(_) => continue,
            };
            let head = match entry::head(&bytes) {
                Ok(head) => head,
                Err(error) => {
                    let link = links.read(&bytes).map_err(unreadable)?;
                    if link.agent != LEDGER_AGENT {
                        *lock(&self.place_of(&link.agent)) = Place::Stopped(error);
                    }
                    continue;
                }
            };
            let (name, link) = (head.agent, Link::of(&head, &bytes));
            let known = |last: &u64| *last >= index;
            if name == LEDGER_AGENT || taken.last.get(name).is_some_and(known) {
                continue;
            }
            let place = self.place_of(name);
            let mut place = lock(&place);
            let folded = head.entry().and_then(|entry| {
                if let Body::Erased(it) = &entry.body {
                    owed.owe(name, it.entry, index);
                }
                if let Body::Genesis(Genesis { successor_of: Some(heritage) }) = &entry.body
                    && taken.last.get(&heritage.agent).is_some_and(known)
                {
                    return Ok(None);
                }
                self.fold_entry(name, &mut place, (&link, index), entry, seen).map(Some)
            });
            match folded {
                Ok(Some(at)) => *newest = (*newest).max(Some(at)),
                Ok(None) => return Ok(false),
                Err(error) if error.code() == "not_readable" => return Err(error),
                Err(error) => *place = Place::Stopped(error),
            }
        }
        Ok(true)
    }

    fn fold_one(&self, name: &str, origin: Option<Inheritance>) -> Result<Place, Error> {
        self.store.flush().map_err(stopped)?;
        let (mut place, from) = match self.resume(name) {
            Some(agent) => {
                let from = agent.last().saturating_add(1);
                (Place::Live(Box::new(agent)), from)
            }
            None => (Place::Begun, 0),
        };
        let (mut links, mut owed) = (Links::default(), Owed::default());
        for (index, bytes) in self.store.entries(from) {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(error) if error.code() == Code::Io => return Err(unreadable(error)),
                Err(_) => continue,
            };
            let link = links.read(&bytes).map_err(unreadable)?;
            if link.agent == name {
                let head = entry::head(&bytes)?;
                let link = Link::of(&head, &bytes);
                let entry = head.entry()?;
                if let Body::Erased(it) = &entry.body {
                    owed.owe(name, it.entry, index);
                }
                let quiet: &mut Seen<'_> = &mut |_, _, _| Ok(());
                self.fold_entry(name, &mut place, (&link, index), entry, quiet)?;
                if let (Place::Founded(founded), Some(origin)) = (&mut place, &origin) {
                    founded.left = Some(origin.clone());
                }
            }
        }
        owed.pay(&*self.store)?;
        match &mut place {
            Place::Live(agent) => agent.all_erased(),
            // Not even its genesis came to the disk.
            Place::Begun => return Ok(place),
            Place::Founded(_) | Place::Stopped(_) => {}
        }
        self.wake(name, &mut place)?;
        Ok(place)
    }

    /// The place of an agent, made where there is none.
    pub(super) fn place_of(&self, name: &str) -> Arc<Mutex<Place>> {
        let agents = self.agents.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = agents.get(name) {
            return place.clone();
        }
        drop(agents);
        let mut agents = self.agents.write().unwrap_or_else(PoisonError::into_inner);
        agents.entry(name.to_owned()).or_insert_with(|| Arc::new(Mutex::new(Place::Begun))).clone()
    }

    fn fold_entry(
        &self,
        name: &str,
        place: &mut Place,
        (link, index): (&Link, u64),
        entry: Entry,
        seen: &mut Seen<'_>,
    ) -> Result<Time, Error> {
        let at = entry.at;
        match place {
            Place::Stopped(error) => Err(error.clone()),
            Place::Begun => {
                let (0, Body::Genesis(genesis)) = (link.seq, entry.body) else {
                    return Err(out_of_order(name));
                };
                let left = genesis.successor_of.as_ref().map(|it| self.left_by(&it.agent));
                let left = left.transpose()?;
                if let Some(heritage) = &genesis.successor_of {
                    self.mark_succeeded(&heritage.agent, name);
                }
                let head = link.head;
                *place = Place::Founded(Box::new(Founded { genesis, left, head, at, index }));
                Ok(at)
            }
            Place::Founded(founded) => {
                link.follows(name, founded.head)?;
                let Entry { body: Body::Policy(policy), .. } = entry else {
                    return Err(out_of_order(name));
                };
                let mut agent = self.made(name, policy)?;
                founded.endow(&mut agent);
                agent.begun_by(founded.head, at, founded.index);
                agent.follow(link.head, at, index);
                *place = Place::Live(Box::new(agent));
                Ok(at)
            }
            Place::Live(agent) => {
                link.follows(name, agent.head())?;
                seen(agent, &entry, index)?;
                agent.fold(&entry, index, link.head)?;
                Ok(at)
            }
        }
    }

    /// Gives back the texts that lie apart, as far as they are there.
    fn wake(&self, name: &str, place: &mut Place) -> Result<(), Error> {
        // An agent with a damaged entry must not go on from the entries around it.
        if let Err(error) = self.store.head(name)
            && error.code() == Code::AgentStopped
        {
            return Err(unreadable(error));
        }
        match place {
            Place::Live(agent) => agent.wake(&*self.store),
            // A crash came between the first two entries: whoever creates it again goes on.
            Place::Founded(_) | Place::Stopped(_) => Ok(()),
            Place::Begun => Err(out_of_order(name)),
        }
    }

    /// An agent has a successor from its genesis on.
    fn mark_succeeded(&self, name: &str, successor: &str) {
        if let Ok(place) = self.find(name)
            && let Place::Live(agent) = &mut *lock(&place)
        {
            agent.succeeded_by(successor);
        }
    }

    /// An agent under a policy, in which nothing happened yet.
    pub(super) fn made(&self, name: &str, policy: PolicyOf) -> Result<Agent, Error> {
        let seal = match self.store.secret(name).map_err(unreadable)? {
            Kept::Here(secret) => Sealer::new(&secret),
            Kept::None | Kept::Erased => return Err(no_seal(name)),
        };
        let engine = (self.compile)(&policy.as_text())?;
        Ok(Agent::new(name, policy, engine, Arc::new(seal), self.quota))
    }

    /// What an agent leaves to its successor.
    pub(super) fn left_by(&self, name: &str) -> Result<Inheritance, Error> {
        let place = self.find(name)?;
        let place = lock(&place);
        match &*place {
            Place::Live(agent) => Ok(agent.leaves()),
            Place::Begun | Place::Founded(_) | Place::Stopped(_) => {
                Err(Error::new("quarantined", format!("the agent `{name}` can't be followed")))
            }
        }
    }
}

impl Founded {
    /// Gives an agent what its predecessor left.
    pub(super) fn endow(&self, agent: &mut Agent) {
        if let (Some(left), Some(heritage)) = (&self.left, &self.genesis.successor_of) {
            agent.inherit(left, heritage);
        }
    }
}

/// How an entry hangs on the one before.
struct Link {
    seq: u64,
    prev: Option<[u8; 32]>,
    /// What the next one continues.
    head: Head,
}

impl Link {
    fn of(head: &entry::Head<'_>, bytes: &[u8]) -> Self {
        let (seq, prev) = (head.seq, leaf_of(head.prev));
        let head = Head { next_seq: seq.saturating_add(1), leaf: leaf_hash(bytes) };
        Link { seq, prev, head }
    }

    /// Whether it is the next entry after a head.
    fn follows(&self, name: &str, head: Head) -> Result<(), Error> {
        if self.seq == head.next_seq && self.prev == Some(head.leaf) {
            return Ok(());
        }
        let (seq, next) = (self.seq, head.next_seq);
        let message = format!("entry {seq} of `{name}` does not follow its entry before {next}");
        Err(Error::new("unreadable_entry", message))
    }
}

fn out_of_order(name: &str) -> Error {
    let message = format!("the first entries of `{name}` are not its genesis and its policy");
    Error::new("unreadable_entry", message)
}
