//! What an event changed, small enough to be recorded and enough to change another state alike.

mod wire;

use std::fmt;
use std::sync::Arc;

use lawbook_diag::Verdict;
use lawbook_event::{Severity, Start, Time};
use lawbook_rule::{Body, Broken, Memory, Moment, Reader, Session, Writer};

use crate::Engine;
use crate::advance::{asked, hold, make_room, open, refuse, reported, said_yes};
use crate::life::Termination;
use crate::state::{Fate, HeldCall, State, skeleton};

pub use self::wire::NOTE_VERSION;

/// How many takings of one rule a note holds at most: of the call under both its names, of its
/// answer and of a mark.
const TAKINGS_PER_RULE_MAX: usize = 4;

/// What an event changed: what it was, as far as the engine's own state goes, and what each rule
/// took from it.
///
/// Under a seal it holds no text of arguments, results and words. The arguments of a call that
/// waits or was refused are not in it either way, nor what the session began with: they come back
/// by [`State::restore_call`] and [`State::restore_start`] from where they lie apart.
///
/// ```
/// use lawbook_engine::{Door, Engine, Note, State};
/// use lawbook_event::{Event, Text, What};
///
/// let engine = Engine::new(Vec::new(), None);
/// let mut state = State::new(&engine, Door::Live);
/// let text = Text { id: "m0".into(), text: "hello".into() };
/// let event = Event { at: None, place: 0, message: 0, what: What::User(text) };
/// let judgement = engine.judge(&state, &event);
/// let bytes = engine.advance_noting(&mut state, &event, &judgement).encode();
///
/// let mut resumed = State::new(&engine, Door::Live);
/// engine.fold(&mut resumed, &Note::decode(&bytes)?)?;
/// # Ok::<(), lawbook_engine::FoldError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    sort: Sort,
    opens: Option<Opens>,
    bears: Option<Bears>,
    taken: Vec<Taking>,
}

/// What the event was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Nothing that changes a state: an event that could not follow, the end, all else.
    #[default]
    Nothing,
    Start {
        wordless: bool,
        /// It began with nothing else.
        bare: bool,
    },
    Words,
    /// A call that happened at once.
    Happened {
        step: u32,
    },
    /// A call that waits for a person or was refused.
    Held {
        step: u32,
        tool: String,
        at: Option<Time>,
        message: u64,
        waits: bool,
    },
    Answer {
        step: u32,
    },
    Approval {
        step: u32,
        /// Ask, while more people must say yes.
        verdict: Verdict,
        by: String,
    },
    Rejection {
        step: u32,
    },
    Outcome {
        step: u32,
        harmful: bool,
    },
    /// Something that befell the agent and no call.
    Life,
}

/// What the event left on the agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bears {
    pub scar: Option<Severity>,
    pub ends: Option<Termination>,
}

/// A call that happened by the event: at once, by a person's yes, or because it ran all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opens {
    /// Its answer matters.
    pub waits: bool,
    /// The places of the rules that wait for the answer.
    pub rules: Vec<usize>,
}

/// What one rule took.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Taking {
    /// The rule's place among all rules of the engine.
    rule: usize,
    /// Often the same for several rules.
    bytes: Arc<[u8]>,
}

/// A note that can't be folded: its bytes are none, or it was made by another policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldError(());

/// Writes down what an event changes, where that is wanted.
#[derive(Debug, Default)]
pub(crate) struct Pen {
    note: Option<Note>,
}

impl fmt::Display for FoldError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the note is not one of this policy, or its bytes were changed")
    }
}

impl std::error::Error for FoldError {}

impl From<Broken> for FoldError {
    fn from(_: Broken) -> Self {
        FoldError(())
    }
}

impl Pen {
    pub fn noting() -> Self {
        Pen { note: Some(Note::default()) }
    }

    pub fn into_note(self) -> Note {
        self.note.unwrap_or_default()
    }

    pub fn sort(&mut self, sort: impl FnOnce() -> Sort) {
        if let Some(note) = &mut self.note {
            note.sort = sort();
        }
    }

    pub fn opens(&mut self, opens: impl FnOnce() -> Opens) {
        if let Some(note) = &mut self.note {
            note.opens = Some(opens());
        }
    }

    pub fn bears(&mut self, bears: impl FnOnce() -> Bears) {
        if let Some(note) = &mut self.note {
            note.bears = Some(bears());
        }
    }

    /// Lets a rule take a moment in.
    pub fn take(&mut self, rule: usize, body: &dyn Body, memory: &mut Memory, moment: &Moment<'_>) {
        let Some(note) = &mut self.note else { return body.take(memory, moment) };
        let mut out = Writer::default();
        if !body.take_noting(memory, moment, &mut out) {
            return;
        }
        let bytes = out.into_bytes();
        let known = note.taken.iter().find(|it| *it.bytes == *bytes).map(|it| it.bytes.clone());
        note.taken.push(Taking { rule, bytes: known.unwrap_or_else(|| bytes.into()) });
    }
}

impl Note {
    /// Whether the event changed nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sort == Sort::Nothing
    }

    /// The step of the call that the event was or was about.
    #[must_use]
    pub fn step(&self) -> Option<u32> {
        match &self.sort {
            Sort::Nothing | Sort::Start { .. } | Sort::Words | Sort::Life => None,
            Sort::Happened { step }
            | Sort::Held { step, .. }
            | Sort::Answer { step }
            | Sort::Approval { step, .. }
            | Sort::Outcome { step, .. }
            | Sort::Rejection { step } => Some(*step),
        }
    }
}

impl Engine {
    /// Changes a state as the event did that a note was made of. The note is one of the same
    /// policies, and the state has seen the same events before it.
    ///
    /// # Errors
    /// The note can't be one of these policies. The state is as it was.
    pub fn fold(&self, state: &mut State, note: &Note) -> Result<(), FoldError> {
        self.fits(note)?;
        self.fold_sort(state, note);
        if let Some(bears) = &note.bears {
            state.life.bear(bears.scar, bears.ends.as_ref());
        }
        for taking in &note.taken {
            if let Some((_, _, rule)) = self.rule(taking.rule) {
                let memory = state.memories.get_mut(taking.rule);
                rule.body.fold(memory, Reader::new(&taking.bytes))?;
            }
        }
        Ok(())
    }

    /// Whether rules of these policies can have taken what a note holds.
    fn fits(&self, note: &Note) -> Result<(), FoldError> {
        let most = self.placed().len().saturating_mul(TAKINGS_PER_RULE_MAX);
        let waiting = note.opens.iter().flat_map(|it| &it.rules);
        if note.taken.len() > most || waiting.into_iter().any(|it| self.rule(*it).is_none()) {
            return Err(FoldError(()));
        }
        for taking in &note.taken {
            let (_, _, rule) = self.rule(taking.rule).ok_or(FoldError(()))?;
            rule.body.fold(None, Reader::new(&taking.bytes))?;
        }
        Ok(())
    }

    fn fold_sort(&self, state: &mut State, note: &Note) {
        match &note.sort {
            Sort::Nothing | Sort::Words | Sort::Life => {}
            Sort::Start { wordless, bare } => {
                let start = Start { wordless: *wordless, ..Start::default() };
                state.session = Session::new(&start);
                state.bare = !bare;
            }
            Sort::Happened { step } => {
                asked(state, *step);
                state.life.count(Fate::Happened);
                reopen(state, *step, note);
            }
            Sort::Held { step, tool, at, message, waits } => {
                asked(state, *step);
                let fate = if *waits { Fate::Waiting } else { Fate::Refused };
                state.life.count(fate);
                hold(state, HeldCall::new(skeleton(*step, tool), *at, *message, fate));
            }
            Sort::Answer { step } => {
                let held = state.held.remove(step);
                if held.is_some_and(|it| it.fate == Fate::Waiting) {
                    state.life.settle_waiting(false);
                }
                reopen(state, *step, note);
                state.let_go.remove(step);
                state.open.remove(step);
            }
            Sort::Approval { step, verdict: Verdict::Allow, .. } => {
                if state.held.remove(step).is_some() {
                    state.life.settle_waiting(true);
                }
                reopen(state, *step, note);
            }
            Sort::Approval { step, verdict: Verdict::Ask, by } => said_yes(state, *step, by),
            Sort::Approval { step, verdict: Verdict::Deny, .. } | Sort::Rejection { step } => {
                refuse(state, *step);
            }
            Sort::Outcome { step, harmful } => reported(state, *step, *harmful),
        }
    }
}

/// Follows the call that happened by the event, if one did.
fn reopen(state: &mut State, step: u32, note: &Note) {
    if let Some(Opens { waits, rules }) = &note.opens {
        make_room(state, *waits);
        open(state, step, *waits, rules.clone());
    }
}
