//! How faultgate reads the payloads and times of vendor exports.

use lawbook_event::json::{Kind, Value};
use lawbook_event::python;

/// The keys under which a payload's text may stand, best first.
const TEXT_KEYS: [&str; 9] =
    ["input", "output", "query", "question", "prompt", "answer", "content", "text", "result"];

/// The words of one role (`user` or `assistant`) in a payload.
pub fn wanted_text(value: Option<Value<'_>>, role: &str) -> String {
    let Some(mut value) = value else { return String::new() };
    loop {
        match value.kind() {
            Kind::Null => return String::new(),
            Kind::String => return value.as_str().unwrap_or("").to_owned(),
            Kind::Object => {
                let text = TEXT_KEYS.iter().find_map(|key| value.get(key).and_then(Value::as_str));
                if let Some(text) = text {
                    return text.to_owned();
                }
                let messages = value.get("messages").filter(|it| it.is_array());
                let only = || (distinct_keys(value) == 1).then(|| value.entries().last())?;
                match messages.or_else(|| only().map(|(_, inner)| inner)) {
                    Some(inner) => value = inner,
                    None => return python::dumps(value),
                }
            }
            Kind::Array if !value.is_empty() && value.items().all(Value::is_object) => {
                return message_text(value, role);
            }
            _ => return python::dumps(value),
        }
    }
}

/// How many different keys an object has.
fn distinct_keys(object: Value<'_>) -> usize {
    match object.len() {
        0 | 1 => object.len(),
        _ => {
            let first = object.entries().next().map(|(key, _)| key);
            if object.entries().all(|(key, _)| Some(key) == first) { 1 } else { 2 }
        }
    }
}

/// The last text of the role, else the last text.
fn message_text(messages: Value<'_>, role: &str) -> String {
    let roles = if role == "user" { ["user", "human"] } else { ["assistant", "ai"] };
    let text =
        |message: Value<'_>| message.get("content").and_then(Value::as_str).map(str::to_owned);
    let mine = |message: &Value<'_>| {
        message.get("role").and_then(Value::as_str).is_some_and(|it| roles.contains(&it))
    };
    let own = messages.items().filter(mine).filter_map(text).last();
    own.or_else(|| messages.items().filter_map(text).last()).unwrap_or_default()
}

/// Tool arguments or a tool's result as text.
pub fn tool_payload(value: Option<Value<'_>>) -> String {
    let Some(mut value) = value else { return String::new() };
    loop {
        match value.kind() {
            Kind::Null => return String::new(),
            Kind::String => return value.as_str().unwrap_or("").to_owned(),
            Kind::Object if distinct_keys(value) == 1 => match value.entries().last() {
                Some(("input" | "output", inner)) => value = inner,
                _ => return python::dumps(value),
            },
            _ => return python::dumps(value),
        }
    }
}

/// A result with its error in front.
pub fn error_first(result: String, error: Option<&str>) -> String {
    match error {
        None => result,
        Some(error) if result.is_empty() => format!("Error: {error}"),
        Some(error) => format!("Error: {error} {result}"),
    }
}

/// A vendor's time in nanoseconds; 0 when it is missing. Nothing when it cannot be read, which
/// makes faultgate refuse the file.
pub fn times(value: Option<Value<'_>>) -> Option<i128> {
    let Some(value) = value.filter(|it| !it.is_null()) else { return Some(0) };
    if let Some(number) = value.number_text() {
        return epoch(number);
    }
    match value.as_str() {
        Some("") => Some(0),
        Some(text) if numeric(text) => epoch(text.trim()),
        Some(text) => crate::time::iso(text.trim()).map(microseconds),
        None => None,
    }
}

/// Whether a text is digits with at most one point between them.
fn numeric(text: &str) -> bool {
    let (whole, fraction) = match text.trim().split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text.trim(), None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    digits(whole) && fraction.is_none_or(digits)
}

/// Python's datetime drops what is finer than a microsecond, and its time stamp is a double.
fn microseconds(nanos: i128) -> i128 {
    let micros = nanos.div_euclid(1_000);
    let seconds = micros as f64 / 1e6;
    (seconds * 1e9).round_ties_even() as i128
}

fn epoch(lexeme: &str) -> Option<i128> {
    let double: f64 = lexeme.parse().ok()?;
    let whole: Option<i128> = lexeme.parse().ok();
    for (limit, scale) in [(1e17, 1), (1e14, 1_000), (1e11, 1_000_000)] {
        if double > limit {
            return match whole {
                Some(whole) => whole.checked_mul(scale),
                None => double.is_finite().then_some((double * scale as f64) as i128),
            };
        }
    }
    double.is_finite().then_some((double * 1e9).round_ties_even() as i128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attr::parse;

    fn text(json: &str, role: &str) -> String {
        wanted_text(Some(parse(json).unwrap().root()), role)
    }

    #[test]
    fn texts() {
        assert_eq!(text(r#"{"question": "move", "x": 1}"#, "user"), "move");
        assert_eq!(text(r#"{"a": {"b": {"output": "deep"}}}"#, "user"), "deep");
        assert_eq!(
            text(r#"[{"role": "human", "content": "h"}, {"role": "ai", "content": "a"}]"#, "user"),
            "h"
        );
        assert_eq!(text(r#"[{"role": "x", "content": "h"}, {"content": [1]}]"#, "user"), "h");
        assert_eq!(text(r#"{"a": 1, "b": 2}"#, "user"), r#"{"a": 1, "b": 2}"#);
        assert_eq!(text("[1, 2]", "user"), "[1, 2]");
        assert_eq!(text("5", "user"), "5");
        let deep = format!("{}5{}", "{\"a\":".repeat(400), "}".repeat(400));
        assert_eq!(text(&deep, "user"), "5");
    }

    #[test]
    fn payloads() {
        let of = |json: &str| tool_payload(Some(parse(json).unwrap().root()));
        assert_eq!(of(r#"{"input": {"output": {"a":1}}}"#), r#"{"a": 1}"#);
        assert_eq!(of(r#"{"input": "x", "y": 1}"#), r#"{"input": "x", "y": 1}"#);
        assert_eq!(of("null"), "");
        assert_eq!(error_first(String::new(), Some("late")), "Error: late");
        assert_eq!(error_first("r".into(), Some("late")), "Error: late r");
    }

    #[test]
    fn vendor_times() {
        for (json, expected) in [
            ("null", Some(0)),
            ("\"\"", Some(0)),
            ("1770000002.5", Some(1_770_000_002_500_000_000)),
            ("1770000002500", Some(1_770_000_002_500_000_000)),
            ("\"1770000002\"", Some(1_770_000_002_000_000_000)),
            ("\"2026-05-02T08:00:00.5Z\"", Some(1_777_708_800_500_000_000)),
            ("true", None),
            ("\"soon\"", None),
            ("1e400", None),
        ] {
            assert_eq!(times(Some(parse(json).unwrap().root())), expected, "{json}");
        }
    }
}
