//! Items of the Responses API that ask for tools, as Codex keeps them.

use std::borrow::Cow;

use lawbook_event::json::Value;
use lawbook_event::{Answer, Args, ArgsState};

use crate::chat::Request;
use crate::entries::text;
use crate::{content, names};

/// A call, and its result where the item holds both.
#[derive(Debug)]
pub struct Asked<'d> {
    /// The call.
    pub request: Request<'d>,
    /// The result.
    pub answer: Option<Answer<'d>>,
}

/// The call in an item, if it is one.
pub fn asked<'d>(item: Value<'d>) -> Option<Asked<'d>> {
    let kind = text(item, "type")?;
    let named = text(item, "name").unwrap_or("");
    let (tool, args) = match kind {
        "function_call" => (named, content::args(item.get("arguments"))),
        "custom_tool_call" => (named, content::args(item.get("input"))),
        "mcp_call" => (named, content::args(item.get("arguments"))),
        // Tools that the provider runs have no name but the type of the item.
        _ => (kind.strip_suffix("_call").filter(|_| !kind.contains("output"))?, hosted(item)),
    };
    let id = text(item, "call_id").or_else(|| text(item, "id"));
    let namespace = text(item, "namespace").filter(|it| it.starts_with("mcp__"));
    let server = text(item, "server_label").or_else(|| names::server(tool));
    let server = server.or_else(|| namespace.and_then(|it| it.strip_prefix("mcp__")));
    let request = Request {
        id: id.map(Cow::Borrowed),
        server: server.map(Cow::Borrowed),
        tool: Cow::Borrowed(tool),
        args,
        ..Request::default()
    };
    Some(Asked { request, answer: answer(kind, item) })
}

fn hosted<'d>(item: Value<'d>) -> Args<'d> {
    match item.get("action").or_else(|| item.get("queries")).or_else(|| item.get("code")) {
        Some(action) => content::args(Some(action)),
        None => Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded },
    }
}

/// What an item says of its own result: the tools of the provider return inside it.
fn answer<'d>(kind: &str, item: Value<'d>) -> Option<Answer<'d>> {
    if matches!(kind, "function_call" | "custom_tool_call" | "local_shell_call" | "shell_call") {
        return None;
    }
    let failed = item.get("error").filter(|it| !it.is_null());
    let output = content::result(failed.or_else(|| item.get("output")));
    let by_status = match text(item, "status") {
        Some("completed") => Some(false),
        Some("failed" | "incomplete") => Some(true),
        _ => None,
    };
    let error = if failed.is_some() { Some(true) } else { by_status };
    if output.is_none() && error.is_none() {
        return None;
    }
    Some(Answer {
        recorded: output.is_some(),
        text: output.unwrap_or_default(),
        error,
        ..Answer::default()
    })
}
