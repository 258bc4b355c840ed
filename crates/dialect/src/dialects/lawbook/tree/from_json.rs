//! A JSON policy as a tree.

use lawbook_diag::Span;
use lawbook_event::json::{Document, Kind, Value};
use lawbook_rule::params::{Fault, Form, Node};

use super::build::Build;

enum Task<'d> {
    Value(Value<'d>),
    Key(&'d str, Span),
    Close(usize),
}

/// Reads a document.
pub(super) fn read(document: &Document<'_>, text: &str, faults: &mut Vec<Fault>) -> Option<Node> {
    let mut build = Build::new(text);
    let mut left = vec![Task::Value(document.root())];
    while let Some(task) = left.pop() {
        let done = match task {
            Task::Value(value) => step(value, text, &mut build, &mut left, faults),
            Task::Key(key, span) => {
                build.key(key.to_owned(), span);
                Ok(())
            }
            Task::Close(end) => build.close(end, faults),
        };
        if let Err(fault) = done {
            faults.push(fault);
            return None;
        }
    }
    build.finish()
}

fn step<'d>(
    value: Value<'d>,
    text: &str,
    build: &mut Build<'_>,
    left: &mut Vec<Task<'d>>,
    faults: &mut Vec<Fault>,
) -> Result<(), Fault> {
    let start = value.offset();
    let end = start.saturating_add(value.raw().len());
    match value.kind() {
        Kind::Array => {
            build.open_list(start)?;
            left.push(Task::Close(end));
            let from = left.len();
            left.extend(value.items().map(Task::Value));
            left.get_mut(from..).unwrap_or_default().reverse();
        }
        Kind::Object => {
            build.open_map(start)?;
            left.push(Task::Close(end));
            let from = left.len();
            for (key, inner) in value.entries() {
                left.push(Task::Key(key, key_span(text, inner.offset())));
                left.push(Task::Value(inner));
            }
            left.get_mut(from..).unwrap_or_default().reverse();
        }
        Kind::String | Kind::Number | Kind::Bool | Kind::Null => {
            let quoted = value.kind() == Kind::String;
            let text = value.as_str().unwrap_or_else(|| value.raw()).to_owned();
            let form = Form::Scalar { text, quoted };
            build.add(Node { span: Span { start, end }, form }, faults)?;
        }
    }
    Ok(())
}

/// Where the key stands whose value begins at a byte of the text: the string before the colon.
fn key_span(text: &str, value: usize) -> Span {
    let before = text.get(..value).unwrap_or_default().trim_end();
    let before = before.strip_suffix(':').unwrap_or(before).trim_end();
    let end = before.len();
    let mut from = end.saturating_sub(1);
    while let Some(open) = before.get(..from).and_then(|it| it.rfind('"')) {
        let slashes = before.get(..open).unwrap_or_default();
        let slashes = slashes.bytes().rev().take_while(|it| *it == b'\\').count();
        if slashes.is_multiple_of(2) {
            return Span { start: open, end };
        }
        from = open;
    }
    Span { start: 0, end }
}
