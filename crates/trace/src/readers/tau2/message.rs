//! The messages of a simulation, of which some are the user's own calls.

use std::borrow::Cow;

use lawbook_event::Time;
use lawbook_event::json::Value;

use crate::chat::{Chat, Request, Returned};
use crate::content;
use crate::ids;
use crate::measures;
use crate::readers::export::{id, text};

/// What the simulated user writes to end or to leave the talk, which is no part of its words.
const TOKENS: [&str; 3] = ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"];

/// Tells one message, which stands at `at` of its list.
pub fn tell<'d>(chat: &mut Chat<'d>, at: usize, message: Value<'d>) {
    let before = chat.len();
    let time = content::time(message.get("timestamp"));
    match text(message, &["role"]) {
        Some("user") => chat.user(time, ids::message(at), spoken(message)),
        Some("assistant") => {
            chat.used(measures::used(message.get("usage")));
            chat.agent(time, ids::message(at), content::words(message.get("content")));
            calls(chat, at, message.get("tool_calls"), time);
        }
        Some("tool") => result(chat, message),
        _ => {}
    }
    if chat.len() == before {
        chat.other(time);
    }
}

/// The calls of a list that the agent makes; those of the user's own device are not the agent's.
pub fn calls<'d>(chat: &mut Chat<'d>, at: usize, list: Option<Value<'d>>, time: Option<Time>) {
    for (nth, call) in list.into_iter().flat_map(Value::items).enumerate() {
        self::call(chat, ids::call(at, nth), call, time);
    }
}

/// One call, unless it is the user's own.
pub fn call<'d>(chat: &mut Chat<'d>, step_id: Cow<'d, str>, call: Value<'d>, time: Option<Time>) {
    if !call.is_object() || of_user(call) {
        return;
    }
    let request = Request {
        step_id,
        id: id(call, &["id"]).map(Cow::Borrowed),
        tool: Cow::Borrowed(text(call, &["name"]).unwrap_or("")),
        args: content::args(call.get("arguments")),
        ..Request::default()
    };
    chat.call(content::time(call.get("timestamp")).or(time), request);
}

/// A tool's message, or one that holds several.
pub fn result<'d>(chat: &mut Chat<'d>, message: Value<'d>) {
    let several = message.get("tool_messages").filter(|it| it.is_array());
    let alone = several.is_none().then_some(message);
    for one in alone.into_iter().chain(several.into_iter().flat_map(Value::items)) {
        if of_user(one) {
            continue;
        }
        let error = one.get("error").and_then(Value::as_bool);
        let returned = Returned {
            id: id(one, &["id", "tool_call_id"]).map(Cow::Borrowed),
            tool: text(one, &["name"]).map(Cow::Borrowed),
            answer: content::answer(content::text(one.get("content")), error),
            stopped: false,
        };
        chat.returned(content::time(one.get("timestamp")), returned);
    }
}

fn of_user(value: Value<'_>) -> bool {
    text(value, &["requestor"]) == Some("user")
}

/// The words of the user without the tokens of the simulation.
pub fn spoken<'d>(message: Value<'d>) -> Cow<'d, str> {
    let words = content::words(message.get("content"));
    if TOKENS.iter().all(|token| !words.contains(token)) {
        return words;
    }
    let mut left = words.into_owned();
    for token in TOKENS {
        left = left.replace(token, "");
    }
    Cow::Owned(left.trim().to_owned())
}
