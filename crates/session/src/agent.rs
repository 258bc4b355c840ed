//! One live agent: what it remembers, and how an entry of the record changes that.
//!
//! Each operation judges, notes what rules took, records it as one entry, and applies that entry.
//! Folding applies the same entries, so an agent that begins again knows what it knew.

mod ask;
mod hear;
mod last;
mod look;
mod people;
mod saved;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use lawbook_diag::Verdict;
use lawbook_engine::{Door, Engine, Judgement, Note, State};
use lawbook_event::{Event, Start, Time, What};
use lawbook_ledger::Code;
use lawbook_ledger::store::{self, Head, Store, Ticket, hex};

use crate::Error;
use crate::entry::{self, Body, Entry, PolicyOf, Verdicts};
use crate::quota::{Left, Quota};
use crate::reply::Status;
use crate::seal::Sealer;
use crate::text::{Finding, Texts};

pub(crate) use last::Inheritance;
pub(crate) use saved::{Saved, Unwritten};

/// How many conversations of one agent are followed at once. A further one is refused.
pub const SESSIONS_MAX: usize = 10_000;
/// How many bytes the arguments of one request may have.
pub const ARGS_BYTES_MAX: usize = 1_048_576;
/// How many bytes a name may have: of a tool, a conversation, a person, an id.
pub const NAME_BYTES_MAX: usize = 128;
/// How many bytes a reason, a detail or a note may have.
pub const REASON_BYTES_MAX: usize = 4_096;

/// A live agent.
pub(crate) struct Agent {
    id: String,
    policy: PolicyOf,
    engine: Arc<Engine>,
    seal: Arc<Sealer>,
    /// What rules remember of its whole life, and how it stands.
    life: State,
    talks: BTreeMap<String, Talk>,
    actions: Vec<Act>,
    waiting: BTreeMap<u64, Waits>,
    /// Ids of requests, as keyed digests.
    requests: BTreeMap<String, Asked>,
    head: Head,
    newest: Time,
    /// The index of its genesis, and that of its newest entry.
    founded: u64,
    last: u64,
    /// How many of its entries its last snapshot holds.
    saved: u64,
    attempts: Left,
    reports: Left,
    /// The entries that record an erasure which may not be done yet.
    erasing: BTreeSet<u64>,
    /// Its state is ahead of its record, so it must be folded again before anything else.
    stale: bool,
    /// The ticket of its newest entry.
    ticket: Option<Ticket>,
    /// Who took over from it, if somebody did.
    successor: Option<String>,
    /// Whom it took over from.
    predecessor: Option<String>,
    /// What it took over itself.
    origin: Option<Inheritance>,
}

/// What an id of a request stands for.
#[derive(Clone, Debug)]
struct Asked {
    action: u64,
    /// The keyed digest of what was asked.
    digest: String,
    /// Another one had asked for the same before, and it is that one's to run.
    joined: bool,
}

/// One conversation.
struct Talk {
    state: State,
    step: u32,
    place: u64,
    message: u64,
    batch: Option<String>,
    /// What it began with, shut, where that was told.
    start: Option<String>,
}

/// An action that was asked for.
#[derive(Clone, Debug)]
struct Act {
    entry: u64,
    session: Option<String>,
    step: u32,
    status: Status,
    redeemed: bool,
    /// A host told what it returned, so it ran.
    ran: bool,
    /// What was charged for it.
    charged: Option<u64>,
    /// Its conversation has ended: its step may be another action's in the next one of that name.
    over: bool,
}

/// An action that waits for people.
#[derive(Clone, Debug)]
struct Waits {
    entry: u64,
    /// The keyed digest of what was asked.
    asked: String,
    server: Option<String>,
    tool: String,
    args: Option<String>,
    cost: u64,
    since: Time,
    expires: Option<Time>,
    people: u32,
    rules: Vec<String>,
    approved_by: BTreeSet<String>,
}

/// What an operation works with beside the agent.
#[derive(Clone, Copy)]
pub(crate) struct Desk<'a> {
    pub store: &'a dyn Store,
    pub at: Time,
}

/// What an operation came to before it is durable.
pub(crate) struct Recorded<T> {
    pub value: T,
    /// What must be waited for before anybody is told.
    pub ticket: Option<Ticket>,
}

impl Agent {
    /// An agent in which nothing happened yet.
    pub fn new(
        id: &str,
        policy: PolicyOf,
        engine: Arc<Engine>,
        seal: Arc<Sealer>,
        quota: Quota,
    ) -> Self {
        let life = State::new(&engine, Door::Live).sealed(seal.clone());
        Agent {
            id: id.to_owned(),
            policy,
            engine,
            seal,
            life,
            talks: BTreeMap::new(),
            actions: Vec::new(),
            waiting: BTreeMap::new(),
            requests: BTreeMap::new(),
            head: Head::NONE,
            newest: Time { nanos: i64::MIN },
            founded: 0,
            last: 0,
            saved: 0,
            attempts: Left::new(quota),
            reports: Left::new(quota.of_reports()),
            erasing: BTreeSet::new(),
            stale: false,
            ticket: None,
            successor: None,
            predecessor: None,
            origin: None,
        }
    }

    /// Writes an entry that no rule judges.
    pub fn write(&mut self, desk: Desk<'_>, body: Body) -> Result<Recorded<()>, Error> {
        let ticket = self.record(desk, body, &Texts::default())?;
        Ok(Recorded { value: (), ticket: Some(ticket) })
    }

    pub fn is_stale(&self) -> bool {
        self.stale
    }

    pub fn ticket(&self) -> Option<Ticket> {
        self.ticket.clone()
    }

    /// Continues after an entry that was written by others: those that an agent begins with.
    pub fn follow(&mut self, head: Head, at: Time, index: u64) {
        self.head = head;
        self.newest = self.newest.max(at);
        self.last = index;
    }

    /// The same, after its genesis.
    pub fn begun_by(&mut self, head: Head, at: Time, index: u64) {
        self.follow(head, at, index);
        self.founded = index;
    }

    /// What its next entry continues.
    pub fn head(&self) -> Head {
        self.head
    }

    /// The index of its newest entry.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The time of its newest entry.
    pub fn newest(&self) -> Time {
        self.newest
    }

    /// The index of its genesis, and how many entries it has.
    pub fn extent(&self) -> (u64, u64) {
        (self.founded, self.head.next_seq)
    }

    /// Gives it another quota.
    pub fn allot(&mut self, quota: Quota) {
        self.attempts = Left::new(quota);
        self.reports = Left::new(quota.of_reports());
    }

    /// The same quota as another one has left: the same agent, before it was folded again.
    pub fn allotted_as(&mut self, other: &Agent) {
        (self.attempts, self.reports) = (other.attempts, other.reports);
    }

    /// Takes a report of so many bytes.
    pub fn reported(&mut self, desk: Desk<'_>, bytes: usize) -> Result<(), Error> {
        self.reports.take(bytes, desk.at)
    }

    /// What it knows may not be in its record, so it must be folded again before anything else.
    pub fn doubt(&mut self) {
        self.stale = true;
    }

    /// The erasure is done that an entry of its record says.
    pub fn erased(&mut self, entry: u64) {
        self.erasing.remove(&entry);
    }

    /// All of them are.
    pub fn all_erased(&mut self) {
        self.erasing.clear();
    }

    /// Judges an event of a conversation and takes it in. What the rules took comes with it.
    fn tell(
        &mut self,
        (session, batch): (Option<&str>, Option<&str>),
        at: Time,
        what: What<'_>,
    ) -> Result<Told, Error> {
        let seen = self.talks.contains_key(session.unwrap_or_default());
        // The agent's own conversation always has room: an operator must be able to end it.
        if !seen && session.is_some() && self.talks.len() >= SESSIONS_MAX {
            return Err(Error::new(
                "too_many_sessions",
                format!("the agent has {SESSIONS_MAX} conversations under way"),
            )
            .help("end those that are over"));
        }
        let fresh = || Talk::begin(&self.engine, &self.seal, session);
        let talk = self.talks.entry(session.unwrap_or_default().to_owned()).or_insert_with(fresh);
        let (place, message) = (talk.place, talk.message_for(batch));
        let event = Event { at: Some(at), place, message, what };
        // Whatever broke off while the life is lent must not be gone on from.
        let before = std::mem::replace(&mut self.stale, true);
        self.engine.lend(&mut self.life, &mut talk.state);
        let judgement = self.engine.judge(&talk.state, &event);
        let told = match judgement.misuse {
            Some(misuse) => Err(misused(misuse)),
            None => {
                let note = self.engine.advance_noting(&mut talk.state, &event, &judgement);
                Ok(Told { judgement, note })
            }
        };
        self.engine.lend(&mut self.life, &mut talk.state);
        if told.is_err() {
            self.stale = before;
        }
        if told.is_err() && !seen {
            self.talks.remove(session.unwrap_or_default());
        }
        told
    }

    /// Writes an entry and applies it. Whatever fails here leaves the agent ahead of its record.
    fn record(&mut self, desk: Desk<'_>, body: Body, texts: &Texts) -> Result<Ticket, Error> {
        self.stale = true;
        let text = texts.bytes();
        let digest = text.as_deref().map(|it| hex(&self.seal.text_digest(it)));
        let (prev, seq) = (hex(&self.head.leaf), self.head.next_seq);
        let bytes = entry::write(&self.id, seq, &prev, desk.at, digest.as_deref(), &body)?;
        let entry = store::Entry { bytes, text };
        let ticket = desk.store.submit(entry).map_err(stopped)?;
        let store::Placed { index, leaf } = ticket.placed();
        self.follow(Head { next_seq: seq.saturating_add(1), leaf }, desk.at, index);
        self.apply(&body, index, desk.at, texts.args.as_deref())?;
        self.ticket = Some(ticket.clone());
        self.stale = false;
        Ok(ticket)
    }

    /// Folds an entry of the record.
    pub fn fold(&mut self, entry: &Entry, index: u64, head: Head) -> Result<(), Error> {
        if let Some((session, note)) = self.noted(&entry.body)? {
            let fresh = || Talk::begin(&self.engine, &self.seal, session.as_deref());
            let talk = self.talks.entry(session.clone().unwrap_or_default()).or_insert_with(fresh);
            self.engine.lend(&mut self.life, &mut talk.state);
            let folded = self.engine.fold(&mut talk.state, &note);
            self.engine.lend(&mut self.life, &mut talk.state);
            folded.map_err(|it| Error::new("unreadable_entry", it.to_string()))?;
            if let Body::Event(heard) = &entry.body {
                self.restore_start(heard)?;
            }
        }
        self.follow(head, entry.at, index);
        self.apply(&entry.body, index, entry.at, None)
    }

    /// The conversation and the note of an entry, where it has one.
    fn noted(&self, body: &Body) -> Result<Option<(Option<String>, Note)>, Error> {
        let Some((session, note)) = self.note_of(body)? else { return Ok(None) };
        let broken = || Error::new("unreadable_entry", "what the rules took can't be read");
        let bytes = BASE64.decode(note).map_err(|_| broken())?;
        Ok(Some((session, Note::decode(&bytes).map_err(|_| broken())?)))
    }

    fn note_of<'b>(&self, body: &'b Body) -> Result<Option<(Option<String>, &'b str)>, Error> {
        let of = |action: u64, said: &'b Verdicts| {
            let act = self.act(action)?;
            Ok(Some((act.session.clone(), &*said.note)))
        };
        match body {
            Body::Decision(it) => Ok(Some((it.session.clone(), &*it.said.note))),
            Body::Event(it) => Ok(Some((it.session.clone(), &*it.said.note))),
            Body::Approval(it) => of(it.action, &it.said),
            Body::Rejection(it) => of(it.action, &it.said),
            Body::Outcome(it) => of(it.action, &it.said),
            Body::Scar(it) => match it.action {
                Some(action) if !self.act(action)?.over => of(action, &it.said),
                _ => Ok(Some((None, &*it.said.note))),
            },
            Body::Terminate(it) => Ok(Some((None, &*it.said.note))),
            Body::Genesis(_)
            | Body::Policy(_)
            | Body::Folded(_)
            | Body::Redeemed(_)
            | Body::Erased(_)
            | Body::Clock(_) => Ok(None),
        }
    }

    /// What an entry changes beside what rules remember. Live and folding alike.
    fn apply(
        &mut self,
        body: &Body,
        index: u64,
        at: Time,
        args: Option<&str>,
    ) -> Result<(), Error> {
        if let Some((session, _)) = self.note_of(body)? {
            let talk = self.talks.get_mut(session.as_deref().unwrap_or_default());
            let broken = || Error::new("unreadable_entry", "an event without its conversation");
            talk.ok_or_else(broken)?.took(match body {
                Body::Decision(it) => it.batch.as_deref(),
                _ => None,
            });
        }
        match body {
            Body::Decision(it) => self.apply_decision(it, index, at, args),
            Body::Approval(it) => self.apply_approval(it),
            Body::Rejection(it) => self.settle(it.action, Status::Denied),
            Body::Outcome(it) => self.settle(it.action, Status::Completed),
            Body::Event(it) => {
                let session = it.session.as_deref().unwrap_or_default();
                if it.sort == "end" {
                    self.over(it.session.as_deref());
                } else if let (Some(start), Some(talk)) = (&it.start, self.talks.get_mut(session)) {
                    talk.start = Some(start.clone());
                }
                match it.action {
                    Some(action) => self.ran(action),
                    None => Ok(()),
                }
            }
            Body::Folded(it) => {
                let (action, digest) = (it.action, it.asked.clone());
                self.requests.insert(it.request.clone(), Asked { action, digest, joined: true });
                Ok(())
            }
            Body::Redeemed(it) => {
                self.act_mut(it.action)?.redeemed = true;
                Ok(())
            }
            Body::Erased(it) => {
                self.erasing.insert(index);
                self.forget(it.entry);
                Ok(())
            }
            Body::Genesis(_)
            | Body::Policy(_)
            | Body::Scar(_)
            | Body::Terminate(_)
            | Body::Clock(_) => Ok(()),
        }
    }

    /// A conversation is let go. Steps of its name may begin anew, so nothing is told of its actions
    /// any more.
    fn over(&mut self, session: Option<&str>) {
        self.talks.remove(session.unwrap_or_default());
        for act in self.actions.iter_mut().filter(|it| it.session.as_deref() == session) {
            act.over = true;
        }
    }

    /// An action ran, as its host says.
    fn ran(&mut self, action: u64) -> Result<(), Error> {
        let act = self.act_mut(action)?;
        act.ran = true;
        match act.status {
            // It ran without a yes, so nobody is asked for one any more.
            Status::Pending => self.settle(action, Status::Denied),
            _ => Ok(()),
        }
    }

    fn settle(&mut self, action: u64, status: Status) -> Result<(), Error> {
        self.act_mut(action)?.status = status;
        self.waiting.remove(&action);
        Ok(())
    }

    fn act(&self, action: u64) -> Result<&Act, Error> {
        let place = action.checked_sub(1).and_then(|it| usize::try_from(it).ok());
        place.and_then(|it| self.actions.get(it)).ok_or_else(|| unknown(action))
    }

    /// An action whose conversation goes on.
    fn present(&self, action: u64) -> Result<&Act, Error> {
        let act = self.act(action)?;
        if act.over {
            return Err(Error::new("invalid_state", "the conversation of the action has ended"));
        }
        Ok(act)
    }

    fn act_mut(&mut self, action: u64) -> Result<&mut Act, Error> {
        let place = action.checked_sub(1).and_then(|it| usize::try_from(it).ok());
        place.and_then(|it| self.actions.get_mut(it)).ok_or_else(|| unknown(action))
    }
}

/// What was said of an event, and what the rules took from it.
struct Told {
    judgement: Judgement,
    note: Note,
}

impl Told {
    /// The part of an entry that every judged event has.
    fn verdicts(&self) -> Verdicts {
        let judgement = &self.judgement;
        let counts = judgement.held.iter().filter(|it| it.finding.counts());
        Verdicts {
            verdict: judgement.verdict.word().to_owned(),
            rules: counts.map(|it| it.finding.rule.to_string()).collect(),
            unknown: judgement.unknowns.iter().map(|it| it.rule.to_string()).collect(),
            charge: judgement.charge.as_ref().map(|it| it.cost),
            scar: judgement.scar.as_ref().map(|it| it.severity.word().to_owned()),
            ends: judgement.ends.as_ref().map(|it| it.reason.clone()),
            note: BASE64.encode(self.note.encode()),
        }
    }

    /// The same for the model; none where the call may run.
    fn reply(&self) -> Option<String> {
        let judgement = &self.judgement;
        crate::words::reply(judgement.verdict, &judgement.held, &judgement.unknowns)
    }

    /// The texts that lie apart.
    fn texts(&self) -> Texts {
        let judgement = &self.judgement;
        Texts {
            findings: judgement.held.iter().map(|it| Finding::of(&it.finding)).collect(),
            scar: judgement.scar.as_ref().map(|it| it.reason.clone()),
            ..Texts::default()
        }
    }
}

impl Talk {
    fn begin(engine: &Engine, seal: &Arc<Sealer>, session: Option<&str>) -> Self {
        let mut state = State::new(engine, Door::Live).sealed(seal.clone());
        let id = Cow::Owned(session.unwrap_or_default().to_owned());
        let what = What::Start(Start { id, ..Start::default() });
        let event = Event { at: None, place: 0, message: 0, what };
        engine.advance(&mut state, &event, &Judgement::default());
        Talk { state, step: 0, place: 1, message: 1, batch: None, start: None }
    }

    /// The message of the next event: the calls of a batch share one, anything else has its own.
    fn message_for(&self, batch: Option<&str>) -> u64 {
        let goes_on = self.batch.is_none() || self.batch.as_deref() == batch;
        if goes_on { self.message } else { self.message.saturating_add(1) }
    }

    fn took(&mut self, batch: Option<&str>) {
        let message = self.message_for(batch);
        self.message = if batch.is_some() { message } else { message.saturating_add(1) };
        self.batch = batch.map(str::to_owned);
        self.place = self.place.saturating_add(1);
    }
}

/// The name of an action, as lineage writes it.
pub(crate) fn name(action: u64) -> String {
    format!("act-{action}")
}

/// The number of an action's name.
pub(crate) fn number(name: &str) -> Result<u64, Error> {
    let digits = name.strip_prefix("act-").filter(|it| !it.starts_with(['0', '+']));
    digits.and_then(|it| it.parse().ok()).ok_or_else(|| {
        Error::new("unknown_action", format!("no action `{}` is known", short(name)))
    })
}

fn unknown(action: u64) -> Error {
    Error::new("unknown_action", format!("no action `{}` is known", name(action)))
}

fn short(text: &str) -> String {
    text.chars().take(64).collect()
}

fn misused(misuse: lawbook_engine::Misuse) -> Error {
    use lawbook_engine::Misuse;
    let message = match misuse {
        Misuse::UnknownAction | Misuse::NotFound => "no such action is known",
        Misuse::InvalidState => "the action is not in a state that allows it",
        Misuse::Forbidden => "that is not for the agent to say",
        Misuse::AlreadyTerminated => "the agent has ended already",
    };
    Error::new(misuse.code(), message)
}

/// The text that belongs to an entry; none where it has none or it was erased.
fn text_of(store: &dyn Store, index: u64) -> Result<Option<Vec<u8>>, Error> {
    match store.text(index) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.code(), Code::Missing | Code::Erased) => Ok(None),
        Err(error) => Err(crate::agents::unreadable(error)),
    }
}

/// An agent whose secret is gone can't find again what its rules remember.
pub(crate) fn no_seal(agent: &str) -> Error {
    let message = format!("the secret of `{agent}` was erased, so its record can't be followed");
    Error::new("erased", message)
}

/// The record takes nothing more: whatever was not acknowledged may or may not be in it.
pub(crate) fn stopped(error: lawbook_ledger::Error) -> Error {
    if error.code() == Code::TooLarge {
        return Error::new("too_large", format!("it does not fit the record: {error}"))
            .help("ask with less, or let rules remember less of it");
    }
    Error::new("not_durable", format!("the record takes nothing: {error}"))
        .help("open the ledger again; what was acknowledged is in it")
}

/// A verdict, by its word in an entry.
fn verdict_of(word: &str) -> Verdict {
    [Verdict::Allow, Verdict::Ask].into_iter().find(|it| it.word() == word).unwrap_or(Verdict::Deny)
}

/// Refuses what is empty or longer than its bound.
pub(crate) fn bounded(what: &str, text: &str, bytes_max: usize) -> Result<(), Error> {
    if text.is_empty() {
        return Err(Error::new("bad_request", format!("{what} is empty")));
    }
    if text.len() > bytes_max {
        let message = format!("{what} has {} bytes, and {bytes_max} fit", text.len());
        return Err(Error::new("too_large", message));
    }
    Ok(())
}
