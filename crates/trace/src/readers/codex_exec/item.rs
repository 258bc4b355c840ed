//! Items of the stream that are calls.

use std::borrow::Cow;

use lawbook_event::json::{Value, Writer};
use lawbook_event::{Answer, Args, ArgsState};

use crate::chat::Request;
use crate::entries::text;
use crate::{content, ids};

/// Items that are no calls.
const NO_CALLS: [&str; 5] = ["agent_message", "reasoning", "todo_list", "error", "user_message"];

/// Keys of an item that say what became of it, and not what was asked.
const OUTCOME_KEYS: [&str; 8] =
    ["id", "type", "status", "aggregated_output", "exit_code", "result", "error", "output"];

/// The call of an item. One without a tool's name goes by its type.
pub fn asked(item: Value<'_>) -> Option<Request<'_>> {
    let kind = text(item, "type").filter(|it| !NO_CALLS.contains(it))?;
    let named = text(item, "tool").filter(|it| !it.is_empty());
    let args = match (kind, named) {
        ("mcp_tool_call", _) => content::args(item.get("arguments")),
        _ => given(item),
    };
    Some(Request {
        id: text(item, "id").map(Cow::Borrowed),
        server: text(item, "server").map(Cow::Borrowed),
        tool: Cow::Borrowed(named.unwrap_or(kind)),
        args,
        ..Request::default()
    })
}

/// Everything that an item says of what was asked.
fn given(item: Value<'_>) -> Args<'static> {
    let mut writer = Writer::new();
    writer.object();
    let mut any = false;
    for (key, value) in item.entries().filter(|(key, _)| !OUTCOME_KEYS.contains(key)) {
        writer.key(key).raw(value.raw());
        any = true;
    }
    writer.end_object();
    let state = if any { ArgsState::Whole } else { ArgsState::Unrecorded };
    let text = if any { Cow::Owned(writer.finish()) } else { Cow::Borrowed("") };
    Args { text, state }
}

/// What became of a completed item, and whether it did not run.
pub fn answer(item: Value<'_>) -> (Answer<'_>, bool) {
    let status = text(item, "status").unwrap_or("");
    let failure = item.get("error").filter(|it| !it.is_null());
    let output = item.get("aggregated_output").or_else(|| item.get("output"));
    let result = item.get("result").filter(|it| !it.is_null());
    let inner = result.map(|it| it.get("content").unwrap_or(it));
    let message = failure.map(|it| it.get("message").unwrap_or(it));
    let said = content::result(output.or(message).or(inner));
    let code = item.get("exit_code").and_then(Value::number_text);
    let by_status = match status {
        "completed" => Some(false),
        "failed" => Some(true),
        _ => None,
    };
    let stopped = status == "declined" || ids::did_not_run(status);
    let error = match code {
        _ if failure.is_some() || stopped => Some(true),
        Some(code) => Some(code != "0"),
        None => by_status,
    };
    let answer = Answer {
        recorded: said.is_some(),
        text: said.unwrap_or_default(),
        error,
        ..Answer::default()
    };
    (answer, stopped)
}
