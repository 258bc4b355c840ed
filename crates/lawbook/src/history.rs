//! Where the calls that are asked about stand in the messages of a question.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_event::{Args, ArgsState, Call, EXACT, Event, What};

use crate::question::Proposed;
use crate::used::Used;

/// Where a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// In the last message of calls, at this place among the events.
    There(usize),
    /// Nowhere yet: it gets a message of its own.
    Apart,
    /// Its id can't be asked about.
    Used(Used),
}

/// The past as one reading of the messages tells it.
#[derive(Debug)]
pub struct History<'e, 'd> {
    /// The events.
    pub events: &'e [Event<'d>],
    /// Where the calls with each id stand.
    by_id: BTreeMap<&'e str, Vec<usize>>,
    /// The steps that have a result.
    answered: BTreeSet<u32>,
    /// The newest message in which anybody spoke or asked for a tool.
    newest: Option<u64>,
    /// The newest message of all.
    pub last_message: u64,
    /// The highest step.
    pub steps: u32,
}

impl<'e, 'd> History<'e, 'd> {
    /// Looks through events once.
    pub fn new(events: &'e [Event<'d>]) -> Self {
        let mut history = History {
            events,
            by_id: BTreeMap::new(),
            answered: BTreeSet::new(),
            newest: None,
            last_message: 0,
            steps: 0,
        };
        for (place, event) in events.iter().enumerate() {
            history.last_message = history.last_message.max(event.message);
            match &event.what {
                What::Call(call) => {
                    history.newest = Some(event.message);
                    history.steps = history.steps.max(call.step);
                    if let Some(id) = &call.id {
                        history.by_id.entry(id).or_default().push(place);
                    }
                }
                What::User(_) | What::Agent(_) => history.newest = Some(event.message),
                What::Answer { step, .. } => {
                    history.answered.insert(*step);
                }
                _ => {}
            }
        }
        history
    }

    /// The call at a place.
    pub fn call(&self, place: usize) -> Option<&'e Call<'d>> {
        match &self.events.get(place)?.what {
            What::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Whether a call has no result.
    pub fn is_open(&self, call: &Call<'_>) -> bool {
        !self.answered.contains(&call.step)
    }

    /// How many calls have this id.
    pub fn count(&self, id: &str) -> usize {
        self.by_id.get(id).map_or(0, Vec::len)
    }

    /// The place of the newest call that has this id.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.by_id.get(id)?.last().copied()
    }

    /// Whether the messages end with calls that have no result.
    pub fn ends_open(&self) -> bool {
        let mut newest = self.events.iter().rev().take_while(|it| Some(it.message) >= self.newest);
        newest.any(|it| matches!(&it.what, What::Call(call) if self.is_open(call)))
    }

    /// Whether any call has no time.
    pub fn is_untimed(&self) -> bool {
        self.events.iter().any(|it| it.at.is_none() && matches!(it.what, What::Call(_)))
    }

    /// Where a call stands that is asked about.
    pub fn stands(&self, asked: &Proposed<'_>) -> Stands {
        let Some(places) = asked.id.and_then(|it| self.by_id.get(it)) else {
            return Stands::Apart;
        };
        let ([place], Some(call)) =
            (places.as_slice(), places.last().and_then(|it| self.call(*it)))
        else {
            return Stands::Used(Used::Earlier);
        };
        let message = self.events.get(*place).map(|it| it.message);
        if !self.is_open(call) {
            let same = message == self.newest && is_same(call, asked);
            return Stands::Used(if same { Used::Ran } else { Used::Earlier });
        }
        match (message == self.newest, is_same(call, asked)) {
            (false, _) => Stands::Used(Used::Earlier),
            (true, false) => Stands::Used(Used::Other),
            (true, true) => Stands::There(*place),
        }
    }
}

/// Whether a call in the messages is the one that is asked about: the same tool with the same
/// arguments, however they are written.
fn is_same(call: &Call<'_>, asked: &Proposed<'_>) -> bool {
    call.tool == asked.tool && same_args(&call.args, &asked.args)
}

fn same_args(one: &Args<'_>, other: &Args<'_>) -> bool {
    if one.state != ArgsState::Whole || other.state != ArgsState::Whole {
        return true;
    }
    if one.text.trim() == other.text.trim() {
        return true;
    }
    let parse =
        |it: &'_ str| Document::parse_owned(it.to_owned(), Grammar::Strict, &Limits::DEFAULT);
    match (parse(&one.text), parse(&other.text)) {
        (Ok(one), Ok(other)) => {
            let plain = one.duplicate_key().is_none() && other.duplicate_key().is_none();
            plain && EXACT.equal(one.root(), other.root())
        }
        _ => false,
    }
}
