//! An agent as bytes: a cache of what folding its entries comes to, which only its own secret
//! opens. Texts that can be erased are not in it; they come back as they do after folding.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_engine::{Engine, State};
use lawbook_event::{Start, Time};
use lawbook_ledger::store::{Head, Store, Ticket, leaf_hash};
use lawbook_rule::{Broken, Coded, Reader, Writer, coded};

use super::{Act, Agent, Asked, Talk, Waits};
use crate::entry::{ENGINE, PolicyOf};
use crate::quota::Quota;
use crate::reply::Status;
use crate::seal::Sealer;

/// The version of these bytes. Those of another one are not read.
const SAVED_VERSION: u8 = 2;
/// What no other text begins with that an agent's secret shuts.
const MARK: &str = "lawbook agent";

/// A snapshot that is not written yet.
pub(crate) struct Unwritten {
    pub agent: String,
    /// The size of the log that it belongs to: the agent's newest entry is its last.
    pub size: u64,
    pub bytes: Vec<u8>,
    /// What must be durable first.
    pub ticket: Option<Ticket>,
}

/// A snapshot that was opened.
pub(crate) struct Saved {
    pub policy: PolicyOf,
    pub head: Head,
    pub last: u64,
    founded: u64,
    newest: Time,
    rest: Vec<u8>,
}

impl Agent {
    /// Whether so many entries came since the last snapshot that it is time for another one. Large
    /// agents wait longer, so that all snapshots of one cost no more than its entries do.
    pub fn is_due(&self, every: u64) -> bool {
        let since = self.head.next_seq.saturating_sub(self.saved);
        every > 0 && self.may_save() && since >= every.max(self.saved / 8)
    }

    /// How many entries came since the last snapshot.
    pub fn unsaved(&self) -> u64 {
        self.head.next_seq.saturating_sub(self.saved)
    }

    /// Whether its state is that of its record. What is recorded as erased and lies there yet is
    /// found again by folding, so no snapshot may hold such an entry.
    fn may_save(&self) -> bool {
        !self.stale && self.erasing.is_empty()
    }

    /// The agent as bytes; none where it can't be saved now, or no randomness is to be had.
    pub fn save(&mut self) -> Option<Unwritten> {
        if !self.may_save() {
            return None;
        }
        let mut out = Writer::default();
        out.text(MARK);
        out.byte(SAVED_VERSION);
        out.text(ENGINE);
        out.text(&self.id);
        let PolicyOf { name, dialect, profile, digest, text } = &self.policy;
        [name, dialect, profile, digest, text].iter().for_each(|it| out.text(it));
        out.whole(self.head.next_seq);
        out.raw(&self.head.leaf);
        out.whole(self.last);
        out.whole(self.founded);
        self.newest.write(&mut out);
        self.write_rest(&mut out);
        let bytes = self.seal.shut(&out.into_bytes())?;
        self.saved = self.head.next_seq;
        let (agent, size) = (self.id.clone(), self.last.saturating_add(1));
        Some(Unwritten { agent, size, bytes, ticket: self.ticket() })
    }

    fn write_rest(&self, out: &mut Writer) {
        out.run(&self.life.encode(&self.engine));
        out.whole(count(self.talks.len()));
        for (session, talk) in &self.talks {
            out.text(session);
            out.run(&talk.state.encode(&self.engine));
            (talk.step, (talk.place, talk.message)).write(out);
            talk.batch.write(out);
            talk.start.write(out);
        }
        let mut sessions: BTreeMap<Option<&str>, u64> = BTreeMap::new();
        let mut names: Vec<Option<String>> = Vec::new();
        let mut rows = Writer::default();
        for act in &self.actions {
            let next = count(names.len());
            let session = *sessions.entry(act.session.as_deref()).or_insert_with(|| {
                names.push(act.session.clone());
                next
            });
            (act.entry, session).write(&mut rows);
            act.step.write(&mut rows);
            act.charged.write(&mut rows);
            let marks = [(act.redeemed, REDEEMED), (act.over, OVER), (act.ran, RAN)];
            let set = marks.iter().filter(|it| it.0).fold(0, |all, it| all | it.1);
            rows.byte(status_byte(act.status) | set);
        }
        names.write(out);
        out.whole(count(self.actions.len()));
        out.raw(&rows.into_bytes());
        self.waiting.write(out);
        self.requests.write(out);
        self.successor.write(out);
        self.predecessor.write(out);
    }

    /// An agent as it was written.
    ///
    /// # Errors
    /// The bytes are those of another version or of other policies.
    pub fn resume(
        id: &str,
        saved: Saved,
        engine: Arc<Engine>,
        seal: Arc<Sealer>,
        quota: Quota,
    ) -> Result<Self, Broken> {
        let mut agent = Agent::new(id, saved.policy, engine, seal, quota);
        agent.follow(saved.head, saved.newest, saved.last);
        (agent.founded, agent.saved) = (saved.founded, saved.head.next_seq);
        agent.read_rest(&mut Reader::new(&saved.rest))?;
        Ok(agent)
    }

    fn read_rest(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        self.life = self.state(from.run()?)?;
        for _ in 0..from.whole()? {
            let session = from.text()?.to_owned();
            let mut state = self.state(from.run()?)?;
            let (step, (place, message)) = Coded::read(from)?;
            let (batch, start): (_, Option<String>) = (Coded::read(from)?, Coded::read(from)?);
            match &start {
                Some(start) => {
                    let begun = self.begun(start).map_err(|_| Broken)?;
                    state.restore_start(&begun.start());
                }
                None => {
                    let id = session.as_str().into();
                    state.restore_start(&Start { id, ..Start::default() });
                }
            }
            self.talks.insert(session, Talk { state, step, place, message, batch, start });
        }
        let names: Vec<Option<String>> = Coded::read(from)?;
        for _ in 0..from.whole()? {
            let (entry, session): (u64, u64) = Coded::read(from)?;
            let session = usize::try_from(session).ok().and_then(|it| names.get(it));
            let session = session.ok_or(Broken)?.clone();
            let (step, charged, byte) = (Coded::read(from)?, Coded::read(from)?, from.byte()?);
            let status = status_of(byte & !(REDEEMED | OVER | RAN)).ok_or(Broken)?;
            let [redeemed, over, ran] = [REDEEMED, OVER, RAN].map(|it| byte & it != 0);
            self.actions.push(Act { entry, session, step, status, redeemed, ran, over, charged });
        }
        self.waiting = Coded::read(from)?;
        self.requests = Coded::read(from)?;
        self.successor = Coded::read(from)?;
        self.predecessor = Coded::read(from)?;
        from.end()
    }

    fn state(&self, bytes: &[u8]) -> Result<State, Broken> {
        let state = self.engine.decode_state(bytes).map_err(|_| Broken)?;
        Ok(state.sealed(self.seal.clone()))
    }
}

impl Saved {
    /// Opens the snapshot of an agent that was taken at a size of the log. One that does not fit is
    /// none: shut by another secret, of another agent, version or log.
    pub fn open(
        store: &dyn Store,
        id: &str,
        seal: &Sealer,
        size: u64,
        shut: &[u8],
    ) -> Option<Self> {
        let bytes = seal.open(shut)?;
        let saved = Saved::read(id, &mut Reader::new(&bytes)).ok()?;
        let fits = saved.last.checked_add(1) == Some(size);
        // What stands there must be that entry: its own bytes say so, not what lies beside them.
        let leaf = leaf_hash(&store.entry(saved.last).ok().filter(|_| fits)?);
        (leaf == saved.head.leaf).then_some(saved)
    }

    fn read(id: &str, from: &mut Reader<'_>) -> Result<Self, Broken> {
        let known = from.text()? == MARK
            && from.byte()? == SAVED_VERSION
            && from.text()? == ENGINE
            && from.text()? == id;
        if !known {
            return Err(Broken);
        }
        let mut text = || from.text().map(str::to_owned);
        let policy = PolicyOf {
            name: text()?,
            dialect: text()?,
            profile: text()?,
            digest: text()?,
            text: text()?,
        };
        let next_seq = from.whole()?;
        let leaf = from.raw(32)?.try_into().map_err(|_| Broken)?;
        let (last, founded, newest) = (from.whole()?, from.whole()?, Coded::read(from)?);
        let rest = from.rest().to_vec();
        Ok(Saved { policy, head: Head { next_seq, leaf }, last, founded, newest, rest })
    }
}

coded!(Asked { action, digest, joined });

/// The arguments are not in it: they come back from where they lie apart, if they still do.
impl Coded for Waits {
    fn write(&self, out: &mut Writer) {
        self.entry.write(out);
        self.asked.write(out);
        self.server.write(out);
        self.tool.write(out);
        (self.cost, self.since).write(out);
        self.expires.write(out);
        self.people.write(out);
        self.rules.write(out);
        self.approved_by.write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let (entry, asked) = (Coded::read(from)?, Coded::read(from)?);
        let (server, tool) = (Coded::read(from)?, Coded::read(from)?);
        let (cost, since) = Coded::read(from)?;
        let (expires, people) = (Coded::read(from)?, Coded::read(from)?);
        let rules = Coded::read(from)?;
        let approved_by: BTreeSet<String> = Coded::read(from)?;
        let args = None;
        Ok(Waits {
            entry,
            asked,
            server,
            tool,
            args,
            cost,
            since,
            expires,
            people,
            rules,
            approved_by,
        })
    }
}

const REDEEMED: u8 = 0x80;
const OVER: u8 = 0x40;
const RAN: u8 = 0x20;
const STATUSES: [Status; 4] = [Status::Allowed, Status::Pending, Status::Denied, Status::Completed];

fn status_byte(status: Status) -> u8 {
    (0..).zip(STATUSES).find(|it| it.1 == status).map_or(0, |it| it.0)
}

fn status_of(byte: u8) -> Option<Status> {
    STATUSES.get(usize::from(byte)).copied()
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
