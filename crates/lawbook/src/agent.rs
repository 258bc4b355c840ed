//! A live agent: one policy for life, a budget, marks for what it did wrong, and a record of every
//! decision that nobody can change unseen.
//!
//! ```
//! use lawbook::agent::{Agent, Decision, Effect, Policy, ToolRule};
//!
//! # let folder = std::env::temp_dir().join(format!("lawbook-agent-{}", std::process::id()));
//! # let _ = std::fs::remove_dir_all(&folder);
//! let policy = Policy::new(25_000)
//!     .allow("llm_turn", ToolRule::cost(0).with_max_calls(60))
//!     .allow("read_invoice", ToolRule::cost(0))
//!     .allow("pay_invoice", ToolRule::cost(1).with_approval().with_max_calls(10))
//!     .rate_limit(60, 60)
//!     .scar_limit(10)
//!     .build()?;
//! let agent = Agent::create(&folder, "payables-1", &policy)?;
//!
//! let Decision::Allowed { action_id, remaining, .. } =
//!     agent.request("read_invoice", r#"{"invoice": "I-7"}"#, None)?
//! else {
//!     panic!("reading is allowed")
//! };
//! assert_eq!(remaining, Some(25_000));
//! agent.report(&action_id, Effect::Success, "")?;
//!
//! let Decision::Pending { action_id, .. } =
//!     agent.request("pay_invoice", r#"{"invoice": "I-7", "eur": 80.00}"#, None)?
//! else {
//!     panic!("a payment waits for a person")
//! };
//! let paid = agent.approve(&action_id, "head of accounts")?;
//! assert!(matches!(paid, Decision::Allowed { cost: 1, .. }));
//!
//! // A tool that is not on the list is refused, and leaves a mark.
//! let refused = agent.request("change_bank_details", "{}", None)?;
//! assert_eq!(refused.code(), Some("tool_not_allowed"));
//! assert_eq!(agent.status()?.scar_score, 3);
//! # drop(agent);
//! # std::fs::remove_dir_all(&folder).ok();
//! # Ok::<(), lawbook::Error>(())
//! ```

mod decision;
mod policy;
pub(crate) mod store;

use std::path::Path;
use std::sync::Arc;

use lawbook_event::Actor;
use lawbook_session::Agents as All;

pub use decision::Decision;
pub use lawbook_event::{Effect, Severity};
pub use lawbook_session::{self as session, Grant, GrantKey, Quota, Status};
pub use lawbook_session::{
    Action, Heeded, Otherwise, Rejudged, Request, Standing, Statement, Waiting,
};
pub use policy::{Policy, ToolRule};

use crate::{Error, Start, ToolResult};

/// All agents of one ledger, which lies in a folder.
///
/// ```
/// use lawbook::Policy;
/// use lawbook::agent::Agents;
///
/// # let folder = std::env::temp_dir().join(format!("lawbook-agents-{}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&folder);
/// let agents = Agents::open(&folder)?;
/// let policy = Policy::from_text("desk.yaml", "{lawbook: 1, default: deny, tools: {look_up: {access: read}}}")?;
/// let desk = agents.create("desk-1", &policy)?;
/// assert!(desk.is_alive()?);
/// drop((agents, desk));
///
/// // What was decided is found again.
/// let agents = Agents::open(&folder)?;
/// assert_eq!(agents.names(), ["desk-1"]);
/// # drop(agents);
/// # std::fs::remove_dir_all(&folder).ok();
/// # Ok::<(), lawbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Agents {
    all: Arc<All>,
}

/// A live agent. Cloning gives another handle on the same one.
#[derive(Clone, Debug)]
pub struct Agent {
    all: Arc<All>,
    name: String,
}

/// Judges every decision of the ledger in a folder again, and says what this version would decide
/// otherwise. Nothing is written.
///
/// # Errors
/// When the ledger can't be read.
pub fn rejudge(folder: impl AsRef<Path>) -> Result<Rejudged, Error> {
    let store = store::read(folder.as_ref())?;
    lawbook_session::rejudge(store, store::compile()).map_err(store::told)
}

impl Agents {
    /// Opens the ledger in a folder, and makes one where there is none.
    ///
    /// # Errors
    /// `locked` when another process has it open, and when it can't be read.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        store::open(folder.as_ref()).map(|all| Agents { all: Arc::new(all) })
    }

    /// Opens the ledger in a folder that must be there.
    ///
    /// # Errors
    /// `absent` when there is none; else as for [`Agents::open`].
    pub fn existing(folder: impl AsRef<Path>) -> Result<Self, Error> {
        store::existing(folder.as_ref()).map(|all| Agents { all: Arc::new(all) })
    }

    /// The same over agents that were opened in another way: another store, clock, quota or key.
    #[must_use]
    pub fn over(all: Arc<All>) -> Self {
        Agents { all }
    }

    /// The names of all agents, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.all.names()
    }

    /// Begins an agent under a policy that it has for life.
    ///
    /// # Errors
    /// `agent_exists` when the name was ever used; `layered_policy` when several texts stand
    /// together.
    pub fn create(&self, name: &str, policy: &crate::Policy) -> Result<Agent, Error> {
        let text = store::text_of(policy)?;
        self.all.create(name, text).map_err(store::told)?;
        Ok(self.handle(name))
    }

    /// Begins an agent with a new policy that takes over from another one: what is left of its
    /// budget, its marks and what its rules counted carry over, unless an operator states
    /// otherwise. The other one ends, and what waits for it is void.
    ///
    /// # Errors
    /// As for [`Agents::create`], and `not_found` without such another agent.
    pub fn succeed(
        &self,
        name: &str,
        policy: &crate::Policy,
        predecessor: &str,
        statement: Option<Statement>,
    ) -> Result<Agent, Error> {
        let text = store::text_of(policy)?;
        self.all.succeed(name, text, predecessor, statement).map_err(store::told)?;
        Ok(self.handle(name))
    }

    /// An agent that has begun.
    ///
    /// # Errors
    /// `not_found`, and `quarantined` when its record can't be followed.
    pub fn agent(&self, name: &str) -> Result<Agent, Error> {
        self.all.status(name).map_err(store::told)?;
        Ok(self.handle(name))
    }

    /// What waits for people, of all agents, the oldest first.
    ///
    /// # Errors
    /// None that a user can mend.
    pub fn waiting(&self) -> Result<Vec<Waiting>, Error> {
        self.all.waiting(None).map_err(store::told)
    }

    fn handle(&self, name: &str) -> Agent {
        Agent { all: self.all.clone(), name: name.to_owned() }
    }
}

impl Agent {
    /// Begins an agent in a ledger of its own, which is made in the folder where there is none.
    ///
    /// # Errors
    /// As for [`Agents::open`] and [`Agents::create`].
    pub fn create(
        folder: impl AsRef<Path>,
        name: &str,
        policy: &crate::Policy,
    ) -> Result<Self, Error> {
        Agents::open(folder)?.create(name, policy)
    }

    /// Finds an agent again.
    ///
    /// # Errors
    /// As for [`Agents::open`] and [`Agents::agent`].
    pub fn open(folder: impl AsRef<Path>, name: &str) -> Result<Self, Error> {
        Agents::open(folder)?.agent(name)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Asks whether a call may run. `args` is the text that the tool will receive, and `cost` what
    /// the caller says that it costs: rules may charge more and never less. The decision is durable
    /// before it is told.
    ///
    /// # Errors
    /// `too_many_attempts`, `too_large`, and `not_durable` when the record takes nothing: then
    /// nothing may run.
    pub fn request(&self, tool: &str, args: &str, cost: Option<u64>) -> Result<Decision, Error> {
        let (tool, args) = (tool.to_owned(), args.to_owned());
        self.ask(&Request { tool, args, cost, ..Request::default() })
    }

    /// The same with all that a request can carry: an id of the caller's, under which it is charged
    /// once however often it is sent, and the conversation that it stands in.
    ///
    /// # Errors
    /// As for [`Agent::request`], and `conflict` when the id stands for another request.
    pub fn ask(&self, request: &Request) -> Result<Decision, Error> {
        self.all.request(&self.name, request).map(Decision::of).map_err(store::told)
    }

    /// A person says yes to an action that waits. Every rule judges it again: the yes relaxes what
    /// asked for it and nothing else.
    ///
    /// # Errors
    /// `unknown_action`, `invalid_state`.
    pub fn approve(&self, action: &str, by: &str) -> Result<Decision, Error> {
        self.approve_seen(action, by, None, "")
    }

    /// The same with a note, and bound to the digest of what that person saw.
    ///
    /// # Errors
    /// As for [`Agent::approve`], and `other_request` when something else waits now.
    pub fn approve_seen(
        &self,
        action: &str,
        by: &str,
        seen: Option<&str>,
        note: &str,
    ) -> Result<Decision, Error> {
        let reply = self.all.approve(&self.name, action, by, seen, note);
        reply.map(Decision::of).map_err(store::told)
    }

    /// A person says no to an action that waits, with a mark on the agent if that person says so.
    ///
    /// # Errors
    /// `unknown_action`, `invalid_state`.
    pub fn reject(
        &self,
        action: &str,
        by: &str,
        reason: &str,
        scar: Option<Severity>,
    ) -> Result<Decision, Error> {
        let reply = self.all.reject(&self.name, action, by, reason, scar);
        reply.map(Decision::of).map_err(store::told)
    }

    /// The agent says what an action came to. It may not speak of harm.
    ///
    /// # Errors
    /// `unknown_action`, `invalid_state` when it was reported before or is not allowed, `forbidden`.
    pub fn report(&self, action: &str, effect: Effect, detail: &str) -> Result<Standing, Error> {
        let standing = self.all.outcome(&self.name, action, effect, Actor::Agent, detail);
        standing.map_err(store::told)
    }

    /// An operator says what an action came to. Harm can be told at any time, whatever was reported
    /// before.
    ///
    /// # Errors
    /// `unknown_action`, `invalid_state`.
    pub fn judge(&self, action: &str, effect: Effect, detail: &str) -> Result<Standing, Error> {
        let standing = self.all.outcome(&self.name, action, effect, Actor::Operator, detail);
        standing.map_err(store::told)
    }

    /// An operator or a monitor marks the agent.
    ///
    /// # Errors
    /// `not_found` when it is about an action that is not known.
    pub fn scar(
        &self,
        severity: Severity,
        reason: &str,
        action: Option<&str>,
    ) -> Result<Standing, Error> {
        self.all.scar(&self.name, severity, reason, action).map_err(store::told)
    }

    /// An operator ends the agent for good.
    ///
    /// # Errors
    /// `already_terminated`.
    pub fn terminate(&self, reason: &str, by: &str) -> Result<Standing, Error> {
        self.all.terminate(&self.name, reason, by).map_err(store::told)
    }

    /// A conversation begins with what is known of it.
    ///
    /// # Errors
    /// `invalid_state` when it has begun already; when the metadata is no JSON object.
    pub fn begin(&self, start: &Start) -> Result<Heeded, Error> {
        let start = start.event()?;
        self.all.begin_session(&self.name, &start).map_err(store::told)
    }

    /// The user of a conversation said something.
    ///
    /// # Errors
    /// `not_durable`.
    pub fn user(&self, session: Option<&str>, words: &str) -> Result<Heeded, Error> {
        self.all.user_said(&self.name, session, words).map_err(store::told)
    }

    /// The agent said something to the user.
    ///
    /// # Errors
    /// `not_durable`.
    pub fn says(&self, session: Option<&str>, words: &str) -> Result<Heeded, Error> {
        self.all.agent_said(&self.name, session, words).map_err(store::told)
    }

    /// A tool returned something for an action. A finding says that it ran although it was not let
    /// through.
    ///
    /// # Errors
    /// `unknown_action`.
    pub fn result(&self, action: &str, result: impl Into<ToolResult>) -> Result<Heeded, Error> {
        let result = result.into();
        self.all.result(&self.name, action, &result.answer()).map_err(store::told)
    }

    /// Erases the texts of one entry, or of all entries so far: arguments, words, results, reasons.
    /// What rules remember stays, as keys under the agent's secret; what waits can't be approved any
    /// more.
    ///
    /// # Errors
    /// `not_found` when the entry is not the agent's.
    pub fn erase(&self, entry: Option<u64>, by: &str, why: &str) -> Result<(), Error> {
        self.all.erase(&self.name, entry, by, why).map_err(store::told)
    }

    /// How the agent stands.
    ///
    /// # Errors
    /// `quarantined` when its record can't be followed.
    pub fn status(&self) -> Result<Standing, Error> {
        self.all.status(&self.name).map_err(store::told)
    }

    /// Whether it may still do anything.
    ///
    /// # Errors
    /// As for [`Agent::status`].
    pub fn is_alive(&self) -> Result<bool, Error> {
        Ok(self.status()?.alive)
    }

    /// One of its actions.
    ///
    /// # Errors
    /// `not_found`.
    pub fn action(&self, action: &str) -> Result<Action, Error> {
        self.all.action(&self.name, action).map_err(store::told)
    }

    /// What waits for people, the oldest first.
    ///
    /// # Errors
    /// As for [`Agent::status`].
    pub fn waiting(&self) -> Result<Vec<Waiting>, Error> {
        self.all.waiting(Some(&self.name)).map_err(store::told)
    }

    /// All agents of the same ledger.
    #[must_use]
    pub fn agents(&self) -> Agents {
        Agents { all: self.all.clone() }
    }
}
