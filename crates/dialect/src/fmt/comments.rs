//! The comments of a policy, each with the entry or item that it belongs to.

use std::collections::BTreeMap;

use lawbook_diag::Span;
use lawbook_rule::params::{Form, Node};

/// What stands around the entries and items of a policy, by the byte at which each starts.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Whole lines before it: comments, and empty lines as empty texts.
    pub before: BTreeMap<usize, Vec<String>>,
    /// A comment at the end of its line.
    pub after: BTreeMap<usize, String>,
    /// Whole lines after everything.
    pub last: Vec<String>,
    /// Every comment, sorted.
    pub comments: Vec<String>,
}

impl Notes {
    pub(super) fn is_empty(&self) -> bool {
        self.comments.is_empty()
    }

    /// Whether a comment belongs to something that starts between two bytes.
    pub(super) fn touch(&self, from: usize, to: usize) -> bool {
        let commented = |lines: &Vec<String>| lines.iter().any(|it| !it.is_empty());
        let to = to.max(from);
        self.before.range(from..to).any(|it| commented(it.1))
            || self.after.range(from..to).next().is_some()
    }
}

/// Finds the comments of a text and what they belong to.
pub(super) fn notes(text: &str, root: &Node) -> Notes {
    let (anchors, scalars) = places(text, root);
    let mut notes = Notes::default();
    // The lines that wait for the next entry, and the line on which the last one was.
    let mut waiting: Vec<String> = Vec::new();
    let mut offset = 0_usize;
    for line in text.split_inclusive('\n') {
        let end = offset.saturating_add(line.len());
        let comment = comment(line, offset, &scalars);
        let here = anchors.range(offset..end).next().map(|it| *it.0);
        let inside = holding(&scalars, offset).is_some_and(|it| it.start < offset);
        if let Some(first) = here
            && !inside
        {
            keep(&mut notes.before, first, &mut waiting);
        }
        match comment {
            Some(found) if line.trim_start().starts_with('#') => waiting.push(found.to_owned()),
            Some(found) => {
                let before = anchors.range(..end).next_back().map(|it| *it.0);
                match here.or(before) {
                    Some(at) if !notes.after.contains_key(&at) => {
                        notes.after.insert(at, found.to_owned());
                    }
                    _ => waiting.push(found.to_owned()),
                }
            }
            None if line.trim().is_empty()
                && !inside
                && waiting.last().is_none_or(|it| !it.is_empty()) =>
            {
                waiting.push(String::new());
            }
            None => {}
        }
        notes.comments.extend(comment.map(str::to_owned));
        offset = end;
    }
    while waiting.last().is_some_and(String::is_empty) {
        waiting.pop();
    }
    notes.last = waiting;
    notes.comments.sort();
    notes
}

fn keep(before: &mut BTreeMap<usize, Vec<String>>, at: usize, waiting: &mut Vec<String>) {
    if !waiting.is_empty() {
        before.entry(at).or_default().append(waiting);
    }
}

/// The comment of a line: from a `#` that no text holds, to the end.
fn comment<'t>(line: &'t str, offset: usize, scalars: &[Span]) -> Option<&'t str> {
    line.match_indices('#')
        .find_map(|(at, _)| {
            let place = offset.saturating_add(at);
            let before = line.get(..at)?.chars().next_back();
            let apart = before.is_none_or(char::is_whitespace);
            (apart && holding(scalars, place).is_none()).then(|| line.get(at..))?
        })
        .map(str::trim_end)
}

/// The scalar that a byte stands in.
fn holding(scalars: &[Span], place: usize) -> Option<&Span> {
    let index = scalars.partition_point(|it| it.start <= place);
    scalars.get(index.checked_sub(1)?).filter(|it| place < it.end)
}

type Anchors = BTreeMap<usize, ()>;

/// Where entries and items start, and where keys and scalars stand, both in order.
fn places(text: &str, root: &Node) -> (Anchors, Vec<Span>) {
    let (mut anchors, mut scalars) = (Anchors::new(), Vec::new());
    let mut left = vec![root];
    while let Some(node) = left.pop() {
        match &node.form {
            Form::Scalar { .. } => scalars.push(body(text, node.span)),
            Form::List(items) => {
                anchors.extend(items.iter().map(|it| (it.span.start, ())));
                left.extend(items);
            }
            Form::Map(entries) => {
                for entry in entries {
                    anchors.insert(entry.key_span.start, ());
                    scalars.push(entry.key_span);
                    left.push(&entry.value);
                }
            }
        }
    }
    scalars.sort();
    (anchors, scalars)
}

/// The span of a scalar without the first line of a block, which may hold a comment.
fn body(text: &str, span: Span) -> Span {
    let written = text.get(span.start..span.end).unwrap_or_default();
    if !written.starts_with(['|', '>']) {
        return span;
    }
    let header = written.find('\n').unwrap_or(written.len());
    Span { start: span.start.saturating_add(header), end: span.end }
}
