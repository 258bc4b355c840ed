//! AgentDojo: the run of one task, as its logger writes it.

use std::borrow::Cow;

use lawbook_event::Start;
use lawbook_event::json::Value;

use super::export::text;
use super::whole::{self, Documents, Found, Take, Told};
use crate::chat::{Chat, Request, Returned};
use crate::content;
use crate::ids;
use crate::measures;

/// The reader.
pub const READER: Documents = Documents {
    name: "agentdojo",
    page: include_str!("agentdojo.md"),
    fits: |root| whole::first_fits(root, is_run),
    missing: "there is no AgentDojo run here",
    find,
    tell: session,
};

fn find<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    whole::each(root, is_run, out);
}

fn is_run(run: Value<'_>) -> bool {
    let named = run.get("suite_name").is_some() || run.get("pipeline_name").is_some();
    named && run.get("user_task_id").is_some() && run.get("messages").is_some_and(Value::is_array)
}

/// What names a run, in the order of the folders that its logger makes.
const NAMING_KEYS: [&str; 5] =
    ["pipeline_name", "suite_name", "user_task_id", "attack_type", "injection_task_id"];
/// What its owner learned of it.
const SCORE_KEYS: [&str; 4] = ["utility", "security", "duration", "benchmark_version"];

fn session<'d>(found: Found<'d>, _place: &str) -> Told<'d> {
    let run = found.value;
    let names: Vec<&str> =
        NAMING_KEYS.iter().map(|key| text(run, &[key]).unwrap_or("none")).collect();
    let start = Start {
        id: Cow::Owned(names.join("/")),
        attributes: whole::attributes(run, &NAMING_KEYS),
        metadata: whole::attributes(run, &SCORE_KEYS),
        ..Start::default()
    };
    let messages = run.get("messages");
    let mut told = Told::new(start, messages.map_or(0, Value::len));
    for (at, message) in messages.into_iter().flat_map(Value::items).enumerate() {
        told.chat.message(at);
        tell(&mut told.chat, at, message);
    }
    told.end.usage.latency_ms = measures::number(run.get("duration")).map(|secs| secs * 1e3);
    if let Some(error) = text(run, &["error"]) {
        told.end.termination = Cow::Borrowed(error);
    }
    told
}

fn tell<'d>(chat: &mut Chat<'d>, at: usize, message: Value<'d>) {
    let before = chat.len();
    let content = message.get("content");
    match text(message, &["role"]) {
        Some("user") => chat.user(None, ids::message(at), content::words(content)),
        Some("assistant") => {
            chat.agent(None, ids::message(at), content::words(content));
            let calls = message.get("tool_calls").into_iter().flat_map(Value::items);
            for (nth, call) in calls.enumerate() {
                chat.call(None, request(call, at, nth));
            }
        }
        Some("tool") => chat.returned(None, returned(message)),
        _ => {}
    }
    if chat.len() == before {
        chat.other(None);
    }
}

fn request<'d>(call: Value<'d>, at: usize, nth: usize) -> Request<'d> {
    Request {
        step_id: ids::call(at, nth),
        id: text(call, &["id"]).map(Cow::Borrowed),
        tool: Cow::Borrowed(text(call, &["function"]).unwrap_or("")),
        args: content::args(call.get("args")),
        ..Request::default()
    }
}

/// A result. Runs that no model made have no ids, so the call that it repeats names the tool.
fn returned<'d>(message: Value<'d>) -> Returned<'d> {
    let call = message.get("tool_call").filter(|it| it.is_object());
    let id = text(message, &["tool_call_id"]).or_else(|| call.and_then(|it| text(it, &["id"])));
    let error = text(message, &["error"]).filter(|it| !it.is_empty());
    let said = content::text(message.get("content")).filter(|it| error.is_none() || !it.is_empty());
    let failed = message.get("error").map(|_| error.is_some());
    Returned {
        id: id.map(Cow::Borrowed),
        tool: call.and_then(|it| text(it, &["function"])).map(Cow::Borrowed),
        answer: content::answer(said.or(error.map(Cow::Borrowed)), failed),
        stopped: false,
    }
}

#[cfg(test)]
mod tests;
