//! LangSmith runs under the full reading.

use std::borrow::Cow;

use lawbook_event::RootEnd;
use lawbook_event::json::Value;

use crate::dialog::{self, Message, Role};
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
    let parent = |value: Value<'d>| id(value, &["parent_run_id"]);
    if let Some(root) = items.iter().map(|item| item.value).find(|value| parent(*value).is_none()) {
        whole(root, &mut run);
    }
    run
}

/// How each run ended.
pub fn ended<'d>(items: &[Item<'d>]) -> Vec<Ended<'d>> {
    items.iter().map(|item| end_of(item.value)).collect()
}

fn end_of<'d>(run: Value<'d>) -> Ended<'d> {
    let error = text(run, &["error"]).filter(|it| !it.is_empty()).map(Cow::Borrowed);
    let outputs = get(run, &["outputs"]);
    let generation = outputs
        .and_then(|it| it.get("generations"))
        .and_then(|it| it.item(0))
        .and_then(|it| it.item(0));
    let inside = generation.and_then(|it| it.get("message")?.get("kwargs"));
    let info = generation.and_then(|it| it.get("generation_info"));
    let meta = inside.and_then(|it| it.get("response_metadata"));
    let finish = info.into_iter().chain(meta);
    let finish = finish.into_iter().find_map(|it| text(it, &["finish_reason", "stop_reason"]));
    // Runs of models say it themselves, or what they returned does.
    let blocks = [
        Some(run),
        inside.and_then(|it| it.get("usage_metadata")),
        outputs.and_then(|it| it.get("llm_output")?.get("token_usage")),
        outputs.and_then(|it| get(it, &["usage_metadata", "usage"])),
    ];
    Ended {
        turn: export::turn_end(
            text(run, &["name"]).unwrap_or(""),
            finish.map(Cow::Borrowed),
            error,
        ),
        tokens: blocks.into_iter().find_map(measures::tokens),
        cost_usd: measures::number(run.get("total_cost")),
    }
}

fn metadata<'d>(value: Value<'d>) -> Option<Value<'d>> {
    value.get("extra")?.get("metadata").filter(|it| it.is_object())
}

fn whole<'d>(root: Value<'d>, run: &mut Run<'d>) {
    let metadata = metadata(root);
    run.prompt = export::words(get(root, &["inputs"]), Role::User)
        .map(|words| vec![Message::text(Role::User, words)])
        .unwrap_or_default();
    run.answer = export::words(get(root, &["outputs"]), Role::Agent);
    run.metadata = metadata.map(|it| it.raw().to_owned()).unwrap_or_default();
    run.attributes = export::attributes(export::user(None, metadata), metadata, &[]);
    let error = text(root, &["error"]).filter(|it| !it.is_empty()).map(Cow::Borrowed);
    run.root = export::root_end(error, nanos(root.get("end_time")) != 0);
}

fn node<'d>(run: Value<'d>) -> Node<'d> {
    let parent = id(run, &["parent_run_id"]);
    let turn = |top| export::turn(get(run, &["inputs"]), get(run, &["outputs"]), top);
    let work = match text(run, &["run_type"]) {
        Some("tool") => Work::Tool(Box::new(tool(run))),
        Some("llm") => Work::Model(turn(false)),
        _ if parent.is_none() => Work::Agent(turn(true)),
        _ => Work::Other,
    };
    Node {
        id: Cow::Borrowed(id(run, &["id"]).unwrap_or("")),
        parent: parent.map(Cow::Borrowed),
        start: nanos(run.get("start_time")),
        end: nanos(run.get("end_time")),
        work,
    }
}

fn tool<'d>(run: Value<'d>) -> Tool<'d> {
    let outputs = get(run, &["outputs"]);
    // LangChain returns the message that it shows to the model.
    let output = outputs.and_then(|it| it.get("output")).filter(|it| it.is_object());
    let message = output.map(|it| it.get("kwargs").filter(|it| it.is_object()).unwrap_or(it));
    let shown = message.filter(|it| it.get("content").is_some());
    let call_id = get(run, &["extra"])
        .and_then(|it| id(it, &["tool_call_id"]))
        .or_else(|| shown.and_then(|it| id(it, &["tool_call_id"])))
        .filter(|id| !ids::placeholder(id));
    let error = text(run, &["error"]).filter(|it| !it.is_empty());
    let status = shown.and_then(|it| text(it, &["status"]));
    let result = match shown {
        Some(message) => dialog::result(message.get("content")).map(Cow::Owned),
        None => export::result(outputs),
    };
    Tool {
        call_id: call_id.map(Cow::Borrowed),
        name: Cow::Borrowed(text(run, &["name"]).unwrap_or("")),
        args: export::args(get(run, &["inputs"])),
        result,
        error: match (error, status) {
            (Some(_), _) | (_, Some("error")) => Some(true),
            (None, Some("success")) => Some(false),
            _ => None,
        },
        span_error: error.map(Cow::Borrowed),
        stopped: status.is_some_and(ids::did_not_run),
        ..Tool::default()
    }
}
