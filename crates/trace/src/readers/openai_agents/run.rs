//! The spans of a trace as a run.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::RootEnd;
use lawbook_event::json::Value;

use crate::dialog::{self, Asked, Message, Role};
use crate::measures::{self, Ended};
use crate::readers::export::{self, Item, get, id, nanos, text};
use crate::run::{Node, Run, Tool, Turn, Work};

/// The run of a trace.
pub fn run<'d>(trace_id: &'d str, items: &[Item<'d>], place: &str) -> Run<'d> {
    let spans: Vec<Value<'d>> = items.iter().map(|it| it.value).filter(|it| is_span(*it)).collect();
    let mut run = Run { root: root(&spans), ..Run::default() };
    run.id =
        if trace_id.is_empty() { Cow::Owned(place.to_owned()) } else { Cow::Borrowed(trace_id) };
    if let Some(trace) = items.iter().map(|it| it.value).find(|it| !is_span(*it)) {
        let metadata = get(trace, &["metadata"]).filter(|it| it.is_object());
        run.metadata = metadata.map(|it| it.raw().to_owned()).unwrap_or_default();
        let named = ["group_id", "workflow_name"].map(|key| (key, trace.get(key)));
        run.attributes = export::attributes(export::user(None, metadata), metadata, &named);
    }
    let silent = silent_responses(&spans);
    let has_words = spans.iter().any(|span| kind(*span) == "generation");
    run.nodes = spans
        .iter()
        .enumerate()
        .map(|(at, span)| {
            let asked = silent.get(&at).map_or(&[][..], Vec::as_slice);
            let asked: Vec<Value<'d>> =
                asked.iter().filter_map(|at| spans.get(*at).copied()).collect();
            node(*span, &asked, has_words)
        })
        .collect();
    run
}

/// How each span ended.
pub fn ended<'d>(items: &[Item<'d>]) -> Vec<Ended<'d>> {
    items.iter().map(|it| it.value).filter(|it| is_span(*it)).map(end_of).collect()
}

fn end_of<'d>(span: Value<'d>) -> Ended<'d> {
    let inside = data(span);
    let name = text(inside, &["name"]).unwrap_or(kind(span));
    let response = get(inside, &["response"]).and_then(|it| get(it, &["usage"]));
    Ended {
        turn: export::turn_end(name, None, error(span)),
        tokens: measures::tokens(get(inside, &["usage"]).or(response)),
        cost_usd: None,
    }
}

fn is_span(record: Value<'_>) -> bool {
    record.get("span_data").is_some()
}

fn data<'d>(span: Value<'d>) -> Value<'d> {
    span.get("span_data").unwrap_or(span)
}

fn kind(span: Value<'_>) -> &str {
    text(data(span), &["type"]).unwrap_or("")
}

fn start(span: Value<'_>) -> i64 {
    nanos(span.get("started_at"))
}

/// The error of the run: of the span on top, or of the agent that ended with one.
fn root<'d>(spans: &[Value<'d>]) -> RootEnd<'d> {
    let on_top = |span: &&Value<'d>| id(**span, &["parent_id"]).is_none();
    let Some(root) = spans.iter().find(on_top) else { return RootEnd::Missing };
    let of_agent = || spans.iter().filter(|it| kind(**it) == "agent").find_map(|it| error(*it));
    export::root_end(error(*root).or_else(of_agent), nanos(root.get("ended_at")) != 0)
}

/// What is wrong with a span, in words.
fn error<'d>(span: Value<'d>) -> Option<Cow<'d, str>> {
    let error = get(span, &["error"])?;
    let message = text(error, &["message"]);
    let detail = get(error, &["data"]).and_then(|it| text(it, &["error"]));
    Some(match (message, detail) {
        (Some(message), Some(detail)) => Cow::Owned(format!("{message}: {detail}")),
        (Some(message), None) => Cow::Borrowed(message),
        _ => Cow::Borrowed(error.raw()),
    })
}

/// By the place of a response that does not say what it asked for: the tools that ran because of
/// it, which are those under the same parent that began after it and before the next one.
fn silent_responses(spans: &[Value<'_>]) -> BTreeMap<usize, Vec<usize>> {
    let mut order: Vec<(&str, i64, bool, usize)> = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        let (response, tool) = (kind(*span) == "response", kind(*span) == "function");
        if response || tool {
            order.push((id(*span, &["parent_id"]).unwrap_or(""), start(*span), tool, at));
        }
    }
    order.sort_unstable();
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut newest: Option<(&str, usize)> = None;
    for (parent, _, tool, at) in order {
        if !tool {
            newest = Some((parent, at));
        } else if let Some((_, response)) = newest.filter(|it| it.0 == parent) {
            found.entry(response).or_default().push(at);
        }
    }
    found
}

fn node<'d>(span: Value<'d>, asked: &[Value<'d>], has_words: bool) -> Node<'d> {
    let inside = data(span);
    let work = match kind(span) {
        "function" => Work::Tool(Box::new(tool(span))),
        "generation" => {
            Work::Model(export::turn(get(inside, &["input"]), get(inside, &["output"]), false))
        }
        "response" => Work::Model(response(inside, asked)),
        "handoff" if !has_words => Work::Tool(Box::new(handoff(inside))),
        _ => Work::Other,
    };
    Node {
        id: Cow::Borrowed(id(span, &["id"]).unwrap_or("")),
        parent: id(span, &["parent_id"]).map(Cow::Borrowed),
        start: start(span),
        end: nanos(span.get("ended_at")),
        work,
    }
}

/// What a response says, where an exporter adds it; else that it asked for the tools that ran.
fn response<'d>(inside: Value<'d>, asked: &[Value<'d>]) -> Turn {
    let output = get(inside, &["output"]).or_else(|| get(get(inside, &["response"])?, &["output"]));
    let turn = export::turn(get(inside, &["input"]), output, false);
    if !turn.output.is_empty() {
        return turn;
    }
    let items = asked.iter().map(|span| {
        let inside = data(*span);
        let args = export::args(get(inside, &["input"]));
        let args = lawbook_event::Args { text: args.text.into_owned().into(), state: args.state };
        let tool = text(inside, &["name"]).unwrap_or("").to_owned();
        dialog::Item::Call(Asked { tool, args, ..Asked::default() })
    });
    let message = Message { role: Role::Agent, items: items.collect() };
    let output = if message.items.is_empty() { Vec::new() } else { vec![message] };
    Turn { output, ..turn }
}

/// What the SDK says in place of a result when a tool failed, and when a person said no to it.
const FAILED: &str = "An error occurred while running the tool";
const NOT_APPROVED: &str = "Tool execution was not approved";

fn tool<'d>(span: Value<'d>) -> Tool<'d> {
    let inside = data(span);
    let result = export::result(get(inside, &["output"]));
    let starts = |with: &str| result.as_deref().is_some_and(|it| it.starts_with(with));
    let (failed, stopped) = (starts(FAILED), starts(NOT_APPROVED));
    let span_error = error(span);
    let server = get(inside, &["mcp_data"]).and_then(|it| text(it, &["server"]));
    let bad = span_error.is_some() || failed || stopped;
    Tool {
        name: Cow::Borrowed(text(inside, &["name"]).unwrap_or("")),
        server: server.map(Cow::Borrowed),
        args: export::args(get(inside, &["input"])),
        result,
        error: bad.then_some(true),
        span_error,
        stopped,
        ..Tool::default()
    }
}

/// A handoff is a call of a tool that the SDK makes for it. Its arguments are not recorded.
fn handoff<'d>(inside: Value<'d>) -> Tool<'d> {
    let to = text(inside, &["to_agent"]).unwrap_or("");
    let plain = |it: char| if it.is_alphanumeric() { it } else { '_' };
    let name: String = to.chars().map(plain).flat_map(char::to_lowercase).collect();
    Tool {
        name: Cow::Owned(format!("transfer_to_{name}")),
        args: export::args(None),
        ..Tool::default()
    }
}
