//! Logs of steps: what an agent did, each with its input and output in one entry.

use std::borrow::Cow;

use lawbook_event::json::{Kind, Value};

use super::content::{answer, by_status, request};
use super::teller::Teller;
use crate::chat::Request;
use crate::content::args;
use crate::parse_time;

/// Types of entries that ask for no tool.
const NO_CALLS: [&str; 16] = [
    "retrieval",
    "llm",
    "guardrail",
    "note",
    "message",
    "user",
    "assistant",
    "system",
    "thought",
    "thinking",
    "reasoning",
    "generation",
    "chain",
    "agent",
    "span",
    "output",
];

/// How many entries are looked at.
const LOOK_MAX: usize = 64;

/// Whether a list is a log of steps: an entry near its start names a tool or the kind of a step.
pub fn is_log(list: Value<'_>) -> bool {
    let is_step = |step: Value<'_>| {
        let text = |key: &str| step.get(key).is_some_and(|it| it.as_str().is_some());
        step.get("role").is_none() && (text("name") || text("type") || text("tool"))
    };
    list.items().take(LOOK_MAX).any(is_step)
}

/// Tells one entry, which stands at `nth` of its log.
pub fn tell<'d>(teller: &mut Teller<'d>, nth: usize, entry: Value<'d>) {
    let number = teller.next().saturating_add(nth);
    teller.chat.message(number);
    let get = |keys: &[&str]| keys.iter().find_map(|key| entry.get(key).filter(|it| !it.is_null()));
    let text = |keys: &[&str]| get(keys).and_then(Value::as_str);
    let time = |keys: &[&str]| {
        get(keys).and_then(|it| it.as_str().or_else(|| it.number_text())).and_then(parse_time)
    };
    let started = time(&["time", "start_time", "startTime", "timestamp"]);
    let kind = text(&["type"]);
    if !entry.is_object() || kind.is_some_and(|it| NO_CALLS.contains(&it)) {
        return teller.chat.other(started);
    }
    let tool = text(&["name", "tool"]).or(kind.filter(|it| *it != "tool")).unwrap_or("");
    let given = get(&["input", "arguments", "args"]);
    let asked = request(text(&["id", "call_id"]), tool, args(given));
    let status = text(&["status"]);
    let (by_status, pending, stopped) = by_status(status);
    let is_done = matches!(status, Some("completed" | "done" | "succeeded"));
    let by_status = by_status.or(is_done.then_some(false));
    let step_id = Cow::Owned(format!("s{nth}"));
    teller.chat.call(started, Request { step_id, stopped, ..asked });
    let output = get(&["output", "result"]);
    let error = get(&["error"]).filter(|it| it.as_bool() != Some(false));
    let is_error = error.is_some_and(|it| it.kind() != Kind::String || it.as_str() != Some(""));
    if output.is_none() && !is_error && by_status.is_none() && !pending {
        return;
    }
    let mut answer = answer(&mut teller.chat, output.or(error));
    answer.recorded = answer.recorded || by_status.is_some();
    answer.error = is_error.then_some(true).or(by_status);
    answer.pending = pending;
    teller.chat.returned_now(time(&["endTime", "end_time"]).or(started), answer, stopped);
}
