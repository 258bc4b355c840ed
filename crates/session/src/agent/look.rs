//! The agent is looked at.

use lawbook_ledger::store::Store;

use super::{Agent, name, verdict_of};
use crate::Error;
use crate::agents::unreadable;
use crate::entry::{self, Body, Decision};
use crate::reply::{Action, Standing, Status, Waiting};
use crate::text::Texts;

impl Agent {
    /// How the agent stands.
    pub fn standing(&self) -> Standing {
        self.life.standing(&self.engine)
    }

    /// The name, the dialect and the digest of its policy.
    pub fn policy(&self) -> &entry::PolicyOf {
        &self.policy
    }

    /// What waits for people, the oldest first.
    pub fn waiting(&self) -> Vec<Waiting> {
        let waiting = self.waiting.iter();
        let shown = waiting.map(|(action, it)| Waiting {
            agent: self.id.clone(),
            action: name(*action),
            session: self.act(*action).ok().and_then(|it| it.session.clone()),
            server: it.server.clone(),
            tool: it.tool.clone(),
            args: it.args.clone(),
            cost: it.cost,
            since: it.since,
            expires: it.expires,
            people: it.people,
            approved_by: it.approved_by.iter().cloned().collect(),
            rules: it.rules.clone(),
            binding: self.binding(*action, it),
        });
        shown.collect()
    }

    /// One action, with its arguments where they were not erased.
    pub fn action(&self, store: &dyn Store, action: u64) -> Result<Action, Error> {
        let act = self.act(action).map_err(|it| Error::new("not_found", it.message()))?;
        let (decision, texts) = self.decision(store, act.entry)?;
        Ok(Action {
            action: name(action),
            session: act.session.clone(),
            server: decision.server,
            tool: decision.tool,
            args: texts.args,
            verdict: verdict_of(&decision.said.verdict),
            status: act.status,
            cost: act.charged.unwrap_or(decision.cost),
            entry: act.entry,
        })
    }

    /// The index of the entry that decided an action.
    pub fn entry_of(&self, action: u64) -> Result<u64, Error> {
        Ok(self.act(action)?.entry)
    }

    /// Whether an allowed action may still be run.
    pub fn may_run(&self, action: u64) -> Result<(), Error> {
        let act = self.act(action)?;
        if let Some(end) = self.life.ended() {
            let message = format!("the agent has ended: {}", end.reason);
            return Err(Error::new("terminated", message));
        }
        if act.over {
            return Err(Error::new("invalid_state", "the conversation of the action is over"));
        }
        if act.redeemed {
            return Err(Error::new("used", "the action was redeemed before"));
        }
        if act.ran {
            let message = "the action ran: its host told what it returned";
            return Err(Error::new("used", message));
        }
        match act.status {
            Status::Allowed => Ok(()),
            status => Err(Error::new("invalid_state", format!("the action is {}", status.word()))),
        }
    }

    /// The decision that stands at an index, with what is left of its texts.
    pub(super) fn decision(
        &self,
        store: &dyn Store,
        index: u64,
    ) -> Result<(Decision, Texts), Error> {
        let bytes = store.entry(index).map_err(unreadable)?;
        let entry = entry::read(&bytes)?;
        let Body::Decision(decision) = entry.body else {
            return Err(Error::new("unreadable_entry", "the entry is no decision"));
        };
        Ok((decision, self.texts(store, index, entry.text.as_deref())?))
    }
}
