//! Braintrust spans as faultgate loads them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::Value;
use lawbook_event::python;

use crate::attr::{Attr, Attrs};
use crate::faultgate::{Span, Trace, times};
use crate::readers::export::{self, Item};

/// The traces by id; nothing when faultgate refuses the export.
pub fn load<'d>(items: &[Item<'d>]) -> Option<BTreeMap<&'d str, Trace<'d>>> {
    let first = items.first()?.value;
    if first.get("span_attributes").is_none() && first.get("root_span_id").is_none() {
        return None;
    }
    let mut traces = BTreeMap::new();
    for (id, spans) in export::grouped(items.to_vec(), |item| super::root_id(item.value)) {
        let spans: Option<Vec<_>> = spans.iter().map(|it| span(it.value)).collect();
        traces.insert(id, Trace::root_first(Cow::Borrowed(id), spans?));
    }
    Some(traces)
}

/// A value that Python holds for true.
fn present<'d>(value: Value<'d>, key: &str) -> Option<Value<'d>> {
    value.get(key).filter(|it| python::is_true(*it))
}

/// An object that may be missing; nothing when something else stands there.
fn object<'d>(value: Value<'d>, key: &str) -> Option<Option<Value<'d>>> {
    match present(value, key) {
        Some(found) if found.is_object() => Some(Some(found)),
        Some(_) => None,
        None => Some(None),
    }
}

fn span<'d>(span: Value<'d>) -> Option<Span<'d>> {
    let id = present(span, "span_id").or_else(|| span.get("id")).map(python::text)?;
    let root = present(span, "root_span_id").map_or_else(|| id.clone(), python::text);
    let marks = object(span, "span_attributes")?;
    let metrics = object(span, "metrics")?;
    let kind =
        marks.and_then(|it| it.get("type")).map_or(Cow::Borrowed(""), python::text).to_lowercase();
    let unnamed = if kind.is_empty() { "span" } else { &kind };
    let name = marks
        .and_then(|it| it.get("name"))
        .map_or_else(|| Cow::Owned(unnamed.to_owned()), python::text);
    let parents = match present(span, "span_parents") {
        Some(list) if list.is_array() => list.item(0),
        Some(_) => return None,
        None => None,
    };
    let error = present(span, "error").map(python::text);
    let mut attrs = if id == root || parents.is_none() {
        let metadata = span.get("metadata").filter(|it| it.is_object());
        let mut attrs =
            export::faultgate_root(span.get("input"), span.get("output"), metadata, None);
        attrs.set("gen_ai.agent.name", Attr::Text(name.clone()));
        attrs
    } else if kind == "tool" {
        export::faultgate_tool(
            name.clone(),
            span.get("input"),
            span.get("output"),
            error.as_deref(),
        )
    } else {
        let mut attrs = Attrs::default();
        let operation = if kind == "llm" { "chat" } else { unnamed };
        attrs.set("gen_ai.operation.name", Attr::Text(operation.to_owned().into()));
        let metadata = span.get("metadata").filter(|it| it.is_object());
        let finish = metadata.and_then(|it| present(it, "finish_reason"));
        export::faultgate_finish(&mut attrs, finish.map(python::text));
        attrs
    };
    let count = |key| metrics.and_then(|it| it.get(key));
    export::faultgate_used(&mut attrs, [count("prompt_tokens"), count("completion_tokens")], None);
    let parent = parents.filter(|_| id != root).map(python::text);
    let time = |key| times(metrics.and_then(|it| it.get(key)));
    let times = (time("start")?, time("end")?);
    Some(export::faultgate_span(id, parent, name, times, attrs, error))
}
