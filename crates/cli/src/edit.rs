//! Changes to a JSON text that leave all the rest of it as it stands.

use std::ops::Range;

use lawbook_event::json::{Value, write_string};

use crate::indent::indented;

/// Changes to a text, of which no two touch the same place.
pub struct Edits<'t> {
    text: &'t str,
    all: Vec<(Range<usize>, String)>,
}

impl<'t> Edits<'t> {
    /// No changes to a text.
    pub fn of(text: &'t str) -> Self {
        Edits { text, all: Vec::new() }
    }

    /// Sets a key of an object to a JSON value.
    pub fn set(&mut self, object: Value<'_>, key: &str, json: &str) {
        match object.get(key) {
            Some(value) => {
                let margin = self.margin(value.offset());
                self.all.push((span(value), self.written(json, margin)));
            }
            None => {
                let mut entry = String::new();
                write_string(&mut entry, key);
                entry.push(':');
                entry.push_str(json);
                let last = object.entries().last().map(|it| it.1);
                self.append(object, last, &entry);
            }
        }
    }

    /// Adds a JSON value to the end of a list.
    pub fn push(&mut self, list: Value<'_>, json: &str) {
        let last = list.items().last();
        self.append(list, last, json);
    }

    /// Adds an item or entry behind the last one of a list or object.
    fn append(&mut self, container: Value<'_>, last: Option<Value<'_>>, json: &str) {
        let Range { start, end } = span(container);
        match last {
            Some(last) => {
                let at = span(last).end;
                let margin = self.margin(last.offset());
                let added = match margin {
                    Some(margin) => {
                        format!(",\n{}{}", " ".repeat(margin), self.entry(json, Some(margin)))
                    }
                    None => format!(",{}", self.entry(json, None)),
                };
                self.all.push((at..at, added));
            }
            None => {
                let outer = self.margin(start);
                let margin = outer.map(|it| it.saturating_add(2));
                let inner = self.entry(json, margin);
                let brackets = if container.is_object() { ('{', '}') } else { ('[', ']') };
                let filled = match (margin, outer) {
                    (Some(margin), Some(outer)) => format!(
                        "{}\n{}{inner}\n{}{}",
                        brackets.0,
                        " ".repeat(margin),
                        " ".repeat(outer),
                        brackets.1
                    ),
                    _ => format!("{}{inner}{}", brackets.0, brackets.1),
                };
                self.all.push((start..end, filled));
            }
        }
    }

    /// An item, or a key with its value, which is laid out like an object without its brackets.
    fn entry(&self, json: &str, margin: Option<usize>) -> String {
        self.written(json, margin)
    }

    fn written(&self, json: &str, margin: Option<usize>) -> String {
        margin.map_or_else(|| json.to_owned(), |it| indented(json, it))
    }

    /// The spaces at the start of the line that holds a place; none in a text of one line.
    fn margin(&self, at: usize) -> Option<usize> {
        let before = self.text.get(..at)?;
        let start = before.rfind('\n')?.saturating_add(1);
        let line = self.text.get(start..)?;
        Some(line.chars().take_while(|it| *it == ' ').count())
    }

    /// The text with all changes in it.
    pub fn text(mut self) -> String {
        self.all.sort_by_key(|it| it.0.start);
        let mut out = String::with_capacity(self.text.len());
        let mut from = 0;
        for (range, new) in self.all {
            out.push_str(self.text.get(from..range.start).unwrap_or_default());
            out.push_str(&new);
            from = range.end;
        }
        out.push_str(self.text.get(from..).unwrap_or_default());
        out
    }
}

fn span(value: Value<'_>) -> Range<usize> {
    let start = value.offset();
    start..start.saturating_add(value.raw().len())
}

#[cfg(test)]
mod tests {
    use lawbook_event::json::{Document, Grammar, Limits};

    use super::Edits;

    fn edited(text: &str) -> String {
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let root = document.root();
        let mut edits = Edits::of(text);
        edits.set(root, "revision", "2");
        edits.push(root.get("modes").unwrap(), r#"{"id":"m"}"#);
        edits.set(root, "new", r#"{"a":[1]}"#);
        edits.text()
    }

    #[test]
    fn the_rest_of_a_text_stays_as_it_is() {
        let text =
            "{\n  \"x\": 1.50,\n  \"revision\": 1,\n  \"modes\": [\n    {\"id\":  \"a\"}\n  ]\n}\n";
        let wanted = "{\n  \"x\": 1.50,\n  \"revision\": 2,\n  \"modes\": [\n    {\"id\":  \"a\"},\n    {\n      \"id\": \"m\"\n    }\n  ],\n  \"new\": {\n    \"a\": [\n      1\n    ]\n  }\n}\n";
        assert_eq!(edited(text), wanted);
    }

    #[test]
    fn a_text_of_one_line_stays_one() {
        let text = r#"{"revision":1,"modes":[]}"#;
        let wanted = r#"{"revision":2,"modes":[{"id":"m"}],"new":{"a":[1]}}"#;
        assert_eq!(edited(text), wanted);
    }

    #[test]
    fn an_empty_list_is_opened_over_lines() {
        let text = "{\n  \"revision\": 1,\n  \"modes\": []\n}";
        assert!(edited(text).contains("\"modes\": [\n    {\n      \"id\": \"m\"\n    }\n  ],"));
    }
}
