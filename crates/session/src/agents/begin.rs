//! Agents begin: a genesis, then a policy, which never changes.

use std::sync::{Arc, Mutex, PoisonError};

use lawbook_engine::Left;
use lawbook_ledger::store::{self, Head, hex};

use super::{Agents, Founded, POLICY_BYTES_MAX, Place, PolicyText, Statement, durable, lock};
use crate::Error;
use crate::agent::{Agent, Desk, Inheritance, NAME_BYTES_MAX, bounded, stopped};
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
        if let Some((predecessor, statement)) = &after {
            self.may_succeed(name, predecessor, statement.as_ref())?;
        }
        let held = self.claim(name);
        let mut place = lock(&held);
        if matches!(&*place, Place::Live(agent) if agent.is_stale()) {
            *place = self.fold_again(name, &place)?;
        }
        if let (Place::Begun | Place::Founded(_), Some((predecessor, _))) = (&*place, &after) {
            self.end_for(predecessor, name)?;
        }
        let founded = match std::mem::replace(&mut *place, Place::Begun) {
            Place::Begun => self.found(name, after)?,
            // A crash came between the first two entries: this goes on where that stopped.
            Place::Founded(founded) if founded.goes_on(&after) => *founded,
            other => {
                *place = other;
                return Err(exists(name));
            }
        };
        // Until the policy is written, only its genesis stands.
        let at = founded.at.max(self.now());
        let text = PolicyOf {
            name: policy.name.clone(),
            dialect: policy.dialect.clone(),
            profile: policy.profile.clone(),
            digest: digest(policy.text.as_bytes()),
            text: policy.text.clone(),
        };
        let made = self.made(name, text.clone());
        let mut agent = match made {
            Ok(agent) => agent,
            Err(error) => {
                // The genesis is written, so this is gone on with.
                *place = Place::Founded(Box::new(founded));
                return Err(error);
            }
        };
        founded.endow(&mut agent);
        agent.begun_by(founded.head, at, founded.index);
        *place = Place::Founded(Box::new(founded));
        let desk = Desk { store: &*self.store, at };
        agent.write(desk, Body::Policy(text))?;
        let refused = self.record_refused(&mut agent, desk);
        let (standing, ticket) = (agent.standing(), agent.ticket());
        *place = Place::Live(Box::new(agent));
        drop(place);
        refused?;
        self.told_once_durable(&held, ticket.as_ref())?;
        Ok(standing)
    }

    /// Writes the genesis.
    fn found(
        &self,
        name: &str,
        after: Option<(&str, Option<Statement>)>,
    ) -> Result<Founded, Error> {
        let Some((predecessor, statement)) = after else {
            self.store.make_secret(name).map_err(stopped)?;
            return self.write_genesis(name, Genesis::default(), None);
        };
        // Keys that its predecessor remembered must mean the same to it.
        self.store.share_secret(predecessor, name).map_err(stopped)?;
        let place = self.find(predecessor)?;
        // What it leaves must be what it has left when the genesis is written.
        let mut place = lock(&place);
        let agent = self.ready(predecessor, &mut place)?;
        untaken(agent, name, statement.as_ref())?;
        let left = agent.leaves();
        let heritage = heritage(predecessor, &left, statement.as_ref());
        let genesis = Genesis { successor_of: Some(heritage) };
        let founded = self.write_genesis(name, genesis, Some(left))?;
        agent.succeeded_by(name);
        Ok(founded)
    }

    /// Refuses what can't take over before anything ends for it.
    fn may_succeed(
        &self,
        name: &str,
        predecessor: &str,
        statement: Option<&Statement>,
    ) -> Result<(), Error> {
        if name == predecessor {
            return Err(exists(name));
        }
        self.look(predecessor, |agent| untaken(agent, name, statement))
    }

    fn write_genesis(
        &self,
        name: &str,
        genesis: Genesis,
        left: Option<Inheritance>,
    ) -> Result<Founded, Error> {
        let at = self.now();
        let body = Body::Genesis(genesis.clone());
        let bytes = entry::write(name, 0, &hex(&store::NO_LEAF), at, None, &body)?;
        let ticket = self.store.submit(store::Entry::new(bytes)).map_err(stopped)?;
        // A genesis that is lost begins nothing, so whoever asks again begins anew.
        durable(&ticket)?;
        let store::Placed { index, leaf } = ticket.placed();
        let head = Head { next_seq: 1, leaf };
        Ok(Founded { genesis, left, head, at, index })
    }

    /// An agent ends with its successor.
    fn end_for(&self, predecessor: &str, successor: &str) -> Result<(), Error> {
        if self.status(predecessor)?.alive {
            self.terminate(predecessor, &format!("succeeded by {successor}"), "lawbook")?;
        }
        Ok(())
    }

    /// The place of a new agent. A name that was ever used is never used again.
    fn claim(&self, name: &str) -> Arc<Mutex<Place>> {
        let mut agents = self.agents.write().unwrap_or_else(PoisonError::into_inner);
        let free = || Arc::new(Mutex::new(Place::Begun));
        agents.entry(name.to_owned()).or_insert_with(free).clone()
    }
}

impl Founded {
    /// Whether it was begun in the same way: after the same agent, on the same word.
    fn goes_on(&self, after: &Option<(&str, Option<Statement>)>) -> bool {
        let of = |(before, statement): &(&str, Option<Statement>)| {
            Some(heritage(before, self.left.as_ref()?, statement.as_ref()))
        };
        self.genesis.successor_of == after.as_ref().and_then(of)
            && self.genesis.successor_of.is_some() == after.is_some()
    }
}

/// What an agent leaves is left once: a further successor takes an operator's word.
fn untaken(agent: &Agent, name: &str, statement: Option<&Statement>) -> Result<(), Error> {
    let ended = agent.standing().reason.filter(|it| !it.starts_with("succeeded by "));
    if let (Some(reason), None) = (ended, statement) {
        let message = format!("that agent has ended: {}", reason);
        return Err(
            Error::new("terminated", message).help("let an operator state what comes after it")
        );
    }
    match agent.successor().filter(|it| *it != name) {
        Some(other) if statement.is_none() => {
            let message = format!("`{other}` took over from that agent already");
            Err(Error::new("already_succeeded", message)
                .help("let an operator state what a further successor has"))
        }
        _ => Ok(()),
    }
}

/// What goes on from an agent: what it has left, unless an operator states otherwise.
fn heritage(predecessor: &str, left: &Inheritance, statement: Option<&Statement>) -> Heritage {
    let said = match statement {
        Some(it) => left.left.clone().stated(it.remaining, it.scars),
        None => left.left.clone(),
    };
    let Left { remaining, budgets, score, scores, scars, .. } = said;
    Heritage {
        agent: predecessor.to_owned(),
        entry: hex(&left.head.leaf),
        remaining,
        scar_score: score,
        scars,
        budgets,
        scores,
        stated: statement.map(|it| Stated { by: it.by.clone(), why: it.why.clone() }),
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
    use sha2::Digest as _;
    format!("sha256:{}", hex(&sha2::Sha256::digest(bytes)))
}
