//! A step of a trace, and who takes steps.

use std::borrow::Cow;

use lawbook_event::json::Value;

use super::key::Key;

/// Who says a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who<'d> {
    User,
    System,
    /// The agent, or anybody of a role that pmstack does not know, in its own word.
    Agent(&'d str),
}

/// A step as the walk finds it.
#[derive(Clone, Debug)]
pub enum Step<'d> {
    /// A text.
    Said { who: Who<'d>, text: Cow<'d, str> },
    /// A message of the user that says nothing.
    Blank,
    /// Something that nobody hears: the place among its kind, where it is a block.
    Note { nth: Option<usize>, source: Value<'d> },
    /// A call of a message.
    Call { nth: usize, request: Request<'d> },
    /// A result: the place among its kind, where it is a block.
    Result { nth: Option<usize>, returned: Returned<'d> },
}

/// A call as a message states it.
#[derive(Clone, Copy, Debug)]
pub struct Request<'d> {
    pub id: Key<'d>,
    pub name: Key<'d>,
    pub args: Option<Value<'d>>,
    /// The id under which later results without a name find the name of this call.
    pub filed: Option<Key<'d>>,
}

/// A result as a message states it.
#[derive(Clone, Copy, Debug)]
pub struct Returned<'d> {
    pub id: Key<'d>,
    /// The tool, where the result names it itself.
    pub name: Key<'d>,
    /// The id under which the name is looked for where it does not.
    pub sought: Key<'d>,
    pub content: Option<Value<'d>>,
    pub failed: bool,
}

/// Takes the steps of a trace one after another.
pub trait Steps<'d> {
    /// A step of the message at a place, and that message.
    fn step(&mut self, at: usize, message: Value<'d>, step: Step<'d>);
}
