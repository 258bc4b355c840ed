//! A span, read in full.

use std::borrow::Cow;

use lawbook_event::json::Value;

use super::any;
use super::collect::{RawSpan, first, found};
use crate::attr::Attrs;
use crate::encoding;

/// The fields of a span, found in one walk. Names are written in camel or snake case.
#[derive(Default)]
struct Fields<'d> {
    id: Field<'d>,
    parent: Field<'d>,
    name: Field<'d>,
    start: Field<'d>,
    end: Field<'d>,
    attributes: Field<'d>,
    status: Field<'d>,
    events: Field<'d>,
    /// The recorder left out some of it.
    drops: bool,
}

/// A field in camel and in snake case.
#[derive(Clone, Copy, Default)]
struct Field<'d>([Option<Value<'d>>; 2]);

impl<'d> Fields<'d> {
    fn of(span: Value<'d>) -> Self {
        let mut all = Fields::default();
        for (key, value) in span.entries() {
            let ([camel, snake], is_snake) = match key {
                "spanId" => (&mut all.id.0, false),
                "span_id" => (&mut all.id.0, true),
                "parentSpanId" => (&mut all.parent.0, false),
                "parent_span_id" => (&mut all.parent.0, true),
                "name" => (&mut all.name.0, false),
                "startTimeUnixNano" => (&mut all.start.0, false),
                "start_time_unix_nano" => (&mut all.start.0, true),
                "endTimeUnixNano" => (&mut all.end.0, false),
                "end_time_unix_nano" => (&mut all.end.0, true),
                "attributes" => (&mut all.attributes.0, false),
                "status" => (&mut all.status.0, false),
                "events" => (&mut all.events.0, false),
                _ => {
                    all.drops |= drops_by(key, value);
                    continue;
                }
            };
            *if is_snake { snake } else { camel } = Some(value);
        }
        all
    }
}

impl<'d> Field<'d> {
    /// The value of the first name that is there.
    fn value(self) -> Option<Value<'d>> {
        found(self.0)
    }

    fn text(self) -> Option<&'d str> {
        self.value().and_then(Value::as_str)
    }
}

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
        let fields = Fields::of(raw.value);
        let id = fields.id.text().filter(|id| !id.is_empty());
        let parent = fields
            .parent
            .text()
            .filter(|id| id.bytes().any(|byte| byte != b'0'))
            .map(|id| encoding::hex_id(id, 8));
        let status = fields.status.value();
        let code = status.and_then(|it| it.get("code"));
        let failed = match code.and_then(|it| it.as_str().or_else(|| it.number_text())) {
            Some("2" | "STATUS_CODE_ERROR") => Some(true),
            Some("1" | "STATUS_CODE_OK") => Some(false),
            _ => None,
        };
        let events = fields.events.value().into_iter().flat_map(Value::items);
        let attrs = any::attributes(fields.attributes.value());
        Record {
            dropped: fields.drops || events_left_out(fields.events.value(), &attrs),
            id: id.map_or_else(|| Cow::Owned(format!("#{nth}")), |id| encoding::hex_id(id, 8)),
            parent,
            name: fields.name.text().unwrap_or(""),
            start: nanos(fields.start.value()),
            end: nanos(fields.end.value()),
            attrs,
            failed,
            message: status.and_then(|it| it.get("message")).and_then(Value::as_str).unwrap_or(""),
            events: events
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

/// Whether the recorder left out some of a span, an event or a resource.
pub fn drops(value: Value<'_>) -> bool {
    value.entries().any(|(key, it)| drops_by(key, it))
}

/// Whether a member says that something was left out.
fn drops_by(key: &str, value: Value<'_>) -> bool {
    let text = || value.as_str().or_else(|| value.number_text());
    DROPPED.contains(&key) && text().is_some_and(is_count)
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
