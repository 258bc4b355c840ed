//! A JSON value that stands in a policy.

use std::sync::Arc;

use lawbook_event::json::{Document, Grammar, JsonError, Limits, Value};

/// A JSON value that stands in a policy.
#[derive(Clone, Debug)]
pub struct Literal {
    document: Arc<Document<'static>>,
}

impl Literal {
    /// The value that a JSON text holds.
    ///
    /// # Errors
    /// When the text is no JSON.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        Document::parse_owned(text.to_owned(), Grammar::Python, &Limits::DEFAULT)
            .map(|document| Literal { document: Arc::new(document) })
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> Value<'_> {
        self.document.root()
    }
}
