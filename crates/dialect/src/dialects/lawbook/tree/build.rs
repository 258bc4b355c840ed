//! A tree under construction: open lists and maps on a stack, nothing recursive.

use std::collections::BTreeMap;

use lawbook_diag::Span;
use lawbook_rule::params::{Fault, Form, Node, NodeEntry};

use super::{POLICY_DEPTH_MAX, POLICY_NODES_MAX};

/// A tree under construction.
pub(super) struct Build<'t> {
    text: &'t str,
    /// The bytes after which lines end.
    breaks: Vec<usize>,
    open: Vec<Open>,
    root: Option<Node>,
    nodes: usize,
}

enum Open {
    List { start: usize, items: Vec<Node> },
    Map { start: usize, entries: Vec<NodeEntry>, seen: BTreeMap<String, Span>, key: Option<Key> },
}

type Key = (String, Span);

impl<'t> Build<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let breaks = text.match_indices('\n').map(|it| it.0).collect();
        Build { text, breaks, open: Vec::new(), root: None, nodes: 0 }
    }

    /// Whether a map is open that waits for its next key.
    pub(super) fn awaits_key(&self) -> bool {
        matches!(self.open.last(), Some(Open::Map { key: None, .. }))
    }

    /// Takes in the next key of the open map.
    pub(super) fn key(&mut self, text: String, span: Span) {
        if let Some(Open::Map { key, .. }) = self.open.last_mut() {
            *key = Some((text, span));
        }
    }

    /// Opens a list at a byte of the text.
    pub(super) fn open_list(&mut self, start: usize) -> Result<(), Fault> {
        self.deeper(start)?;
        self.open.push(Open::List { start, items: Vec::new() });
        Ok(())
    }

    /// Opens a map at a byte of the text.
    pub(super) fn open_map(&mut self, start: usize) -> Result<(), Fault> {
        self.deeper(start)?;
        let seen = BTreeMap::new();
        self.open.push(Open::Map { start, entries: Vec::new(), seen, key: None });
        Ok(())
    }

    fn deeper(&self, at: usize) -> Result<(), Fault> {
        if self.open.len() < POLICY_DEPTH_MAX {
            return Ok(());
        }
        let message = format!("lists and maps nest more than {POLICY_DEPTH_MAX} deep");
        Err(Fault::new(Span { start: at, end: at }, "policy_depth_max", message))
    }

    /// Closes the innermost list or map before a byte of the text.
    pub(super) fn close(&mut self, end: usize, faults: &mut Vec<Fault>) -> Result<(), Fault> {
        let (start, form) = match self.open.pop() {
            None => return Ok(()),
            Some(Open::List { start, items }) => (start, Form::List(items)),
            Some(Open::Map { start, entries, .. }) => (start, Form::Map(entries)),
        };
        let end =
            self.text.get(start..end).map_or(end, |it| start.saturating_add(it.trim_end().len()));
        self.add(Node { span: Span { start, end: end.max(start) }, form }, faults)
    }

    /// Takes in a whole value.
    pub(super) fn add(&mut self, node: Node, faults: &mut Vec<Fault>) -> Result<(), Fault> {
        self.nodes = self.nodes.saturating_add(1);
        if self.nodes > POLICY_NODES_MAX {
            let message = format!("the policy holds more than {POLICY_NODES_MAX} values");
            return Err(Fault::new(node.span, "policy_nodes_max", message));
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List { items, .. }) => items.push(node),
            Some(Open::Map { entries, seen, key, .. }) => {
                let Some((key, key_span)) = key.take() else { return Ok(()) };
                if let Some(first) = seen.get(&key) {
                    faults.push(repeated(&self.breaks, &key, *first, key_span));
                } else {
                    seen.insert(key.clone(), key_span);
                    entries.push(NodeEntry { key, key_span, value: node });
                }
            }
        }
        Ok(())
    }

    /// The whole tree, once everything is closed.
    pub(super) fn finish(self) -> Option<Node> {
        self.root
    }
}

/// A key that stands twice in one map.
fn repeated(breaks: &[usize], key: &str, first: Span, second: Span) -> Fault {
    let line = |span: Span| breaks.partition_point(|it| *it < span.start).saturating_add(1);
    let message =
        format!("key `{key}` stands twice, on lines {} and {}", line(first), line(second));
    Fault::new(second, "duplicate_key", message).help("keep one of them")
}
