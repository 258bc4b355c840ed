//! Why a text is not JSON, and where.

use std::fmt;

/// A text that is not JSON, or is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What is wrong.
    pub kind: JsonErrorKind,
    /// Where, in bytes from the start.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The character in its line, from 1.
    pub column: usize,
}

/// The ways in which a text fails to be JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonErrorKind {
    /// The text ends too early.
    Eof,
    /// No value can start here.
    ExpectedValue,
    /// An object needs a key here.
    ExpectedKey,
    /// A key needs its colon here.
    ExpectedColon,
    /// A comma or the closing bracket must follow.
    ExpectedCommaOrClose,
    /// Something follows the value.
    Trailing,
    /// A number is not written as JSON wants it.
    Number,
    /// A string holds a control character that is not escaped.
    Control,
    /// A backslash starts no escape.
    Escape,
    /// More bytes than allowed.
    Bytes,
    /// More open brackets than allowed.
    Depth,
    /// More values than allowed.
    Nodes,
}

impl JsonErrorKind {
    /// Whether the text is too large rather than wrong.
    #[must_use]
    pub fn is_limit(self) -> bool {
        matches!(self, Self::Bytes | Self::Depth | Self::Nodes)
    }

    fn words(self) -> &'static str {
        match self {
            Self::Eof => "the JSON text ends too early",
            Self::ExpectedValue => "expected a JSON value",
            Self::ExpectedKey => "expected a key in double quotes",
            Self::ExpectedColon => "expected `:` after the key",
            Self::ExpectedCommaOrClose => "expected `,` or the closing bracket",
            Self::Trailing => "text follows the JSON value",
            Self::Number => "a number is not written as JSON wants it",
            Self::Control => "a control character in a string is not escaped",
            Self::Escape => "a backslash starts no known escape",
            Self::Bytes => "the JSON text is longer than the limit",
            Self::Depth => "brackets are nested deeper than the limit",
            Self::Nodes => "the JSON text holds more values than the limit",
        }
    }
}

impl JsonError {
    pub(super) fn new(kind: JsonErrorKind, text: &str, offset: usize) -> Self {
        let offset = offset.min(text.len());
        let before = text.as_bytes().get(..offset).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
        let column = before
            .iter()
            .rev()
            .take_while(|byte| **byte != b'\n')
            .filter(|byte| **byte & 0xC0 != 0x80)
            .count()
            .saturating_add(1);
        JsonError { kind, offset, line, column }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {} column {}", self.kind.words(), self.line, self.column)
    }
}

impl std::error::Error for JsonError {}
