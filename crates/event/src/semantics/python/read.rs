//! Python's own readings of numbers, truth and places.

use super::unicode::{digit, is_space};
use super::{INT_DIGITS_MAX, digits};
use crate::json::{Kind, Value};

/// Whether a JSON number is an integer to Python: no point and no exponent.
pub(in crate::semantics) fn is_int(lexeme: &str) -> bool {
    lexeme.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// The double of a JSON number under Python's grammar; infinite when it is too large.
pub(in crate::semantics) fn json_double(lexeme: &str) -> Option<f64> {
    match lexeme {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        // An integer has no negative zero.
        "-0" => Some(0.0),
        _ => lexeme.parse().ok(),
    }
}

/// `float(text)`: white space and one underscore between digits are fine, as are the decimal
/// digits of all scripts.
pub(super) fn float(text: &str) -> Option<f64> {
    let ascii = ascii_form(text)?;
    let text = ascii.trim_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let named = ["inf", "infinity", "nan"].iter().any(|it| unsigned.eq_ignore_ascii_case(it));
    if !named && !unsigned.starts_with(|it: char| it.is_ascii_digit() || it == '.') {
        return None;
    }
    without_underscores(text)?.parse().ok()
}

/// Digits and white space of all scripts in their ASCII form; none when another character is in.
fn ascii_form(text: &str) -> Option<String> {
    if text.is_ascii() {
        return Some(text.to_owned());
    }
    text.chars()
        .map(|it| match it {
            _ if it.is_ascii() => Some(it),
            _ if is_space(it) => Some(' '),
            _ => char::from_digit(digit(it)?, 10),
        })
        .collect()
}

/// Drops underscores that stand between two digits; none when one stands elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for it in text.chars() {
        let lonely =
            (it == '_' && !before.is_ascii_digit()) || (before == '_' && !it.is_ascii_digit());
        if lonely {
            return None;
        }
        if it != '_' {
            out.push(it);
        }
        before = it;
    }
    (before != '_').then_some(out)
}

/// What `int(value)` gives, as far as it matters: is it another number than zero?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Int {
    /// `int` raises ValueError or TypeError.
    No,
    /// Zero, or a float that rounds to it.
    Zero,
    /// Anything else.
    NonZero,
    /// `int` raises OverflowError: the number is infinite.
    Overflow,
}

/// `int(value)` of a JSON value.
#[must_use]
pub fn int(value: Value<'_>) -> Int {
    match value.kind() {
        Kind::Bool if value.as_bool() == Some(true) => Int::NonZero,
        Kind::Bool => Int::Zero,
        Kind::Number => int_of_number(value.number_text().unwrap_or_default()),
        Kind::String => int_of_text(value.as_str().unwrap_or_default()),
        Kind::Null | Kind::Array | Kind::Object => Int::No,
    }
}

fn int_of_number(lexeme: &str) -> Int {
    if is_int(lexeme) {
        return non_zero(lexeme.bytes().any(|byte| matches!(byte, b'1'..=b'9')));
    }
    match json_double(lexeme) {
        Some(double) if double.is_infinite() => Int::Overflow,
        Some(double) if double.is_nan() => Int::No,
        Some(double) => non_zero(double.abs() >= 1.0),
        None => Int::No,
    }
}

fn int_of_text(text: &str) -> Int {
    let Some(ascii) = ascii_form(text) else { return Int::No };
    let text = ascii.trim_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match without_underscores(unsigned) {
        Some(plain)
            if !plain.is_empty()
                && digits(&plain) <= INT_DIGITS_MAX
                && plain.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            non_zero(plain.bytes().any(|byte| byte != b'0'))
        }
        _ => Int::No,
    }
}

fn non_zero(truth: bool) -> Int {
    if truth { Int::NonZero } else { Int::Zero }
}

/// `bool(value)` of a JSON value.
#[must_use]
pub fn is_true(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => false,
        Kind::Bool => value.as_bool() == Some(true),
        Kind::Number => value.number_text().and_then(json_double).is_some_and(|it| it != 0.0),
        Kind::String => value.as_str().is_some_and(|text| !text.is_empty()),
        Kind::Array | Kind::Object => !value.is_empty(),
    }
}

/// The place in a list that a path part names: `part.isdigit()`, then `int(part)`.
pub(super) fn place(part: &str) -> Option<usize> {
    if part.is_empty() {
        return None;
    }
    part.chars().try_fold(0_usize, |sum, it| {
        let digit = usize::try_from(digit(it)?).ok()?;
        Some(sum.saturating_mul(10).saturating_add(digit))
    })
}
