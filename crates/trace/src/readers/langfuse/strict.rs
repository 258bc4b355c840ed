//! Langfuse traces as faultgate loads them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::Value;
use lawbook_event::python;

use super::is_row;
use crate::attr::{Attr, Attrs};
use crate::faultgate::{Span, Trace, times};
use crate::readers::export::{self, Item, get};

/// The traces by id; nothing when faultgate refuses the export.
pub fn load<'d>(items: &[Item<'d>]) -> Option<BTreeMap<&'d str, Trace<'d>>> {
    let first = items.first()?.value;
    if first.get("observations").is_none() && !is_row(first) {
        return None;
    }
    let mut traces = BTreeMap::new();
    if first.get("observations").is_some() {
        for item in items {
            let id = item.value.get("id")?;
            let observations = match item.value.get("observations") {
                Some(list) if python::is_true(list) => objects(list)?,
                _ => Vec::new(),
            };
            traces.insert(shown_id(id)?, trace(item.value, id, observations)?);
        }
        return Some(traces);
    }
    let groups = export::grouped(items.to_vec(), |item| super::trace_id(item.value));
    for (id, rows) in groups {
        let id_value = get(rows.first()?.value, &["traceId", "trace_id"])?;
        let rows = rows.iter().map(|row| row.value).collect();
        traces.insert(id, rows_trace(id_value, rows)?);
    }
    Some(traces)
}

/// The id as both readings know the trace.
fn shown_id(id: Value<'_>) -> Option<&str> {
    id.as_str().or_else(|| id.number_text())
}

fn objects<'d>(list: Value<'d>) -> Option<Vec<Value<'d>>> {
    (list.is_array() && list.items().all(Value::is_object)).then(|| list.items().collect())
}

fn rows_trace<'d>(id: Value<'d>, rows: Vec<Value<'d>>) -> Option<Trace<'d>> {
    build(None, python::text(id), rows)
}

fn trace<'d>(trace: Value<'d>, id: Value<'d>, observations: Vec<Value<'d>>) -> Option<Trace<'d>> {
    build(Some(trace), python::text(id), observations)
}

fn build<'d>(
    trace: Option<Value<'d>>,
    id: Cow<'d, str>,
    rows: Vec<Value<'d>>,
) -> Option<Trace<'d>> {
    let field = |keys: &[&str]| trace.and_then(|it| get(it, keys));
    let root_id = format!("{id}:root");
    let (mut starts, mut ends, mut models) = (Vec::new(), Vec::new(), Vec::new());
    for row in &rows {
        let start = get(*row, &["startTime", "start_time"]);
        let end = get(*row, &["endTime", "end_time"]);
        if let Some(start) = start.filter(|it| python::is_true(*it)) {
            starts.push(times(Some(start))?);
        }
        if let Some(end) = end.filter(|it| python::is_true(*it)) {
            ends.push(times(Some(end))?);
        }
        if upper(row.get("type")) == "GENERATION" {
            models.push((times(start)?, *row));
        }
    }
    models.sort_by_key(|(start, _)| *start);
    let start = match times(trace.and_then(|it| it.get("timestamp")))? {
        0 => starts.into_iter().min().unwrap_or(0),
        start => start,
    };
    let end = match field(&["latency"]).and_then(Value::number_text) {
        Some(latency) => start.checked_add((latency.parse::<f64>().ok()? * 1e9) as i128)?,
        None => ends.into_iter().max().unwrap_or(0),
    };
    let model = |row: Option<&(i128, Value<'d>)>, key| row.and_then(|(_, row)| row.get(key));
    let prompt = field(&["input"]).or_else(|| model(models.first(), "input"));
    let answer = field(&["output"]).or_else(|| model(models.last(), "output"));
    let attrs =
        export::faultgate_root(prompt, answer, field(&["metadata"]), field(&["userId", "user_id"]));
    let name = field(&["name"]).filter(|it| python::is_true(*it));
    let name = name.map_or(Cow::Borrowed("agent"), python::text);
    let attrs = with_name(attrs, name.clone());
    let root_span = Cow::Owned(root_id.clone());
    let root = export::faultgate_span(root_span, None, name, (start, end), attrs, None);
    let mut spans = vec![root];
    for row in rows {
        spans.push(observation(row, &root_id)?);
    }
    Some(Trace::root_first(id, spans))
}

/// The name of the agent stands among the root's attributes, behind its operation.
fn with_name<'d>(mut attrs: Attrs<'d>, name: Cow<'d, str>) -> Attrs<'d> {
    attrs.set("gen_ai.agent.name", Attr::Text(name));
    attrs
}

fn upper(value: Option<Value<'_>>) -> String {
    value.map_or(Cow::Borrowed(""), python::text).to_uppercase()
}

fn observation<'d>(row: Value<'d>, root_id: &str) -> Option<Span<'d>> {
    let kind = row.get("type").map_or_else(|| "SPAN".to_owned(), |it| upper(Some(it)));
    let failed = upper(row.get("level")) == "ERROR";
    let said = get(row, &["statusMessage", "status_message"]).filter(|it| python::is_true(*it));
    let error = failed.then(|| said.map_or(Cow::Borrowed("error"), python::text));
    let mut attrs = if kind == "TOOL" {
        let name = row.get("name").map_or(Cow::Borrowed("tool"), python::text);
        export::faultgate_tool(name, row.get("input"), row.get("output"), error.as_deref())
    } else {
        let mut attrs = Attrs::default();
        let operation = if kind == "GENERATION" { "chat".to_owned() } else { kind.to_lowercase() };
        attrs.set("gen_ai.operation.name", Attr::Text(operation.into()));
        if kind == "GENERATION" {
            export::said(&mut attrs, "gen_ai.input.messages", "user", row.get("input"));
            export::said(&mut attrs, "gen_ai.output.messages", "assistant", row.get("output"));
        }
        attrs
    };
    let used = object(row, &["usageDetails", "usage_details", "usage"])?;
    let cost = object(row, &["costDetails", "cost_details"])?.and_then(|it| it.get("total"));
    let count = |keys: &[&str]| used.and_then(|it| get(it, keys));
    let tokens = [
        count(&["input", "promptTokens", "input_tokens"]),
        count(&["output", "completionTokens", "output_tokens"]),
    ];
    export::faultgate_used(&mut attrs, tokens, cost);
    let metadata = row.get("metadata").filter(|it| it.is_object());
    let finish = metadata.and_then(|it| it.get("finish_reason")).filter(|it| python::is_true(*it));
    export::faultgate_finish(&mut attrs, finish.map(python::text));
    let parent = get(row, &["parentObservationId", "parent_observation_id"])
        .filter(|it| python::is_true(*it));
    let parent = parent.map_or(Cow::Owned(root_id.to_owned()), python::text);
    let times = (
        times(get(row, &["startTime", "start_time"]))?,
        times(get(row, &["endTime", "end_time"]))?,
    );
    let id = python::text(row.get("id")?);
    let name = row.get("name").map_or_else(|| Cow::Owned(kind.to_lowercase()), python::text);
    Some(export::faultgate_span(id, Some(parent), name, times, attrs, error))
}

/// An object that may be missing or empty; nothing where faultgate refuses the export for it.
fn object<'d>(row: Value<'d>, keys: &[&str]) -> Option<Option<Value<'d>>> {
    match get(row, keys).filter(|it| python::is_true(*it)) {
        Some(found) => found.is_object().then_some(Some(found)),
        None => Some(None),
    }
}
