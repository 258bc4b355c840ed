//! The records of a session log: one on each line, or all in one list.

use lawbook_diag::Problem;
use lawbook_event::Time;
use lawbook_event::json::Value;

use crate::{Part, Source, parse_time};

/// A record and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'d> {
    /// The record.
    pub value: Value<'d>,
    /// Which document of the input holds it, counted from 0.
    pub part: usize,
    /// The line of its document.
    pub line: Option<u32>,
    /// The key of the list in its document, and the place in the list.
    place: Option<(&'static str, usize)>,
}

impl<'d> Entry<'d> {
    /// A document that is a record, even if it is a list.
    pub fn whole((number, part): (usize, &'d Part<'d>)) -> Self {
        Entry { value: part.document.root(), part: number, line: part.line, place: None }
    }

    /// Where the record stands.
    pub fn source(&self, source: &Source) -> String {
        let pointer = match self.place {
            Some(("", at)) => format!("/{at}"),
            Some((key, at)) => format!("/{key}/{at}"),
            None => String::new(),
        };
        source.place(self.line, &pointer)
    }

    /// The problem of a record that is not of the format of its file.
    pub fn odd(&self, source: &Source, format: &str) -> Problem {
        let problem = Problem::new(
            source.name.clone(),
            "not_a_record",
            format!("this is no record of the format `{format}`"),
        )
        .help("name another format with `--trace-format`, or take the record out");
        problem.on_line(self.line)
    }
}

/// Every record of an input: the items of a list, of the list under one of `keys`, or the
/// documents themselves.
pub fn entries<'d>(parts: &'d [Part<'d>], keys: &[&'static str]) -> Vec<Entry<'d>> {
    let mut all = Vec::with_capacity(parts.len());
    for (number, part) in parts.iter().enumerate() {
        let root = part.document.root();
        let keyed = keys.iter().find_map(|key| Some((*key, list(root, key)?)));
        let list = keyed.or_else(|| root.is_array().then_some(("", root)));
        let entry = |value, place| Entry { value, part: number, line: part.line, place };
        match list {
            Some((key, list)) => {
                let items = list.items().enumerate();
                all.extend(items.map(|(at, value)| entry(value, Some((key, at)))));
            }
            None => all.push(entry(root, None)),
        }
    }
    all
}

/// The list under a key.
pub fn list<'d>(value: Value<'d>, key: &str) -> Option<Value<'d>> {
    value.get(key).filter(|it| it.is_array())
}

/// The text under a key.
pub fn text<'d>(value: Value<'d>, key: &str) -> Option<&'d str> {
    value.get(key).and_then(Value::as_str)
}

/// The object under a key.
pub fn object<'d>(value: Value<'d>, key: &str) -> Option<Value<'d>> {
    value.get(key).filter(|it| it.is_object())
}

/// The time under a key.
pub fn time(value: Value<'_>, key: &str) -> Option<Time> {
    let value = value.get(key)?;
    value.as_str().or_else(|| value.number_text()).and_then(parse_time)
}

/// How many records of a list detection looks at.
pub const LOOKED_AT: usize = 64;
