//! A Langfuse trace under the full reading.

use std::borrow::Cow;

use lawbook_event::json::{Document, Value};
use lawbook_event::{Args, ArgsState, RootEnd};

use super::is_row;
use crate::attr;
use crate::dialog::{Message, Role};
use crate::ids;
use crate::measures::{self, Ended};
use crate::readers::export::{self, Item, get, id, nanos, text};
use crate::run::{Node, Run, Tool, Work};

/// The run of a trace's records.
pub fn run<'d>(trace_id: &'d str, records: &[Item<'d>], place: &str) -> Run<'d> {
    let mut run = Run { root: RootEnd::Missing, ..Run::default() };
    run.id =
        if trace_id.is_empty() { Cow::Owned(place.to_owned()) } else { Cow::Borrowed(trace_id) };
    let mut trace = None;
    for record in records {
        let value = record.value;
        let inner = value.get("trace").filter(|it| it.is_object());
        if inner.is_some() || value.get("observations").is_some() || !is_row(value) {
            trace = trace.or(Some(inner.unwrap_or(value)));
        }
        match value.get("observations") {
            Some(observations) => {
                run.nodes.extend(observations.items().filter(|it| it.is_object()).map(node))
            }
            None if is_row(value) => run.nodes.push(node(value)),
            None => {}
        }
    }
    whole(trace, &mut run);
    run
}

/// How each observation ended.
pub fn ended<'d>(records: &[Item<'d>]) -> Vec<Ended<'d>> {
    let mut out = Vec::new();
    for value in records.iter().map(|it| it.value) {
        match value.get("observations") {
            Some(list) => out.extend(list.items().filter(|it| it.is_object()).map(end_of)),
            None if is_row(value) => out.push(end_of(value)),
            None => {}
        }
    }
    out
}

fn end_of<'d>(observation: Value<'d>) -> Ended<'d> {
    let metadata = Unpacked::of(get(observation, &["metadata"]));
    let finish = metadata.value().and_then(|it| text(it, &["finish_reason"]));
    let finish = finish.map(|it| Cow::Owned(it.to_owned()));
    let used = get(observation, &["usageDetails", "usage_details", "usage"]);
    let cost = get(observation, &["costDetails", "cost_details"]).and_then(|it| it.get("total"));
    let cost = cost.or_else(|| get(observation, &["calculatedTotalCost", "calculated_total_cost"]));
    Ended {
        turn: export::turn_end(
            text(observation, &["name"]).unwrap_or(""),
            finish,
            error(observation).map(Cow::Borrowed),
        ),
        tokens: measures::tokens(used),
        cost_usd: measures::number(cost),
    }
}

/// What is wrong with an observation, in words.
fn error(observation: Value<'_>) -> Option<&str> {
    let failed = text(observation, &["level"]).is_some_and(|it| it.eq_ignore_ascii_case("error"));
    let said = text(observation, &["statusMessage", "status_message"]).unwrap_or("error");
    failed.then_some(said)
}

/// What the trace itself says.
fn whole<'d>(trace: Option<Value<'d>>, run: &mut Run<'d>) {
    let ended = run.nodes.iter().map(|node| node.end).max().unwrap_or(0);
    run.root = export::root_end(None, ended != 0);
    let Some(trace) = trace else { return };
    let metadata = Unpacked::of(get(trace, &["metadata"]));
    let metadata_value = metadata.value().filter(|it| it.is_object());
    run.prompt = export::words(get(trace, &["input"]), Role::User)
        .map(|words| vec![Message::text(Role::User, words)])
        .unwrap_or_default();
    run.answer = export::words(get(trace, &["output"]), Role::Agent);
    run.metadata = metadata_value.map(|it| it.raw().to_owned()).unwrap_or_default();
    let user = get(trace, &["userId", "user_id"]);
    let session = get(trace, &["sessionId", "session_id"]);
    // The attributes are written out at once, so nothing of the unpacked metadata is kept.
    let user_attr = export::user(user, None).or_else(|| {
        let inside = export::user(None, metadata_value)?;
        Some(attr::Attr::Text(inside.plain().into_owned().into()))
    });
    run.attributes = export::attributes(
        user_attr,
        None,
        &[
            ("user.id", user),
            ("session.id", session),
            ("langfuse.trace.name", get(trace, &["name"])),
        ],
    );
}

/// A value that may be JSON inside text.
enum Unpacked<'d> {
    Here(Option<Value<'d>>),
    Inside(Box<Document<'static>>),
}

impl<'d> Unpacked<'d> {
    fn of(value: Option<Value<'d>>) -> Self {
        match value.and_then(Value::as_str).and_then(attr::parse_deep) {
            Some(document) => Unpacked::Inside(Box::new(document)),
            None => Unpacked::Here(value),
        }
    }

    fn value(&self) -> Option<Value<'_>> {
        match self {
            Unpacked::Here(value) => *value,
            Unpacked::Inside(document) => Some(document.root()),
        }
    }
}

fn node<'d>(observation: Value<'d>) -> Node<'d> {
    let kind = text(observation, &["type"]).unwrap_or("SPAN").to_uppercase();
    let metadata = Unpacked::of(get(observation, &["metadata"]));
    let attributes = Unpacked::of(metadata.value().and_then(|it| it.get("attributes")));
    let marks = attributes.value();
    let parent = id(observation, &["parentObservationId", "parent_observation_id"]);
    let turn = |top| export::turn(get(observation, &["input"]), get(observation, &["output"]), top);
    let work = match kind.as_str() {
        "TOOL" => Work::Tool(Box::new(tool(observation, marks))),
        "GENERATION" => Work::Model(turn(false)),
        "SPAN" if marks.is_some_and(repeats_tool) => Work::Other,
        "SPAN" if marks.is_some_and(marks_tool) => Work::Tool(Box::new(tool(observation, marks))),
        "AGENT" => Work::Agent(turn(parent.is_none())),
        _ if parent.is_none() => Work::Agent(turn(true)),
        _ => Work::Other,
    };
    Node {
        id: Cow::Borrowed(id(observation, &["id"]).unwrap_or("")),
        parent: parent.map(Cow::Borrowed),
        start: nanos(get(observation, &["startTime", "start_time"])),
        end: nanos(get(observation, &["endTime", "end_time"])),
        work,
    }
}

/// Whether the attributes of an old observation say that it is a tool's run.
fn marks_tool(marks: Value<'_>) -> bool {
    let is = |key: &str, word: &str| {
        marks.get(key).and_then(Value::as_str).is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    is("gen_ai.operation.name", "execute_tool")
        || is("openinference.span.kind", "tool")
        || is("langsmith.span.kind", "tool")
        || is("traceloop.span.kind", "tool")
        || marks.get("ai.toolCall.name").is_some()
        || (marks.get("gen_ai.tool.name").is_some() && marks.get("tool_arguments").is_some())
}

/// BeeAI traces the end and the success of a tool's run as observations of their own.
fn repeats_tool(marks: Value<'_>) -> bool {
    let target = text(marks, &["target"]).unwrap_or("");
    target.starts_with("tool.") && !target.ends_with(".start")
}

const ID_KEYS: [&str; 4] = ["gen_ai.tool.call.id", "ai.toolCall.id", "tool.id", "tool_call_id"];
const NAME_KEYS: [&str; 3] = ["gen_ai.tool.name", "tool.name", "ai.toolCall.name"];

fn tool<'d>(observation: Value<'d>, marks: Option<Value<'_>>) -> Tool<'d> {
    let mark = |keys: &[&str]| marks.and_then(|marks| text(marks, keys)).map(str::to_owned);
    let error = error(observation);
    let own = text(observation, &["name"]).unwrap_or("");
    let target =
        marks.and_then(|it| text(it, &["target"])).and_then(|it| it.strip_suffix(".start"));
    let target = target.map(|it| it.strip_prefix("tool.").unwrap_or(it).to_owned());
    let name = mark(&NAME_KEYS).or(target).map_or_else(|| ids::tool_of_span(own), Cow::Owned);
    let args = match export::args(get(observation, &["input"])) {
        Args { state: ArgsState::Unrecorded, .. } => {
            let marked = mark(&["gen_ai.tool.call.arguments", "tool.parameters", "input.value"]);
            let state = marked.as_deref().map_or(ArgsState::Unrecorded, crate::cut::state);
            Args { text: Cow::Owned(marked.unwrap_or_default()), state }
        }
        args => args,
    };
    Tool {
        call_id: mark(&ID_KEYS).filter(|id| !ids::placeholder(id)).map(Cow::Owned),
        name,
        args,
        result: export::result(get(observation, &["output"])),
        error: error.map(|_| true),
        span_error: error.map(Cow::Borrowed),
        ..Tool::default()
    }
}
