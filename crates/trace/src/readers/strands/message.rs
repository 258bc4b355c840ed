//! A message of Converse: blocks that are told apart by their key.

use std::borrow::Cow;

use lawbook_event::Time;
use lawbook_event::json::Value;

use crate::chat::{Chat, Request, Returned};
use crate::content;
use crate::ids;
use crate::measures;
use crate::readers::export::text;

/// How many messages and blocks are looked at.
const LOOK_MAX: usize = 64;
/// The keys of blocks; no other system's blocks have them and no type.
const BLOCK_KEYS: [&str; 11] = [
    "text",
    "toolUse",
    "toolResult",
    "reasoningContent",
    "image",
    "document",
    "video",
    "audio",
    "cachePoint",
    "guardContent",
    "citationsContent",
];
/// What Strands answers to a call that a hook or a person has stopped.
const CANCELLED: [&str; 2] = ["tool cancelled by user", "tool call cancelled by user"];

/// Whether a list is one of Converse's messages.
pub fn is_list(list: Value<'_>) -> bool {
    !list.is_empty() && list.is_array() && list.items().take(LOOK_MAX).all(is_message)
}

/// Whether a message is one of Converse's.
pub fn is_message(message: Value<'_>) -> bool {
    let speaks = matches!(text(message, &["role"]), Some("user" | "assistant" | "system"));
    let content = message.get("content").filter(|it| it.is_array());
    let foreign = message.get("tool_calls").is_some() || message.get("type").is_some();
    speaks && !foreign && content.is_some_and(|it| it.items().take(LOOK_MAX).all(is_block))
}

fn is_block(block: Value<'_>) -> bool {
    block.is_object()
        && block.get("type").is_none()
        && BLOCK_KEYS.iter().any(|key| block.get(key).is_some())
}

/// Tells one message, which stands at `at` of its list.
pub fn tell<'d>(chat: &mut Chat<'d>, at: usize, message: Value<'d>, time: Option<Time>) {
    chat.message(at);
    let before = chat.len();
    let usage = message.get("metadata").and_then(|it| it.get("usage"));
    chat.used(measures::used(usage));
    let content = message.get("content");
    let blocks = || content.into_iter().flat_map(Value::items);
    // Results stand in messages of the user, before what the user says.
    for result in blocks().filter_map(|it| it.get("toolResult")) {
        chat.returned(time, returned(result));
    }
    match text(message, &["role"]) {
        Some("user") => chat.user(time, ids::message(at), content::words(content)),
        Some("assistant") => chat.agent(time, ids::message(at), content::words(content)),
        _ => {}
    }
    for (nth, call) in blocks().filter_map(|it| it.get("toolUse")).enumerate() {
        let request = Request {
            step_id: ids::call(at, nth),
            id: text(call, &["toolUseId"]).map(Cow::Borrowed),
            tool: Cow::Borrowed(text(call, &["name"]).unwrap_or("")),
            args: content::args(call.get("input")),
            ..Request::default()
        };
        chat.call(time, request);
    }
    if chat.len() == before {
        chat.other(time);
    }
}

fn returned<'d>(result: Value<'d>) -> Returned<'d> {
    let error = match text(result, &["status"]) {
        Some("error") => Some(true),
        Some("success") => Some(false),
        _ => None,
    };
    let said = said(result.get("content"));
    let stopped = said.as_deref().is_some_and(|it| CANCELLED.contains(&it.trim()));
    Returned {
        id: text(result, &["toolUseId"]).map(Cow::Borrowed),
        tool: None,
        answer: content::answer(said, error),
        stopped,
    }
}

/// What a tool returned: its texts, or the JSON of its only block.
fn said<'d>(content: Option<Value<'d>>) -> Option<Cow<'d, str>> {
    let alone = content.filter(|it| it.len() == 1).and_then(|it| it.item(0));
    if let Some(json) = alone.and_then(|it| it.get("json")) {
        return Some(Cow::Borrowed(json.raw()));
    }
    match alone.and_then(|it| it.get("text")).and_then(Value::as_str) {
        Some(text) if !lawbook_event::is_hidden(text) => Some(Cow::Borrowed(text)),
        Some(_) => None,
        None => content::text(content),
    }
}
