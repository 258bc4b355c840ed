//! Messages as a user interface keeps them: `UIMessage`, whose parts hold a call and its result.

use std::borrow::Cow;

use lawbook_event::json::Value;
use lawbook_event::{Answer, ArgsState};

use super::output;
use crate::chat::{Chat, Request};
use crate::content;
use crate::ids;
use crate::readers::export::text;

/// Whether a message is one of a user interface.
pub fn is_message(message: Value<'_>) -> bool {
    let speaks = matches!(text(message, &["role"]), Some("user" | "assistant" | "system" | "data"));
    speaks
        && match message.get("parts").filter(|it| it.is_array()) {
            Some(parts) => parts.items().take(super::LOOK_MAX).all(is_part),
            None => message.get("content").is_none_or(|it| it.as_str().is_some()),
        }
}

/// Whether a message is one of a user interface and of nothing else.
pub fn is_marked(message: Value<'_>) -> bool {
    let list = |key: &str| message.get(key).is_some_and(|it| it.is_array() && !it.is_empty());
    list("parts") || list("toolInvocations")
}

fn is_part(part: Value<'_>) -> bool {
    match text(part, &["type"]) {
        Some("text" | "reasoning") => part.get("text").is_some() || part.get("reasoning").is_some(),
        Some("step-start" | "file" | "source" | "source-url" | "source-document") => true,
        Some("tool-invocation") => part.get("toolInvocation").is_some(),
        Some("dynamic-tool") => part.get("toolCallId").is_some(),
        Some(kind) if kind.starts_with("tool-") => {
            part.get("toolCallId").is_some() && part.get("state").is_some()
        }
        Some(kind) => kind.starts_with("data-"),
        None => false,
    }
}

/// Tells a list of messages. A message of the agent holds all its steps; the calls between two
/// starts of a step are a batch.
pub fn tell<'d>(chat: &mut Chat<'d>, list: Value<'d>) {
    let mut step = 0;
    for (at, message) in list.items().enumerate() {
        chat.message(step);
        let before = chat.len();
        let time = content::time(message.get("createdAt"));
        let agent = text(message, &["role"]) == Some("assistant");
        if text(message, &["role"]) == Some("user") {
            let parts = message.get("parts").or_else(|| message.get("content"));
            chat.user(time, ids::message(at), content::words(parts));
        }
        if agent && message.get("parts").is_none() {
            chat.agent(time, ids::message(at), content::words(message.get("content")));
        }
        let mut calls = 0;
        for part in parts(message).filter(|_| agent) {
            match text(part, &["type"]) {
                Some("step-start") => {
                    step = step.saturating_add(1);
                    chat.message(step);
                }
                Some("text") => {
                    let words = Cow::Borrowed(text(part, &["text"]).unwrap_or(""));
                    chat.agent(time, ids::message(at), words);
                }
                _ => {
                    if let Some(tool) = tool(part) {
                        let request = request(tool, ids::call(at, calls));
                        calls = calls.saturating_add(1);
                        chat.call(time, request);
                        if let Some(answer) = answer(tool.1) {
                            chat.returned_now(time, answer, false);
                        }
                    }
                }
            }
        }
        if chat.len() == before {
            chat.other(time);
        }
        step = step.saturating_add(1);
    }
}

/// The parts of a message; version 4 keeps text and calls apart.
fn parts<'d>(message: Value<'d>) -> impl Iterator<Item = Value<'d>> {
    let parts = message.get("parts").filter(|it| it.is_array());
    let calls = message.get("toolInvocations").filter(|_| parts.is_none());
    parts.into_iter().chain(calls).flat_map(Value::items)
}

/// The tool of a part and the object that holds the call.
fn tool<'d>(part: Value<'d>) -> Option<(&'d str, Value<'d>)> {
    let inner = part.get("toolInvocation").unwrap_or(part);
    let kind = text(part, &["type"]).unwrap_or("");
    let named = text(inner, &["toolName"]);
    match kind.strip_prefix("tool-").filter(|it| *it != "invocation") {
        Some(name) if inner.get("toolCallId").is_some() => Some((name, inner)),
        _ => named.map(|name| (name, inner)),
    }
}

fn request<'d>((name, call): (&'d str, Value<'d>), step_id: Cow<'d, str>) -> Request<'d> {
    let mut request = output::request(call, step_id);
    request.tool = Cow::Borrowed(name);
    match text(call, &["state"]).unwrap_or("") {
        // The model was still writing.
        "input-streaming" | "partial-call" => request.args.state = ArgsState::Cut,
        "output-denied" | "approval-requested" => request.stopped = true,
        "approval-responded" => {
            let approval = call.get("approval").and_then(|it| it.get("approved"));
            request.stopped = approval.and_then(Value::as_bool) == Some(false);
        }
        _ => {}
    }
    request
}

fn answer<'d>(call: Value<'d>) -> Option<Answer<'d>> {
    match text(call, &["state"]).unwrap_or("") {
        "output-available" => {
            let pending = call.get("preliminary").and_then(Value::as_bool) == Some(true);
            let answer = content::answer(content::text(call.get("output")), Some(false));
            Some(Answer { pending, ..answer })
        }
        "result" => Some(content::answer(content::text(call.get("result")), None)),
        "output-error" => Some(output::failed(call.get("errorText"))),
        _ => None,
    }
}
