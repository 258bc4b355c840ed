//! What waits for the disk: numbered, bounded, and with no agent taking a whole batch.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::entry::{LEDGER_AGENT, Link};
use super::frame::{Leaf, frame_len};
use super::log;
use super::opening::Agent;
use super::{Entry, Head, Placed, TEXT_BYTES_MAX, stopped};
use crate::error::{Code, Error};

/// One batch has this many entries at most.
pub const BATCH_ENTRIES_MAX: usize = 1_024;
/// The frames of one batch have this many bytes at most, and so have its texts.
pub const BATCH_BYTES_MAX: usize = 8 << 20;
/// So many entries may wait for the disk.
pub const WAITING_ENTRIES_MAX: usize = 65_536;
/// So many bytes of entries and texts may wait for the disk.
pub const WAITING_BYTES_MAX: usize = 256 << 20;

/// Something that waits.
#[derive(Debug)]
pub(super) enum Item {
    /// An entry, with its text.
    Entry(log::Placed, Option<Vec<u8>>),
    /// A text of an earlier entry.
    Text { index: u64, leaf: Leaf, tag: u64, text: Vec<u8> },
}

impl Item {
    fn tag(&self) -> u64 {
        match self {
            Item::Entry(entry, _) => entry.tag,
            Item::Text { tag, .. } => *tag,
        }
    }

    /// How many entries it is, and bytes of frames, and bytes of texts.
    fn cost(&self) -> [usize; 3] {
        match self {
            Item::Entry(entry, text) => {
                [1, frame_len(entry.bytes.len()), text.as_ref().map_or(0, Vec::len)]
            }
            Item::Text { text, .. } => [1, 0, text.len()],
        }
    }
}

/// All that is known of what was submitted.
#[derive(Debug)]
pub(super) struct Queue {
    /// By tag.
    pub agents: BTreeMap<u64, Agent>,
    /// The index of the next entry.
    pub next: u64,
    /// The number of the next item.
    pub number: u64,
    /// Items with a smaller number are durable.
    pub done: u64,
    /// How many items the last batch had.
    pub last_batch: usize,
    /// Whether somebody writes.
    pub leading: bool,
    /// Whether something that was taken was lost, so that the disk may hold parts of it.
    pub lost: bool,
    /// Why nothing is accepted.
    pub stopped: Option<Error>,
    items: VecDeque<Item>,
    cost: [usize; 3],
    /// The entries that are being written: the first index, then tag and leaf of each.
    writing: (u64, Vec<(u64, Leaf)>),
    /// The entries that have a text, erased or not.
    texted: BTreeSet<u64>,
}

const MOST: [usize; 3] = [BATCH_ENTRIES_MAX, BATCH_BYTES_MAX, BATCH_BYTES_MAX];

fn plus(a: [usize; 3], b: [usize; 3]) -> [usize; 3] {
    std::array::from_fn(|it| part(a, it).saturating_add(part(b, it)))
}

fn minus(a: [usize; 3], b: [usize; 3]) -> [usize; 3] {
    std::array::from_fn(|it| part(a, it).saturating_sub(part(b, it)))
}

fn part(cost: [usize; 3], it: usize) -> usize {
    cost.get(it).copied().unwrap_or_default()
}

fn within(cost: [usize; 3], most: [usize; 3]) -> bool {
    cost.iter().zip(most).all(|(it, most)| *it <= most)
}

impl Queue {
    pub fn new(
        agents: BTreeMap<u64, Agent>,
        next: u64,
        texted: BTreeSet<u64>,
        stopped: Option<Error>,
    ) -> Self {
        Queue {
            agents,
            next,
            number: 0,
            done: 0,
            last_batch: 0,
            leading: false,
            lost: false,
            stopped,
            items: VecDeque::new(),
            cost: [0; 3],
            writing: (0, Vec::new()),
            texted,
        }
    }

    /// Whether an agent can go on, and where.
    pub fn head(&self, agent: &str, tag: u64) -> Result<Head, Error> {
        if let Some(error) = &self.stopped {
            return Err(stopped(error.message()));
        }
        let Some(known) = self.agents.get(&tag) else { return Ok(Head::NONE) };
        if let Some(why) = &known.stopped {
            let message = format!("agent `{}` is stopped: {why}", agent.escape_debug());
            return Err(Error::new(Code::AgentStopped, message));
        }
        if known.name.as_ref().is_some_and(|it| **it != *agent) {
            let message = format!("the name `{}` can't be told from another", agent.escape_debug());
            return Err(Error::new(Code::EntryInvalid, message));
        }
        Ok(known.head)
    }

    /// Takes an entry; gives its place and number. What costs time, tag and leaf hash, was done
    /// before, without the lock.
    pub fn take(
        &mut self,
        entry: Entry,
        link: &Link,
        tag: u64,
        leaf: Leaf,
    ) -> Result<(Placed, u64), Error> {
        let head = self.head(&link.agent, tag)?;
        if link.seq != head.next_seq || link.prev != head.leaf {
            let message = format!(
                "entry {} of agent `{}` does not continue its entry before; the next is {}",
                link.seq,
                link.agent.escape_debug(),
                head.next_seq
            );
            return Err(Error::new(Code::Chain, message));
        }
        let index = self.next;
        let texted = entry.text.is_some();
        let item = Item::Entry(log::Placed { bytes: entry.bytes, tag, leaf }, entry.text);
        let own = link.agent == LEDGER_AGENT;
        self.bounded(&item, own)?;
        self.next = index.saturating_add(1);
        if texted {
            self.texted.insert(index);
        }
        let agent = self.agents.entry(tag).or_insert_with(|| Agent::new(None));
        agent.name.get_or_insert_with(|| Arc::from(&*link.agent));
        agent.head = Head { next_seq: link.seq.saturating_add(1), leaf };
        Ok((Placed { index, leaf }, self.push(item)))
    }

    /// Takes a text of an entry that was given before; gives its number.
    pub fn take_text(&mut self, placed: Placed, tag: u64, text: Vec<u8>) -> Result<u64, Error> {
        if let Some(error) = &self.stopped {
            return Err(stopped(error.message()));
        }
        if self.texted.contains(&placed.index) {
            let message = format!("entry {} has a text", placed.index);
            return Err(Error::new(Code::EntryInvalid, message));
        }
        let item = Item::Text { index: placed.index, leaf: placed.leaf, tag, text };
        self.bounded(&item, false)?;
        self.texted.insert(placed.index);
        Ok(self.push(item))
    }

    /// Place and tag of an entry that is not durable yet.
    pub fn waiting(&self, index: u64) -> Option<(Placed, u64)> {
        let (base, writing) = &self.writing;
        let place = |from: u64| index.checked_sub(from).and_then(|it| usize::try_from(it).ok());
        if let Some((tag, leaf)) = place(*base).and_then(|it| writing.get(it)) {
            return Some((Placed { index, leaf: *leaf }, *tag));
        }
        let entries = self.items.iter().filter_map(|it| match it {
            Item::Entry(entry, _) => Some(entry),
            Item::Text { .. } => None,
        });
        let entry = entries.clone().nth(place(self.first_waiting())?)?;
        Some((Placed { index, leaf: entry.leaf }, entry.tag))
    }

    /// How many agents have entries, without the one of this tag.
    pub fn agent_count(&self, but: u64) -> usize {
        self.agents.keys().filter(|it| **it != but).count()
    }

    /// How many items wait.
    pub fn waiting_count(&self) -> usize {
        self.items.len()
    }

    fn first_waiting(&self) -> u64 {
        let entries = self.items.iter().filter(|it| matches!(it, Item::Entry(..))).count();
        self.next.saturating_sub(entries as u64)
    }

    fn bounded(&self, item: &Item, own: bool) -> Result<(), Error> {
        let cost = item.cost();
        if part(cost, 2) > TEXT_BYTES_MAX {
            let message = format!("a text of {} bytes; {TEXT_BYTES_MAX} fit", part(cost, 2));
            return Err(Error::new(Code::TooLarge, message));
        }
        let all = plus(self.cost, cost);
        let bytes = part(all, 1).saturating_add(part(all, 2));
        if part(all, 0) > WAITING_ENTRIES_MAX || bytes > WAITING_BYTES_MAX {
            return Err(Error::new(Code::Busy, "too much waits for the disk"));
        }
        // An agent may have half of a batch waiting, so that others always find room in the next.
        let waiting = self.agents.get(&item.tag()).map_or([0; 3], |it| it.waiting);
        let half = MOST.map(|it| it / 2);
        if !own && !within(plus(waiting, cost), half) {
            return Err(Error::new(Code::Busy, "too many entries of this agent wait for the disk"));
        }
        Ok(())
    }

    fn push(&mut self, item: Item) -> u64 {
        let cost = item.cost();
        self.cost = plus(self.cost, cost);
        if let Some(agent) = self.agents.get_mut(&item.tag()) {
            agent.waiting = plus(agent.waiting, cost);
        }
        self.items.push_back(item);
        let number = self.number;
        self.number = number.saturating_add(1);
        number
    }

    /// Takes the next batch out; gives the index of its first entry too.
    pub fn batch(&mut self) -> (u64, Vec<Item>) {
        let base = self.first_waiting();
        let (mut cost, mut batch) = ([0; 3], Vec::new());
        while let Some(item) = self.items.front() {
            let with = plus(cost, item.cost());
            if !batch.is_empty() && !within(with, MOST) {
                break;
            }
            cost = with;
            batch.extend(self.items.pop_front());
        }
        self.cost = minus(self.cost, cost);
        self.last_batch = batch.len();
        let written = batch.iter().filter_map(|it| match it {
            Item::Entry(entry, _) => Some((entry.tag, entry.leaf)),
            Item::Text { .. } => None,
        });
        self.writing = (base, written.collect());
        for item in &batch {
            if let Some(agent) = self.agents.get_mut(&item.tag()) {
                agent.waiting = minus(agent.waiting, item.cost());
            }
        }
        (base, batch)
    }

    /// Marks the batch that was taken out as durable, up to a number.
    pub fn written(&mut self, until: u64) {
        self.done = until;
        self.writing.1.clear();
    }

    /// Drops all that waits.
    pub fn fail(&mut self, error: Error) {
        self.stopped.get_or_insert(error);
        self.lost = true;
        self.items.clear();
        self.cost = [0; 3];
    }
}
