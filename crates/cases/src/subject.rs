//! A door that cases are run through.

use lawbook_diag::{Finding, Unknown, Verdict};
use lawbook_engine::{Engine, Standing};
use lawbook_event::Event;
use lawbook_rule::Charge;

use crate::case::Mode;
use crate::{Happening, Step};

/// A door that cases are run through.
pub trait Subject {
    /// Its name, for the count of what it could not carry.
    fn name(&self) -> &'static str;

    /// Why the door can't carry an event, if it can't.
    fn cannot(&self, step: &Step) -> Option<&'static str>;

    /// Why the door can't carry a story as a whole, if it can't.
    fn cannot_carry(
        &self,
        _engine: &Engine,
        _mode: Mode,
        _story: &[Happening],
    ) -> Option<&'static str> {
        None
    }

    /// Begins a session.
    fn begin<'e>(&self, engine: &'e Engine, mode: Mode) -> Box<dyn Run + 'e>;
}

/// One session at a door.
pub trait Run {
    /// Tells the door an event and hears what it says.
    fn tell(&mut self, event: &Event<'_>) -> Heard;

    /// How many calls wait for a person.
    fn pending(&self) -> usize;

    /// Closes the door and opens it again.
    fn restart(&mut self) {}

    /// How the agent stands, where the door has one.
    fn standing(&self) -> Option<Standing> {
        None
    }
}

/// What a door says of one event.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The verdict.
    pub verdict: Verdict,
    /// The findings that count, in order.
    pub findings: Vec<Finding>,
    /// What could not be told, in order.
    pub unknowns: Vec<Unknown>,
    /// The code of a misuse.
    pub misuse: Option<&'static str>,
    /// What the call takes from a budget.
    pub charge: Option<Charge>,
}
