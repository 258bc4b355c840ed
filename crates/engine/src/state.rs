//! What the engine remembers of one session.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use lawbook_event::{Args, ArgsState, Call, Ran, Seal, Start, Time};
use lawbook_rule::{Keys, Memory, Past, Session};

use crate::Engine;
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
    /// What the session began with is not kept.
    pub(crate) bare: bool,
    /// What stands for texts that must not be kept.
    pub(crate) seal: Sealing,
    pub(crate) memories: Vec<Memory>,
    /// Calls that happened and are not answered, with the rules that wait for the answer.
    pub(crate) open: BTreeMap<u32, Vec<usize>>,
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

/// The seal of a session, if it has one.
#[derive(Clone, Default)]
pub(crate) struct Sealing(Option<Arc<dyn Seal>>);

impl Sealing {
    pub fn keys(&self) -> Keys<'_> {
        Keys::of(self.0.as_deref())
    }
}

impl fmt::Debug for Sealing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.keys().fmt(out)
    }
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

impl HeldCall {
    pub fn new(call: Call<'static>, at: Option<Time>, message: u64, fate: Fate) -> Self {
        HeldCall { call, at, message, fate, approved_by: BTreeSet::new() }
    }
}

impl State {
    /// A session in which nothing happened yet.
    #[must_use]
    pub fn new(engine: &Engine, door: Door) -> Self {
        let fresh = |it| engine.rule(it).map(|(_, _, rule)| rule.body.fresh());
        State {
            door,
            session: Session::default(),
            bare: false,
            seal: Sealing::default(),
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

    /// The same, keeping no text of calls, results and words in what rules remember: a digest
    /// stands for each. It is called before the first event, and with the same seal whenever the
    /// session is taken up again. Verdicts stay as they are; messages leave out what only another
    /// event could tell.
    ///
    /// What lies apart is kept as it came, until it is forgotten: the arguments of calls that wait
    /// or were refused ([`State::forget_call`]) and what the session began with.
    #[must_use]
    pub fn sealed(self, seal: Arc<dyn Seal>) -> Self {
        State { seal: Sealing(Some(seal)), ..self }
    }

    /// Gives back what the session began with, which no note holds. Until then every call of a
    /// folded session that began with anything is unknown.
    pub fn restore_start(&mut self, start: &Start<'_>) {
        self.session = Session::new(start);
        self.bare = false;
    }

    /// Gives back a waiting or refused call whole, of which a note holds no more than its step and
    /// tool. Says whether such a call stands there.
    pub fn restore_call(&mut self, step: u32, call: Call<'_>) -> bool {
        let held = self.held.get_mut(&step).filter(|_| call.step == step);
        let Some(held) = held.filter(|it| it.call.tool == call.tool) else { return false };
        held.call = call.into_owned();
        true
    }

    /// Forgets what a waiting or refused call holds, but its step and tool: its arguments are then
    /// unrecorded, and rules that need them answer unknown. Says whether such a call stands there.
    pub fn forget_call(&mut self, step: u32) -> bool {
        let Some(held) = self.held.get_mut(&step) else { return false };
        held.call = skeleton(step, &held.call.tool);
        true
    }

    /// The waiting and refused calls, by their steps.
    pub fn held_calls(&self) -> impl Iterator<Item = (u32, Fate)> + '_ {
        self.held.iter().map(|(step, it)| (*step, it.fate))
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

/// A call of which no more is known than its step and tool.
pub(crate) fn skeleton(step: u32, tool: &str) -> Call<'static> {
    Call {
        step,
        step_id: Cow::Borrowed(""),
        id: None,
        server: None,
        tool: Cow::Owned(tool.to_owned()),
        args: Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded },
        hindsight: None,
        ran: Ran::Yes,
        confirmed: false,
        cwd: None,
        cost: None,
    }
}
