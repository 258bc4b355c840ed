//! A trace with OpenInference attributes, mapped as faultgate maps it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::{Document, Grammar, Limits, write_string};

use crate::attr::{Attr, Attrs};
use crate::faultgate::{Span, Trace};
use crate::readers::export;

/// The trace under the names of the GenAI conventions.
pub fn mapped<'d>(trace: Trace<'d>) -> Trace<'d> {
    let has_tools = trace.spans.iter().any(|span| kind(span) == "TOOL" || span.is_tool());
    let spans = trace.spans.into_iter().map(|span| mapped_span(span, has_tools)).collect();
    Trace::root_first(trace.id, spans)
}

fn kind(span: &Span<'_>) -> String {
    span.attrs
        .get("openinference.span.kind")
        .map_or(Cow::Borrowed(""), Attr::display)
        .to_uppercase()
}

fn mapped_span<'d>(mut span: Span<'d>, has_tools: bool) -> Span<'d> {
    let kind = kind(&span);
    if span.parent.is_none() {
        root(&mut span);
    } else if kind == "TOOL" {
        tool(&mut span);
    } else {
        let operation = match kind.as_str() {
            "AGENT" | "CHAIN" => Some("invoke_agent"),
            "LLM" => Some("chat"),
            _ => None,
        };
        if let Some(operation) = operation {
            span.attrs.set("gen_ai.operation.name", Attr::text(operation));
        }
    }
    if kind == "LLM" {
        let sides = [("input", "gen_ai.input.messages"), ("output", "gen_ai.output.messages")];
        for (side, key) in sides {
            if let Some(json) = flat(&span.attrs, side, has_tools) {
                span.attrs.set(key, Attr::Text(Cow::Owned(json)));
            }
        }
    }
    used(&mut span.attrs);
    span
}

/// What the span used and why its model stopped, under the names of the GenAI conventions.
fn used(attrs: &mut Attrs<'_>) {
    for (from, to) in [
        ("llm.token_count.prompt", "gen_ai.usage.input_tokens"),
        ("llm.token_count.completion", "gen_ai.usage.output_tokens"),
    ] {
        let count = value(attrs.get(from)).filter(|it| it.root().number_text().is_some());
        if let Some(count) = count {
            attrs.set(to, Attr::Json(Cow::Owned(count.root().raw().to_owned())));
        }
    }
    let finish = attrs.get("llm.finish_reason").filter(|it| it.is_true());
    let finish = finish.map(|it| it.display().into_owned());
    export::faultgate_finish(attrs, finish.map(Cow::Owned));
}

/// A value of an attribute, to look into.
fn value(attr: Option<&Attr<'_>>) -> Option<Document<'static>> {
    let mut json = String::new();
    attr?.write(&mut json);
    Document::parse_owned(json, Grammar::Python, &Limits::DEFAULT).ok()
}

/// Fills in what a root of another convention lacks; what it has itself stays.
fn root(span: &mut Span<'_>) {
    let given = |key: &str| value(span.attrs.get(key));
    let (input, output, user) = (given("input.value"), given("output.value"), given("user.id"));
    let metadata = match span.attrs.get("metadata") {
        Some(Attr::Text(text)) => crate::attr::parse(text).map(|it| it.root().raw().to_owned()),
        Some(Attr::Json(json)) => Some(json.clone().into_owned()),
        None => None,
    };
    let metadata = metadata.as_deref().and_then(crate::attr::parse);
    let mut attrs = export::faultgate_root(
        input.as_ref().map(|it| it.root()),
        output.as_ref().map(|it| it.root()),
        metadata.as_ref().map(|it| it.root()),
        user.as_ref().map(|it| it.root()),
    );
    attrs.set("gen_ai.agent.name", Attr::Text(Cow::Owned(span.name.clone().into_owned())));
    for (key, value) in attrs.iter() {
        span.attrs.set_missing(key.to_owned(), owned(value));
    }
}

fn owned<'d>(value: &Attr<'_>) -> Attr<'d> {
    match value {
        Attr::Text(text) => Attr::Text(Cow::Owned(text.clone().into_owned())),
        Attr::Json(json) => Attr::Json(Cow::Owned(json.clone().into_owned())),
    }
}

fn tool(span: &mut Span<'_>) {
    let attrs = &span.attrs;
    let args = value(attrs.get("tool.parameters").or_else(|| attrs.get("input.value")));
    let result = value(attrs.get("output.value"));
    let name = attrs.get("tool.name").map_or_else(|| span.name.clone(), |it| it.display());
    let error = Some(span.message.as_ref()).filter(|it| !it.is_empty());
    let made = export::faultgate_tool(
        Cow::Owned(name.into_owned()),
        args.as_ref().map(|it| it.root()),
        result.as_ref().map(|it| it.root()),
        error,
    );
    for (key, value) in made.iter() {
        let value = owned(value);
        span.attrs.set(key.to_owned(), value);
    }
}

/// A message whose fields are collected: its own, and its calls by number.
#[derive(Default)]
struct Flat<'a, 'd> {
    fields: Vec<(&'a str, &'a Attr<'d>)>,
    calls: BTreeMap<u128, Vec<(&'a str, &'a Attr<'d>)>>,
}

/// The flattened messages of one side as JSON; with tool spans only their text.
fn flat(attrs: &Attrs<'_>, side: &str, text_only: bool) -> Option<String> {
    let mut messages: BTreeMap<u128, Flat<'_, '_>> = BTreeMap::new();
    for (key, value) in attrs.iter() {
        let rest = key.strip_prefix("llm.").and_then(|it| it.strip_prefix(side));
        let rest = rest.and_then(|it| it.strip_prefix("_messages."));
        let Some((at, rest)) = rest.and_then(numbered) else { continue };
        let Some(rest) =
            rest.strip_prefix("message.").filter(|it| !it.is_empty() && !it.contains('\n'))
        else {
            continue;
        };
        let message = messages.entry(at).or_default();
        let call = rest.strip_prefix("tool_calls.").and_then(numbered);
        match call.and_then(|(at, rest)| {
            Some((at, rest.strip_prefix("tool_call.").filter(|it| !it.is_empty())?))
        }) {
            Some((at, rest)) => message.calls.entry(at).or_default().push((rest, value)),
            None => message.fields.push((rest, value)),
        }
    }
    if messages.is_empty() {
        return None;
    }
    let mut json = String::from("[");
    for (nth, message) in messages.values().enumerate() {
        if nth > 0 {
            json.push_str(", ");
        }
        write(message, text_only, &mut json);
    }
    json.push(']');
    Some(json)
}

fn numbered(text: &str) -> Option<(u128, &str)> {
    let (number, rest) = text.split_once('.')?;
    let digits = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
    digits.then(|| Some((number.parse().ok()?, rest)))?
}

/// The last value of a name.
fn last<'a, 'd>(fields: &[(&'a str, &'a Attr<'d>)], name: &str) -> Option<&'a Attr<'d>> {
    fields.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| *value)
}

fn shown(value: Option<&Attr<'_>>, missing: &str) -> String {
    value.map_or_else(|| missing.to_owned(), |it| it.display().into_owned())
}

/// Appends a value as `json.dumps` writes it; text when it is missing.
fn dumped(value: Option<&Attr<'_>>, json: &mut String) {
    match value {
        None => json.push_str("\"\""),
        Some(Attr::Text(text)) => write_string(json, text),
        Some(Attr::Json(text)) => match crate::attr::parse(text) {
            Some(document) => json.push_str(&lawbook_event::python::dumps(document.root())),
            None => json.push_str(text),
        },
    }
}

fn write(message: &Flat<'_, '_>, text_only: bool, json: &mut String) {
    let role = shown(last(&message.fields, "role"), "assistant");
    let content = last(&message.fields, "content");
    let answered =
        last(&message.fields, "tool_call_id").filter(|it| it.is_true() && role == "tool");
    json.push_str("{\"role\": ");
    write_string(json, &role);
    json.push_str(", \"parts\": [");
    let mut comma = "";
    if let Some(id) = answered {
        if !text_only {
            json.push_str("{\"type\": \"tool_call_response\", \"id\": ");
            write_string(json, &id.display());
            json.push_str(", \"result\": ");
            dumped(content, json);
            json.push('}');
            comma = ", ";
        }
    } else if let Some(content) = content.filter(|it| it.is_true()) {
        json.push_str("{\"type\": \"text\", \"content\": ");
        write_string(json, &content.display());
        json.push('}');
        comma = ", ";
    }
    for call in message.calls.values().filter(|_| !text_only) {
        json.push_str(comma);
        json.push_str("{\"type\": \"tool_call\", \"id\": ");
        write_string(json, &shown(last(call, "id"), ""));
        json.push_str(", \"name\": ");
        write_string(json, &shown(last(call, "function.name"), "unknown"));
        json.push_str(", \"arguments\": ");
        dumped(last(call, "function.arguments"), json);
        json.push('}');
        comma = ", ";
    }
    json.push_str("]}");
}
