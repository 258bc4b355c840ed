//! The chain of each agent: genesis, policy, and every entry naming the one before.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::{Buffers, Document, Grammar, Limits, Value};

use super::report::{Finding, Report, What};
use crate::tlog::Hash;

/// The agent under which the ledger itself writes.
const LEDGER: &str = "@ledger";

/// The most brackets that are open at one place of an entry.
const DEPTH_MAX: usize = 64;

/// Where an agent stands.
#[derive(Clone, Copy, Debug)]
struct Chain {
    next: u64,
    last: Hash,
}

/// All agents of a ledger.
#[derive(Debug, Default)]
pub(super) struct Chains {
    agents: BTreeMap<String, Chain>,
    /// Hashes of entries that could not be read, by which an agent's chain can go on behind them.
    gaps: BTreeMap<Hash, u64>,
    buffers: Buffers,
}

/// What all entries have.
struct Header<'d> {
    agent: &'d str,
    seq: u64,
    prev: Hash,
    kind: &'d str,
}

impl Chains {
    pub(super) fn agents(&self) -> u64 {
        self.agents.keys().filter(|it| *it != LEDGER).count() as u64
    }

    /// An entry that stands there and can't be read.
    pub(super) fn unreadable(&mut self, index: u64, leaf: Hash) {
        self.gaps.insert(leaf, index);
    }

    /// Takes the next entry.
    pub(super) fn add(&mut self, index: u64, bytes: &[u8], leaf: Hash, report: &mut Report) {
        let mut buffers = std::mem::take(&mut self.buffers);
        match parsed(bytes, &mut buffers) {
            Ok(document) => {
                match header(document.root()) {
                    Ok(header) => self.link(index, &header, leaf, report),
                    Err(why) => report.add(Finding { index, what: What::Form(why) }),
                }
                buffers = document.reuse();
            }
            Err(why) => report.add(Finding { index, what: What::Form(why) }),
        }
        self.buffers = buffers;
    }

    fn link(&mut self, index: u64, header: &Header<'_>, leaf: Hash, report: &mut Report) {
        let agent = || header.agent.to_string();
        let now = self.agents.get(header.agent).copied();
        let at = now.unwrap_or(Chain { next: 0, last: Hash([0; 32]) });
        // Behind entries that can't be read the chain goes on, if it names one of them: that they
        // were this agent's is then as sure as the entry that says so.
        let skips = header.seq > at.next && self.gaps.remove(&header.prev).is_some();
        if !skips && header.seq != at.next {
            report.add(Finding { index, what: What::Seq(agent(), at.next) });
        } else if !skips && header.prev != at.last {
            report.add(Finding { index, what: What::Prev(agent()) });
        }
        if !is_born(header, index) {
            report.add(Finding { index, what: What::Birth(agent()) });
        }
        let next = Chain { next: header.seq.saturating_add(1), last: leaf };
        match self.agents.get_mut(header.agent) {
            Some(chain) => *chain = next,
            None => {
                self.agents.insert(agent(), next);
            }
        }
    }
}

/// Genesis and policy stand where they must and nowhere else.
fn is_born(header: &Header<'_>, index: u64) -> bool {
    let genesis = header.kind == "genesis";
    if header.agent.starts_with('@') {
        let first = index == 0 && header.seq == 0;
        return header.agent == LEDGER && genesis == first && header.kind != "policy";
    }
    let policy = header.kind == "policy";
    genesis == (header.seq == 0) && policy == (header.seq == 1)
}

fn parsed<'b>(bytes: &'b [u8], buffers: &mut Buffers) -> Result<Document<'b>, &'static str> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is no UTF-8")?;
    let limits = Limits { depth_max: DEPTH_MAX, ..Limits::DEFAULT };
    let document = Document::parse_with(Cow::Borrowed(text), Grammar::Strict, &limits, buffers)
        .map_err(|_| "it is no JSON")?;
    if document.duplicate_key().is_some() {
        *buffers = document.reuse();
        return Err("a member is repeated");
    }
    Ok(document)
}

fn header(root: Value<'_>) -> Result<Header<'_>, &'static str> {
    let text = |name: &str| root.get(name).and_then(Value::as_str);
    let number = |name: &str| root.get(name).and_then(Value::number_text);
    if number("v") != Some("1") {
        return Err("`v` is not 1");
    }
    let at = number("at").and_then(|it| it.parse::<i64>().ok());
    at.ok_or("`at` is no whole number of nanoseconds")?;
    Ok(Header {
        agent: text("agent").filter(|it| !it.is_empty()).ok_or("`agent` is no name")?,
        seq: number("seq").and_then(|it| it.parse().ok()).ok_or("`seq` is no whole number")?,
        prev: text("prev").and_then(Hash::from_hex).ok_or("`prev` is no hash")?,
        kind: text("kind").ok_or("`kind` is no text")?,
    })
}
