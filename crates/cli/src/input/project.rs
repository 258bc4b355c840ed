//! Projects of pmstack: traces that lie in a file of their own, and what the user is called.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_trace::{Source, traces_file, with_traces};

use super::piece::unreadable;

/// Puts the traces of a project's file into the project, if `buffer` is one that names a file.
pub fn complete(source: &Source, buffer: &mut Vec<u8>) -> Vec<Problem> {
    let Some(file) = traces_file(buffer) else { return Vec::new() };
    let folder = Path::new(&source.name).parent().unwrap_or(Path::new(""));
    let path = folder.join(file);
    let source = Source::new(path.display().to_string());
    match std::fs::read(&path) {
        Err(error) => vec![unreadable(&source, &error)],
        Ok(traces) => {
            let (whole, problems) = with_traces(buffer, &traces, &source);
            *buffer = whole;
            problems
        }
    }
}

/// How far into a file its format is looked for.
const HEAD_BYTES: u64 = 4096;

/// What the user is called in the project that a file holds, if it holds one and says so.
pub fn user_label(path: &Path) -> Option<String> {
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    memchr::memmem::find(&head, b"pmstack.project/")?;
    let text = std::fs::read_to_string(path).ok()?;
    let document = Document::parse_owned(text, Grammar::Strict, &Limits::DEFAULT).ok()?;
    let label = document.root().get("experience")?.get("userLabel").and_then(Value::as_str)?.trim();
    (!label.is_empty()).then(|| label.to_owned())
}
