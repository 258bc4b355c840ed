//! What a host's own record of a session tells of it, read no further than a few blocks.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use lawbook_event::json::{Document, Grammar, Limits, Value};

/// How much of a record is read, from its beginning and from its end.
const BLOCK: u64 = 256 * 1024;

/// Words that stand in a record in which a tool was called.
const CALLS: [&str; 4] = ["\"tool_use\"", "\"function_call\"", "\"toolCalls\"", "\"tool_calls\""];

/// Whether a record shows that nothing was called yet. One that is not there shows nothing.
pub fn is_empty_of_calls(path: &str) -> Option<bool> {
    let mut file = open(path)?;
    let length = file.metadata().ok()?.len();
    if length > BLOCK {
        return Some(false);
    }
    let text = read(&mut file)?;
    Some(!CALLS.iter().any(|it| text.contains(it)))
}

/// The ids of calls that the end of a record shows as having returned something.
pub fn answered(path: &str) -> Vec<String> {
    let Some(text) = tail(path) else { return Vec::new() };
    let mut ids = Vec::new();
    for line in text.lines().filter(|it| it.contains("\"tool_result\"")) {
        let Ok(document) = Document::parse(line, Grammar::Strict, &Limits::DEFAULT) else {
            continue;
        };
        let content = document.root().get("message").and_then(|it| it.get("content"));
        for block in content.into_iter().flat_map(Value::items) {
            let is = |key: &str, word: &str| block.get(key).and_then(Value::as_str) == Some(word);
            // What failed may have failed before any hook was asked.
            let failed = block.get("is_error").and_then(Value::as_bool) == Some(true);
            if is("type", "tool_result") && !failed {
                ids.extend(block.get("tool_use_id").and_then(Value::as_str).map(str::to_owned));
            }
        }
    }
    ids
}

/// The other sessions that a record names, which it may go on from, the last one first.
pub fn origins(path: &str, own: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let head = open(path).and_then(|mut it| read(&mut it)).unwrap_or_default();
    for text in [head, tail(path).unwrap_or_default()] {
        for key in ["\"sessionId\":\"", "\"forked_from_id\":\""] {
            let ids = text.split(key).skip(1).filter_map(|it| it.split('"').next());
            found.extend(ids.filter(|it| *it != own && !it.is_empty()).map(str::to_owned));
        }
    }
    found.reverse();
    let mut once: Vec<String> = Vec::new();
    for id in found {
        if !once.contains(&id) {
            once.push(id);
        }
    }
    once
}

/// The version of the host that wrote the end of a record.
pub fn version(path: &str) -> Option<String> {
    let text = tail(path)?;
    let key = "\"version\":\"";
    let at = text.rfind(key)?;
    let rest = text.get(at.saturating_add(key.len())..)?;
    let version = rest.split('"').next().filter(|it| it.len() <= 32)?;
    version.starts_with(|it: char| it.is_ascii_digit()).then(|| version.to_owned())
}

/// Only plain files are opened: the path comes from outside.
fn open(path: &str) -> Option<File> {
    let path = Path::new(path);
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    File::open(path).ok()
}

fn read(file: &mut File) -> Option<String> {
    let mut bytes = Vec::new();
    file.take(BLOCK).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn tail(path: &str) -> Option<String> {
    let mut file = open(path)?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(BLOCK))).ok()?;
    read(&mut file)
}
