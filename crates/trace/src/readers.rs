//! The trace formats, in the order in which they are tried.

mod braintrust;
mod export;
mod langfuse;
mod langsmith;
mod openai_chat;
mod openinference;
mod otlp;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use crate::container::{self, Limits};
use crate::{Part, Reader, Reading, Session, Source};

/// Every reader. The first whose marks are found reads the input.
pub const READERS: &[&dyn Reader] = &[
    &openinference::Openinference,
    &otlp::Otlp,
    &langfuse::Langfuse,
    &langsmith::Langsmith,
    &braintrust::Braintrust,
    &openai_chat::OpenaiChat,
];

/// The reader that knows this document or line.
#[must_use]
pub fn detect(root: Value<'_>) -> Option<&'static dyn Reader> {
    READERS.iter().find(|reader| reader.sniff(root)).copied()
}

/// The reader of an input of several documents: the first that is known decides, unless a later
/// one shows that the spans are OpenInference's.
fn detect_all(parts: &[Part<'_>]) -> Option<&'static dyn Reader> {
    let first = parts.iter().find_map(|part| detect(part.document.root()))?;
    if first.name() == "otlp" {
        let marked = |part: &Part<'_>| openinference::Openinference.sniff(part.document.root());
        if parts.iter().any(marked) {
            return Some(&openinference::Openinference);
        }
    }
    Some(first)
}

/// The reader of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Reader> {
    READERS.iter().find(|reader| reader.name() == name).copied()
}

/// Reads a whole input that is in memory: opens it, finds the format unless one is forced, and
/// hands on every session in order. What could not be read comes back as problems.
pub fn read(
    bytes: &[u8],
    forced: Option<&'static dyn Reader>,
    reading: Reading,
    source: &Source,
    limits: &Limits,
    out: &mut dyn FnMut(Session<'_>),
) -> Vec<Problem> {
    let contents = match container::open(bytes, source, limits) {
        Ok(contents) => contents,
        Err(problem) => return vec![problem],
    };
    let (parts, mut problems) = contents.parts(source, limits);
    let found = forced.or_else(|| detect_all(&parts));
    let Some(reader) = found else {
        if let Some(part) = parts.first() {
            problems.push(unknown_format(source, part));
        }
        return problems;
    };
    let mut known = Vec::with_capacity(parts.len());
    for part in parts {
        if forced.is_some() || reader.accepts(part.document.root()) {
            known.push(part);
        } else {
            problems.push(unknown_format(source, &part));
        }
    }
    problems.extend(reader.read(&known, reading, source, &mut |session| out(session)));
    problems.sort_by_key(|problem| (problem.line, problem.column));
    problems
}

/// The problem of a document that no reader, or not the reader of its file, knows.
fn unknown_format(source: &Source, part: &Part<'_>) -> Problem {
    let names: Vec<_> = READERS.iter().map(|reader| reader.name()).collect();
    let problem =
        Problem::new(source.name.clone(), "unknown_format", "this is no trace of a known format")
            .help(format!("name the format with `--trace-format`; known are {}", names.join(", ")));
    match part.line {
        Some(line) => problem.at(line, 1),
        None => problem,
    }
}
