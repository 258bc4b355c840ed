//! What a span is: a tool's run, a model's answer, an agent, or nothing of the kind.

use std::borrow::Cow;

use lawbook_event::{Args, ArgsState, is_hidden};

use super::record::Record;
use crate::attr::{Attr, Attrs};
use crate::run::Tool;
use crate::{cut, ids};

/// What a span is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A tool ran.
    Tool,
    /// A part of a tool's run that Claude Code traces on its own.
    Detail,
    /// A model was asked.
    Model,
    /// An agent or workflow ran.
    Agent,
    /// Anything else.
    Other,
}

const NAME_KEYS: [&str; 6] = [
    "gen_ai.tool.name",
    "tool.name",
    "ai.toolCall.name",
    "tool_name",
    "traceloop.entity.name",
    "mcp.tool.name",
];
const ARGS_KEYS: [&str; 8] = [
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "gcp.vertex.agent.tool_call_args",
    "ai.toolCall.args",
    "tool.parameters",
    "input.value",
    "traceloop.entity.input",
    "tool_input",
];
const RESULT_KEYS: [&str; 8] = [
    "gen_ai.tool.call.result",
    "tool_response",
    "gcp.vertex.agent.tool_response",
    "ai.toolCall.result",
    "output.value",
    "traceloop.entity.output",
    "tool_result",
    "tool.output",
];
const ID_KEYS: [&str; 6] = [
    "gen_ai.tool.call.id",
    "tool.id",
    "ai.toolCall.id",
    "tool_use_id",
    "tool_call.id",
    "tool.call_id",
];
/// Attributes that only spans of models carry.
const MODEL_KEYS: [&str; 10] = [
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.prompt",
    "gen_ai.completion",
    "gcp.vertex.agent.llm_response",
    "ai.prompt.messages",
    "ai.response.text",
    "ai.response.toolCalls",
    "gen_ai.prompt.0.role",
    "gen_ai.completion.0.role",
];

/// What a span is.
pub fn kind(record: &Record<'_>) -> Kind {
    let attrs = &record.attrs;
    if merged(record) {
        return Kind::Other;
    }
    if let Some(kind) = claude_code(attrs) {
        return kind;
    }
    let marked = attrs.text("openinference.span.kind").map(str::to_ascii_uppercase);
    match marked.as_deref() {
        Some("TOOL") => return Kind::Tool,
        Some("LLM") => return Kind::Model,
        Some("AGENT" | "CHAIN") => return Kind::Agent,
        _ => {}
    }
    match attrs.text("gen_ai.operation.name") {
        Some("execute_tool") => return Kind::Tool,
        Some("chat" | "generate_content" | "text_completion") => return Kind::Model,
        Some("invoke_agent" | "invoke_workflow" | "create_agent") => return Kind::Agent,
        Some(operation) if operation.starts_with("ai.toolCall") => return Kind::Tool,
        Some(_) => {}
        None if record.name == "execute_tool" || record.name.starts_with("execute_tool ") => {
            return Kind::Tool;
        }
        None => {}
    }
    if tool_by_habit(record) {
        return Kind::Tool;
    }
    if MODEL_KEYS.iter().any(|key| attrs.has(key)) || says_anything(record) {
        return Kind::Model;
    }
    Kind::Other
}

/// Google's kit adds a span that repeats parallel calls.
fn merged(record: &Record<'_>) -> bool {
    record.name == "execute_tool (merged)"
        || record.attrs.text("gen_ai.tool.name") == Some("(merged tools)")
}

fn claude_code(attrs: &Attrs<'_>) -> Option<Kind> {
    match attrs.text("span.type")? {
        "tool" if attrs.has("tool_name") => Some(Kind::Tool),
        "tool.execution" | "tool.blocked_on_user" => Some(Kind::Detail),
        "interaction" => Some(Kind::Agent),
        _ => None,
    }
}

/// Spans that are a tool's run although no convention marks them.
fn tool_by_habit(record: &Record<'_>) -> bool {
    let attrs = &record.attrs;
    if attrs.text("mcp.method.name") == Some("tools/call") || attrs.has("ai.toolCall.name") {
        return true;
    }
    if attrs.text("traceloop.span.kind") == Some("tool") {
        return true;
    }
    let named = attrs.has("gen_ai.tool.name") || attrs.has("tool.name");
    let carries = [
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.call.result",
        "tool_arguments",
        "tool_response",
    ];
    named && (record.name.starts_with("running tool") || carries.iter().any(|key| attrs.has(key)))
}

fn says_anything(record: &Record<'_>) -> bool {
    record.events.iter().any(|(name, _)| name.starts_with("gen_ai."))
}

/// The tool's run of a span.
pub fn tool<'d>(record: &Record<'d>) -> Tool<'d> {
    let attrs = &record.attrs;
    let name =
        attrs.first(&NAME_KEYS).map(Attr::plain).unwrap_or_else(|| ids::tool_of_span(record.name));
    let name = handoff(&name).unwrap_or(name);
    let call_id = attrs.first(&ID_KEYS).map(Attr::plain).filter(|id| !ids::placeholder(id));
    let error_type = attrs.text("error.type").filter(|it| !it.is_empty());
    let status = attrs.text("gen_ai.tool.status").or_else(|| attrs.text("tool.status"));
    let span_error = match (record.failed, error_type) {
        (Some(true), _) if !record.message.is_empty() => Some(Cow::Borrowed(record.message)),
        (_, Some(kind)) => Some(Cow::Owned(kind.to_owned())),
        (Some(true), None) => Some(Cow::Borrowed("the span's status is an error")),
        _ => None,
    };
    let error = match status {
        _ if span_error.is_some() => Some(true),
        Some("error" | "failed" | "failure") => Some(true),
        Some("success" | "ok" | "completed") => Some(false),
        _ => record.failed,
    };
    Tool {
        call_id,
        server: attrs.first(&["mcp.server.name", "gen_ai.tool.server.name"]).map(Attr::plain),
        name,
        args: args(record),
        result: result(record),
        cut: record.dropped && error.is_none(),
        error,
        span_error,
        stopped: status.is_some_and(ids::did_not_run),
        confirmed: attrs.get("faultgate.confirmed").is_some_and(confirmed),
        remote: remote(attrs),
    }
}

fn confirmed(value: &Attr<'_>) -> bool {
    matches!(value.plain().as_ref(), "true" | "True")
}

/// The tool that hands over to another agent, when a span only names the other agent.
fn handoff(name: &str) -> Option<Cow<'static, str>> {
    let agent = name.strip_prefix("handoff to ")?;
    Some(Cow::Owned(format!("transfer_to_{}", agent.to_lowercase().replace(' ', "_"))))
}

/// Google's kit writes empty objects where it is told to record nothing.
fn adk_silent(attrs: &Attrs<'_>) -> bool {
    let empty = |key: &str| attrs.text(key) == Some("{}");
    empty("gcp.vertex.agent.tool_call_args") && empty("gcp.vertex.agent.tool_response")
}

/// What was given to the tool. OpenInference calls the arguments `tool.parameters`; some exporters
/// write the tool's schema there.
fn given<'r, 'd>(attrs: &'r Attrs<'d>) -> Option<&'r Attr<'d>> {
    let schema = |value: &Attr<'_>| {
        value.document().is_some_and(|it| {
            it.root().get("properties").is_some_and(lawbook_event::json::Value::is_object)
                && it.root().get("type").is_some()
        })
    };
    ARGS_KEYS
        .iter()
        .filter_map(|key| Some((*key, attrs.get(key).filter(|it| !it.is_null())?)))
        .find(|(key, value)| *key != "tool.parameters" || !schema(value))
        .map(|(_, value)| value)
}

fn args<'d>(record: &Record<'d>) -> Args<'d> {
    let named = record.attrs.first(&NAME_KEYS).is_some();
    if adk_silent(&record.attrs) || (!named && handoff(record.name).is_some()) {
        return Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded };
    }
    let from_event = || {
        let event = record.events.iter().find(|(name, _)| *name == "gen_ai.tool.message")?;
        event.1.get("content")
    };
    let given = given(&record.attrs).or_else(from_event).map(Attr::plain);
    // Claude Code records the command of a shell, not the arguments around it.
    let command = || {
        record
            .attrs
            .first(&["full_command", "bash_command"])
            .or_else(|| output_event(record, "bash_command"))
    };
    match given {
        Some(text) => Args { state: cut::state(&text), text },
        None => match command() {
            Some(command) => {
                let mut text = String::from("{\"command\":");
                command.write(&mut text);
                text.push('}');
                Args { text: Cow::Owned(text), state: ArgsState::Cut }
            }
            None => Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded },
        },
    }
}

fn output_event<'r, 'd>(record: &'r Record<'d>, key: &str) -> Option<&'r Attr<'d>> {
    record
        .events
        .iter()
        .find(|(name, _)| *name == "tool.output")
        .and_then(|(_, attrs)| attrs.get(key))
}

fn result<'d>(record: &Record<'d>) -> Option<Cow<'d, str>> {
    if adk_silent(&record.attrs) {
        return None;
    }
    let from_choice = || {
        let event = record.events.iter().find(|(name, _)| *name == "gen_ai.choice")?;
        event.1.get("message")
    };
    let given = record
        .attrs
        .first(&RESULT_KEYS)
        .or_else(|| output_event(record, "output"))
        .or_else(from_choice)?;
    // Vercel's kit writes every result as JSON, a text too.
    let json = record.attrs.get("ai.toolCall.result").is_some();
    let text = if json { unwrapped(given.plain()) } else { given.plain() };
    // Google's kit writes this when the tool raised.
    let unspecified = text.len() < 40 && text.contains("\"<not specified>\"");
    if is_hidden(&text) || unspecified {
        return None;
    }
    Some(unblocked(text))
}

/// The text of a JSON string, and what stands in a result that names its own type; any other text
/// as it is.
fn unwrapped(text: Cow<'_, str>) -> Cow<'_, str> {
    let Some(document) = crate::attr::parse(&text) else { return text };
    let root = document.root();
    let typed = root.len() == 2 && root.get("type").is_some_and(|it| it.as_str().is_some());
    let inner = root.get("value").filter(|_| typed).unwrap_or(root);
    let held = inner.as_str().map_or_else(|| inner.raw().to_owned(), str::to_owned);
    Cow::Owned(held)
}

/// The text of a list of text blocks.
fn unblocked(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.trim_start().starts_with('[') {
        return text;
    }
    let joined = crate::attr::parse(&text).and_then(|it| crate::dialog::joined(it.root()));
    joined.map_or(text, Cow::Owned)
}

/// What the client's and the server's span of one remote call have in common.
fn remote(attrs: &Attrs<'_>) -> Option<String> {
    let request = attrs.get("jsonrpc.request.id")?.plain();
    let session = attrs.get("mcp.session.id").map(Attr::plain).unwrap_or_default();
    Some(format!("{session}/{request}"))
}

/// Whether a detail of a tool's run says that it failed or was stopped.
pub fn detail(record: &Record<'_>) -> (Option<bool>, bool) {
    let success = record.attrs.get("success").map(|it| it.plain().eq_ignore_ascii_case("true"));
    let stopped = record.attrs.text("decision").is_some_and(ids::did_not_run);
    (success.map(|it| !it).or(record.failed.filter(|failed| *failed)), stopped)
}
