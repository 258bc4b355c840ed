//! Agents are found again: their entries are folded in the order of the ledger.

use std::sync::{Arc, Mutex, PoisonError};

use lawbook_event::Time;
use lawbook_ledger::Code;
use lawbook_ledger::store::{Head, Kept, LEDGER_AGENT, Links, leaf_hash};

use super::{Agents, Founded, Place, lock, unreadable};
use crate::Error;
use crate::agent::{Agent, Inheritance, no_seal, stopped};
use crate::entry::{self, Body, Entry, PolicyOf};
use crate::seal::Sealer;

/// Looks at an agent before one of its entries is folded.
pub(super) type Seen<'s> = dyn FnMut(&mut Agent, &Entry, u64) -> Result<(), Error> + 's;

impl Agents {
    /// Folds every entry. What can't be followed stops its agent and no other.
    pub(super) fn fold_all(&self, seen: &mut Seen<'_>) -> Result<Option<Time>, Error> {
        let mut newest = None;
        let mut links = Links::default();
        for (index, bytes) in self.store.entries(0) {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(error) if error.code() == Code::Io => return Err(unreadable(error)),
                // A damaged entry is somebody's: whose it is, waking says.
                Err(_) => continue,
            };
            let link = links.read(&bytes).map_err(unreadable)?;
            if link.agent == LEDGER_AGENT {
                continue;
            }
            let head = Head { next_seq: link.seq.saturating_add(1), leaf: leaf_hash(&bytes) };
            let place = self.place_of(&link.agent);
            let mut place = lock(&place);
            let of = (link.seq, head, index);
            match self.fold_entry(&link.agent, &mut place, of, &bytes, seen) {
                Ok(at) => newest = newest.max(Some(at)),
                Err(error) if error.code() == "not_readable" => return Err(error),
                Err(error) => *place = Place::Stopped(error),
            }
        }
        for name in self.names() {
            let place = self.place_of(&name);
            let mut place = lock(&place);
            match self.wake(&name, &mut place) {
                Ok(()) => {}
                Err(error) if error.code() == "not_readable" => return Err(error),
                Err(error) => *place = Place::Stopped(error),
            }
        }
        Ok(newest)
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
        Ok(place)
    }

    fn fold_one(&self, name: &str, origin: Option<Inheritance>) -> Result<Place, Error> {
        self.store.flush().map_err(stopped)?;
        let mut place = Place::Begun;
        let mut links = Links::default();
        for (index, bytes) in self.store.entries(0) {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(error) if error.code() == Code::Io => return Err(unreadable(error)),
                Err(_) => continue,
            };
            let link = links.read(&bytes).map_err(unreadable)?;
            if link.agent == name {
                let head = Head { next_seq: link.seq.saturating_add(1), leaf: leaf_hash(&bytes) };
                let of = (link.seq, head, index);
                self.fold_entry(name, &mut place, of, &bytes, &mut |_, _, _| Ok(()))?;
                if let (Place::Founded(founded), Some(origin)) = (&mut place, &origin) {
                    founded.left = Some(origin.clone());
                }
            }
        }
        self.wake(name, &mut place)?;
        Ok(place)
    }

    fn place_of(&self, name: &str) -> Arc<Mutex<Place>> {
        let mut agents = self.agents.write().unwrap_or_else(PoisonError::into_inner);
        agents.entry(name.to_owned()).or_insert_with(|| Arc::new(Mutex::new(Place::Begun))).clone()
    }

    fn fold_entry(
        &self,
        name: &str,
        place: &mut Place,
        (seq, head, index): (u64, Head, u64),
        bytes: &[u8],
        seen: &mut Seen<'_>,
    ) -> Result<Time, Error> {
        let entry = entry::read(bytes)?;
        let at = entry.at;
        match place {
            Place::Stopped(error) => Err(error.clone()),
            Place::Begun => {
                let (0, Body::Genesis(genesis)) = (seq, entry.body) else {
                    return Err(out_of_order(name));
                };
                let left = genesis.successor_of.as_ref().map(|it| self.left_by(&it.agent));
                let left = left.transpose()?;
                if let Some(heritage) = &genesis.successor_of {
                    self.mark_succeeded(&heritage.agent, name);
                }
                *place = Place::Founded(Box::new(Founded { genesis, left, head, at }));
                Ok(at)
            }
            Place::Founded(founded) => {
                let Entry { body: Body::Policy(policy), .. } = entry else {
                    return Err(out_of_order(name));
                };
                let mut agent = self.made(name, policy)?;
                founded.endow(&mut agent);
                agent.follow(head, at);
                *place = Place::Live(Box::new(agent));
                Ok(at)
            }
            Place::Live(agent) => {
                seen(agent, &entry, index)?;
                agent.fold(&entry, index, head)?;
                Ok(at)
            }
        }
    }

    /// Gives back the texts that lie apart, as far as they are there.
    fn wake(&self, name: &str, place: &mut Place) -> Result<(), Error> {
        // An agent with a damaged entry must not go on from the entries around it.
        self.store.head(name).map_err(unreadable)?;
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

fn out_of_order(name: &str) -> Error {
    let message = format!("the first entries of `{name}` are not its genesis and its policy");
    Error::new("unreadable_entry", message)
}
