//! Attribute values: text, or any other value as JSON text.

use std::borrow::Cow;

use lawbook_event::json::{Document, Grammar, Kind, Limits, Value, write_string};
use lawbook_event::python;

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attr<'d> {
    /// Text.
    Text(Cow<'d, str>),
    /// Anything else, as JSON text under Python's grammar.
    Json(Cow<'d, str>),
}

impl<'d> Attr<'d> {
    /// The value of a JSON value.
    pub fn of(value: Value<'d>) -> Self {
        match value.as_str() {
            Some(text) => Attr::Text(Cow::Borrowed(text)),
            None => Attr::Json(Cow::Borrowed(value.raw())),
        }
    }

    /// Some text.
    pub fn text(text: impl Into<Cow<'d, str>>) -> Self {
        Attr::Text(text.into())
    }

    /// The text, when it is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Attr::Text(text) => Some(text),
            Attr::Json(_) => None,
        }
    }

    /// What Python's `str` makes of it.
    pub fn display(&self) -> Cow<'d, str> {
        match self {
            Attr::Text(text) => text.clone(),
            Attr::Json(json) => match parse(json) {
                Some(document) => Cow::Owned(python::text(document.root()).into_owned()),
                None => json.clone(),
            },
        }
    }

    /// Whether Python holds it for true.
    pub fn is_true(&self) -> bool {
        match self {
            Attr::Text(text) => !text.is_empty(),
            Attr::Json(json) => parse(json).is_some_and(|it| python::is_true(it.root())),
        }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Attr::Json(json) if json == "null")
    }

    /// Text that people and tools see: text as it is, anything else as JSON.
    pub fn plain(&self) -> Cow<'d, str> {
        match self {
            Attr::Text(text) | Attr::Json(text) => text.clone(),
        }
    }

    /// Appends it as JSON.
    pub fn write(&self, out: &mut String) {
        match self {
            Attr::Text(text) => write_string(out, text),
            Attr::Json(json) => out.push_str(json),
        }
    }

    /// Reads it as JSON: the value itself, or what its text holds.
    pub fn document(&self) -> Option<Document<'_>> {
        match self {
            Attr::Text(text) | Attr::Json(text) => parse(text),
        }
    }
}

/// Reads a JSON text that stands inside another, as Python would.
pub fn parse(text: &str) -> Option<Document<'_>> {
    Document::parse(text, Grammar::Python, &Limits::DEFAULT).ok()
}

/// As [`parse`], but only objects and lists are worth the attempt.
pub fn parse_container(text: &str) -> Option<Document<'_>> {
    text.trim_start().starts_with(['{', '[']).then(|| parse(text))?
}

/// What a text holds after unpacking texts inside texts, at most three deep.
pub fn parse_deep(text: &str) -> Option<Document<'static>> {
    let mut text = text.to_owned();
    for _ in 0..3 {
        let document = Document::parse_owned(text, Grammar::Python, &Limits::DEFAULT).ok()?;
        match document.root().kind() {
            Kind::String => text = document.root().as_str()?.to_owned(),
            Kind::Array | Kind::Object => return Some(document),
            _ => return None,
        }
    }
    None
}

/// Attributes by name; a name stands once.
#[derive(Clone, Debug, Default)]
pub struct Attrs<'d> {
    list: Vec<(Cow<'d, str>, Attr<'d>)>,
}

impl<'d> Attrs<'d> {
    /// The value of a name.
    pub fn get(&self, key: &str) -> Option<&Attr<'d>> {
        self.list.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Whether the name is there.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The value of the first of these names that is there and not null.
    pub fn first(&self, keys: &[&str]) -> Option<&Attr<'d>> {
        keys.iter().find_map(|key| self.get(key).filter(|it| !it.is_null()))
    }

    /// The text of a name that holds text.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Attr::as_text)
    }

    /// Sets a name; the last value counts.
    pub fn set(&mut self, key: impl Into<Cow<'d, str>>, value: Attr<'d>) {
        let key = key.into();
        match self.list.iter_mut().find(|(name, _)| *name == key) {
            Some((_, old)) => *old = value,
            None => self.list.push((key, value)),
        }
    }

    /// Sets a name that is not there yet.
    pub fn set_missing(&mut self, key: impl Into<Cow<'d, str>>, value: Attr<'d>) {
        let key = key.into();
        if !self.has(&key) {
            self.list.push((key, value));
        }
    }

    /// All names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Attr<'d>)> {
        self.list.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// The attributes that `keep` wants, as a JSON object; empty when there are none.
    pub fn to_json(&self, keep: impl Fn(&str) -> bool) -> String {
        let mut out = String::new();
        for (name, value) in self.iter().filter(|(name, _)| keep(name)) {
            out.push(if out.is_empty() { '{' } else { ',' });
            write_string(&mut out, name);
            out.push(':');
            value.write(&mut out);
        }
        if !out.is_empty() {
            out.push('}');
        }
        out
    }
}
