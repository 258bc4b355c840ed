//! The span model of faultgate 0.4.1: what it makes of a trace, faults included.
//!
//! Readers of the formats that faultgate reads bring traces into this model as it does; the model
//! says the prompt, the answer and the steps, and tells them as events.

mod content;
mod events;
mod measures;
mod payload;
mod steps;

use std::borrow::Cow;

use crate::attr::{Attr, Attrs};

pub use events::tell;
pub use measures::reasons;
pub use payload::{error_first, times, tool_payload, wanted_text};

/// One span.
#[derive(Clone, Debug)]
pub struct Span<'d> {
    /// Its id.
    pub id: Cow<'d, str>,
    /// Its parent's id. An empty one is a parent too.
    pub parent: Option<Cow<'d, str>>,
    /// Its name.
    pub name: Cow<'d, str>,
    /// Start in nanoseconds; 0 when it is missing.
    pub start: i128,
    /// End in nanoseconds; 0 when it is missing.
    pub end: i128,
    /// Attributes.
    pub attrs: Attrs<'d>,
    /// Status code; 2 is an error.
    pub code: i128,
    /// Status message.
    pub message: Cow<'d, str>,
}

/// One trace, its spans in faultgate's order.
#[derive(Clone, Debug)]
pub struct Trace<'d> {
    /// Its id.
    pub id: Cow<'d, str>,
    /// Its spans.
    pub spans: Vec<Span<'d>>,
}

impl<'d> Span<'d> {
    fn operation(&self) -> Option<&Attr<'d>> {
        self.attrs.get("gen_ai.operation.name").filter(|it| !it.is_null())
    }

    /// Whether it says that it is an agent's run.
    pub fn is_agent(&self) -> bool {
        self.operation().and_then(Attr::as_text) == Some("invoke_agent")
    }

    /// Whether it is a tool's run: by its operation, else by its name.
    pub fn is_tool(&self) -> bool {
        match self.operation() {
            Some(operation) => operation.as_text() == Some("execute_tool"),
            None => self.name == "execute_tool" || self.name.starts_with("execute_tool "),
        }
    }

    /// What is wrong with it, in faultgate's words.
    pub fn error(&self) -> Option<String> {
        if self.code == 2 {
            return Some("Span status error: Code 2".to_owned());
        }
        let kind = self.attrs.get("error.type").filter(|it| it.is_true())?;
        Some(format!("Span error: {}", kind.display()))
    }

    fn text_of(&self, key: &str) -> Cow<'d, str> {
        self.attrs.get(key).map_or(Cow::Borrowed(""), Attr::display)
    }
}

impl<'d> Trace<'d> {
    /// A trace whose spans are sorted by start, as faultgate sorts what it reads from OTLP.
    pub fn by_start(id: Cow<'d, str>, mut spans: Vec<Span<'d>>) -> Self {
        spans.sort_by_key(|span| span.start);
        Trace { id, spans }
    }

    /// A trace with the run's own span first, as faultgate sorts what it maps from vendors.
    pub fn root_first(id: Cow<'d, str>, mut spans: Vec<Span<'d>>) -> Self {
        let content = |span: &Span<'_>| {
            ["gen_ai.input.messages", "gen_ai.output.messages"]
                .iter()
                .any(|key| span.attrs.get(key).is_some_and(Attr::is_true))
        };
        let rank =
            |span: &Span<'d>| (!span.is_agent(), !content(span), span.start, span.id.clone());
        let roots = spans.iter().enumerate().filter(|(_, span)| span.parent.is_none());
        let root = roots.min_by_key(|(_, span)| rank(span)).map(|(at, _)| at);
        if let Some(root) = root.filter(|at| *at < spans.len()) {
            let root = spans.remove(root);
            spans.sort_by(|a, b| a.start.cmp(&b.start).then_with(|| a.id.cmp(&b.id)));
            spans.insert(0, root);
        } else {
            spans.sort_by(|a, b| a.start.cmp(&b.start).then_with(|| a.id.cmp(&b.id)));
        }
        Trace { id, spans }
    }

    /// The run's own span: the first that says it is an agent's run or has no parent.
    pub fn root(&self) -> Option<&Span<'d>> {
        self.spans.iter().find(|span| span.is_agent() || span.parent.is_none())
    }
}

#[cfg(test)]
mod tests;
