//! Items of the Responses API: calls, their outputs, and calls of tools that the provider hosts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::{Value, Writer};
use lawbook_event::{Answer, Args, ArgsState};

use super::content::{answer, by_status, request};
use super::message::Fields;
use super::teller::{Shape, Teller};
use crate::chat::{Request, Returned};
use crate::content::args;
use crate::ids;

/// The items that are no messages.
const ITEMS: [&str; 26] = [
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "web_search_call",
    "file_search_call",
    "computer_call",
    "computer_call_output",
    "code_interpreter_call",
    "image_generation_call",
    "local_shell_call",
    "local_shell_call_output",
    "shell_call",
    "shell_call_output",
    "apply_patch_call",
    "apply_patch_call_output",
    "tool_search_call",
    "tool_search_output",
    "mcp_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
    "reasoning",
    "compaction",
    "item_reference",
    "program",
];

/// Whether an item of this type is known.
pub fn knows(kind: &str) -> bool {
    ITEMS.contains(&kind)
}

/// Whether an object is an item that is no message, or a message written as one.
pub fn is_item(item: Value<'_>) -> bool {
    let kind = item.get("type").and_then(Value::as_str);
    kind.is_some_and(|it| knows(it) || (it == "message" && item.get("role").is_some()))
}

/// Calls that wait for a person's word, by the id of the request, until the call itself comes.
#[derive(Debug, Default)]
pub struct Approvals<'d> {
    asked: BTreeMap<&'d str, Asked<'d>>,
}

#[derive(Debug)]
struct Asked<'d> {
    at: usize,
    request: Request<'d>,
    approved: bool,
}

/// The number of the message at `at`. What an agent says and asks for in one response belongs
/// together; anything else ends the response.
pub fn number(teller: &mut Teller<'_>, at: usize, is_agent: bool, is_item: bool) -> usize {
    teller.response = match teller.response {
        _ if !is_agent => None,
        Some(start) if is_item => Some(start),
        _ => Some(at),
    };
    teller.response.unwrap_or(at)
}

/// Tells an item.
pub fn tell<'d>(
    teller: &mut Teller<'d>,
    at: usize,
    kind: &'d str,
    item: Value<'d>,
    fields: &Fields<'d>,
) {
    teller.saw(Shape::OpenAiResponses);
    let is_output = kind.ends_with("_output") || kind == "mcp_approval_response";
    let number = number(teller, at, !is_output, true);
    teller.chat.message(number);
    let request = |request| Request { step_id: ids::call(at, 0), ..request };
    match kind {
        "function_call" | "custom_tool_call" => {
            teller.chat.call(fields.at, request(own_call(item, fields)));
        }
        "mcp_approval_request" => {
            let waiting = Asked { at, request: request(of_server(item)), approved: false };
            let id = item.get("id").and_then(Value::as_str).unwrap_or("");
            teller.approvals.asked.insert(id, waiting);
        }
        "mcp_approval_response" => approved(teller, item),
        "mcp_call" => {
            let asked = item.get("approval_request_id").and_then(Value::as_str);
            if let Some(id) = asked {
                teller.approvals.asked.remove(id);
            }
            teller.chat.call(fields.at, request(of_server(item)));
            let answer = of_server_answer(teller, item, fields);
            settle(teller, fields, answer);
        }
        _ if is_output => output(teller, item, fields),
        _ => {
            if let Some(tool) = kind.strip_suffix("_call") {
                teller.chat.call(fields.at, request(hosted(item, tool)));
                let answer = hosted_answer(teller, item, fields);
                settle(teller, fields, answer);
            }
        }
    }
}

fn settle<'d>(teller: &mut Teller<'d>, fields: &Fields<'d>, answer: Option<Answer<'d>>) {
    let stopped = fields.status.is_some_and(ids::did_not_run);
    if let Some(answer) = answer {
        teller.chat.returned_now(fields.at, answer, stopped);
    }
}

impl<'d> Approvals<'d> {
    /// Tells the calls that never came: they did not run, unless a person had said yes.
    pub fn close(teller: &mut Teller<'d>) {
        for (_, asked) in std::mem::take(&mut teller.approvals.asked) {
            teller.chat.message(asked.at);
            let stopped = !asked.approved;
            teller.chat.call(None, Request { stopped, ..asked.request });
        }
    }
}

fn approved<'d>(teller: &mut Teller<'d>, item: Value<'d>) {
    let id = item.get("approval_request_id").and_then(Value::as_str).unwrap_or("");
    if item.get("approve").and_then(Value::as_bool) == Some(true) {
        if let Some(asked) = teller.approvals.asked.get_mut(id) {
            asked.approved = true;
        }
    } else if let Some(asked) = teller.approvals.asked.remove(id) {
        teller.chat.message(asked.at);
        teller.chat.call(None, Request { stopped: true, ..asked.request });
    }
}

/// A call of the host's own tool. A response that broke off may have cut its arguments.
fn own_call<'d>(item: Value<'d>, fields: &Fields<'d>) -> Request<'d> {
    let id = item.get("call_id").or_else(|| item.get("id")).and_then(Value::as_str);
    let mut args = args(item.get("arguments").or_else(|| item.get("input")));
    if fields.status == Some("incomplete") && args.state == ArgsState::Whole {
        args.state = ArgsState::Cut;
    }
    request(id, fields.name.unwrap_or(""), args)
}

/// A call of a tool on a server that the provider asks.
fn of_server<'d>(item: Value<'d>) -> Request<'d> {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    let server = text("server_label").map(Cow::Borrowed);
    Request {
        server,
        ..request(text("id"), text("name").unwrap_or(""), args(item.get("arguments")))
    }
}

fn of_server_answer<'d>(
    teller: &mut Teller<'d>,
    item: Value<'d>,
    fields: &Fields<'d>,
) -> Option<Answer<'d>> {
    if let Some(error) = fields.error {
        return Some(Answer { error: Some(true), ..answer(&mut teller.chat, Some(error)) });
    }
    let output = item.get("output").filter(|it| !it.is_null());
    by_state(teller, output, fields)
}

/// The result that an item carries, as far as it says: an item without output and status has none.
fn by_state<'d>(
    teller: &mut Teller<'d>,
    output: Option<Value<'d>>,
    fields: &Fields<'d>,
) -> Option<Answer<'d>> {
    let status = fields.status.filter(|it| !matches!(*it, "in_progress" | "incomplete"));
    let (by_status, ..) = by_status(status);
    let error = by_status.or((status == Some("completed")).then_some(false));
    if output.is_none() && status.is_none() {
        return None;
    }
    let answer = answer(&mut teller.chat, output);
    // A call that is completed has a result, although it is not written down.
    Some(Answer { recorded: answer.recorded || error.is_some(), error, ..answer })
}

/// A call of a tool that the provider hosts. What it was asked for stands under a key of its own,
/// or all over the item.
fn hosted<'d>(item: Value<'d>, tool: &'d str) -> Request<'d> {
    const WHOLE: [&str; 3] = ["action", "operation", "arguments"];
    const PARTS: [&str; 6] =
        ["queries", "query", "code", "container_id", "actions", "revised_prompt"];
    let id = item.get("call_id").or_else(|| item.get("id")).and_then(Value::as_str);
    let there = |key: &&str| item.get(key).filter(|it| !it.is_null());
    if let Some(whole) = WHOLE.iter().find_map(&there) {
        return request(id, tool, args(Some(whole)));
    }
    let mut writer = Writer::new();
    writer.object();
    let mut state = ArgsState::Unrecorded;
    for (key, value) in PARTS.iter().filter_map(|key| Some((key, there(key)?))) {
        writer.key(key).raw(value.raw());
        state = ArgsState::Whole;
    }
    writer.end_object();
    let text = if state == ArgsState::Whole { writer.finish() } else { String::new() };
    request(id, tool, Args { text: Cow::Owned(text), state })
}

fn hosted_answer<'d>(
    teller: &mut Teller<'d>,
    item: Value<'d>,
    fields: &Fields<'d>,
) -> Option<Answer<'d>> {
    const OUTPUTS: [&str; 4] = ["outputs", "results", "result", "output"];
    let there = |key: &&str| item.get(key).filter(|it| !it.is_null());
    let output = OUTPUTS.iter().find_map(there);
    // The host answers these itself, in an item of its own.
    let is_answered_by_host = matches!(
        fields.kind,
        Some("computer_call" | "local_shell_call" | "shell_call" | "apply_patch_call")
    );
    if is_answered_by_host && output.is_none() {
        return None;
    }
    by_state(teller, output, fields)
}

/// An output item, for the call that it names.
fn output<'d>(teller: &mut Teller<'d>, item: Value<'d>, fields: &Fields<'d>) {
    let id = item.get("call_id").or_else(|| item.get("id")).and_then(Value::as_str);
    // `completed` says that the item is whole, not that the tool succeeded.
    let (error, mut pending, stopped) = by_status(fields.status);
    let mut answer = answer(&mut teller.chat, item.get("output"));
    if fields.status == Some("incomplete") {
        answer.recorded = false;
        pending = false;
    }
    answer.error = fields.error.map(|it| it.as_bool().unwrap_or(true)).or(error);
    answer.pending = pending;
    let (id, tool) = (id.map(Cow::Borrowed), fields.name.map(Cow::Borrowed));
    teller.chat.returned(fields.at, Returned { id, tool, answer, stopped });
}
