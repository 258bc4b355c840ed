//! A span, read in full.

use std::borrow::Cow;

use lawbook_event::json::{Names, Value};

use super::any;
use super::collect::{RawSpan, first, found};
use crate::attr::Attrs;
use crate::encoding;

/// The fields of a span, some in camel and in snake case, and the counts of what was left out.
const FIELDS: Names<16> = Names::new([
    "spanId",
    "span_id",
    "parentSpanId",
    "parent_span_id",
    "name",
    "startTimeUnixNano",
    "start_time_unix_nano",
    "endTimeUnixNano",
    "end_time_unix_nano",
    "attributes",
    "status",
    "events",
    "droppedAttributesCount",
    "dropped_attributes_count",
    "droppedEventsCount",
    "dropped_events_count",
]);

/// A span.
#[derive(Clone, Debug)]
pub struct Record<'d> {
    /// Its id.
    pub id: Cow<'d, str>,
    /// Its parent's id; an empty one and one of zeros are none.
    pub parent: Option<Cow<'d, str>>,
    /// Its name.
    pub name: &'d str,
    /// Start in nanoseconds; 0 when it is missing.
    pub start: i64,
    /// End in nanoseconds; 0 when it is missing.
    pub end: i64,
    /// Its attributes.
    pub attrs: Attrs<'d>,
    /// Whether its status says that it failed, or that it went well.
    pub failed: Option<bool>,
    /// What its status says in words.
    pub message: &'d str,
    /// Its events: name and attributes.
    pub events: Vec<(&'d str, Attrs<'d>)>,
    /// The recorder left out attributes or events.
    pub dropped: bool,
    /// Where it stands.
    pub raw: RawSpan<'d>,
}

impl<'d> Record<'d> {
    /// Reads a span; `nth` names it when it has no id.
    pub fn read(raw: RawSpan<'d>, nth: usize) -> Self {
        let [
            id,
            id_snake,
            parent,
            parent_snake,
            name,
            start,
            start_snake,
            end,
            end_snake,
            attributes,
            status,
            events,
            dropped @ ..,
        ] = raw.value.members(&FIELDS);
        let text = |it: Option<Value<'d>>| it.and_then(Value::as_str);
        let id = text(found([id, id_snake])).filter(|id| !id.is_empty());
        let parent = text(found([parent, parent_snake]))
            .filter(|id| id.bytes().any(|byte| byte != b'0'))
            .map(|id| encoding::hex_id(id, 8));
        let code = status.and_then(|it| it.get("code"));
        let failed = match code.and_then(|it| it.as_str().or_else(|| it.number_text())) {
            Some("2" | "STATUS_CODE_ERROR") => Some(true),
            Some("1" | "STATUS_CODE_OK") => Some(false),
            _ => None,
        };
        let attrs = any::attributes(attributes);
        Record {
            dropped: dropped.into_iter().flatten().any(is_some_count)
                || (raw.value.document().duplicate_key().is_some() && drops(raw.value))
                || events_left_out(events, &attrs),
            id: id.map_or_else(|| Cow::Owned(format!("#{nth}")), |id| encoding::hex_id(id, 8)),
            parent,
            name: text(name).unwrap_or(""),
            start: nanos(found([start, start_snake])),
            end: nanos(found([end, end_snake])),
            attrs,
            failed,
            message: text(status.and_then(|it| it.get("message"))).unwrap_or(""),
            events: events
                .into_iter()
                .flat_map(Value::items)
                .filter_map(|event| {
                    let name = event.get("name").and_then(Value::as_str)?;
                    Some((name, any::attributes(first(event, &["attributes"]))))
                })
                .collect(),
            raw,
        }
    }
}

/// What counts the attributes and events that a recorder left out.
const DROPPED: [&str; 4] = [
    "droppedAttributesCount",
    "dropped_attributes_count",
    "droppedEventsCount",
    "dropped_events_count",
];
/// The same as attributes, in systems that have no field for it.
const DROPPED_KEYS: [&str; 2] = ["otel.dropped_attributes_count", "otel.dropped_events_count"];

/// Whether the recorder left out some of a span or of its events.
pub fn left_out(span: Value<'_>, attrs: &Attrs<'_>) -> bool {
    drops(span) || events_left_out(span.get("events"), attrs)
}

fn events_left_out(events: Option<Value<'_>>, attrs: &Attrs<'_>) -> bool {
    let named = |key: &&str| attrs.get(key).is_some_and(|it| is_count(&it.plain()));
    let mut events = events.into_iter().flat_map(Value::items);
    DROPPED_KEYS.iter().any(named) || events.any(drops)
}

/// Whether the recorder left out some of a span, an event or a resource. Where a count stands
/// twice, either may be the true one.
pub fn drops(value: Value<'_>) -> bool {
    value.entries().any(|(key, it)| DROPPED.contains(&key) && is_some_count(it))
}

fn is_some_count(value: Value<'_>) -> bool {
    value.as_str().or_else(|| value.number_text()).is_some_and(is_count)
}

fn is_count(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok_and(|it| it > 0.0)
}

/// A time in nanoseconds; 0 when there is none.
pub fn nanos(value: Option<Value<'_>>) -> i64 {
    let Some(text) = value.and_then(|it| it.as_str().or_else(|| it.number_text())) else {
        return 0;
    };
    match text.trim().parse::<i64>() {
        Ok(nanos) => nanos.max(0),
        Err(_) => match text.parse::<f64>() {
            Ok(nanos) if nanos.is_finite() && nanos > 0.0 => nanos as i64,
            _ => 0,
        },
    }
}
