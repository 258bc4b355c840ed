//! What this binary would decide otherwise: every recorded decision is judged again on what stood
//! before it.

use std::sync::Arc;

use lawbook_ledger::store::Store;

use super::{Agents, Compile};
use crate::Error;
use crate::agent::Agent;
use crate::clock::SystemClock;
use crate::entry::{Body, Entry};

/// A verdict and the rules behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// `allow`, `ask` or `deny`.
    pub verdict: String,
    /// The rules that object, in their order.
    pub rules: Vec<String>,
}

/// A decision that would be another one today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Otherwise {
    /// The index of its entry.
    pub entry: u64,
    /// The agent.
    pub agent: String,
    /// The action, as in `act-4`.
    pub action: String,
    /// The tool.
    pub tool: String,
    /// The engine that decided, as in `lawbook 0.1.0`.
    pub engine: String,
    /// What was decided.
    pub was: Verdict,
    /// What would be.
    pub is: Verdict,
}

/// What judging again came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejudged {
    /// How many decisions were judged again.
    pub judged: u64,
    /// How many could not be, since their arguments were erased.
    pub erased: u64,
    /// What would be decided otherwise, in the order of the ledger.
    pub otherwise: Vec<Otherwise>,
    /// Agents whose record can't be followed, and why.
    pub stopped: Vec<(String, String)>,
}

/// Judges every recorded decision of a ledger again, each on what its agent's record says stood
/// before it. Nothing is written.
///
/// # Errors
/// When the ledger can't be read.
pub fn rejudge(store: Arc<dyn Store>, compile: Box<Compile>) -> Result<Rejudged, Error> {
    let agents = Agents::empty(store, compile, Arc::new(SystemClock)).snapshots_every(0);
    let mut came_to = Rejudged::default();
    agents.fold_seen(&mut |agent, entry, index| {
        let Body::Decision(decision) = &entry.body else { return Ok(()) };
        match agent.judged_again(&*agents.store, decision, entry.at, index)? {
            None => came_to.erased = came_to.erased.saturating_add(1),
            Some(is) => {
                came_to.judged = came_to.judged.saturating_add(1);
                came_to.otherwise.extend(otherwise(agent, entry, index, is));
            }
        }
        Ok(())
    })?;
    came_to.stopped = agents.stopped();
    Ok(came_to)
}

fn otherwise(agent: &Agent, entry: &Entry, index: u64, is: Verdict) -> Option<Otherwise> {
    let Body::Decision(decision) = &entry.body else { return None };
    let said = &decision.said;
    let was = Verdict { verdict: said.verdict.clone(), rules: said.rules.clone() };
    (was != is).then(|| Otherwise {
        entry: index,
        agent: agent.id().to_owned(),
        action: crate::agent::name(decision.action),
        tool: decision.tool.clone(),
        engine: entry.engine.clone(),
        was,
        is,
    })
}
