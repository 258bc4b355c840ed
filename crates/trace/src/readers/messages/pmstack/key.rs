//! Ids and names as JavaScript compares them: by type and value, with two kinds of nothing.

use lawbook_event::json::{Kind, Value};

/// A call id, or the name of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key<'d> {
    /// It is not there.
    Undefined,
    /// It is `null`.
    Null,
    /// A text.
    Text(&'d str),
    /// Anything else, as it is written.
    Other(&'d str),
}

impl<'d> Key<'d> {
    /// The key that a value is.
    pub fn of(value: Option<Value<'d>>) -> Self {
        match value.map(|it| (it, it.kind())) {
            None => Key::Undefined,
            Some((_, Kind::Null)) => Key::Null,
            Some((text, Kind::String)) => Key::Text(text.as_str().unwrap_or_default()),
            Some((value, _)) => Key::Other(value.raw()),
        }
    }

    /// Whether it names nothing.
    pub fn is_nothing(self) -> bool {
        matches!(self, Key::Undefined | Key::Null)
    }

    /// This key, or another if this one names nothing.
    pub fn or(self, other: Self) -> Self {
        if self.is_nothing() { other } else { self }
    }

    /// The text of it; nothing where it names nothing.
    pub fn text(self) -> Option<&'d str> {
        match self {
            Key::Text(text) | Key::Other(text) => Some(text),
            Key::Undefined | Key::Null => None,
        }
    }
}
