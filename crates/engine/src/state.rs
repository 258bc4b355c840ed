//! What the engine remembers of one session.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_event::{Call, Time};
use lawbook_rule::{Memory, Past, Session};

use crate::Engine;
use crate::index::Concern;
use crate::life::Life;
use crate::steps::Steps;

/// How many unanswered calls are followed. Past it, rules that rest on results answer unknown.
pub const OPEN_MAX: usize = 10_000;
/// How many waiting or refused calls are kept to be judged again.
pub const WAITING_MAX: usize = 1_000;
/// Of how many refused calls beyond those at least the step is kept.
pub const LET_GO_MAX: usize = 100_000;

/// Where events come from, which settles what becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// A recording: a call happened whatever its verdict, unless the recording shows otherwise.
    Recorded,
    /// A live door: the verdict decides.
    Live,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It ran.
    Happened,
    /// It was not let through.
    Refused,
    /// A person must say yes first.
    Waiting,
}

/// What the engine remembers of one session.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) door: Door,
    pub(crate) session: Session,
    pub(crate) memories: Vec<Memory>,
    /// Calls that happened and are not answered, with the rules that wait for the answer.
    pub(crate) open: BTreeMap<u32, Vec<Concern>>,
    /// More calls were open than are followed.
    pub(crate) overfull: bool,
    /// Calls that a person must say yes to, and calls that were not let through.
    pub(crate) held: BTreeMap<u32, HeldCall>,
    /// Refused calls of which nothing but the step is kept.
    pub(crate) let_go: BTreeSet<u32>,
    pub(crate) calls: u64,
    /// The steps that were asked for.
    pub(crate) seen: Steps,
    /// The steps that happened and were not said to have done harm.
    pub(crate) happened: Steps,
    /// The steps that happened and that nobody has said the outcome of.
    pub(crate) unreported: Steps,
    /// The agent's own, as far as this session has it.
    pub(crate) life: Life,
    /// What of the past was not shown.
    pub(crate) unseen: Past,
}

/// A call that did not happen yet.
#[derive(Clone, Debug)]
pub(crate) struct HeldCall {
    pub call: Call<'static>,
    pub at: Option<Time>,
    pub message: u64,
    pub fate: Fate,
    /// The people who have said yes, where one is not enough.
    pub approved_by: BTreeSet<String>,
}

impl State {
    /// A session in which nothing happened yet.
    #[must_use]
    pub fn new(engine: &Engine, door: Door) -> Self {
        let fresh = |it| engine.rule(it).map(|(_, _, rule)| rule.body.fresh());
        State {
            door,
            session: Session::default(),
            memories: (0..engine.placed().len()).filter_map(fresh).collect(),
            open: BTreeMap::new(),
            overfull: false,
            held: BTreeMap::new(),
            let_go: BTreeSet::new(),
            calls: 0,
            seen: Steps::default(),
            happened: Steps::default(),
            unreported: Steps::default(),
            life: Life::default(),
            unseen: Past::default(),
        }
    }

    /// The same, not having been shown some of the past. Rules that rest on it are unknown.
    #[must_use]
    pub fn without(self, unseen: Past) -> Self {
        State { unseen, ..self }
    }

    /// How many calls were asked for.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    pub(crate) fn is_full_of_waiting(&self) -> bool {
        self.door == Door::Live && self.held.len() >= WAITING_MAX && self.waiting() >= WAITING_MAX
    }

    /// How many calls wait for a person.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.held.values().filter(|it| it.fate == Fate::Waiting).count()
    }
}
