//! A policy as YAML: one entry a line, short lists and maps in brackets.

use std::collections::BTreeSet;

use lawbook_rule::params::{Form, Node, NodeEntry};

use super::LINE_WIDTH;
use super::comments::Notes;
use super::scalar::{block, text_written, written};

/// Lays out a policy.
pub(super) fn layout(root: &Node, notes: &Notes) -> String {
    let mut out = Layout {
        text: String::new(),
        notes,
        before_done: BTreeSet::new(),
        after_done: BTreeSet::new(),
    };
    out.map(root.entries(), 0, Place::Top);
    for line in &notes.last {
        out.line(0, line);
    }
    out.text
}

struct Layout<'n> {
    text: String,
    notes: &'n Notes,
    before_done: BTreeSet<usize>,
    after_done: BTreeSet<usize>,
}

/// Which part of a policy is laid out; it decides what is spread over lines even if it is short.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    /// The value of a key at the top that holds one thing a line.
    Listing,
    /// A rule or a waiver.
    Item,
    Inner,
}

impl Place {
    fn under(self, key: &str) -> Self {
        match (self, key) {
            (Place::Top, "tools" | "rules" | "waivers") => Place::Listing,
            _ => Place::Inner,
        }
    }

    fn items(self) -> Self {
        if self == Place::Listing { Place::Item } else { Place::Inner }
    }
}

/// The functions below call each other as deep as the tree nests, which its reader bounds.
impl Layout<'_> {
    fn map(&mut self, entries: &[NodeEntry], indent: usize, place: Place) {
        for (index, entry) in entries.iter().enumerate() {
            let spread = self.entry_spreads(entry, indent, place);
            // The first entry of an item stands on the item's own line.
            if !(place == Place::Item && index == 0) {
                self.ahead(entry, indent, spread);
                self.margin(indent);
            }
            self.text.push_str(&text_written(&entry.key, true));
            self.text.push(':');
            self.value(&entry.value, indent, place.under(&entry.key), spread);
            self.after(entry.key_span.start);
            self.end();
        }
    }

    /// The lines that stand before an entry.
    fn ahead(&mut self, entry: &NodeEntry, indent: usize, spread: bool) {
        self.before(entry.key_span.start, indent);
        if spread {
            self.raised(entry.key_span.start, indent);
        }
    }

    fn entry_spreads(&self, entry: &NodeEntry, indent: usize, place: Place) -> bool {
        let key = text_written(&entry.key, true).chars().count();
        let used = indent.saturating_add(key).saturating_add(2);
        self.spreads(&entry.value, place.under(&entry.key), used, entry.value.span.start)
    }

    fn list(&mut self, items: &[Node], indent: usize, place: Place) {
        let deeper = indent.saturating_add(2);
        for item in items {
            let start = item.span.start;
            let spread = self.spreads(item, place.items(), deeper, start.saturating_add(1));
            self.before(start, indent);
            let entries = item.entries();
            // What starts where its first entry did has no comment of its own at its end.
            if spread && entries.iter().all(|it| it.key_span.start != start) {
                self.raised(start, indent);
            }
            match entries.first() {
                Some(first) if spread => {
                    let first_spread = self.entry_spreads(first, deeper, Place::Item);
                    self.ahead(first, indent, first_spread);
                    self.margin(indent);
                    self.text.push_str("- ");
                    self.map(entries, deeper, Place::Item);
                }
                _ => {
                    self.margin(indent);
                    self.text.push('-');
                    self.value(item, indent, Place::Inner, spread);
                    self.after(start);
                    self.end();
                }
            }
        }
    }

    /// Whether a value takes several lines; comments count from a byte of the text on.
    fn spreads(&self, node: &Node, place: Place, used: usize, from: usize) -> bool {
        match &node.form {
            Form::Scalar { .. } => block(node).is_some(),
            Form::List(items) if items.is_empty() => false,
            Form::Map(entries) if entries.is_empty() => false,
            Form::List(_) | Form::Map(_) => {
                let width = || one_line(node).chars().count();
                place != Place::Inner
                    || self.notes.touch(from, node.span.end)
                    || used.saturating_add(width()) > LINE_WIDTH
            }
        }
    }

    /// A value behind its key or dash.
    fn value(&mut self, node: &Node, indent: usize, place: Place, spread: bool) {
        let deeper = indent.saturating_add(2);
        match &node.form {
            Form::Scalar { .. } => match block(node) {
                Some((head, lines)) => self.block(head, lines, deeper),
                None => self.word(&written(node, false)),
            },
            Form::List(_) | Form::Map(_) if !spread => self.word(&one_line(node)),
            Form::List(items) => {
                self.end();
                self.list(items, deeper, place);
            }
            Form::Map(entries) => {
                self.end();
                self.map(entries, deeper, place);
            }
        }
    }

    fn block(&mut self, head: &str, lines: &str, indent: usize) {
        self.word(head);
        for line in lines.split('\n') {
            self.text.push('\n');
            if !line.is_empty() {
                self.margin(indent);
                self.text.push_str(line);
            }
        }
        self.text.push('\n');
    }

    /// The lines that stand before an entry or item, once.
    fn before(&mut self, start: usize, indent: usize) {
        if self.before_done.insert(start) {
            for line in self.notes.before.get(&start).into_iter().flatten() {
                self.line(indent, line);
            }
        }
    }

    /// The comment at the end of a line, once.
    fn after(&mut self, start: usize) {
        if let Some(comment) = self.notes.after.get(&start)
            && self.after_done.insert(start)
        {
            self.text.push_str("  ");
            self.text.push_str(comment);
        }
    }

    /// The same on a line of its own, where the value takes several.
    fn raised(&mut self, start: usize, indent: usize) {
        if let Some(comment) = self.notes.after.get(&start)
            && self.after_done.insert(start)
        {
            self.line(indent, comment);
        }
    }

    fn line(&mut self, indent: usize, line: &str) {
        if !line.is_empty() {
            self.margin(indent);
        } else if self.text.is_empty() {
            return;
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn margin(&mut self, indent: usize) {
        self.text.push_str(&" ".repeat(indent));
    }

    fn word(&mut self, word: &str) {
        if !word.is_empty() {
            self.text.push(' ');
            self.text.push_str(word);
        }
    }

    fn end(&mut self) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// A value on one line, as deep as the tree nests, which its reader bounds.
fn one_line(node: &Node) -> String {
    match &node.form {
        Form::Scalar { .. } => written(node, true),
        Form::List(items) => {
            let items: Vec<String> = items.iter().map(one_line).collect();
            format!("[{}]", items.join(", "))
        }
        Form::Map(entries) => {
            let entry = |it: &NodeEntry| {
                format!("{}: {}", text_written(&it.key, true), one_line(&it.value))
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}
