//! A span of Jaeger: tags are its attributes, logs its events, references its parent.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::Value;

use crate::attr::Attrs;
use crate::readers::export::{id, text};
use crate::readers::otlp::{RawSpan, Record, attributes, left_out};

/// Reads a span; the processes of its trace say where it ran.
pub fn read<'d>(span: Value<'d>, processes: &BTreeMap<&str, Value<'d>>) -> Record<'d> {
    let attrs = attributes(span.get("tags"));
    let start = micros(span.get("startTime"));
    let end = start.saturating_add(micros(span.get("duration")));
    let events = span.get("logs").into_iter().flat_map(Value::items).map(event).collect();
    let process = text(span, &["processID"]).and_then(|it| processes.get(it)).copied();
    Record {
        id: Cow::Borrowed(id(span, &["spanID"]).unwrap_or("")),
        parent: parent(span).map(Cow::Borrowed),
        name: text(span, &["operationName"]).unwrap_or(""),
        start,
        end,
        failed: failed(&attrs),
        message: message(span),
        dropped: left_out(span, &attrs),
        attrs,
        events,
        raw: RawSpan { value: span, resource: process.or_else(|| span.get("process")) },
    }
}

fn micros(value: Option<Value<'_>>) -> i64 {
    let text = value.and_then(|it| it.number_text().or_else(|| it.as_str()));
    let micros = text.and_then(|it| it.parse::<i64>().ok()).unwrap_or(0);
    micros.max(0).saturating_mul(1_000)
}

fn parent(span: Value<'_>) -> Option<&str> {
    let references = || span.get("references").into_iter().flat_map(Value::items);
    let child = references().find(|it| text(*it, &["refType"]) == Some("CHILD_OF"));
    let referred = child.or_else(|| references().next()).and_then(|it| id(it, &["spanID"]));
    referred.or_else(|| id(span, &["parentSpanID"]))
}

/// Whether the tags say that it failed; a tag of OpenTelemetry's status counts before Jaeger's own.
fn failed(attrs: &Attrs<'_>) -> Option<bool> {
    match attrs.text("otel.status_code") {
        Some("ERROR") => return Some(true),
        Some("OK") => return Some(false),
        _ => {}
    }
    let error = attrs.get("error").map(|it| it.plain() == "true");
    error.filter(|it| *it)
}

fn message(span: Value<'_>) -> &str {
    let tags = span.get("tags").into_iter().flat_map(Value::items);
    let mut described = tags.filter(|it| text(*it, &["key"]) == Some("otel.status_description"));
    described.find_map(|it| text(it, &["value"])).unwrap_or("")
}

/// An event: its fields, of which `event` or `name` is its name.
fn event<'d>(log: Value<'d>) -> (&'d str, Attrs<'d>) {
    let fields = log.get("fields");
    let named = |key: &str| {
        let mut fields = fields.into_iter().flat_map(Value::items);
        fields.find(|it| text(*it, &["key"]) == Some(key)).and_then(|it| text(it, &["value"]))
    };
    (named("event").or_else(|| named("name")).unwrap_or(""), attributes(fields))
}
