//! A span, read in full.

use std::borrow::Cow;

use lawbook_event::json::Value;

use super::any;
use super::collect::{RawSpan, first};
use crate::attr::Attrs;
use crate::encoding;

/// Keys of a span's start.
pub const START: [&str; 2] = ["startTimeUnixNano", "start_time_unix_nano"];
const END: [&str; 2] = ["endTimeUnixNano", "end_time_unix_nano"];

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
    /// Where it stands.
    pub raw: RawSpan<'d>,
}

impl<'d> Record<'d> {
    /// Reads a span; `nth` names it when it has no id.
    pub fn read(raw: RawSpan<'d>, nth: usize) -> Self {
        let span = raw.value;
        let text = |keys: &[&str]| first(span, keys).and_then(Value::as_str);
        let id = text(&["spanId", "span_id"]).filter(|id| !id.is_empty());
        let parent = text(&["parentSpanId", "parent_span_id"])
            .filter(|id| id.bytes().any(|byte| byte != b'0'))
            .map(|id| encoding::hex_id(id, 8));
        let status = first(span, &["status"]);
        let code = status.and_then(|it| it.get("code"));
        let failed = match code.and_then(|it| it.as_str().or_else(|| it.number_text())) {
            Some("2" | "STATUS_CODE_ERROR") => Some(true),
            Some("1" | "STATUS_CODE_OK") => Some(false),
            _ => None,
        };
        let events = first(span, &["events"]).into_iter().flat_map(Value::items);
        Record {
            id: id.map_or_else(|| Cow::Owned(format!("#{nth}")), |id| encoding::hex_id(id, 8)),
            parent,
            name: text(&["name"]).unwrap_or(""),
            start: nanos(first(span, &START)),
            end: nanos(first(span, &END)),
            attrs: any::attributes(first(span, &["attributes"])),
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
