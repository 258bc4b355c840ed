//! Attribute values of OTLP, read in full.

use std::borrow::Cow;

use lawbook_event::json::{Kind, Value, write_string};

use super::collect::{first, pair};
use crate::attr::{Attr, Attrs};
use crate::encoding;

/// How deep lists and maps inside one value are decoded; deeper ones stay as they are written.
const DEPTH_MAX: usize = 48;

/// The attributes in a list of keys with values, or in a plain object.
pub fn attributes<'d>(list: Option<Value<'d>>) -> Attrs<'d> {
    let Some(list) = list else { return Attrs::default() };
    let mut attrs = Attrs::with_room(list.len());
    for (key, value) in list.entries() {
        attrs.set(key, Attr::of(value));
    }
    for entry in list.items() {
        let (key, wrapped) = pair(entry);
        if let Some(key) = key.and_then(Value::as_str) {
            attrs.set(key, wrapped.map_or(Attr::Json(Cow::Borrowed("null")), value));
        }
    }
    attrs
}

/// A value in any of its wrappers.
pub fn value<'d>(wrapped: Value<'d>) -> Attr<'d> {
    match inner(wrapped) {
        Inner::Plain(plain) => Attr::of(plain),
        Inner::Text(text) => Attr::Text(text),
        Inner::Number(text) => Attr::Json(Cow::Borrowed(text)),
        Inner::List(_) | Inner::Map(_) => {
            let mut out = String::new();
            write(wrapped, &mut out, DEPTH_MAX);
            Attr::Json(Cow::Owned(out))
        }
    }
}

enum Inner<'d> {
    Plain(Value<'d>),
    Text(Cow<'d, str>),
    Number(&'d str),
    List(Value<'d>),
    Map(Value<'d>),
}

fn inner<'d>(wrapped: Value<'d>) -> Inner<'d> {
    let entry = match (wrapped.kind(), wrapped.entries().last()) {
        (Kind::Object, Some(entry)) => entry,
        _ => return Inner::Plain(wrapped),
    };
    let (key, value) = entry;
    match (key, value.kind()) {
        ("stringValue" | "string_value", _) => Inner::Plain(value),
        ("intValue" | "int_value" | "doubleValue" | "double_value", Kind::String) => {
            let text = value.as_str().unwrap_or("");
            match text.parse::<f64>() {
                Ok(number) if number.is_finite() && json_number(text) => Inner::Number(text),
                _ => Inner::Text(Cow::Borrowed(text)),
            }
        }
        ("boolValue" | "bool_value", Kind::String) => match value.as_str() {
            Some(word @ ("true" | "false")) => Inner::Number(word),
            _ => Inner::Plain(value),
        },
        ("intValue" | "int_value" | "doubleValue" | "double_value", _) => Inner::Plain(value),
        ("boolValue" | "bool_value", _) => Inner::Plain(value),
        ("bytesValue" | "bytes_value", Kind::String) => {
            let text = value.as_str().unwrap_or("");
            let bytes = encoding::base64(text).and_then(|bytes| String::from_utf8(bytes).ok());
            Inner::Text(bytes.map_or(Cow::Borrowed(text), Cow::Owned))
        }
        ("arrayValue" | "array_value", _) => match first(value, &["values"]) {
            Some(values) => Inner::List(values),
            None => Inner::List(value),
        },
        ("kvlistValue" | "kvlist_value", _) => match first(value, &["values"]) {
            Some(values) => Inner::Map(values),
            None => Inner::Map(value),
        },
        _ => Inner::Plain(wrapped),
    }
}

/// Whether a text is a JSON number.
fn json_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading = digits.starts_with('0')
        && digits.as_bytes().get(1).copied().is_some_and(|it| it.is_ascii_digit());
    digits.starts_with(|it: char| it.is_ascii_digit())
        && digits.ends_with(|it: char| it.is_ascii_digit())
        && !leading
}

/// Appends a value as JSON. The depth is bounded, so the recursion is.
fn write(wrapped: Value<'_>, out: &mut String, left: usize) {
    let Some(left) = left.checked_sub(1) else {
        out.push_str(wrapped.raw());
        return;
    };
    match inner(wrapped) {
        Inner::Plain(plain) => match plain.as_str() {
            Some(text) => write_string(out, text),
            None => out.push_str(plain.raw()),
        },
        Inner::Text(text) => write_string(out, &text),
        Inner::Number(text) => out.push_str(text),
        Inner::List(values) => {
            out.push('[');
            for (at, item) in values.items().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out, left);
            }
            out.push(']');
        }
        Inner::Map(values) => {
            let mut open = '{';
            for entry in values.items() {
                let Some(key) = entry.get("key").and_then(Value::as_str) else { continue };
                out.push(open);
                open = ',';
                write_string(out, key);
                out.push(':');
                match entry.get("value") {
                    Some(value) => write(value, out, left),
                    None => out.push_str("null"),
                }
            }
            if open == '{' {
                out.push('{');
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attr::parse;

    fn read(json: &str) -> String {
        match value(parse(json).unwrap().root()) {
            Attr::Text(text) => format!("text {text}"),
            Attr::Json(json) => json.into_owned(),
        }
    }

    #[test]
    fn every_kind_of_value() {
        for (json, expected) in [
            (r#"{"stringValue": "a"}"#, "text a"),
            (r#"{"intValue": "9007199254740993"}"#, "9007199254740993"),
            (r#"{"intValue": 7}"#, "7"),
            (r#"{"doubleValue": 1.50}"#, "1.50"),
            (r#"{"doubleValue": "NaN"}"#, "text NaN"),
            (r#"{"intValue": "007"}"#, "text 007"),
            (r#"{"boolValue": "false"}"#, "false"),
            (r#"{"bytesValue": "aGk="}"#, "text hi"),
            (r#"{"bytesValue": "/w=="}"#, "text /w=="),
            (r#"{"arrayValue": {}}"#, "[]"),
            (r#"{"kvlistValue": {}}"#, "{}"),
            (
                r#"{"kvlist_value": {"values": [{"key": "k", "value": {"array_value": {"values": [{"int_value": 1}, {"string_value": "s"}]}}}, {"key": "n"}]}}"#,
                r#"{"k":[1,"s"],"n":null}"#,
            ),
            ("5", "5"),
            (r#"{"odd": 1}"#, r#"{"odd": 1}"#),
        ] {
            assert_eq!(read(json), expected, "{json}");
        }
    }
}
