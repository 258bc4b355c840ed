//! Messages and events of a team, and the messages that its agents keep for their models.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lawbook_event::Time;
use lawbook_event::json::Value;

use crate::chat::{Chat, Request, Returned};
use crate::content;
use crate::ids;
use crate::measures;
use crate::readers::export::text;

/// How many messages are looked at.
const LOOK_MAX: usize = 64;
/// Types of messages that AutoGen alone has.
const OWN_TYPES: [&str; 16] = [
    "TextMessage",
    "MultiModalMessage",
    "StopMessage",
    "HandoffMessage",
    "ToolCallRequestEvent",
    "ToolCallExecutionEvent",
    "ToolCallSummaryMessage",
    "ThoughtEvent",
    "MemoryQueryEvent",
    "UserInputRequestedEvent",
    "ModelClientStreamingChunkEvent",
    "SelectSpeakerEvent",
    "SystemMessage",
    "UserMessage",
    "AssistantMessage",
    "FunctionExecutionResultMessage",
];

/// Whether a list is one of AutoGen's messages.
pub fn is_list(list: Value<'_>) -> bool {
    list.is_array() && !list.is_empty() && list.items().take(LOOK_MAX).all(is_message)
}

fn is_message(message: Value<'_>) -> bool {
    let kind = text(message, &["type"]).unwrap_or("");
    let sourced = message.get("source").is_some() || kind == "FunctionExecutionResultMessage";
    let structured = kind.starts_with("StructuredMessage");
    message.get("role").is_none()
        && (OWN_TYPES.contains(&kind) || structured)
        && (sourced || kind == "SystemMessage")
}

/// Tells a list of messages.
pub fn tell<'d>(chat: &mut Chat<'d>, list: Value<'d>) {
    let people = people(list);
    let mut seen = BTreeSet::new();
    for (at, message) in list.items().enumerate() {
        chat.message(at);
        let before = chat.len();
        // A message that was kept twice counts once.
        if text(message, &["id"]).is_none_or(|id| id.is_empty() || seen.insert(id)) {
            chat.used(measures::used(message.get("models_usage")));
            one(chat, at, message, &people);
        }
        if chat.len() == before {
            chat.other(content::time(message.get("created_at")));
        }
    }
}

/// Who speaks for a person: the user, and every agent that asked for a person's words.
fn people<'d>(list: Value<'d>) -> BTreeSet<&'d str> {
    let asks = |it: &Value<'d>| text(*it, &["type"]) == Some("UserInputRequestedEvent");
    let asked = list.items().filter(asks).filter_map(|it| text(it, &["source"]));
    asked.chain(["user"]).collect()
}

fn one<'d>(chat: &mut Chat<'d>, at: usize, message: Value<'d>, people: &BTreeSet<&str>) {
    let time = content::time(message.get("created_at"));
    let content = message.get("content");
    let person = text(message, &["source"]).is_some_and(|it| people.contains(it));
    match text(message, &["type"]).unwrap_or("") {
        "TextMessage" | "MultiModalMessage" | "UserMessage" if person => {
            chat.user(time, ids::message(at), content::words(content));
        }
        // What an agent's model receives as the user's may be another agent's words.
        "UserMessage" => {}
        "TextMessage" | "MultiModalMessage" | "StopMessage" | "ToolCallSummaryMessage" => {
            chat.agent(time, ids::message(at), content::words(content));
        }
        "HandoffMessage" if text(message, &["target"]).is_some_and(|it| people.contains(it)) => {
            chat.agent(time, ids::message(at), content::words(content));
        }
        "ToolCallRequestEvent" => calls(chat, at, content, time),
        "AssistantMessage" => match content.filter(|it| it.is_array()) {
            Some(_) => calls(chat, at, content, time),
            None => chat.agent(time, ids::message(at), content::words(content)),
        },
        "ToolCallExecutionEvent" | "FunctionExecutionResultMessage" => results(chat, content, time),
        kind if kind.starts_with("StructuredMessage") => {
            let said = content::text(content).unwrap_or_default();
            chat.agent(time, ids::message(at), said);
        }
        _ => {}
    }
}

fn calls<'d>(chat: &mut Chat<'d>, at: usize, list: Option<Value<'d>>, time: Option<Time>) {
    for (nth, call) in list.into_iter().flat_map(Value::items).enumerate() {
        let request = Request {
            step_id: ids::call(at, nth),
            id: text(call, &["id"]).map(Cow::Borrowed),
            tool: Cow::Borrowed(text(call, &["name"]).unwrap_or("")),
            args: content::args(call.get("arguments")),
            ..Request::default()
        };
        chat.call(time, request);
    }
}

fn results<'d>(chat: &mut Chat<'d>, list: Option<Value<'d>>, time: Option<Time>) {
    for result in list.into_iter().flat_map(Value::items) {
        let error = result.get("is_error").and_then(Value::as_bool);
        let returned = Returned {
            id: text(result, &["call_id"]).map(Cow::Borrowed),
            tool: text(result, &["name"]).map(Cow::Borrowed),
            answer: content::answer(content::text(result.get("content")), error),
            stopped: false,
        };
        chat.returned(time, returned);
    }
}
