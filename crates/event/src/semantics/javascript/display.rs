//! `String(value)`, `JSON.stringify(value)` and number text.

use std::borrow::Cow;

use crate::json::{Kind, Value, write_string};
use crate::semantics::number::{plain, shortest};
use crate::semantics::walk::{Order, Visitor, walk};

/// `String(value)`.
pub(super) fn string(value: Value<'_>) -> Cow<'_, str> {
    match value.kind() {
        Kind::Object => Cow::Borrowed("[object Object]"),
        Kind::Array => {
            let mut out = Joined { out: String::new(), objects: 0 };
            walk(value, Order::Text, &mut out);
            Cow::Owned(out.out)
        }
        _ => scalar(value),
    }
}

/// Text bare, numbers as digits, everything else as JSON.
pub(super) fn shown(value: Value<'_>) -> Cow<'_, str> {
    match value.kind() {
        Kind::Array | Kind::Object => {
            let mut out = Stringify(String::new());
            walk(value, Order::JavaScript, &mut out);
            Cow::Owned(out.0)
        }
        _ => scalar(value),
    }
}

fn scalar(value: Value<'_>) -> Cow<'_, str> {
    match value.kind() {
        Kind::String => Cow::Borrowed(value.as_str().unwrap_or_default()),
        Kind::Number => {
            let lexeme = value.raw();
            let is_short = lexeme.len() < 16 && lexeme.bytes().all(|byte| byte.is_ascii_digit());
            match is_short {
                true => Cow::Borrowed(lexeme),
                false => Cow::Owned(number_text(lexeme.parse().unwrap_or(f64::NAN))),
            }
        }
        _ => Cow::Borrowed(value.raw()),
    }
}

/// `Number::toString` with radix 10.
pub(in crate::semantics) fn number_text(double: f64) -> String {
    if double.is_nan() {
        return "NaN".to_owned();
    }
    if double.is_infinite() {
        return if double > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if double == 0.0 {
        return "0".to_owned();
    }
    let shortest = shortest(double);
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-6..21).contains(&exponent) {
        return plain(mantissa, exponent);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{}", exponent.unsigned_abs())
}

/// A list as text: items with commas between, nested lists flat, null as nothing.
struct Joined {
    out: String,
    /// How many objects are open. What they hold does not show.
    objects: usize,
}

impl<'d> Visitor<'d> for Joined {
    fn open(&mut self, kind: Kind) {
        if kind == Kind::Object {
            if self.objects == 0 {
                self.out.push_str("[object Object]");
            }
            self.objects = self.objects.saturating_add(1);
        }
    }

    fn close(&mut self, kind: Kind) {
        if kind == Kind::Object {
            self.objects = self.objects.saturating_sub(1);
        }
    }

    fn separate(&mut self) {
        if self.objects == 0 {
            self.out.push(',');
        }
    }

    fn key(&mut self, _: &'d str) {}

    fn scalar(&mut self, value: Value<'d>) {
        if self.objects == 0 && !value.is_null() {
            self.out.push_str(&scalar(value));
        }
    }
}

struct Stringify(String);

impl<'d> Visitor<'d> for Stringify {
    fn open(&mut self, kind: Kind) {
        self.0.push(if kind == Kind::Array { '[' } else { '{' });
    }

    fn close(&mut self, kind: Kind) {
        self.0.push(if kind == Kind::Array { ']' } else { '}' });
    }

    fn separate(&mut self) {
        self.0.push(',');
    }

    fn key(&mut self, key: &'d str) {
        write_string(&mut self.0, key);
        self.0.push(':');
    }

    fn scalar(&mut self, value: Value<'d>) {
        match value.as_str() {
            Some(text) => write_string(&mut self.0, text),
            // JSON has no word for what is not finite.
            None => match scalar(value) {
                text if text.ends_with("Infinity") => self.0.push_str("null"),
                text => self.0.push_str(&text),
            },
        }
    }
}
