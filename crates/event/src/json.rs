//! A strict JSON reader that keeps what other readers lose: number text, key order, repeated keys
//! and the exact source of every value.
//!
//! A document is one flat tape of small nodes over the text. Strings without escapes are read in
//! place; the others are decoded into one side buffer. Nothing recurses, so depth costs no stack.

mod error;
mod escape;
mod halves;
mod limits;
mod node;
mod parse;
mod repeats;
mod scan;
mod tape;
mod value;
mod write;

use std::borrow::Cow;

pub use error::{JsonError, JsonErrorKind};
pub use halves::{FirstHalf, Halves, SecondHalf};
pub use limits::Limits;
pub use tape::Buffers;
pub use value::{Entries, Items, Kind, Names, Value};
pub use write::{Writer, write_string};

use node::{Node, Tag};

/// Which texts are JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// RFC 8259.
    Strict,
    /// RFC 8259 plus `NaN`, `Infinity` and `-Infinity`, as Python's json module reads it.
    Python,
}

/// A parsed JSON text.
#[derive(Debug)]
pub struct Document<'t> {
    text: Cow<'t, str>,
    buffers: Buffers,
    repeated: Option<u32>,
    lone_surrogate: bool,
    non_finite: bool,
    longest_number: usize,
}

impl<'t> Document<'t> {
    /// Reads `text`, which must hold one JSON value and nothing else but white space.
    ///
    /// # Errors
    /// When the text is not JSON under `grammar`, or passes one of the `limits`.
    pub fn parse(text: &'t str, grammar: Grammar, limits: &Limits) -> Result<Self, JsonError> {
        Self::parse_with(Cow::Borrowed(text), grammar, limits, &mut Buffers::default())
    }

    /// Reads `text` and keeps it.
    ///
    /// # Errors
    /// As [`Document::parse`].
    pub fn parse_owned(
        text: String,
        grammar: Grammar,
        limits: &Limits,
    ) -> Result<Document<'static>, JsonError> {
        let mut buffers = Buffers::for_text(&text);
        Document::parse_with(Cow::Owned(text), grammar, limits, &mut buffers)
    }

    /// Reads `text` into allocations that an earlier document gave back by [`Document::reuse`].
    ///
    /// # Errors
    /// As [`Document::parse`]; the buffers keep their allocations then.
    pub fn parse_with(
        text: Cow<'t, str>,
        grammar: Grammar,
        limits: &Limits,
        buffers: &mut Buffers,
    ) -> Result<Self, JsonError> {
        buffers.first.make_room(&text);
        let seen = parse::parse(&text, grammar, limits, buffers)?;
        Ok(Document::of(text, std::mem::take(buffers), seen))
    }

    fn of(text: Cow<'t, str>, buffers: Buffers, seen: parse::Seen) -> Self {
        Document {
            text,
            buffers,
            repeated: seen.repeated,
            lone_surrogate: seen.lone_surrogate,
            non_finite: seen.non_finite,
            longest_number: seen.longest_number,
        }
    }

    /// Gives the allocations back for [`Document::parse_with`].
    #[must_use]
    pub fn reuse(self) -> Buffers {
        self.buffers
    }

    /// The text that was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value that the text holds.
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        Value::new(self, 0)
    }

    /// The first key that stands twice in one object, at any depth, and where it stands again.
    #[must_use]
    pub fn duplicate_key(&self) -> Option<(&str, usize)> {
        let key = Value::new(self, self.repeated?);
        Some((key.as_str()?, key.offset()))
    }

    /// Whether a string holds half of a surrogate pair, which reads as U+FFFD.
    #[must_use]
    pub fn lone_surrogate(&self) -> bool {
        self.lone_surrogate
    }

    /// Whether the text holds `NaN`, `Infinity` or `-Infinity`.
    #[must_use]
    pub fn non_finite_literal(&self) -> bool {
        self.non_finite
    }

    /// How many bytes the longest number of the text has.
    #[must_use]
    pub fn longest_number(&self) -> usize {
        self.longest_number
    }

    /// Every number of the text as it is written, in order.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        let nodes = self.buffers.first.nodes.iter().chain(&self.buffers.second.nodes);
        let numbers = nodes.filter(|node| node.tag() == Tag::Number);
        numbers.map(|node| self.slice(node.start, node.end))
    }

    fn node(&self, index: u32) -> Node {
        self.buffers.node(index).unwrap_or(Node::NULL)
    }

    fn slice(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    #[inline]
    fn is_named(&self, key: Node, name: &str) -> bool {
        self.buffers.is_named(&self.text, key, name)
    }

    fn string(&self, node: Node) -> &str {
        self.buffers.string(&self.text, node)
    }
}

#[cfg(test)]
mod tests;
