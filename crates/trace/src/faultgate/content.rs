//! Prompt, answer and messages of spans.

use std::borrow::Cow;

use lawbook_event::json::{Document, Value};
use lawbook_event::{PYTHON, python};

use super::{Span, Trace};
use crate::attr::{self, Attr};

/// A messages attribute, parsed once.
#[derive(Debug)]
pub enum Messages<'a> {
    /// It is not there.
    Absent,
    /// Text that is not JSON.
    Plain(&'a str),
    /// A JSON value.
    Json(Document<'a>),
}

impl<'a> Messages<'a> {
    fn read(attr: Option<&'a Attr<'_>>) -> Self {
        let Some(attr) = attr else { return Messages::Absent };
        match attr.document().filter(|it| PYTHON.refuses(it).is_none()) {
            Some(document) => Messages::Json(document),
            None => Messages::Plain(attr.as_text().unwrap_or("")),
        }
    }

    /// The messages that are objects; none when the value is no list.
    pub fn list(&self) -> impl Iterator<Item = Value<'_>> {
        let root = match self {
            Messages::Json(document) => Some(document.root()),
            _ => None,
        };
        root.into_iter().flat_map(Value::items).filter(|message| message.is_object())
    }

    /// The words of one role.
    fn words(&self, role: &str) -> Cow<'a, str> {
        if let Messages::Plain(text) = self {
            return Cow::Borrowed(text);
        }
        let mut words: Option<String> = None;
        let mut add = |text: &str| match &mut words {
            Some(words) => {
                words.push('\n');
                words.push_str(text);
            }
            None => words = Some(text.to_owned()),
        };
        for message in self.list() {
            if message.get("role").and_then(Value::as_str) != Some(role) {
                continue;
            }
            let parts = message.get("parts");
            for part in parts.into_iter().flat_map(Value::items) {
                if part.get("type").and_then(Value::as_str) == Some("text") {
                    let said = part.get("content").or_else(|| part.get("text"));
                    add(&said.map_or(Cow::Borrowed(""), python::text));
                }
            }
            if let Some(content) = message.get("content")
                && !parts.is_some_and(python::is_true)
            {
                add(&python::text(content));
            }
        }
        Cow::Owned(words.unwrap_or_default())
    }
}

/// The messages of every span of a trace.
#[derive(Debug)]
pub struct Contents<'a, 'd> {
    trace: &'a Trace<'d>,
    /// Input and output by span.
    pub spans: Vec<(Messages<'a>, Messages<'a>)>,
}

impl<'a, 'd> Contents<'a, 'd> {
    /// Parses the messages of a trace.
    pub fn read(trace: &'a Trace<'d>) -> Self {
        let of = |span: &'a Span<'d>, key| Messages::read(span.attrs.get(key));
        let spans = trace
            .spans
            .iter()
            .map(|span| (of(span, "gen_ai.input.messages"), of(span, "gen_ai.output.messages")))
            .collect();
        Contents { trace, spans }
    }

    fn prompt_of(&self, at: usize) -> Cow<'a, str> {
        let words = self.spans.get(at).map_or(Cow::Borrowed(""), |it| it.0.words("user"));
        self.or_legacy(words, at, "gen_ai.prompt")
    }

    fn answer_of(&self, at: usize) -> Cow<'a, str> {
        let words = self.spans.get(at).map_or(Cow::Borrowed(""), |it| it.1.words("assistant"));
        self.or_legacy(words, at, "gen_ai.completion")
    }

    fn or_legacy(&self, words: Cow<'a, str>, at: usize, key: &str) -> Cow<'a, str> {
        match self.trace.spans.get(at) {
            Some(span) if words.is_empty() => Cow::Owned(span.text_of(key).into_owned()),
            _ => words,
        }
    }

    fn root(&self) -> Option<usize> {
        self.trace.spans.iter().position(|span| span.is_agent() || span.parent.is_none())
    }

    /// What the run was asked.
    pub fn prompt(&self) -> Cow<'a, str> {
        let places = self.root().into_iter().chain(0..self.spans.len());
        spoken(places.map(|at| self.prompt_of(at)))
    }

    /// What the run answered in the end.
    pub fn answer(&self) -> Cow<'a, str> {
        let places = self.root().into_iter().chain((0..self.spans.len()).rev());
        spoken(places.map(|at| self.answer_of(at)))
    }
}

/// The first text that is not blank.
fn spoken<'a>(mut texts: impl Iterator<Item = Cow<'a, str>>) -> Cow<'a, str> {
    texts.find(|text| !PYTHON.trim(text).is_empty()).unwrap_or_default()
}

/// A payload of a message as the text of a step.
pub fn flattened(value: Option<Value<'_>>) -> String {
    let Some(value) = value.filter(|it| !it.is_null()) else { return String::new() };
    let Some(text) = value.as_str() else { return flattened_value(value) };
    let trimmed = PYTHON.trim(text);
    let wrapped = |open, close| trimmed.starts_with(open) && trimmed.ends_with(close);
    if wrapped('[', ']') || wrapped('{', '}') {
        let document = attr::parse(trimmed).filter(|it| PYTHON.refuses(it).is_none());
        if let Some(document) = document {
            return flattened_value(document.root());
        }
    }
    text.to_owned()
}

fn flattened_value(value: Value<'_>) -> String {
    if value.is_array() {
        let texts: Option<Vec<_>> =
            value.items().map(|it| it.get("text").map(python::text)).collect();
        if let Some(texts) = texts.filter(|it| !it.is_empty()) {
            return texts.join(" ");
        }
        return python::dumps(value);
    }
    if value.is_object() {
        let is_text = value.get("type").and_then(Value::as_str) == Some("text");
        return match value.get("text").filter(|_| is_text) {
            Some(text) => python::text(text).into_owned(),
            None => python::dumps(value),
        };
    }
    python::text(value).into_owned()
}
