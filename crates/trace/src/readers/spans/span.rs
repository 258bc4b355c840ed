//! One span of a dump, in the spellings that dumps have.

use std::borrow::Cow;

use lawbook_event::json::{Value, Writer};

use super::flat;
use crate::attr::{self, Attr, Attrs};
use crate::encoding;
use crate::parse_time;
use crate::readers::export::{get, id, text};
use crate::readers::otlp::{RawSpan, Record, Said, attributes, left_out};

const ID_KEYS: [&str; 4] = ["span_id", "spanId", "context.span_id", "id"];
const PARENT_KEYS: [&str; 5] =
    ["parent_span_id", "parentSpanId", "parent_id", "parentId", "context.parent_id"];
const TRACE_KEYS: [&str; 3] = ["trace_id", "traceId", "context.trace_id"];
const START_KEYS: [&str; 5] =
    ["start_time", "startTime", "startTimeUnixNano", "start_time_unix_nano", "start"];
const END_KEYS: [&str; 5] = ["end_time", "endTime", "endTimeUnixNano", "end_time_unix_nano", "end"];

/// Whether a record is a span whose attributes are a plain object, or columns of their own.
pub fn is_span(record: Value<'_>) -> bool {
    let plain = record.get("attributes").is_some_and(Value::is_object);
    let columns = || record.entries().any(|(key, _)| key.starts_with(flat::COLUMN));
    let named = text(record, &["name"]).is_some() && own_id(record).is_some();
    let traced = !trace_id(record).is_empty() || get(record, &START_KEYS).is_some();
    record.is_object() && named && traced && (plain || columns())
}

fn context(record: Value<'_>) -> Option<Value<'_>> {
    get(record, &["context", "span_context", "spanContext"]).filter(|it| it.is_object())
}

fn own_id(record: Value<'_>) -> Option<&str> {
    let inside = || context(record).and_then(|it| id(it, &["span_id", "spanId"]));
    id(record, &["span_id", "spanId", "context.span_id"])
        .or_else(inside)
        .or_else(|| id(record, &ID_KEYS))
}

/// The trace of a span.
pub fn trace_id(record: Value<'_>) -> &str {
    let inside = || context(record).and_then(|it| id(it, &["trace_id", "traceId"]));
    unprefixed(id(record, &TRACE_KEYS).or_else(inside).unwrap_or(""))
}

/// Reads a span; `nth` names it when it has no id. What was logged beside it comes back too.
pub fn read<'d>(record: Value<'d>, nth: usize) -> (Record<'d>, Vec<Said<'d>>) {
    let own = own_id(record).map(|it| encoding::hex_id(unprefixed(it), 8));
    let own = own.unwrap_or_else(|| Cow::Owned(format!("#{nth}")));
    let parent = id(record, &PARENT_KEYS).map(unprefixed);
    let parent = parent.filter(|it| it.bytes().any(|byte| byte != b'0'));
    let events = get(record, &["events", "span_events"]);
    let said = events.into_iter().flat_map(Value::items).filter_map(|it| said(it, &own)).collect();
    let attrs = attrs(record, events);
    let span = Record {
        parent: parent.map(|it| encoding::hex_id(it, 8)),
        name: text(record, &["name"]).unwrap_or(""),
        start: nanos(get(record, &START_KEYS)),
        end: nanos(get(record, &END_KEYS)),
        dropped: left_out(record, &attrs),
        attrs,
        failed: failed(record),
        message: message(record),
        events: events.into_iter().flat_map(Value::items).filter_map(event).collect(),
        raw: RawSpan {
            value: record,
            resource: record.get("resource").filter(|it| it.is_object()),
        },
        id: own,
    };
    (span, said)
}

/// The attributes of a span, with the messages that its events hold in their bodies.
fn attrs<'d>(record: Value<'d>, events: Option<Value<'d>>) -> Attrs<'d> {
    let mut attrs = flat::attributes(record);
    for body in events.into_iter().flat_map(Value::items).filter_map(|it| it.get("body")) {
        for (side, key) in
            [("input", "gen_ai.input.messages"), ("output", "gen_ai.output.messages")]
        {
            let messages = body.get(side).and_then(|it| it.get("messages"));
            if let Some(messages) = messages.filter(|it| it.is_array()) {
                attrs.set_missing(key, Attr::Json(Cow::Owned(opened(messages))));
            }
        }
    }
    attrs
}

/// A list of messages, each as what its content holds where that is JSON inside text.
fn opened(messages: Value<'_>) -> String {
    let mut writer = Writer::new();
    writer.array();
    for message in messages.items() {
        let inner = message.get("content").and_then(Value::as_str).and_then(attr::parse_container);
        let inner = inner.as_ref().map(|it| it.root());
        let held = inner.map(|it| get(it, &["generations", "messages"]).unwrap_or(it));
        writer.raw(held.unwrap_or(message).raw());
    }
    writer.end_array();
    writer.finish()
}

/// Python writes ids as numbers in hexadecimal.
fn unprefixed(id: &str) -> &str {
    id.strip_prefix("0x").unwrap_or(id)
}

/// A time in nanoseconds: a number or a text of any unit, or a pair of seconds and nanoseconds.
fn nanos(value: Option<Value<'_>>) -> i64 {
    let Some(value) = value else { return 0 };
    let number = |it: Value<'_>| it.number_text().and_then(|it| it.parse::<i64>().ok());
    if let (Some(secs), Some(nanos)) =
        (value.item(0).and_then(number), value.item(1).and_then(number))
    {
        return secs.saturating_mul(1_000_000_000).saturating_add(nanos).max(0);
    }
    let text = value.as_str().or_else(|| value.number_text());
    text.and_then(parse_time).map_or(0, |time| time.nanos.max(0))
}

fn failed(record: Value<'_>) -> Option<bool> {
    let status = record.get("status");
    let code = status.and_then(|it| get(it, &["code", "status_code"]).or(Some(it)));
    let code = code.or_else(|| record.get("status_code"));
    match code.and_then(|it| it.as_str().or_else(|| it.number_text())) {
        Some("2" | "ERROR" | "STATUS_CODE_ERROR" | "StatusCode.ERROR") => Some(true),
        Some("1" | "OK" | "STATUS_CODE_OK" | "StatusCode.OK") => Some(false),
        _ => None,
    }
}

fn message(record: Value<'_>) -> &str {
    let inside = record.get("status").and_then(|it| text(it, &["message", "description"]));
    inside.or_else(|| text(record, &["status_message"])).unwrap_or("")
}

fn event<'d>(event: Value<'d>) -> Option<(&'d str, Attrs<'d>)> {
    Some((text(event, &["name", "event_name"])?, attributes(event.get("attributes"))))
}

/// An event with a body of its own, as a log record has it.
fn said<'d>(event: Value<'d>, span: &Cow<'d, str>) -> Option<Said<'d>> {
    let body = event.get("body").filter(|it| !it.is_null())?;
    let name = text(event, &["name", "event_name"])?;
    Some(Said {
        name: Cow::Borrowed(name),
        span: Some(span.clone()),
        attrs: attributes(event.get("attributes")),
        body: Some(Attr::of(body)),
    })
}
