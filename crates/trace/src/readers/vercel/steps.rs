//! The steps of a generation: what each model call asked for, and what came of it.

use std::borrow::Cow;

use lawbook_event::json::Value;

use super::output;
use crate::chat::{Chat, Returned};
use crate::content;
use crate::ids;
use crate::measures;
use crate::readers::export::text;

/// Whether an object is a step.
pub fn is_step(step: Value<'_>) -> bool {
    let content = step.get("content").is_some_and(Value::is_array);
    let older = step.get("toolCalls").is_some_and(Value::is_array);
    step.get("role").is_none() && step.get("finishReason").is_some() && (content || older)
}

/// Whether a step is one of the AI SDK's and no other's.
pub fn is_marked(step: Value<'_>) -> bool {
    let response = step.get("response").and_then(|it| it.get("messages"));
    let parts = ["content", "toolCalls"].into_iter().filter_map(|key| step.get(key));
    response.is_some()
        || parts
            .flat_map(Value::items)
            .take(super::LOOK_MAX)
            .any(|it| it.get("toolCallId").is_some())
}

/// Tells the steps of a generation; `around` may hold what the user said.
pub fn tell<'d>(chat: &mut Chat<'d>, around: Value<'d>, list: Value<'d>) {
    if let Some(prompt) = text(around, &["prompt"]) {
        chat.user(None, ids::message(0), Cow::Borrowed(prompt));
    }
    for (at, step) in list.items().enumerate() {
        chat.message(at);
        let before = chat.len();
        chat.used(measures::used(step.get("usage")));
        match step.get("content") {
            Some(content) => tell_content(chat, at, content),
            None => tell_older(chat, at, step),
        }
        if chat.len() == before {
            chat.other(None);
        }
    }
}

fn tell_content<'d>(chat: &mut Chat<'d>, at: usize, content: Value<'d>) {
    let mut calls = 0;
    for part in content.items() {
        match text(part, &["type"]) {
            Some("text") => {
                let words = Cow::Borrowed(text(part, &["text"]).unwrap_or(""));
                chat.agent(None, ids::message(at), words);
            }
            Some("tool-call") => {
                chat.call(None, output::request(part, ids::call(at, calls)));
                calls = calls.saturating_add(1);
            }
            Some("tool-result") => {
                let mut returned = output::returned(part);
                // A tool that failed has a part of another type.
                returned.answer.error = returned.answer.error.or(Some(false));
                chat.returned(None, returned);
            }
            Some("tool-error") => {
                let named = output::returned(part);
                let answer = output::failed(part.get("error"));
                chat.returned(None, Returned { answer, ..named });
            }
            _ => {}
        }
    }
}

/// Version 4 keeps text, calls and results apart.
fn tell_older<'d>(chat: &mut Chat<'d>, at: usize, step: Value<'d>) {
    let words = content::words(step.get("text"));
    chat.agent(None, ids::message(at), words);
    for (nth, call) in step.get("toolCalls").into_iter().flat_map(Value::items).enumerate() {
        chat.call(None, output::request(call, ids::call(at, nth)));
    }
    for result in step.get("toolResults").into_iter().flat_map(Value::items) {
        chat.returned(None, output::returned(result));
    }
}
