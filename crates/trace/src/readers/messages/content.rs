//! Contents of messages, arguments and results as text.

use std::borrow::Cow;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Answer, Args};

use crate::chat::{Chat, Request};
use crate::content::joined;
use crate::ids;

/// A request of a tool by these arguments.
pub fn request<'d>(id: Option<&'d str>, tool: &'d str, args: Args<'d>) -> Request<'d> {
    let (id, tool) = (id.map(Cow::Borrowed), Cow::Borrowed(tool));
    Request { id, tool, args, ..Request::default() }
}

/// What a status says of a result: whether it failed, whether it is under way, and whether the
/// call was stopped before it ran.
pub fn by_status(status: Option<&str>) -> (Option<bool>, bool, bool) {
    let Some(status) = status else { return (None, false, false) };
    let error = match status {
        "error" | "failed" | "failure" => Some(true),
        "success" | "ok" => Some(false),
        _ => None,
    };
    let pending = matches!(status, "pending" | "queued" | "in_progress" | "running");
    (error, pending, ids::did_not_run(status))
}

/// A result with this content. Its parts are kept as what a tool said.
pub fn answer<'d>(chat: &mut Chat<'d>, content: Option<Value<'d>>) -> Answer<'d> {
    let text = content.map_or(Cow::Borrowed(""), all_text);
    if let (Cow::Owned(_), Some(parts)) = (&text, content) {
        parts.items().filter_map(part_text).for_each(|it| chat.heard(it.into()));
    }
    Answer { text, recorded: content.is_some_and(|it| !it.is_null()), ..Answer::default() }
}

/// The text parts of a content that a person wrote.
pub fn human_text<'d>(content: Value<'d>) -> Cow<'d, str> {
    let words = |part: Value<'d>| match part.kind() {
        Kind::String => part.as_str(),
        _ => match part.get("type").and_then(Value::as_str) {
            Some("text" | "input_text") => part.get("text").and_then(Value::as_str),
            _ => None,
        },
    };
    joined(content, |part| words(part).map(Cow::Borrowed))
}

/// All that a content says: its texts, and the JSON of parts that are none.
pub fn all_text(content: Value<'_>) -> Cow<'_, str> {
    // A content that is a number or a truth value is a result all the same.
    match content.kind() {
        Kind::Number | Kind::Bool => Cow::Borrowed(content.raw()),
        _ => joined(content, |part| part_text(part).map(Cow::Borrowed)),
    }
}

/// The text of a part, or its JSON.
pub fn part_text(part: Value<'_>) -> Option<&str> {
    let text = || part.get("text").or_else(|| part.get("refusal"));
    match part.kind() {
        Kind::String => part.as_str(),
        Kind::Object => Some(text().and_then(Value::as_str).unwrap_or_else(|| part.raw())),
        _ => Some(part.raw()),
    }
}
