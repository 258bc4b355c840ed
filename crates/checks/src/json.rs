//! Texts of arguments and results as JSON, where they look like it.

use lawbook_event::PYTHON;
use lawbook_event::json::{Document, Limits};

/// The JSON of a text, if it is any.
pub fn read(text: &str) -> Option<Document<'_>> {
    let document = Document::parse(text, PYTHON.grammar(), &Limits::DEFAULT).ok()?;
    PYTHON.refuses(&document).is_none().then_some(document)
}

/// Whether a text stands in these brackets.
pub fn stands_in(text: &str, open: char, close: char) -> bool {
    text.starts_with(open) && text.ends_with(close)
}
