//! mini-swe-agent: messages in which an action is a block of code, or a call of its only tool.

use std::borrow::Cow;

use lawbook_event::json::Value;
use lawbook_event::{Start, Usage};

use super::{action, trajectory};
use crate::chat::{Chat, Request, Returned};
use crate::content;
use crate::ids;
use crate::measures;
use crate::readers::export::{id, text};
use crate::readers::whole::Told;

/// How many messages are looked at.
const LOOK_MAX: usize = 64;
/// The only tool of the agent.
const TOOL: &str = "bash";

/// Whether a value is a saved run, or the list of its messages.
pub fn is_trajectory(value: Value<'_>) -> bool {
    let named = text(value, &["trajectory_format"]);
    if named.is_some_and(|it| it.starts_with("mini-swe-agent")) {
        return value.get("messages").is_some_and(Value::is_array);
    }
    let marked = |message: Value<'_>| {
        let words = text(message, &["content"]);
        text(message, &["role"]) == Some("assistant") && words.is_some_and(action::is_marked)
    };
    let spoken = |message: Value<'_>| message.get("role").is_some();
    let list = value.get("messages").unwrap_or(value);
    list.is_array()
        && list.items().take(LOOK_MAX).all(spoken)
        && list.items().take(LOOK_MAX).any(marked)
}

/// Tells a run.
pub fn session<'d>(value: Value<'d>, place: &str) -> Told<'d> {
    let info = value.get("info");
    let own = id(value, &["instance_id", "id"]).or_else(|| id(info?, &["instance_id"]));
    let own = own.map(Cow::Borrowed);
    let start =
        Start { id: own.unwrap_or_else(|| Cow::Owned(place.to_owned())), ..Start::default() };
    let list = value.get("messages").unwrap_or(value);
    let mut told = Told::new(start, list.len());
    tell(&mut told.chat, list);
    told.end.usage = trajectory::usage(info);
    if let Some(status) = info.and_then(|it| text(it, &["exit_status"])) {
        told.end.termination = Cow::Borrowed(status);
    }
    told
}

/// Tells the messages. A message of the user after an action is what the action printed, and one
/// after the agent has spoken without an action is the framework's.
fn tell<'d>(chat: &mut Chat<'d>, list: Value<'d>) {
    let (mut spoken, mut waits) = (false, 0_usize);
    for (at, message) in list.items().enumerate() {
        chat.message(at);
        let before = chat.len();
        let time = content::time(message.get("extra").and_then(|it| it.get("timestamp")));
        match text(message, &["role"]) {
            Some("assistant") => {
                spoken = true;
                chat.used(usage(message));
                chat.agent(time, ids::message(at), content::words(message.get("content")));
                let requests = requests(message, at);
                waits = requests.len();
                for request in requests {
                    chat.call(time, request);
                }
            }
            Some("user" | "tool") if waits > 0 => {
                waits = waits.saturating_sub(1);
                chat.returned(time, returned(message));
            }
            Some("user") if !spoken => {
                chat.user(time, ids::message(at), content::words(message.get("content")));
            }
            _ => {}
        }
        if chat.len() == before {
            chat.other(time);
        }
    }
}

/// What a message cost, and the tokens of the response that is kept with it.
fn usage(message: Value<'_>) -> Usage {
    let extra = message.get("extra");
    let response = extra.and_then(|it| it.get("response"));
    let cost_usd = measures::number(extra.and_then(|it| it.get("cost")));
    Usage { cost_usd, ..measures::used(response.and_then(|it| it.get("usage"))) }
}

/// The actions of a message: those that the agent kept with it, its calls, or its block of code.
fn requests<'d>(message: Value<'d>, at: usize) -> Vec<Request<'d>> {
    let kept = message.get("extra").and_then(|it| it.get("actions")).filter(|it| it.is_array());
    if let Some(kept) = kept {
        let lines = kept.items().filter_map(|it| Some((it, text(it, &["command", "action"])?)));
        let ran = lines.enumerate().map(|(nth, (action, line))| Request {
            id: text(action, &["tool_call_id"]).map(Cow::Borrowed),
            ..bash(line, at, nth)
        });
        return ran.collect();
    }
    let calls = message.get("tool_calls").into_iter().flat_map(Value::items);
    let calls = calls.filter(|it| it.is_object()).enumerate();
    let asked: Vec<_> =
        calls.map(|(nth, call)| trajectory::request(call, ids::call(at, nth))).collect();
    if !asked.is_empty() {
        return asked;
    }
    let words = message.get("content").and_then(Value::as_str);
    words.and_then(action::only).map(|line| bash(line, at, 0)).into_iter().collect()
}

fn bash<'d>(line: &str, at: usize, nth: usize) -> Request<'d> {
    Request {
        step_id: ids::call(at, nth),
        tool: Cow::Borrowed(TOOL),
        args: content::command(line),
        ..Request::default()
    }
}

/// What an action printed. Newer versions keep the exit code beside it, older ones in the text.
fn returned<'d>(message: Value<'d>) -> Returned<'d> {
    let extra = message.get("extra");
    let content = content::text(message.get("content"));
    let kept = extra.and_then(|it| it.get("returncode")).and_then(Value::number_text);
    let code = kept.or_else(|| code(message.get("content")?.as_str()?));
    let failed = extra.and_then(|it| text(it, &["exception_info"])).filter(|it| !it.is_empty());
    let error = failed.map(|_| true).or(code.map(|code| code != "0"));
    Returned {
        id: text(message, &["tool_call_id"]).map(Cow::Borrowed),
        tool: None,
        answer: content::answer(content, error),
        stopped: failed == Some("action was not executed"),
    }
}

fn code(content: &str) -> Option<&str> {
    let (code, _) =
        content.trim_start().strip_prefix("<returncode>")?.split_once("</returncode>")?;
    Some(code.trim())
}
