//! Pydantic AI: lists of messages as `all_messages_json` writes them.

use std::borrow::Cow;

use lawbook_event::json::Value;
use lawbook_event::{Start, Time};

use super::export::text;
use super::whole::{self, Documents, Found, Take, Told};
use crate::chat::{Chat, Request, Returned};
use crate::content;
use crate::ids;
use crate::measures;

/// The reader.
pub const READER: Documents = Documents {
    name: "pydantic_ai",
    page: include_str!("pydantic_ai.md"),
    fits: |root| whole::first_fits(root, is_session),
    missing: "there are no messages of Pydantic AI here",
    find,
    tell: session,
};

fn find<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    whole::each(root, is_session, out);
}

/// Keys of an object that hold its messages.
const MESSAGE_KEYS: [&str; 3] = ["messages", "all_messages", "message_history"];

fn messages(value: Value<'_>) -> Value<'_> {
    MESSAGE_KEYS.iter().find_map(|key| value.get(key)).unwrap_or(value)
}

fn is_session(value: Value<'_>) -> bool {
    let list = messages(value);
    let first = list.items().next();
    list.is_array() && first.is_some_and(is_message)
}

fn is_message(message: Value<'_>) -> bool {
    matches!(text(message, &["kind"]), Some("request" | "response"))
        && message.get("parts").is_some_and(Value::is_array)
}

fn session<'d>(found: Found<'d>, place: &str) -> Told<'d> {
    let list = messages(found.value);
    let named = |key: &'static str| list.items().find_map(|message| text(message, &[key]));
    let id = named("conversation_id").or_else(|| named("run_id"));
    let first = list.item(0).unwrap_or(list);
    let start = Start {
        id: id.map_or_else(|| Cow::Owned(place.to_owned()), Cow::Borrowed),
        attributes: whole::attributes(first, &["conversation_id", "run_id"]),
        metadata: Cow::Borrowed(
            first.get("metadata").filter(|it| it.is_object()).map_or("", Value::raw),
        ),
        ..Start::default()
    };
    let mut told = Told::new(start, list.len());
    for (at, message) in list.items().enumerate() {
        told.chat.message(at);
        tell(&mut told.chat, at, message);
    }
    told
}

fn tell<'d>(chat: &mut Chat<'d>, at: usize, message: Value<'d>) {
    let before = chat.len();
    let time = content::time(message.get("timestamp"));
    chat.used(measures::used(message.get("usage")));
    let mut calls = 0;
    for part in message.get("parts").into_iter().flat_map(Value::items) {
        let time = content::time(part.get("timestamp")).or(time);
        tell_part(chat, (at, &mut calls), part, time);
    }
    if chat.len() == before {
        chat.other(time);
    }
}

fn tell_part<'d>(
    chat: &mut Chat<'d>,
    (at, calls): (usize, &mut usize),
    part: Value<'d>,
    time: Option<Time>,
) {
    let content = part.get("content");
    match text(part, &["part_kind"]) {
        Some("user-prompt") => chat.user(time, ids::message(at), content::words(content)),
        Some("text") => chat.agent(time, ids::message(at), content::words(content)),
        Some("tool-call" | "builtin-tool-call") => {
            let request = Request {
                step_id: ids::call(at, *calls),
                args: content::args(part.get("args")),
                id: text(part, &["tool_call_id"]).map(Cow::Borrowed),
                tool: Cow::Borrowed(text(part, &["tool_name"]).unwrap_or("")),
                ..Request::default()
            };
            *calls = calls.saturating_add(1);
            chat.call(time, request);
        }
        Some("tool-return" | "builtin-tool-return") => {
            let outcome = text(part, &["outcome"]);
            let error = match outcome {
                Some("success") => Some(false),
                Some("failed" | "error") => Some(true),
                _ => None,
            };
            let stopped = outcome.is_some_and(ids::did_not_run);
            chat.returned(time, returned(part, error, stopped));
        }
        // A prompt to try again that names no tool is the framework's, about the model's words.
        Some("retry-prompt") if text(part, &["tool_name"]).is_some() => {
            // A list says what is wrong with the arguments, which were read before the tool ran.
            let stopped = content.is_some_and(Value::is_array);
            chat.returned(time, returned(part, Some(true), stopped));
        }
        _ => {}
    }
}

fn returned<'d>(part: Value<'d>, error: Option<bool>, stopped: bool) -> Returned<'d> {
    Returned {
        id: text(part, &["tool_call_id"]).map(Cow::Borrowed),
        tool: text(part, &["tool_name"]).map(Cow::Borrowed),
        answer: content::answer(content::text(part.get("content")), error),
        stopped,
    }
}

#[cfg(test)]
mod tests;
