//! A policy that is written and not read: entries with their comments, laid out like any other.

use lawbook_diag::Span;
use lawbook_rule::params::{Form, Node, NodeEntry};

use super::comments::Notes;
use super::{order, yaml};

/// A policy that is being written.
///
/// Comments belong to places, and what is written has none, so everything gets a number for one.
#[derive(Default)]
pub(crate) struct Page {
    entries: Vec<NodeEntry>,
    notes: Notes,
    next: usize,
}

impl Page {
    /// Writes a key with its value, under comments.
    pub(crate) fn entry(&mut self, key: &str, value: Node, comments: &[String]) {
        let at = self.at();
        self.comment(at.start, comments);
        let value = self.placed(value);
        self.entries.push(NodeEntry { key: key.to_owned(), key_span: at, value });
    }

    /// Writes a key with a list of which each item has comments.
    pub(crate) fn list<'c>(
        &mut self,
        key: &str,
        items: impl Iterator<Item = (Node, &'c [String])>,
    ) {
        let at = self.at();
        let mut list = Vec::new();
        for (item, comments) in items {
            let item = self.placed(item);
            self.comment(item.span.start, comments);
            list.push(item);
        }
        let value = Node { span: Span { start: at.end, end: self.next }, form: Form::List(list) };
        self.entries.push(NodeEntry { key: key.to_owned(), key_span: at, value });
    }

    /// The whole text, with comments after everything.
    pub(crate) fn text(mut self, closing: &[String]) -> String {
        self.notes.last = commented(closing);
        let root = Node::from(Form::Map(self.entries));
        yaml::layout(&order::ordered(&root), &self.notes)
    }

    fn comment(&mut self, start: usize, comments: &[String]) {
        if !comments.is_empty() {
            self.notes.before.insert(start, commented(comments));
        }
    }

    fn at(&mut self) -> Span {
        let start = self.next;
        self.next = start.saturating_add(1);
        Span { start, end: self.next }
    }

    /// The same value with a place for itself and everything in it, as deep as it nests, which is
    /// as deep as the program that wrote it.
    fn placed(&mut self, node: Node) -> Node {
        let start = self.at().start;
        let form = match node.form {
            Form::Scalar { .. } => node.form,
            Form::List(items) => Form::List(items.into_iter().map(|it| self.placed(it)).collect()),
            Form::Map(entries) => {
                let placed = |it: NodeEntry| NodeEntry {
                    key_span: self.at(),
                    value: self.placed(it.value),
                    key: it.key,
                };
                Form::Map(entries.into_iter().map(placed).collect())
            }
        };
        Node { span: Span { start, end: self.next }, form }
    }
}

/// Lines as comments; an empty line stays empty.
fn commented(lines: &[String]) -> Vec<String> {
    let all = lines.iter().flat_map(|it| it.split('\n'));
    let line = |it: &str| match it.trim_end() {
        "" => String::new(),
        text => format!("# {}", text.replace(char::is_control, " ")),
    };
    all.map(line).collect()
}
