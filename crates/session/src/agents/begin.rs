//! Agents begin: a genesis, then a policy, which never changes.

use std::sync::{Arc, Mutex, PoisonError};

use lawbook_ledger::store::{Head, hex};

use super::{Agents, POLICY_BYTES_MAX, Place, PolicyText, Statement, durable, lock};
use crate::Error;
use crate::agent::{Desk, NAME_BYTES_MAX, bounded, stopped};
use crate::entry::{self, Body, Genesis, Heritage, PolicyOf, Stated};
use crate::reply::Standing;

impl Agents {
    pub(super) fn begin(
        &self,
        name: &str,
        policy: &PolicyText,
        after: Option<(&str, Option<Statement>)>,
    ) -> Result<Standing, Error> {
        named(name)?;
        if policy.text.len() > POLICY_BYTES_MAX {
            let bytes = policy.text.len();
            let message = format!("the policy has {bytes} bytes, and {POLICY_BYTES_MAX} fit");
            return Err(Error::new("too_large", message));
        }
        // A policy that can't be read must not begin anything.
        (self.compile)(policy)?;
        let place = self.claim(name)?;
        let mut place = lock(&place);
        let begun = match &*place {
            Place::Begun => None,
            Place::Founded { genesis, head, .. } if genesis.successor_of.is_none() == after.is_none() => {
                Some(((**genesis).clone(), *head))
            }
            Place::Founded { .. } | Place::Live(_) | Place::Stopped(_) => {
                return Err(exists(name));
            }
        };
        let made = self.write_first(name, policy, after, begun);
        match made {
            Ok(live) => *place = live,
            Err(error) => {
                // Nothing may be known of what failed half-way until it is read again.
                *place = Place::Stopped(error.clone());
                if matches!(error.code(), "not_found" | "terminated" | "quarantined") {
                    *place = Place::Begun;
                    self.forget_claim(name);
                }
                return Err(error);
            }
        }
        match &*place {
            Place::Live(agent) => {
                if let Some(ticket) = agent.ticket() {
                    durable(ticket)?;
                }
                Ok(agent.standing())
            }
            _ => Err(exists(name)),
        }
    }

    fn write_first(
        &self,
        name: &str,
        policy: &PolicyText,
        after: Option<(&str, Option<Statement>)>,
        begun: Option<(Genesis, Head)>,
    ) -> Result<Place, Error> {
        let at = self.logical().now(&*self.clock).at;
        let (genesis, head) = match begun {
            Some(begun) => begun,
            None => {
                let genesis = Genesis {
                    successor_of: after.map(|(who, what)| self.succession(name, who, what)).transpose()?,
                };
                match &genesis.successor_of {
                    // Keys that its predecessor remembered must mean the same to it.
                    Some(heritage) => self.store.share_secret(&heritage.agent, name),
                    None => self.store.make_secret(name),
                }
                .map_err(stopped)?;
                let head = self.submit(name, Head::NONE, at, &Body::Genesis(genesis.clone()))?;
                (genesis, head)
            }
        };
        let text = PolicyOf {
            name: policy.name.clone(),
            dialect: policy.dialect.clone(),
            profile: policy.profile.clone(),
            digest: digest(policy.text.as_bytes()),
            text: policy.text.clone(),
        };
        let mut agent = self.made(name, text.clone())?;
        agent.follow(head, at);
        if let Some(heritage) = &genesis.successor_of {
            agent.inherit(&self.left_by(&heritage.agent)?, heritage);
        }
        let desk = Desk { store: &*self.store, at };
        agent.write(desk, Body::Policy(text))?;
        Ok(Place::Live(Box::new(agent)))
    }

    /// Ends the predecessor, and says what of it goes on.
    fn succession(
        &self,
        name: &str,
        predecessor: &str,
        statement: Option<Statement>,
    ) -> Result<Heritage, Error> {
        let ended = self.status(predecessor)?.reason;
        if ended.is_none() {
            self.terminate(predecessor, &format!("succeeded by {name}"), "lawbook")?;
        }
        let left = self.left_by(predecessor)?;
        let stated = statement.as_ref().map(|it| Stated { by: it.by.clone(), why: it.why.clone() });
        // An agent that ended by itself leaves nothing to spend, whoever comes after it.
        let remaining = statement.as_ref().and_then(|it| it.remaining).or(left.standing.remaining);
        let scars = statement.as_ref().is_none_or(|it| it.scars);
        Ok(Heritage {
            agent: predecessor.to_owned(),
            entry: hex(&left.head.leaf),
            remaining,
            scar_score: if scars { left.standing.scar_score } else { 0 },
            scars: if scars { left.standing.scars } else { 0 },
            stated,
        })
    }

    fn submit(&self, name: &str, head: Head, at: lawbook_event::Time, body: &Body) -> Result<Head, Error> {
        let bytes = entry::write(name, head.next_seq, &hex(&head.leaf), at, None, body)?;
        let ticket = self.store.submit(lawbook_ledger::store::Entry::new(bytes)).map_err(stopped)?;
        let leaf = ticket.placed().leaf;
        Ok(Head { next_seq: head.next_seq.saturating_add(1), leaf })
    }

    /// The place of a new agent. A name that was ever used is never used again.
    fn claim(&self, name: &str) -> Result<Arc<Mutex<Place>>, Error> {
        let mut agents = self.agents.write().unwrap_or_else(PoisonError::into_inner);
        let free = || Arc::new(Mutex::new(Place::Begun));
        Ok(agents.entry(name.to_owned()).or_insert_with(free).clone())
    }

    fn forget_claim(&self, name: &str) {
        let mut agents = self.agents.write().unwrap_or_else(PoisonError::into_inner);
        agents.remove(name);
    }
}

fn exists(name: &str) -> Error {
    Error::new("agent_exists", format!("the name `{name}` was used before"))
        .help("names are never used again: take another one")
}

/// Names of agents stand in addresses and in the record.
fn named(name: &str) -> Result<(), Error> {
    bounded("the name of the agent", name, NAME_BYTES_MAX)?;
    let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
    if name.chars().all(fits) && !name.starts_with(['.', '-']) {
        return Ok(());
    }
    Err(Error::new("bad_request", format!("`{name}` is no name of an agent"))
        .help("use letters, digits, `-`, `_` and `.`"))
}

fn digest(bytes: &[u8]) -> String {
    use sha2::Digest;
    format!("sha256:{}", hex(&sha2::Sha256::digest(bytes)))
}
