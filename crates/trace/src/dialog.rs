//! Messages of any system: what was said, which tools were asked for, what came back.
//!
//! Span formats carry whole conversations inside attributes, in the words of the system that
//! wrote them. This module knows those words and reads them into one shape.

mod block;
mod shape;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Args, ArgsState};

pub use block::{call, joined};
pub use shape::{is_bare, messages};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The human user.
    User,
    /// The agent.
    Agent,
    /// A tool.
    Tool,
    /// Anything else: instructions, unknown roles.
    Other,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What it holds, in order.
    pub items: Vec<Item>,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Words.
    Text(String),
    /// What is left of words that are not all recorded; empty where nothing is.
    Unheard(String),
    /// A tool is asked for.
    Call(Asked),
    /// A tool answers.
    Answer(Answered),
}

/// A call inside a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// The caller's own id.
    pub id: Option<String>,
    /// The server, where the message names one.
    pub server: Option<String>,
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub args: Args<'static>,
}

/// An answer inside a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// The id of the call.
    pub id: Option<String>,
    /// The tool, where the message names it.
    pub tool: Option<String>,
    /// What came back; nothing when it was not recorded.
    pub text: Option<String>,
    /// The error flag.
    pub error: Option<bool>,
    /// Whether it says that the call was stopped before it ran.
    pub stopped: bool,
}

impl Role {
    /// The role that a word names.
    pub fn of(word: &str) -> Self {
        match word {
            "user" | "human" | "HumanMessage" | "HumanMessageChunk" => Role::User,
            "assistant" | "ai" | "model" | "AIMessage" | "AIMessageChunk" => Role::Agent,
            "tool" | "function" | "ToolMessage" | "FunctionMessage" => Role::Tool,
            _ => Role::Other,
        }
    }
}

impl Message {
    /// A message of one text.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Message { role, items: vec![Item::Text(text.into())] }
    }

    /// A text of a span's attribute. What was to be JSON and breaks off was cut with the attribute.
    pub fn of_attribute(role: Role, text: &str) -> Self {
        match crate::cut::breaks_off(text) {
            true => Message { role, items: vec![Item::Unheard(text.to_owned())] },
            false => Message::text(role, text),
        }
    }

    /// A message of which nothing is recorded but that there may have been one.
    pub fn unheard(role: Role) -> Self {
        Message { role, items: vec![Item::Unheard(String::new())] }
    }
}

/// An id, if it names anything.
pub fn id(value: Option<Value<'_>>) -> Option<String> {
    let text = value.and_then(|it| it.as_str().or_else(|| it.number_text()))?;
    (!crate::ids::placeholder(text)).then(|| text.to_owned())
}

/// Arguments as they stand in a message: text, or JSON.
pub fn args(value: Option<Value<'_>>) -> Args<'static> {
    let (text, state) = match value.map(|it| (it, it.kind())) {
        None => (String::new(), ArgsState::Unrecorded),
        Some((_, Kind::Null)) => (String::new(), ArgsState::Whole),
        Some((text, Kind::String)) => {
            let text = text.as_str().unwrap_or("");
            (text.to_owned(), crate::cut::state(text))
        }
        Some((value, _)) => (value.raw().to_owned(), ArgsState::Whole),
    };
    Args { text: text.into(), state }
}

/// What a tool returned, as text: text parts joined, anything else as JSON.
pub fn result(value: Option<Value<'_>>) -> Option<String> {
    let value = value?;
    match value.kind() {
        Kind::Null => None,
        Kind::String => {
            let text = value.as_str().unwrap_or("");
            (!lawbook_event::is_hidden(text)).then(|| text.to_owned())
        }
        Kind::Array => Some(block::joined(value).unwrap_or_else(|| value.raw().to_owned())),
        _ => Some(value.raw().to_owned()),
    }
}

#[cfg(test)]
mod tests;
