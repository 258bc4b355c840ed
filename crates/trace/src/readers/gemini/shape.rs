//! Where lists of contents stand in a document.

use lawbook_event::json::Value;

use super::Found;
use crate::entries::{LOOKED_AT, list, object};

/// Keys of an object that hold its contents, best first.
const CONTENTS_KEYS: [&str; 5] = ["contents", "history", "messages", "conversation", "turns"];
/// Keys of an object that hold a list of sessions.
const LIST_KEYS: [&str; 5] = ["sessions", "conversations", "results", "data", "items"];
/// Keys that only parts of Gemini have.
const PART_KEYS: [&str; 13] = [
    "text",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
    "functionCall",
    "function_call",
    "functionResponse",
    "function_response",
    "executableCode",
    "executable_code",
    "codeExecutionResult",
    "code_execution_result",
];
/// Keys of parts that other systems write.
const FOREIGN_KEYS: [&str; 3] = ["type", "kind", "part_kind"];

/// Whether a document, or the first session in it, is made of contents.
pub fn sniff(root: Value<'_>) -> bool {
    // Agent platforms keep contents in events, and Gemini CLI has a log of its own.
    if ["events", "projectHash", "jsonrpc", "candidates"].iter().any(|it| root.get(it).is_some()) {
        return false;
    }
    let mut first = None;
    sessions(root, &mut |found, _| {
        first.get_or_insert(found.contents);
    });
    first.is_some_and(|contents| !contents.is_empty())
}

/// Hands on every session of a document with its JSON pointer.
pub fn sessions<'d>(root: Value<'d>, out: &mut dyn FnMut(Found<'d>, &str)) {
    if let Some(found) = found(root) {
        out(found, "");
        return;
    }
    if root.is_array() {
        many(root, "", out);
        return;
    }
    for key in LIST_KEYS {
        if let Some(sessions) = list(root, key) {
            many(sessions, &format!("/{key}"), out);
            return;
        }
    }
}

fn many<'d>(sessions: Value<'d>, base: &str, out: &mut dyn FnMut(Found<'d>, &str)) {
    for (at, one) in sessions.items().enumerate() {
        if let Some(found) = found(one) {
            out(found, &format!("{base}/{at}"));
        }
    }
}

/// The session that a value is: a list of contents, an object with one, or a pair of a request
/// and its response.
fn found(value: Value<'_>) -> Option<Found<'_>> {
    if value.is_array() {
        return is_contents(value).then_some(Found {
            contents: value,
            response: None,
            around: None,
        });
    }
    let request = object(value, "request").unwrap_or(value);
    let contents =
        CONTENTS_KEYS.iter().find_map(|key| list(request, key).filter(|it| is_contents(*it)))?;
    let response = object(value, "response");
    Some(Found { contents, response, around: Some(value) })
}

/// Whether a list is one of contents: every object near its start has parts of Gemini's.
fn is_contents(list: Value<'_>) -> bool {
    list.items().take(LOOKED_AT).all(is_content) && !list.is_empty()
}

fn is_content(content: Value<'_>) -> bool {
    let role = content.get("role");
    let known = |role: Value<'_>| {
        matches!(role.as_str(), Some("user" | "model" | "function" | "tool" | "system"))
    };
    let Some(parts) = list(content, "parts") else { return false };
    role.is_none_or(known) && parts.items().take(LOOKED_AT).all(is_part)
}

fn is_part(part: Value<'_>) -> bool {
    let has = |key: &&str| part.get(key).is_some();
    part.is_object() && PART_KEYS.iter().any(&has) && !FOREIGN_KEYS.iter().any(has)
}
