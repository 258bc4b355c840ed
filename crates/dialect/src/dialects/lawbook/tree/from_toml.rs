//! TOML text as a tree.

use lawbook_diag::Span;
use lawbook_rule::params::{Fault, Form, Node};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::build::Build;

enum Task<'d> {
    Value(&'d Spanned<DeValue<'d>>),
    Key(&'d str, Span),
    Close(usize),
}

/// Reads a text, with everything that is wrong with it.
pub(super) fn read(text: &str, faults: &mut Vec<Fault>) -> Option<Node> {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let span = error.span().map_or(Span::default(), |it| Span { start: it.start, end: it.end });
        let message = format!("the policy is no TOML: {}", error.message());
        faults.push(Fault::new(span, "not_toml", message));
    }
    if !errors.is_empty() {
        return None;
    }
    let mut build = Build::new(text);
    let mut left = vec![Task::Close(text.len())];
    entries(table.get_ref(), &mut left);
    let mut done = build.open_map(0);
    while done.is_ok()
        && let Some(task) = left.pop()
    {
        done = match task {
            Task::Value(value) => step(value, &mut build, &mut left, faults),
            Task::Key(key, span) => {
                build.key(key.to_owned(), span);
                Ok(())
            }
            Task::Close(end) => build.close(end, faults),
        };
    }
    if let Err(fault) = done {
        faults.push(fault);
        return None;
    }
    build.finish()
}

/// Leaves the entries of a table to be read, in the order of the file.
fn entries<'d>(table: &'d DeTable<'d>, left: &mut Vec<Task<'d>>) {
    let mut all: Vec<_> = table.iter().collect();
    all.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in all.into_iter().rev() {
        left.push(Task::Value(value));
        left.push(Task::Key(key.get_ref(), span(key)));
    }
}

fn step<'d>(
    value: &'d Spanned<DeValue<'d>>,
    build: &mut Build<'_>,
    left: &mut Vec<Task<'d>>,
    faults: &mut Vec<Fault>,
) -> Result<(), Fault> {
    let at = span(value);
    let (text, quoted) = match value.get_ref() {
        DeValue::Array(items) => {
            build.open_list(at.start)?;
            left.push(Task::Close(at.end));
            left.extend(items.iter().rev().map(Task::Value));
            return Ok(());
        }
        DeValue::Table(table) => {
            build.open_map(at.start)?;
            left.push(Task::Close(at.end));
            entries(table, left);
            return Ok(());
        }
        DeValue::String(text) => (text.to_string(), true),
        DeValue::Datetime(moment) => (moment.to_string(), true),
        DeValue::Integer(number) => (number.to_string(), false),
        DeValue::Float(number) => (number.to_string(), false),
        DeValue::Boolean(truth) => (truth.to_string(), false),
    };
    build.add(Node { span: at, form: Form::Scalar { text, quoted } }, faults)
}

fn span<T>(of: &Spanned<T>) -> Span {
    let range = of.span();
    Span { start: range.start, end: range.end }
}
