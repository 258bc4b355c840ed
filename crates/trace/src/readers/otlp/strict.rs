//! Traces as faultgate loads them: none of a document where it refuses one span.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_event::json::{Items, Kind, Names, Value, write_string};
use lawbook_event::python;

use super::collect::{Found, pair, wrapped};
use crate::attr::{Attr, Attrs};
use crate::faultgate::{Span, Trace};

/// How deep lists inside one value are decoded; deeper ones stay as they are written.
const DEPTH_MAX: usize = 48;

/// The keys under which faultgate looks for spans.
pub const KEYS: [&str; 2] = ["resourceSpans", "scopeSpans"];

/// Whether faultgate loads a document, asked of each span while another walk has it at hand.
#[derive(Clone, Copy, Debug)]
pub enum Loads<'d> {
    /// It is told.
    Told(bool),
    /// None of the spans so far is refused in this document.
    SoFar(Value<'d>),
}

impl<'d> Loads<'d> {
    /// Before the first span of a document.
    pub fn of(root: Value<'d>) -> Self {
        // Faultgate looks for spans beside what is wrapped, and in no list of documents.
        match root.is_object() && wrapped(root).is_none() {
            true => Loads::SoFar(root),
            false => Loads::Told(loads(root)),
        }
    }

    /// Asks of a span that faultgate sees.
    pub fn ask(&mut self, value: Value<'_>) {
        if matches!(self, Loads::SoFar(_)) && !sound(value) {
            *self = Loads::Told(false);
        }
    }

    /// After the last span, with the problems that the walk met: for some, faultgate refuses the
    /// document, and others it does not see.
    pub fn told(self, problems: &[Problem]) -> bool {
        match self {
            Loads::Told(loads) => loads,
            Loads::SoFar(root) => problems.is_empty() || loads(root),
        }
    }
}

/// Whether faultgate loads a document: it refuses all of it where it fails on one span.
pub fn loads(root: Value<'_>) -> bool {
    root.is_object() && each_span(root, |it| sound(it).then_some(())).is_some()
}

/// Whether faultgate loads a span.
fn sound(value: Value<'_>) -> bool {
    span(value, &mut |_, _| ()).is_some()
}

/// A trace of a document that faultgate loads; nothing where faultgate sees no span of it.
pub fn trace<'d>(found: &Found<'d>) -> Option<Trace<'d>> {
    let seen = found.spans.iter().filter(|it| it.seen);
    let spans: Option<Vec<Span<'d>>> = seen.map(|it| whole_span(it.raw.value)).collect();
    let spans = spans.filter(|it| !it.is_empty())?;
    Some(Trace::by_start(Cow::Borrowed(found.raw_id), spans))
}

/// The traces that stand beside a document in a wrapper, by id: faultgate sees these and none that
/// is wrapped.
pub fn beside<'d>(root: Value<'d>) -> BTreeMap<&'d str, Trace<'d>> {
    let mut spans: BTreeMap<&'d str, Vec<Span<'d>>> = BTreeMap::new();
    let walk = |value: Value<'d>| {
        let id = value.get("traceId")?.as_str()?;
        spans.entry(id).or_default().push(whole_span(value)?);
        Some(())
    };
    if wrapped(root).is_none() || each_span(root, walk).is_none() {
        return BTreeMap::new();
    }
    let trace =
        |(id, spans): (&'d str, Vec<Span<'d>>)| (id, Trace::by_start(Cow::Borrowed(id), spans));
    spans.into_iter().map(trace).collect()
}

/// Hands on every span, until one of them or a list is not as faultgate needs it.
fn each_span<'d>(root: Value<'d>, mut take: impl FnMut(Value<'d>) -> Option<()>) -> Option<()> {
    let [resources, scopes] = KEYS;
    for resource in list(root, root.get(resources))? {
        for scope in list(object(resource)?, resource.get(scopes))? {
            for span in list(object(scope)?, scope.get("spans"))? {
                take(object(span)?)?;
            }
        }
    }
    Some(())
}

/// The items of a list in an object, where it may be missing; nothing when it is no list.
fn list<'d>(holder: Value<'d>, list: Option<Value<'d>>) -> Option<Items<'d>> {
    // What is no list has no items.
    let Some(list) = list else { return Some(holder.items()) };
    // Nothing is in an empty text or object, so nothing goes wrong there.
    let nothing = || list.as_str() == Some("") || (list.is_object() && list.is_empty());
    (list.is_array() || nothing()).then(|| list.items())
}

fn object(value: Value<'_>) -> Option<Value<'_>> {
    value.is_object().then_some(value)
}

const FIELDS: Names<8> = Names::new([
    "traceId",
    "spanId",
    "parentSpanId",
    "name",
    "startTimeUnixNano",
    "endTimeUnixNano",
    "attributes",
    "status",
]);

/// A span with its attributes.
fn whole_span(value: Value<'_>) -> Option<Span<'_>> {
    let room = value.get("attributes").map_or(0, Value::len);
    let mut attrs = Attrs::with_room(room);
    let span = span(value, &mut |key, value| attrs.set(key, value))?;
    Some(Span { attrs, ..span })
}

/// A span without its attributes, which are handed on.
fn span<'d>(value: Value<'d>, take: &mut impl FnMut(&'d str, Attr<'d>)) -> Option<Span<'d>> {
    let [trace, id, parent, name, start, end, attributes, status] = value.members(&FIELDS);
    for entry in list(value, attributes)? {
        let (key, wrapped) = pair(object(entry)?);
        take(key?.as_str()?, attribute(wrapped?)?);
    }
    let status = match status {
        Some(status) if python::is_true(status) => {
            Some(status).filter(|it| it.is_object()).map(Some)?
        }
        _ => None,
    };
    let parent = match parent {
        Some(parent) if !parent.is_null() => Some(Cow::Borrowed(parent.as_str()?)),
        _ => None,
    };
    trace?.as_str()?;
    Some(Span {
        id: Cow::Borrowed(id?.as_str()?),
        parent,
        name: Cow::Borrowed(name.map_or(Some(""), Value::as_str)?),
        start: time(start)?,
        end: time(end)?,
        attrs: Attrs::default(),
        code: status.and_then(|it| it.get("code")).map_or(0, code),
        message: status.and_then(|it| it.get("message")).map_or(Cow::Borrowed(""), python::text),
    })
}

fn time(value: Option<Value<'_>>) -> Option<i128> {
    let Some(value) = value else { return Some(0) };
    let plain = value.as_str().filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
    // Nearly all times are plain digits, which are read fastest in 64 bits.
    match plain.and_then(|it| it.parse::<u64>().ok()) {
        Some(nanos) => Some(i128::from(nanos)),
        None => int(value)?.parse().ok(),
    }
}

fn code(value: Value<'_>) -> i128 {
    match (value.number_text(), value.as_bool()) {
        (Some(number), _) if number.bytes().all(|it| it.is_ascii_digit() || it == b'-') => {
            return number.parse().unwrap_or(0);
        }
        (_, Some(truth)) => return i128::from(truth),
        _ => {}
    }
    match python::text(value).as_ref() {
        "STATUS_CODE_ERROR" => 2,
        "STATUS_CODE_OK" => 1,
        digits if !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) => {
            digits.parse().unwrap_or(0)
        }
        _ => 0,
    }
}

/// What Python's `int` makes of a value, as digits.
fn int<'d>(value: Value<'d>) -> Option<Cow<'d, str>> {
    match value.kind() {
        Kind::Bool => Some(Cow::Borrowed(if value.as_bool() == Some(true) { "1" } else { "0" })),
        Kind::Number => whole(value.number_text()?),
        Kind::String => int_text(value.as_str()?),
        _ => None,
    }
}

fn whole(lexeme: &str) -> Option<Cow<'_, str>> {
    if lexeme == "-0" {
        return Some(Cow::Borrowed("0"));
    }
    if lexeme.bytes().all(|it| it.is_ascii_digit() || it == b'-') {
        return Some(Cow::Borrowed(lexeme));
    }
    let double: f64 = lexeme.parse().ok()?;
    double.is_finite().then(|| Cow::Owned(format!("{:.0}", double.trunc() + 0.0)))
}

fn int_text(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let fits = !digits.is_empty()
        && digits
            .split('_')
            .all(|part| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit()));
    if !fits || digits.len() > python::INT_DIGITS_MAX {
        return None;
    }
    let plain: String = digits.chars().filter(|it| *it != '_').collect();
    match plain.trim_start_matches('0') {
        "" => Some(Cow::Borrowed("0")),
        short if short.len() == text.len() => Some(Cow::Borrowed(text)),
        short => Some(Cow::Owned(format!("{sign}{short}"))),
    }
}

/// A double as JSON text that Python reads as a float again.
fn float(value: Value<'_>) -> Option<Cow<'_, str>> {
    let lexeme = match value.kind() {
        Kind::Bool => {
            return Some(Cow::Borrowed(if value.as_bool() == Some(true) { "1.0" } else { "0.0" }));
        }
        Kind::Number => value.number_text()?,
        Kind::String => value.as_str()?.trim(),
        _ => return None,
    };
    let double: f64 = lexeme.parse().ok()?;
    Some(if double.is_nan() {
        Cow::Borrowed("NaN")
    } else if double.is_infinite() {
        Cow::Borrowed(if double > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        Cow::Owned(format!("{double:?}"))
    })
}

fn attribute<'d>(wrapped: Value<'d>) -> Option<Attr<'d>> {
    attribute_within(wrapped, DEPTH_MAX)
}

/// A value as faultgate decodes it; maps and bytes stay in their wrappers. The depth is bounded.
fn attribute_within<'d>(wrapped: Value<'d>, left: usize) -> Option<Attr<'d>> {
    match wrapped.kind() {
        Kind::Object => {}
        Kind::String | Kind::Array => return Some(Attr::of(wrapped)),
        _ => return None,
    }
    if let Some(text) = wrapped.get("stringValue") {
        return Some(Attr::of(text));
    }
    if let Some(number) = wrapped.get("intValue") {
        return int(number).map(Attr::Json);
    }
    if let Some(number) = wrapped.get("doubleValue") {
        return float(number).map(Attr::Json);
    }
    if let Some(truth) = wrapped.get("boolValue") {
        return Some(Attr::Json(Cow::Borrowed(if python::is_true(truth) {
            "true"
        } else {
            "false"
        })));
    }
    let Some(array) = wrapped.get("arrayValue").filter(|_| left > 0) else {
        return Some(Attr::of(wrapped));
    };
    if !array.is_object() {
        return None;
    }
    let values = match array.get("values") {
        None => return Some(Attr::Json(Cow::Borrowed("[]"))),
        Some(values) if values.is_array() => values,
        Some(_) => return None,
    };
    let mut out = String::from("[");
    for (at, item) in values.items().enumerate() {
        if at > 0 {
            out.push(',');
        }
        match attribute_within(item, left.saturating_sub(1))? {
            Attr::Text(text) => write_string(&mut out, &text),
            Attr::Json(json) => out.push_str(&json),
        }
    }
    out.push(']');
    Some(Attr::Json(Cow::Owned(out)))
}

#[cfg(test)]
mod tests;
