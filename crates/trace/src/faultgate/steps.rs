//! The steps of a run: tool spans, and calls inside messages.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_event::json::Value;
use lawbook_event::python;

use super::Trace;
use super::content::{Contents, flattened};

/// One step.
#[derive(Clone, Debug)]
pub struct Step<'d> {
    /// Its span, by place.
    pub span: usize,
    /// The id that reports print.
    pub step_id: Cow<'d, str>,
    /// The caller's own id.
    pub call_id: Option<Cow<'d, str>>,
    /// The tool.
    pub tool: Cow<'d, str>,
    /// The arguments.
    pub args: Cow<'d, str>,
    /// The result and when it was there; nothing for a call in a message that nothing answers.
    pub result: Option<(Cow<'d, str>, i128)>,
    /// When it began.
    pub start: i128,
}

/// The steps in order.
pub fn steps<'d>(trace: &Trace<'d>, contents: &Contents<'_, 'd>) -> Vec<Step<'d>> {
    // When an id stands on several spans, the last one tells the time of all their steps.
    let starts: BTreeMap<&str, i128> =
        trace.spans.iter().map(|span| (span.id.as_ref(), span.start)).collect();
    let start = |id: &str| starts.get(id).copied().unwrap_or(0);
    let mut steps = Vec::new();
    let mut own_ids: BTreeSet<Cow<'d, str>> = BTreeSet::new();
    for (at, span) in trace.spans.iter().enumerate().filter(|(_, span)| span.is_tool()) {
        let id =
            span.attrs.get("gen_ai.tool.call.id").filter(|it| it.is_true()).map(|it| it.display());
        own_ids.extend(id.clone());
        let tool =
            span.attrs.get("gen_ai.tool.name").map_or_else(|| span.name.clone(), |it| it.display());
        steps.push(Step {
            span: at,
            step_id: span.id.clone(),
            call_id: id,
            tool,
            args: span.text_of("gen_ai.tool.call.arguments"),
            result: Some((span.text_of("gen_ai.tool.call.result"), span.end)),
            start: start(&span.id),
        });
    }
    let tools = steps.len();
    let said = said(trace, contents);
    let said = said.into_iter().filter(|step| {
        let id = step.call_id.as_deref().unwrap_or("");
        tools == 0 || !own_ids.contains(id)
    });
    steps.extend(said.map(|step| Step { start: start(span_id(trace, step.span)), ..step }));
    if tools > 0 {
        steps.sort_by_key(|step| step.start);
    }
    steps
}

fn span_id<'t>(trace: &'t Trace<'_>, at: usize) -> &'t str {
    trace.spans.get(at).map_or("", |span| span.id.as_ref())
}

/// The calls inside messages, in the order of their spans.
fn said<'d>(trace: &Trace<'d>, contents: &Contents<'_, 'd>) -> Vec<Step<'d>> {
    let responses = responses(trace, contents);
    let mut steps = Vec::new();
    for (at, (_, output)) in contents.spans.iter().enumerate() {
        let parts = output.list().filter_map(|message| message.get("parts")).flat_map(Value::items);
        let calls = parts.filter(|part| kind(*part) == Some("tool_call"));
        for (nth, call) in calls.enumerate() {
            let id = call.get("id").map_or(Cow::Borrowed(""), python::text);
            let tool = call.get("name").map_or(Cow::Borrowed("unknown"), python::text);
            steps.push(Step {
                span: at,
                step_id: Cow::Owned(format!("{}.c{nth}", span_id(trace, at))),
                result: responses.get(id.as_ref()).map(|it| (Cow::Owned(it.0.clone()), it.1)),
                call_id: Some(Cow::Owned(id.into_owned())),
                tool: Cow::Owned(tool.into_owned()),
                args: Cow::Owned(flattened(call.get("arguments"))),
                start: 0,
            });
        }
    }
    steps
}

fn kind(part: Value<'_>) -> Option<&str> {
    part.get("type").and_then(Value::as_str)
}

/// The last response for each id, and the start of the span that first carried it.
fn responses(trace: &Trace<'_>, contents: &Contents<'_, '_>) -> BTreeMap<String, (String, i128)> {
    let mut found: BTreeMap<String, (String, i128)> = BTreeMap::new();
    for (span, (input, _)) in trace.spans.iter().zip(&contents.spans) {
        let parts = input.list().filter_map(|message| message.get("parts")).flat_map(Value::items);
        for part in parts.filter(|part| kind(*part) == Some("tool_call_response")) {
            let Some(id) = part.get("id").filter(|id| python::is_true(*id)) else { continue };
            let text = response(part);
            let id = python::text(id).into_owned();
            match found.get_mut(&id) {
                Some(earlier) if earlier.0 == text => {}
                Some(earlier) => *earlier = (text, span.start),
                None => {
                    found.insert(id, (text, span.start));
                }
            }
        }
    }
    found
}

fn response(part: Value<'_>) -> String {
    let text = flattened(part.get("result"));
    let flag = part.get("is_error").and_then(Value::as_bool) == Some(true);
    let error = part.get("error").is_some_and(python::is_true);
    let status = part.get("status").map_or(Cow::Borrowed(""), python::text).to_lowercase();
    if (flag || error || status == "error" || status == "failed") && !text.starts_with("Error: ") {
        return format!("Error: {text}");
    }
    text
}
