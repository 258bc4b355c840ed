//! `str`, `repr`, `json.dumps` and `%g`.

use std::borrow::Cow;
use std::fmt::Write;

use super::read::{is_int, json_double};
use super::unicode::is_printable;
use crate::json::{Kind, Value, write_string};
use crate::semantics::number::{plain, shortest};
use crate::semantics::walk::{Order, Visitor, walk};

/// `str(value)`.
#[must_use]
pub fn text(value: Value<'_>) -> Cow<'_, str> {
    match value.kind() {
        Kind::String => Cow::Borrowed(value.as_str().unwrap_or_default()),
        Kind::Null => Cow::Borrowed("None"),
        Kind::Bool => Cow::Borrowed(if value.as_bool() == Some(true) { "True" } else { "False" }),
        Kind::Number => number(value.number_text().unwrap_or_default()),
        Kind::Array | Kind::Object => Cow::Owned(repr(value)),
    }
}

/// `repr(value)`.
#[must_use]
pub fn repr(value: Value<'_>) -> String {
    let mut out = Repr(String::new());
    walk(value, Order::Text, &mut out);
    out.0
}

/// `repr(text)`.
#[must_use]
pub fn repr_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    push_repr(&mut out, text);
    out
}

/// `json.dumps(value, ensure_ascii=False)`.
#[must_use]
pub fn dumps(value: Value<'_>) -> String {
    let mut out = Dumps { text: String::new(), comma: ", ", colon: ": " };
    walk(value, Order::Text, &mut out);
    out.text
}

/// `json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))`.
#[must_use]
pub fn dumps_sorted(value: Value<'_>) -> String {
    let mut out = Dumps { text: String::new(), comma: ",", colon: ":" };
    walk(value, Order::Sorted, &mut out);
    out.text
}

fn push_repr(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for it in text.chars() {
        // Nothing can be done about a write into a string that fails, and none does.
        let _ = match it {
            '\\' => out.write_str("\\\\"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            _ if it == quote => write!(out, "\\{it}"),
            ' '..='~' => out.write_char(it),
            _ if is_printable(it) => out.write_char(it),
            ..='\u{ff}' => write!(out, "\\x{:02x}", u32::from(it)),
            ..='\u{ffff}' => write!(out, "\\u{:04x}", u32::from(it)),
            _ => write!(out, "\\U{:08x}", u32::from(it)),
        };
    }
    out.push(quote);
}

/// `str` of a JSON number: an integer keeps its digits, a float has its shortest form.
fn number(lexeme: &str) -> Cow<'_, str> {
    if lexeme == "-0" {
        return Cow::Borrowed("0");
    }
    if is_int(lexeme) {
        return Cow::Borrowed(lexeme);
    }
    Cow::Owned(float(json_double(lexeme).unwrap_or(f64::NAN)))
}

/// `repr` of a float.
fn float(double: f64) -> String {
    if double.is_nan() {
        return "nan".to_owned();
    }
    if double.is_infinite() {
        return if double > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let shortest = shortest(double);
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        let plain = plain(mantissa, exponent);
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    scientific(mantissa, exponent)
}

/// Python writes the sign of an exponent and at least two digits.
fn scientific(mantissa: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// `f"{double:g}"`: six significant digits, trailing zeros dropped.
pub(in crate::semantics) fn general(double: f64) -> String {
    if !double.is_finite() {
        return float(double);
    }
    // Rust rounds the exact binary value, ties to even, as C does.
    let rounded = format!("{double:.5e}");
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..6).contains(&exponent) {
        return scientific(without_zeros(mantissa), exponent);
    }
    let places = usize::try_from(5_i32.saturating_sub(exponent)).unwrap_or_default();
    without_zeros(&format!("{double:.places$}")).to_owned()
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

struct Repr(String);

impl<'d> Visitor<'d> for Repr {
    fn open(&mut self, kind: Kind) {
        self.0.push(if kind == Kind::Array { '[' } else { '{' });
    }

    fn close(&mut self, kind: Kind) {
        self.0.push(if kind == Kind::Array { ']' } else { '}' });
    }

    fn separate(&mut self) {
        self.0.push_str(", ");
    }

    fn key(&mut self, key: &'d str) {
        push_repr(&mut self.0, key);
        self.0.push_str(": ");
    }

    fn scalar(&mut self, value: Value<'d>) {
        match value.as_str() {
            Some(string) => push_repr(&mut self.0, string),
            None => self.0.push_str(&text(value)),
        }
    }
}

struct Dumps {
    text: String,
    comma: &'static str,
    colon: &'static str,
}

impl<'d> Visitor<'d> for Dumps {
    fn open(&mut self, kind: Kind) {
        self.text.push(if kind == Kind::Array { '[' } else { '{' });
    }

    fn close(&mut self, kind: Kind) {
        self.text.push(if kind == Kind::Array { ']' } else { '}' });
    }

    fn separate(&mut self) {
        self.text.push_str(self.comma);
    }

    fn key(&mut self, key: &'d str) {
        write_string(&mut self.text, key);
        self.text.push_str(self.colon);
    }

    fn scalar(&mut self, value: Value<'d>) {
        match value.kind() {
            Kind::String => write_string(&mut self.text, value.as_str().unwrap_or_default()),
            Kind::Number => self.text.push_str(match &*number(value.raw()) {
                "nan" => "NaN",
                "inf" => "Infinity",
                "-inf" => "-Infinity",
                plain => plain,
            }),
            _ => self.text.push_str(value.raw()),
        }
    }
}
