//! Projects whose traces lie in a file of their own.

use std::path::Path;

use lawbook_diag::Problem;
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
