//! Attribute values: text, or any other value as JSON text.

use std::borrow::Cow;
use std::collections::BTreeMap;

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

/// As [`parse`], keeping the text.
pub fn parse_owned(text: String) -> Option<Document<'static>> {
    Document::parse_owned(text, Grammar::Python, &Limits::DEFAULT).ok()
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

/// A text without the JSON quotes that some exporters put around it.
pub fn unquoted(text: &str) -> Cow<'_, str> {
    if !text.starts_with('"') {
        return Cow::Borrowed(text);
    }
    let mut inner: Option<String> = None;
    for _ in 0..3 {
        let outer = inner.as_deref().unwrap_or(text);
        let Some(found) = parse(outer).and_then(|it| it.root().as_str().map(str::to_owned)) else {
            break;
        };
        inner = Some(found);
    }
    inner.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Up to this many attributes are searched one by one.
const SCAN_MAX: usize = 32;

/// Attributes by name; a name stands once.
#[derive(Clone, Debug, Default)]
pub struct Attrs<'d> {
    list: Vec<(Cow<'d, str>, Attr<'d>)>,
    /// Places by name, once there are too many to search.
    places: BTreeMap<Cow<'d, str>, usize>,
}

impl<'d> Attrs<'d> {
    /// Without any yet, and with room for so many, within reason.
    pub fn with_room(number: usize) -> Self {
        Attrs { list: Vec::with_capacity(number.min(SCAN_MAX)), places: BTreeMap::new() }
    }

    fn place(&self, key: &str) -> Option<usize> {
        if self.list.len() > SCAN_MAX {
            return self.places.get(key).copied();
        }
        self.list.iter().position(|(name, _)| name == key)
    }

    fn push(&mut self, key: Cow<'d, str>, value: Attr<'d>) {
        self.list.push((key, value));
        let fresh = if self.places.is_empty() { 0 } else { self.list.len().saturating_sub(1) };
        if self.list.len() > SCAN_MAX {
            for (at, (name, _)) in self.list.iter().enumerate().skip(fresh) {
                self.places.insert(name.clone(), at);
            }
        }
    }

    /// The value of a name.
    pub fn get(&self, key: &str) -> Option<&Attr<'d>> {
        self.list.get(self.place(key)?).map(|(_, value)| value)
    }

    /// Whether the name is there.
    pub fn has(&self, key: &str) -> bool {
        self.place(key).is_some()
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
        let old = self.place(&key).and_then(|at| self.list.get_mut(at));
        match old {
            Some((_, old)) => *old = value,
            None => self.push(key, value),
        }
    }

    /// Sets a name that is not there yet.
    pub fn set_missing(&mut self, key: impl Into<Cow<'d, str>>, value: Attr<'d>) {
        let key = key.into();
        if !self.has(&key) {
            self.push(key, value);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_attributes() {
        let names: Vec<String> = (0..50_000).map(|it| format!("k{it}")).collect();
        let mut attrs = Attrs::default();
        for round in ["1", "2"] {
            for name in &names {
                attrs.set(name.as_str(), Attr::text(round));
            }
        }
        assert_eq!(attrs.iter().count(), names.len());
        for name in names.iter().step_by(997) {
            assert_eq!(attrs.text(name), Some("2"));
        }
        assert_eq!(attrs.get("k"), None);
    }

    #[test]
    fn quotes_come_off() {
        assert_eq!(unquoted("\"a\""), "a");
        assert_eq!(unquoted("\"\\\"a\\\"\""), "a");
        assert_eq!(unquoted("\"a"), "\"a");
        assert_eq!(unquoted("a"), "a");
    }
}
