//! All agents of one ledger: begun, found again after a restart, and asked one at a time each.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use lawbook_engine::Engine;
use lawbook_event::{Actor, Answer, Effect, End, Severity, Start, Time};
use lawbook_ledger::store::{Head, Store, Ticket};

use crate::Error;
use crate::agent::{Agent, Desk, Inheritance, NAME_BYTES_MAX, Recorded, number, stopped};
use crate::clock::{Clock, Logical, SystemClock};
use crate::entry::{Body, ClockRefused, Erased, Genesis, PolicyOf, Redeemed};
use crate::grant::{Grant, GrantKey};
use crate::quota::Quota;
use crate::reply::{Action, Heeded, Reply, Request, Standing, Waiting};

/// How many bytes the text of an agent's policy may have: it stands in one entry.
pub const POLICY_BYTES_MAX: usize = 49_152;
/// How long a grant can be used, in seconds.
pub const GRANT_SECS_MAX: i64 = 300;

/// A policy as it is written into an agent's record, for life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyText {
    /// What problems and people call it, as in `desk.yaml`.
    pub name: String,
    /// The dialect that it is written in.
    pub dialect: String,
    /// The profile that it is read under.
    pub profile: String,
    /// The text.
    pub text: String,
}

impl PolicyOf {
    pub(crate) fn as_text(&self) -> PolicyText {
        PolicyText {
            name: self.name.clone(),
            dialect: self.dialect.clone(),
            profile: self.profile.clone(),
            text: self.text.clone(),
        }
    }
}

/// How a policy's text becomes rules. The session knows no syntax.
pub type Compile = dyn Fn(&PolicyText) -> Result<Arc<Engine>, Error> + Send + Sync;

pub use rejudge::{Otherwise, Rejudged, Verdict as RejudgedVerdict, rejudge};

/// What an operator states about a successor instead of what its predecessor left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Who states it.
    pub by: String,
    /// Why.
    pub why: String,
    /// What is left of the budget that [`Standing`] shows; what the predecessor left, if nothing is
    /// stated. Other budgets go on from their own rest.
    pub remaining: Option<u64>,
    /// Whether it bears the marks of its predecessor.
    pub scars: bool,
}

mod begin;
mod erasing;
mod fold;
mod rejudge;
mod snapshots;

use erasing::Owed;
pub use snapshots::SNAPSHOT_ENTRIES;

/// All agents of one ledger.
pub struct Agents {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    logical: Mutex<Logical>,
    compile: Box<Compile>,
    quota: Quota,
    folds: bool,
    /// After so many entries of an agent a snapshot of it is written.
    snapshots: u64,
    grants: Option<Arc<dyn GrantKey>>,
    agents: RwLock<BTreeMap<String, Arc<Mutex<Place>>>>,
}

/// What an agent that has a genesis and no policy goes on from.
struct Founded {
    genesis: Genesis,
    /// What its predecessor left when the genesis was written.
    left: Option<Inheritance>,
    head: Head,
    at: Time,
    /// The index of the genesis.
    index: u64,
}

/// An agent, or why there is none to be asked.
enum Place {
    /// Nothing is written yet.
    Begun,
    /// Its genesis is written and its policy is not: a crash came between.
    Founded(Box<Founded>),
    Live(Box<Agent>),
    /// Its record can't be followed. It is refused everything; the others go on.
    Stopped(Error),
}

impl Agents {
    /// Opens all agents that a ledger holds, folding their entries in order.
    ///
    /// # Errors
    /// `not_readable` when the disk fails. An agent whose own entries can't be followed, or are
    /// damaged, is stopped, and the others are not.
    pub fn open(store: Arc<dyn Store>, compile: Box<Compile>) -> Result<Self, Error> {
        Agents::open_at(store, compile, Arc::new(SystemClock))
    }

    /// The same with another clock.
    ///
    /// # Errors
    /// As for [`Agents::open`].
    pub fn open_at(
        store: Arc<dyn Store>,
        compile: Box<Compile>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        let agents = Agents::empty(store, compile, clock);
        let newest = agents.fold_all()?;
        *agents.logical() = Logical::begin(&*agents.clock, newest);
        Ok(agents)
    }

    /// No agent yet.
    fn empty(store: Arc<dyn Store>, compile: Box<Compile>, clock: Arc<dyn Clock>) -> Self {
        let logical = Mutex::new(Logical::begin(&*clock, None));
        Agents {
            store,
            clock,
            logical,
            compile,
            quota: Quota::default(),
            folds: true,
            snapshots: SNAPSHOT_ENTRIES,
            grants: None,
            agents: RwLock::new(BTreeMap::new()),
        }
    }

    /// The agents whose record can't be followed, each with the reason.
    #[must_use]
    pub fn stopped(&self) -> Vec<(String, String)> {
        let agents = self.agents.read().unwrap_or_else(PoisonError::into_inner);
        let why = |(name, place): (&String, &Arc<Mutex<Place>>)| match &*lock(place) {
            Place::Stopped(error) => Some((name.clone(), error.to_string())),
            Place::Begun | Place::Founded(_) | Place::Live(_) => None,
        };
        agents.iter().filter_map(why).collect()
    }

    /// The same, taking the clock at its word, also where it jumps or runs back: for stories, which
    /// tell their own times, and for lineage's own window.
    #[must_use]
    pub fn at_its_word(self) -> Self {
        let told = self.logical().told();
        *self.logical() = told;
        self
    }

    /// The same with another quota for each agent.
    #[must_use]
    pub fn quota(mut self, quota: Quota) -> Self {
        self.quota = quota;
        for name in self.names() {
            if let Place::Live(agent) = &mut *lock(&self.place_of(&name)) {
                agent.allot(quota);
            }
        }
        self
    }

    /// The same, asking people about each request, also where an equal one waits already: lineage's
    /// own way, which lets a flood hide what matters.
    #[must_use]
    pub fn each_request_alone(mut self) -> Self {
        self.folds = false;
        self
    }

    /// The same with a key for grants.
    #[must_use]
    pub fn grants(mut self, key: Arc<dyn GrantKey>) -> Self {
        self.grants = Some(key);
        self
    }

    /// The names of all agents, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.agents.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// Begins an agent under a policy that it has for life.
    ///
    /// # Errors
    /// `agent_exists` when the name was ever used, and the policy's problems.
    pub fn create(&self, name: &str, policy: &PolicyText) -> Result<Standing, Error> {
        self.begin(name, policy, None)
    }

    /// Begins an agent that takes over from another one, which ends with it: what is left of its
    /// budget, its marks and what its rules counted carry over, unless an operator states otherwise.
    /// What waited for the other one and its grants are void.
    ///
    /// # Errors
    /// As for [`Agents::create`]; when there is no such other agent; `already_succeeded` when
    /// another one took over from it and no operator states what a further one has.
    pub fn succeed(
        &self,
        name: &str,
        policy: &PolicyText,
        predecessor: &str,
        statement: Option<Statement>,
    ) -> Result<Standing, Error> {
        self.begin(name, policy, Some((predecessor, statement)))
    }

    /// Asks whether a call may run.
    ///
    /// # Errors
    /// `conflict` when the request's id stands for another request, `too_many_attempts`,
    /// `too_large`, and `not_durable` when the record takes nothing.
    pub fn request(&self, agent: &str, request: &Request) -> Result<Reply, Error> {
        self.with(agent, |agent, desk| agent.request(desk, request, self.folds))
    }

    /// A person says yes to what waits; `seen` is the digest of what that person saw.
    ///
    /// # Errors
    /// `unknown_action`, `invalid_state`, `other_request` when something else waits now.
    pub fn approve(
        &self,
        agent: &str,
        action: &str,
        by: &str,
        seen: Option<&str>,
        note: &str,
    ) -> Result<Reply, Error> {
        let action = number(action)?;
        self.with(agent, |agent, desk| agent.approve(desk, action, by, seen, note))
    }

    /// A person says no to what waits.
    ///
    /// # Errors
    /// `unknown_action`, `invalid_state`.
    pub fn reject(
        &self,
        agent: &str,
        action: &str,
        by: &str,
        reason: &str,
        scar: Option<Severity>,
    ) -> Result<Reply, Error> {
        let action = number(action)?;
        self.with(agent, |agent, desk| agent.reject(desk, action, by, reason, scar))
    }

    /// Somebody says what an action came to.
    ///
    /// # Errors
    /// `unknown_action`, `invalid_state`, and `forbidden` when an agent speaks of harm.
    pub fn outcome(
        &self,
        agent: &str,
        action: &str,
        effect: Effect,
        by: Actor,
        detail: &str,
    ) -> Result<Standing, Error> {
        let action = number(action)?;
        self.with(agent, |agent, desk| agent.outcome(desk, action, effect, by, detail))
    }

    /// An operator or a monitor marks the agent.
    ///
    /// # Errors
    /// `not_found` when it is about an action that is not known.
    pub fn scar(
        &self,
        agent: &str,
        severity: Severity,
        reason: &str,
        action: Option<&str>,
    ) -> Result<Standing, Error> {
        let action = action.map(number).transpose();
        let action = action.map_err(|it| Error::new("not_found", it.message()))?;
        self.with(agent, |agent, desk| agent.scar(desk, severity, reason, action))
    }

    /// An operator ends the agent for good.
    ///
    /// # Errors
    /// `already_terminated`.
    pub fn terminate(&self, agent: &str, reason: &str, by: &str) -> Result<Standing, Error> {
        self.with(agent, |agent, desk| agent.terminate(desk, reason, by))
    }

    /// A conversation of the agent begins with what is known of it.
    ///
    /// # Errors
    /// `invalid_state` when it has begun already.
    pub fn begin_session(&self, agent: &str, start: &Start<'_>) -> Result<Heeded, Error> {
        self.with(agent, |agent, desk| agent.begin(desk, start.clone()))
    }

    /// The user said something. Only words of the human user belong here.
    ///
    /// # Errors
    /// `not_durable`.
    pub fn user_said(
        &self,
        agent: &str,
        session: Option<&str>,
        words: &str,
    ) -> Result<Heeded, Error> {
        self.with(agent, |agent, desk| agent.user(desk, session, words))
    }

    /// The agent said something to the user.
    ///
    /// # Errors
    /// `not_durable`.
    pub fn agent_said(
        &self,
        agent: &str,
        session: Option<&str>,
        words: &str,
    ) -> Result<Heeded, Error> {
        self.with(agent, |agent, desk| agent.agent(desk, session, words))
    }

    /// A tool returned something for an action.
    ///
    /// # Errors
    /// `unknown_action`.
    pub fn result(&self, agent: &str, action: &str, answer: &Answer<'_>) -> Result<Heeded, Error> {
        let action = number(action)?;
        self.with(agent, |agent, desk| agent.result(desk, action, answer.clone()))
    }

    /// A conversation ends. What waits for people in it is rejected, and nothing more is told of its
    /// actions: a conversation of the same name begins anew.
    ///
    /// # Errors
    /// `not_found` when none of that name is under way.
    pub fn end_session(
        &self,
        agent: &str,
        session: Option<&str>,
        end: &End<'_>,
    ) -> Result<Heeded, Error> {
        self.with(agent, |agent, desk| agent.end(desk, session, end.clone()))
    }

    /// How an agent stands.
    ///
    /// # Errors
    /// `not_found`, and `quarantined` when its record can't be followed.
    pub fn status(&self, agent: &str) -> Result<Standing, Error> {
        self.look(agent, |it| Ok(it.standing()))
    }

    /// The policy of an agent, as it was written into its record.
    ///
    /// # Errors
    /// `not_found`.
    pub fn policy(&self, agent: &str) -> Result<PolicyText, Error> {
        self.look(agent, |it| Ok(it.policy().as_text()))
    }

    /// One action of an agent.
    ///
    /// # Errors
    /// `not_found`.
    pub fn action(&self, agent: &str, action: &str) -> Result<Action, Error> {
        let action = number(action).map_err(|it| Error::new("not_found", it.message()))?;
        self.look(agent, |it| it.action(&*self.store, action))
    }

    /// What waits for people, the oldest first, of one agent or of all.
    ///
    /// # Errors
    /// `not_found`.
    pub fn waiting(&self, agent: Option<&str>) -> Result<Vec<Waiting>, Error> {
        if let Some(agent) = agent {
            return self.look(agent, |it| Ok(it.waiting()));
        }
        let all = self.names();
        let each = all.iter().filter_map(|name| self.look(name, |it| Ok(it.waiting())).ok());
        let mut waiting: Vec<Waiting> = each.flatten().collect();
        waiting.sort_by_key(|it| it.since);
        Ok(waiting)
    }

    /// A signed permission to run an allowed action once, for a backend.
    ///
    /// # Errors
    /// `invalid_state` when the action is not allowed, `terminated` when the agent has ended.
    pub fn grant(&self, agent: &str, action: &str, audience: &str) -> Result<String, Error> {
        let key = self.grant_key()?;
        let of = number(action)?;
        let (action, entry, now) = self.with(agent, |it, desk| {
            it.may_run(of)?;
            let ticket = it.ticket();
            if let Some(ticket) = &ticket {
                // What is not durable yet can't be read either.
                durable(ticket)?;
            }
            let action = it.action(desk.store, of)?;
            let entry = desk.store.leaf(action.entry).map_err(unreadable)?;
            Ok(Recorded { value: (action, entry, desk.at), ticket })
        })?;
        let args = action.args.ok_or_else(|| {
            Error::new("erased", "the arguments were erased, so nothing can be granted")
        })?;
        let seconds = now.nanos.div_euclid(1_000_000_000);
        let grant = Grant {
            agent: agent.to_owned(),
            action: action.action,
            server: action.server,
            tool: action.tool,
            args,
            audience: audience.to_owned(),
            expires_unix_secs: seconds.saturating_add(GRANT_SECS_MAX),
            entry: lawbook_ledger::store::hex(&entry),
        };
        grant.sealed(&*key)
    }

    /// A backend uses a grant, once. It must run what stands in the grant and nothing else.
    ///
    /// # Errors
    /// `bad_grant`, `expired`, `other_audience`, `used`, and `terminated` once the agent has ended.
    pub fn redeem(&self, sealed: &str, audience: &str) -> Result<Grant, Error> {
        let key = self.grant_key()?;
        let grant = Grant::opened(sealed, &*key, audience, self.now())?;
        let action = number(&grant.action)?;
        self.with(&grant.agent, |agent, desk| {
            agent.reported(desk, 0)?;
            agent.may_run(action)?;
            // The same name and number may stand in another ledger, or in an older copy of this one.
            let leaf = desk.store.leaf(agent.entry_of(action)?).map_err(unreadable)?;
            if lawbook_ledger::store::hex(&leaf) != grant.entry {
                return Err(Error::new("bad_grant", "the grant is of another entry"));
            }
            let body = Body::Redeemed(Redeemed { action, by: audience.to_owned() });
            agent.write(desk, body)
        })?;
        Ok(grant)
    }

    /// Erases the texts of one entry of an agent, or of all its entries so far. What waits without
    /// its text can't be approved any more.
    ///
    /// # Errors
    /// `not_found` when the entry is not the agent's.
    pub fn erase(&self, agent: &str, entry: Option<u64>, by: &str, why: &str) -> Result<(), Error> {
        let erased = Erased { entry, by: by.to_owned(), why: why.to_owned() };
        let index = self.with(agent, |agent, desk| {
            agent.owns(&*self.store, entry)?;
            let ticket = agent.write(desk, Body::Erased(erased))?.ticket;
            Ok(Recorded { value: agent.last(), ticket })
        })?;
        let mut owed = Owed::default();
        owed.owe(agent, entry, index);
        owed.pay(&*self.store)?;
        let place = self.find(agent)?;
        if let Place::Live(agent) = &mut *lock(&place) {
            agent.erased(index);
        }
        Ok(())
    }

    /// Runs an operation on an agent and waits until it is durable.
    fn with<T>(
        &self,
        name: &str,
        run: impl FnOnce(&mut Agent, Desk<'_>) -> Result<Recorded<T>, Error>,
    ) -> Result<T, Error> {
        let place = self.find(name)?;
        let (recorded, due) = {
            let mut place = lock(&place);
            let at = self.now();
            let agent = self.ready(name, &mut place)?;
            let desk = Desk { store: &*self.store, at };
            self.record_refused(agent, desk)?;
            let recorded = run(agent, desk)?;
            (recorded, agent.is_due(self.snapshots))
        };
        self.told_once_durable(&place, recorded.ticket.as_ref())?;
        if due {
            self.keep(&place);
        }
        Ok(recorded.value)
    }

    fn look<T>(
        &self,
        name: &str,
        look: impl FnOnce(&Agent) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let place = self.find(name)?;
        let (seen, ticket) = {
            let mut place = lock(&place);
            let agent = self.ready(name, &mut place)?;
            (look(agent), agent.ticket())
        };
        // What is told must be true after a crash, too.
        self.told_once_durable(&place, ticket.as_ref())?;
        seen
    }

    /// The present moment.
    fn now(&self) -> Time {
        self.logical().now(&*self.clock)
    }

    /// Writes down that the clock on the wall was refused, where nobody did yet.
    fn record_refused(&self, agent: &mut Agent, desk: Desk<'_>) -> Result<(), Error> {
        let Some(wall) = self.logical().take_refused() else { return Ok(()) };
        let written = agent.write(desk, Body::Clock(ClockRefused { wall: wall.nanos }));
        if written.is_err() {
            self.logical().refuse(wall);
        }
        written.map(drop)
    }

    /// Waits until what was written is durable. Where it may not be, what the agent knows is not to
    /// be gone on from.
    fn told_once_durable(
        &self,
        place: &Mutex<Place>,
        ticket: Option<&Ticket>,
    ) -> Result<(), Error> {
        let told = ticket.map_or(Ok(()), durable);
        if let (Err(_), Place::Live(agent)) = (&told, &mut *lock(place)) {
            agent.doubt();
        }
        told
    }

    /// The agent, folded again where its state ran ahead of its record.
    fn ready<'p>(&self, name: &str, place: &'p mut Place) -> Result<&'p mut Agent, Error> {
        if matches!(place, Place::Live(agent) if agent.is_stale()) {
            *place = self.fold_again(name, place)?;
        }
        match place {
            Place::Live(agent) => Ok(agent),
            Place::Begun | Place::Founded(_) => {
                Err(Error::new("not_found", format!("the agent `{name}` has no policy yet"))
                    .help("create it again: it goes on where it stopped"))
            }
            Place::Stopped(error) => {
                let message = format!("the agent `{name}` is stopped: {error}");
                Err(Error::new("quarantined", message).help("run `lawbook ledger verify`"))
            }
        }
    }

    fn find(&self, name: &str) -> Result<Arc<Mutex<Place>>, Error> {
        let agents = self.agents.read().unwrap_or_else(PoisonError::into_inner);
        agents.get(name).cloned().ok_or_else(|| {
            let name: String = name.chars().take(NAME_BYTES_MAX).collect();
            Error::new("not_found", format!("no agent `{name}` is known"))
        })
    }

    fn logical(&self) -> MutexGuard<'_, Logical> {
        self.logical.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn grant_key(&self) -> Result<Arc<dyn GrantKey>, Error> {
        self.grants.clone().ok_or_else(|| {
            Error::new("no_key", "there is no key for grants").help("give the server one")
        })
    }
}

fn lock(place: &Mutex<Place>) -> MutexGuard<'_, Place> {
    // No operation leaves an agent half changed without marking it as stale.
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

fn durable(ticket: &Ticket) -> Result<(), Error> {
    ticket.wait().map(drop).map_err(stopped)
}

pub(crate) fn unreadable(error: lawbook_ledger::Error) -> Error {
    // A disk that fails says nothing of the entry: it may be there the next time.
    let io = error.code() == lawbook_ledger::Code::Io;
    Error::new(if io { "not_readable" } else { "unreadable_entry" }, error.to_string())
}

impl fmt::Debug for Agents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agents").field("names", &self.names()).finish_non_exhaustive()
    }
}
