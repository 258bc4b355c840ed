//! Errors by the shape of a result, as faultgate sees them.

use crate::json::{Document, Kind, Limits, Value};
use crate::python::{self, Int};
use crate::semantics::PYTHON;

/// Keys that hold the exit code of a program.
const EXIT_CODES: [&str; 5] = ["exit_code", "return_code", "exitcode", "returncode", "exit_status"];

const ERROR_STARTS: [&str; 4] = [
    "Error:",
    "ERROR:",
    "Traceback (most recent call last)",
    "An error occurred while parsing tool arguments",
];

/// What is wrong with `text`, if its shape tells.
pub(super) fn error(text: &str) -> Option<String> {
    let text = PYTHON.trim(text);
    in_json(text).or_else(|| in_text(text))
}

fn in_text(text: &str) -> Option<String> {
    if text.contains("<tool_use_error>") && text.contains("</tool_use_error>") {
        return Some("<tool_use_error> tag present".to_owned());
    }
    let start = ERROR_STARTS.iter().find(|start| text.starts_with(**start))?;
    Some(format!("Response starts with '{start}'"))
}

fn in_json(text: &str) -> Option<String> {
    if text.starts_with('{') && text.ends_with('}') {
        return object_error(read(text)?.root());
    }
    if text.starts_with('[') && text.ends_with(']') {
        let list = read(text)?;
        let mut parts = list.root().items().filter_map(|it| it.get("text")?.as_str());
        return parts.find_map(|part| {
            let part = PYTHON.trim(part);
            let whole = part.starts_with('{') && part.ends_with('}');
            if whole { object_error(read(part)?.root()) } else { None }
        });
    }
    None
}

pub(super) fn read(text: &str) -> Option<Document<'_>> {
    let document = Document::parse(text, PYTHON.grammar(), &Limits::DEFAULT).ok()?;
    PYTHON.refuses(&document).is_none().then_some(document)
}

fn object_error(object: Value<'_>) -> Option<String> {
    if object.kind() != Kind::Object {
        return None;
    }
    if let Some(error) = object.get("error").filter(|it| python::is_true(*it)) {
        let text: String = python::text(error).chars().take(80).collect();
        return Some(format!("JSON top-level error: {text}"));
    }
    EXIT_CODES.iter().find_map(|key| {
        let code = object.get(key)?;
        match python::int(code) {
            Int::NonZero | Int::Overflow => Some(format!("Non-zero {key}: {}", python::text(code))),
            Int::Zero | Int::No => None,
        }
    })
}
