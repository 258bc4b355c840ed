//! A `.traj` file: the steps that were taken, and the history that says how they were asked for.

use std::borrow::Cow;

use lawbook_event::json::Value;
use lawbook_event::{Start, Usage};

use super::action;
use crate::chat::{Chat, Request, Returned};
use crate::content;
use crate::ids;
use crate::measures;
use crate::readers::export::{id, text};
use crate::readers::whole::{self, Told};

/// Whether an object is a trajectory: steps, or the history alone, as in a demonstration.
pub fn is_trajectory(value: Value<'_>) -> bool {
    let first = |key: &str| value.get(key).filter(|it| it.is_array()).and_then(|it| it.item(0));
    let step = |it: Value<'_>| it.get("action").is_some() && it.get("observation").is_some();
    let spoken = |it: Value<'_>| {
        it.get("role").is_some() && (it.get("agent").is_some() || it.get("message_type").is_some())
    };
    match first("trajectory") {
        Some(one) => step(one),
        None => first("history").is_some_and(spoken),
    }
}

/// Tells a trajectory.
pub fn session<'d>(value: Value<'d>, place: &str) -> Told<'d> {
    let info = value.get("info");
    let own = id(value, &["instance_id", "id"]).map(Cow::Borrowed);
    let start = Start {
        id: own.unwrap_or_else(|| Cow::Owned(place.to_owned())),
        attributes: whole::attributes(value, &["environment", "instance_id"]),
        ..Start::default()
    };
    let history: Vec<Value<'d>> = value.get("history").into_iter().flat_map(Value::items).collect();
    let steps = value.get("trajectory").filter(|it| !it.is_empty());
    let mut told = Told::new(start, steps.map_or(history.len(), Value::len));
    match steps {
        Some(steps) => tell_steps(&mut told.chat, steps, &history),
        None => tell_history(&mut told.chat, &history),
    }
    told.end.usage = usage(info);
    if let Some(status) = info.and_then(|it| text(it, &["exit_status"])) {
        told.end.termination = Cow::Borrowed(status);
    }
    told
}

/// What the model of a run used.
pub fn usage(info: Option<Value<'_>>) -> Usage {
    let stats = info.and_then(|it| it.get("model_stats"));
    let cost_usd = measures::number(stats.and_then(|it| it.get("instance_cost")));
    Usage { cost_usd, ..measures::used(stats) }
}

/// A message of this run, and not of a demonstration before it.
fn is_own(message: Value<'_>) -> bool {
    message.get("is_demo").and_then(Value::as_bool) != Some(true)
}

fn is_role(message: Value<'_>, role: &str) -> bool {
    text(message, &["role"]) == Some(role)
}

/// What was asked: the messages of the user before the agent first speaks.
fn task<'d>(chat: &mut Chat<'d>, history: &[Value<'d>]) {
    let before = history.iter().take_while(|it| !is_own(**it) || !is_role(**it, "assistant"));
    for (at, message) in before.enumerate().filter(|(_, it)| is_own(**it) && is_role(**it, "user"))
    {
        chat.message(at);
        chat.user(None, ids::message(at), content::words(message.get("content")));
    }
}

/// The steps, with the calls that the history has for them. The last of them may be missing there.
fn tell_steps<'d>(chat: &mut Chat<'d>, steps: Value<'d>, history: &[Value<'d>]) {
    task(chat, history);
    let asked = history.iter().filter(|it| is_own(**it) && is_role(**it, "assistant"));
    let mut asked = asked.copied().peekable();
    for (nth, step) in steps.items().enumerate() {
        let line = text(step, &["action"]).unwrap_or("").trim();
        // Compaction drops messages, so a message counts only for the step whose action it has.
        let of_step = asked.peek().copied().filter(|it| says(*it, line, step));
        if of_step.is_some() {
            asked.next();
        }
        chat.message(history.len().saturating_add(nth));
        let before = chat.len();
        let words = text(step, &["thought"]).or_else(|| text(step, &["response"]));
        chat.agent(None, Cow::Owned(format!("s{nth}")), Cow::Borrowed(words.unwrap_or("")));
        let observation = content::text(step.get("observation"));
        let calls = of_step.map(calls).unwrap_or_default();
        match (calls.is_empty(), line.is_empty()) {
            (false, _) => several(chat, nth, &calls, observation),
            (true, false) => {
                let request = Request {
                    step_id: Cow::Owned(format!("s{nth}")),
                    tool: Cow::Borrowed(action::tool(line)),
                    args: content::command(line),
                    ..Request::default()
                };
                chat.call(None, request);
                chat.returned_now(None, content::answer(observation, None), false);
            }
            (true, true) => {}
        }
        if chat.len() == before {
            chat.other(None);
        }
    }
}

/// Whether a message of the history is the one that a step began with.
fn says(message: Value<'_>, line: &str, step: Value<'_>) -> bool {
    let same = |key: &str, whole: &str| text(message, &[key]).is_some_and(|it| it.trim() == whole);
    let response = text(step, &["response"]).unwrap_or("").trim();
    same("action", line) || same("content", response)
}

fn calls<'d>(message: Value<'d>) -> Vec<Value<'d>> {
    message
        .get("tool_calls")
        .into_iter()
        .flat_map(Value::items)
        .filter(|it| it.is_object())
        .collect()
}

/// The calls of a step, which have one observation together.
fn several<'d>(
    chat: &mut Chat<'d>,
    step: usize,
    calls: &[Value<'d>],
    observation: Option<Cow<'d, str>>,
) {
    for (nth, call) in calls.iter().enumerate() {
        let step_id = if calls.len() == 1 { format!("s{step}") } else { format!("s{step}.c{nth}") };
        chat.call(None, request(*call, Cow::Owned(step_id)));
    }
    for call in calls {
        let id = text(*call, &["id"]).map(Cow::Borrowed);
        let answer = content::answer(observation.clone(), None);
        chat.returned(None, Returned { id, answer, ..Returned::default() });
    }
}

/// A call in the words of OpenAI.
pub fn request<'d>(call: Value<'d>, step_id: Cow<'d, str>) -> Request<'d> {
    let body = call.get("function").filter(|it| it.is_object()).unwrap_or(call);
    Request {
        step_id,
        id: text(call, &["id"]).map(Cow::Borrowed),
        tool: Cow::Borrowed(text(body, &["name"]).unwrap_or("")),
        args: content::args(body.get("arguments")),
        ..Request::default()
    }
}

/// A history without steps: its own calls and what the tools answered.
fn tell_history<'d>(chat: &mut Chat<'d>, history: &[Value<'d>]) {
    task(chat, history);
    for (at, message) in history.iter().enumerate().filter(|(_, it)| is_own(**it)) {
        chat.message(at);
        if is_role(*message, "assistant") {
            let words = text(*message, &["thought"]).map(Cow::Borrowed);
            let words = words.unwrap_or_else(|| content::words(message.get("content")));
            chat.agent(None, ids::message(at), words);
            let calls = calls(*message);
            for (nth, call) in calls.iter().enumerate() {
                chat.call(None, request(*call, ids::call(at, nth)));
            }
            let line = text(*message, &["action"]).unwrap_or("").trim();
            if calls.is_empty() && !line.is_empty() {
                let tool = Cow::Borrowed(action::tool(line));
                let args = content::command(line);
                chat.call(
                    None,
                    Request { step_id: ids::call(at, 0), tool, args, ..Request::default() },
                );
            }
        } else if is_role(*message, "tool") {
            let ids = message.get("tool_call_ids").into_iter().flat_map(Value::items);
            for id in ids.filter_map(Value::as_str) {
                let answer = content::answer(content::text(message.get("content")), None);
                let id = Some(Cow::Borrowed(id));
                chat.returned(None, Returned { id, answer, ..Returned::default() });
            }
        } else {
            chat.other(None);
        }
    }
}
