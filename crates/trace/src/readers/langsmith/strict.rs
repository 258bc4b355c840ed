//! LangSmith runs as faultgate loads them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::Value;
use lawbook_event::python;

use crate::attr::{Attr, Attrs};
use crate::faultgate::{Span, Trace, times};
use crate::readers::export::{self, Item};

/// The traces by id; nothing when faultgate refuses the export.
pub fn load<'d>(items: &[Item<'d>]) -> Option<BTreeMap<&'d str, Trace<'d>>> {
    items.first()?.value.get("run_type")?;
    let mut traces = BTreeMap::new();
    for (id, runs) in export::grouped(items.to_vec(), |item| super::trace_id(item.value)) {
        let spans: Option<Vec<_>> = runs.iter().map(|run| span(run.value)).collect();
        traces.insert(id, Trace::root_first(Cow::Borrowed(id), spans?));
    }
    Some(traces)
}

fn present<'d>(value: Value<'d>, key: &str) -> Option<Value<'d>> {
    value.get(key).filter(|it| python::is_true(*it))
}

fn shown<'d>(value: Value<'d>, key: &str, missing: &'static str) -> Cow<'d, str> {
    value.get(key).map_or(Cow::Borrowed(missing), python::text)
}

fn span<'d>(run: Value<'d>) -> Option<Span<'d>> {
    let id = python::text(run.get("id")?);
    let kind = shown(run, "run_type", "chain");
    let error = present(run, "error").map(python::text);
    let parent = run.get("parent_run_id").filter(|it| !it.is_null());
    let mut attrs = if parent.is_none() && kind != "llm" {
        let extra = present(run, "extra");
        if extra.is_some_and(|it| !it.is_object()) {
            return None;
        }
        let metadata = extra.and_then(|it| present(it, "metadata"));
        let mut attrs =
            export::faultgate_root(run.get("inputs"), run.get("outputs"), metadata, None);
        attrs.set("gen_ai.agent.name", Attr::Text(shown(run, "name", "agent")));
        attrs
    } else if kind == "tool" {
        export::faultgate_tool(
            shown(run, "name", "tool"),
            run.get("inputs"),
            run.get("outputs"),
            error.as_deref(),
        )
    } else {
        let mut attrs = Attrs::default();
        let operation = if kind == "llm" { Cow::Borrowed("chat") } else { kind.clone() };
        attrs.set("gen_ai.operation.name", Attr::Text(operation));
        export::faultgate_finish(&mut attrs, run.get("outputs").and_then(finish));
        attrs
    };
    let tokens = [run.get("prompt_tokens"), run.get("completion_tokens")];
    export::faultgate_used(&mut attrs, tokens, run.get("total_cost"));
    let name = run.get("name").map_or(kind, python::text);
    let parent = parent.filter(|it| python::is_true(*it)).map(python::text);
    let times = (times(run.get("start_time"))?, times(run.get("end_time"))?);
    Some(export::faultgate_span(id, parent, name, times, attrs, error))
}

/// Why the model stopped, in the first of the places where an integration may write it.
fn finish<'d>(outputs: Value<'d>) -> Option<Cow<'d, str>> {
    let generation = outputs.get("generations")?.item(0)?.item(0)?;
    let info = present(generation, "generation_info").map(|it| (it, &["finish_reason"][..]));
    let message = present(generation, "message").and_then(|it| present(it, "kwargs"));
    let meta = message.and_then(|it| present(it, "response_metadata"));
    let meta = meta.map(|it| (it, &["finish_reason", "stop_reason"][..]));
    let mut named = info.into_iter().chain(meta);
    let found = named.find_map(|(from, keys)| keys.iter().find_map(|key| present(from, key)));
    found.map(python::text)
}
