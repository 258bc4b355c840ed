//! Braintrust spans under the full reading.

use std::borrow::Cow;

use lawbook_event::RootEnd;
use lawbook_event::json::Value;

use super::{root_id, span_id};
use crate::dialog::{Message, Role};
use crate::ids;
use crate::measures::{self, Ended};
use crate::readers::export::{self, Item, get, id, nanos, text};
use crate::run::{Node, Run, Tool, Work};

/// The run of a trace.
pub fn run<'d>(trace_id: &'d str, items: &[Item<'d>], place: &str) -> Run<'d> {
    let mut run = Run { root: RootEnd::Missing, ..Run::default() };
    run.id =
        if trace_id.is_empty() { Cow::Owned(place.to_owned()) } else { Cow::Borrowed(trace_id) };
    run.nodes = items.iter().map(|item| node(item.value)).collect();
    if let Some(root) = items.iter().map(|item| item.value).find(|value| is_root(*value)) {
        whole(root, &mut run);
    }
    run
}

/// How each span ended.
pub fn ended<'d>(items: &[Item<'d>]) -> Vec<Ended<'d>> {
    items.iter().map(|item| end_of(item.value)).collect()
}

fn end_of<'d>(span: Value<'d>) -> Ended<'d> {
    let name = get(span, &["span_attributes"]).and_then(|it| text(it, &["name"])).unwrap_or("");
    let finish = get(span, &["metadata"]).and_then(|it| text(it, &["finish_reason"]));
    let metrics = span.get("metrics");
    Ended {
        turn: export::turn_end(name, finish.map(Cow::Borrowed), error(span)),
        tokens: measures::tokens(metrics),
        cost_usd: measures::number(metrics.and_then(|it| it.get("estimated_cost"))),
    }
}

fn is_root(span: Value<'_>) -> bool {
    span_id(span) == root_id(span) || span.get("span_parents").is_none_or(Value::is_empty)
}

fn error<'d>(span: Value<'d>) -> Option<Cow<'d, str>> {
    let error = get(span, &["error"])?;
    let said = error.as_str().or_else(|| text(error, &["message"]));
    let said = said.map_or_else(|| Cow::Borrowed(error.raw()), Cow::Borrowed);
    (!said.is_empty() && error.as_bool() != Some(false)).then_some(said)
}

fn time(span: Value<'_>, key: &str) -> i64 {
    nanos(span.get("metrics").and_then(|it| it.get(key)))
}

fn whole<'d>(root: Value<'d>, run: &mut Run<'d>) {
    let metadata = get(root, &["metadata"]).filter(|it| it.is_object());
    run.prompt = export::words(get(root, &["input"]), Role::User)
        .map(|words| vec![Message::text(Role::User, words)])
        .unwrap_or_default();
    run.answer = export::words(get(root, &["output"]), Role::Agent);
    run.metadata = metadata.map(|it| it.raw().to_owned()).unwrap_or_default();
    run.attributes = export::attributes(export::user(None, metadata), metadata, &[]);
    run.root = export::root_end(error(root), time(root, "end") != 0);
}

fn node<'d>(span: Value<'d>) -> Node<'d> {
    let marks = get(span, &["span_attributes"]);
    let kind = marks.and_then(|it| text(it, &["type"])).unwrap_or("").to_lowercase();
    let turn = |top| export::turn(get(span, &["input"]), get(span, &["output"]), top);
    let work = match kind.as_str() {
        "tool" => Work::Tool(Box::new(tool(span, marks))),
        "llm" => Work::Model(turn(false)),
        _ if is_root(span) => Work::Agent(turn(true)),
        _ => Work::Other,
    };
    let parent = get(span, &["span_parents"]).and_then(|it| it.item(0)).and_then(Value::as_str);
    Node {
        id: Cow::Borrowed(span_id(span)),
        parent: parent.map(Cow::Borrowed),
        start: time(span, "start"),
        end: time(span, "end"),
        work,
    }
}

fn tool<'d>(span: Value<'d>, marks: Option<Value<'d>>) -> Tool<'d> {
    let metadata = get(span, &["metadata"]);
    let call_id = metadata.and_then(|it| id(it, &["tool_call_id", "call_id"]));
    let error = error(span);
    Tool {
        call_id: call_id.filter(|id| !ids::placeholder(id)).map(Cow::Borrowed),
        name: Cow::Borrowed(marks.and_then(|it| text(it, &["name"])).unwrap_or("")),
        args: export::args(get(span, &["input"])),
        result: export::result(get(span, &["output"])),
        error: error.is_some().then_some(true),
        span_error: error,
        ..Tool::default()
    }
}
