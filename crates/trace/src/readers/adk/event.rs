//! The events of a session. Answers of tools come under the agent's name and the user's role.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_event::json::Value;
use lawbook_event::{Answer, Time};

use crate::chat::{Chat, Request, Returned};
use crate::content;
use crate::ids;
use crate::measures;
use crate::readers::export::{get, text};

/// How many events are looked at.
const LOOK_MAX: usize = 64;
/// Calls that the kit makes up to ask a person something; no tool of the agent runs.
const OWN_CALLS: [&str; 2] = ["adk_request_confirmation", "adk_request_credential"];
/// What the kit answers in place of a tool that needs a person's word, and of one that got a no.
const NEEDS_WORD: &str = "This tool call requires confirmation, please approve or reject.";
const REJECTED: &str = "This tool call is rejected.";

/// Whether a list is one of events.
pub fn is_list(list: Value<'_>) -> bool {
    let event = |it: Value<'_>| {
        it.get("author").is_some() && get(it, &["invocationId", "invocation_id"]).is_some()
    };
    list.is_array() && !list.is_empty() && list.items().take(LOOK_MAX).all(event)
}

/// The error that a model's last answer was.
pub fn error(events: Value<'_>) -> Option<&str> {
    events.items().last().and_then(|it| text(it, &["errorCode", "error_code"]))
}

/// Tells the events of a session.
pub fn tell<'d>(chat: &mut Chat<'d>, events: Value<'d>) {
    let skipped = skipped(events);
    let last = last_answers(events, &skipped);
    for (at, event) in events.items().enumerate() {
        chat.message(at);
        let before = chat.len();
        if !skipped.contains(&at) {
            chat.used(measures::used(get(event, &["usageMetadata", "usage_metadata"])));
            one(chat, at, event, &last);
        }
        if chat.len() == before {
            chat.other(content::time(event.get("timestamp")));
        }
    }
}

/// The events that count for nothing: a stored one that stands there already, and a partial one,
/// whose text comes whole later.
fn skipped(events: Value<'_>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut skipped = BTreeSet::new();
    for (at, event) in events.items().enumerate() {
        let partial = event.get("partial").and_then(Value::as_bool) == Some(true);
        let id = text(event, &["id"]).filter(|it| !it.is_empty());
        if partial || id.is_some_and(|id| !seen.insert(id)) {
            skipped.insert(at);
        }
    }
    skipped
}

/// The event with the last answer to each id. A tool that needs a person or takes long is answered
/// more than once, and only the last answer is its result. An id that several calls have says
/// nothing of that.
fn last_answers<'d>(events: Value<'d>, skipped: &BTreeSet<usize>) -> BTreeMap<&'d str, usize> {
    let (mut last, mut calls) = (BTreeMap::new(), BTreeMap::<&str, usize>::new());
    for (at, event) in events.items().enumerate().filter(|(at, _)| !skipped.contains(at)) {
        for part in parts(event) {
            if let Some(id) = call(part).and_then(|it| text(it, &["id"])) {
                let seen = calls.entry(id).or_default();
                *seen = seen.saturating_add(1);
            }
            if let Some(id) = response(part).and_then(|it| text(it, &["id"])) {
                last.insert(id, at);
            }
        }
    }
    last.retain(|id, _| calls.get(id).is_some_and(|it| *it == 1));
    last
}

fn parts<'d>(event: Value<'d>) -> impl Iterator<Item = Value<'d>> {
    event.get("content").and_then(|it| it.get("parts")).into_iter().flat_map(Value::items)
}

fn call<'d>(part: Value<'d>) -> Option<Value<'d>> {
    get(part, &["functionCall", "function_call"]).filter(|it| it.is_object())
}

fn response<'d>(part: Value<'d>) -> Option<Value<'d>> {
    get(part, &["functionResponse", "function_response"]).filter(|it| it.is_object())
}

fn one<'d>(chat: &mut Chat<'d>, at: usize, event: Value<'d>, last: &BTreeMap<&str, usize>) {
    let time = content::time(event.get("timestamp"));
    for answer in parts(event).filter_map(response) {
        let later = text(answer, &["id"]).and_then(|id| last.get(id)).is_some_and(|it| *it > at);
        if !later && !own(answer) {
            chat.returned(time, returned(answer));
        }
    }
    let words = content::lines(
        parts(event).filter_map(words).filter(|it| !it.is_empty()).map(Cow::Borrowed),
    );
    if text(event, &["author"]) == Some("user") {
        chat.user(time, ids::message(at), words);
    } else {
        chat.agent(time, ids::message(at), words);
    }
    let calls = parts(event).filter_map(call).filter(|it| !own(*it));
    for (nth, call) in calls.enumerate() {
        requested(chat, (at, nth), call, time);
    }
}

/// Tells an event that stands between a question and its answer and says nothing of times.
pub fn inner<'d>(chat: &mut Chat<'d>, at: usize, event: Value<'d>) {
    one(chat, at, event, &BTreeMap::new());
}

/// Words, and not a thought.
fn words<'d>(part: Value<'d>) -> Option<&'d str> {
    let thought = part.get("thought").and_then(Value::as_bool) == Some(true);
    part.get("text").and_then(Value::as_str).filter(|_| !thought)
}

fn own(named: Value<'_>) -> bool {
    text(named, &["name"]).is_some_and(|name| OWN_CALLS.contains(&name))
}

/// Adds a call.
pub fn requested<'d>(
    chat: &mut Chat<'d>,
    (at, nth): (usize, usize),
    call: Value<'d>,
    time: Option<Time>,
) {
    let request = Request {
        step_id: ids::call(at, nth),
        id: text(call, &["id"]).map(Cow::Borrowed),
        tool: Cow::Borrowed(text(call, &["name"]).unwrap_or("")),
        args: content::args(call.get("args")),
        ..Request::default()
    };
    chat.call(time, request);
}

/// The answer to a call. What is no object is wrapped in one by the kit.
pub fn returned<'d>(answer: Value<'d>) -> Returned<'d> {
    let response = answer.get("response");
    let alone = response.filter(|it| it.len() == 1);
    let error = alone.and_then(|it| text(it, &["error"]));
    let said = content::text(alone.and_then(|it| it.get("result")).or(response));
    let waits = error == Some(NEEDS_WORD);
    let answered = content::answer(said, None);
    Returned {
        id: text(answer, &["id"]).map(Cow::Borrowed),
        tool: text(answer, &["name"]).map(Cow::Borrowed),
        answer: Answer { pending: waits, ..answered },
        stopped: waits || error == Some(REJECTED),
    }
}
