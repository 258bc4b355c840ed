//! Exact values: decimals by their text, types apart, nothing guessed.

mod money;
mod paths;

use std::borrow::Cow;
use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;

use super::decimal::Decimal;
use super::unique::sorted_entries;
use super::walk::{Order, Visitor, walk};
use super::{Number, Path, Pattern, PatternError, PatternUse, Semantics, pattern};
use crate::json::{Document, Grammar, Kind, Value, write_string};

#[derive(Debug)]
pub(super) struct Exact;

impl Semantics for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn tells_gaps(&self) -> bool {
        true
    }

    fn grammar(&self) -> Grammar {
        Grammar::Strict
    }

    fn refuses(&self, document: &Document<'_>) -> Option<&'static str> {
        if document.duplicate_key().is_some() {
            return Some("hold a key twice");
        }
        document.lone_surrogate().then_some("hold half of a surrogate pair")
    }

    fn number(&self, value: Value<'_>) -> Option<Number> {
        match value.number_text() {
            Some(lexeme) => Number::exact(lexeme),
            None => {
                let text = value.as_str()?.trim();
                Number::exact_shown(&money::plain(text)?, text)
            }
        }
    }

    fn bound(&self, lexeme: &str) -> Option<Number> {
        Number::exact(lexeme)
    }

    fn text<'d>(&self, value: Value<'d>) -> Cow<'d, str> {
        match value.kind() {
            Kind::String => Cow::Borrowed(value.as_str().unwrap_or_default()),
            Kind::Number => canonical_number(value.raw()),
            Kind::Null | Kind::Bool => Cow::Borrowed(value.raw()),
            Kind::Array | Kind::Object => Cow::Owned(compact(value, Style::Canonical)),
        }
    }

    fn key<'d>(&self, value: Value<'d>) -> Option<Cow<'d, str>> {
        if self.is_empty(value) {
            return None;
        }
        match value.as_str() {
            Some(text) => Some(Cow::Borrowed(text.trim())),
            None => Some(self.text(value)),
        }
    }

    fn cap_key<'d>(&self, value: Value<'d>) -> Option<Cow<'d, str>> {
        let key = self.key(value)?;
        let is_folded = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
        if key.bytes().all(is_folded) {
            return Some(key);
        }
        if key.is_ascii() {
            return Some(Cow::Owned(key.to_ascii_lowercase()));
        }
        let folded: String = key.nfkc().collect();
        let folded: String = folded.trim().to_uppercase().to_lowercase().nfkc().collect();
        (!folded.is_empty()).then_some(Cow::Owned(folded))
    }

    fn quote(&self, text: &str) -> String {
        backticks(text)
    }

    fn show(&self, value: Value<'_>) -> String {
        backticks(&compact(value, Style::AsWritten))
    }

    fn equal(&self, a: Value<'_>, b: Value<'_>) -> bool {
        equal(a, b)
    }

    fn is_empty(&self, value: Value<'_>) -> bool {
        match value.kind() {
            Kind::Null => true,
            Kind::String => value.as_str().is_some_and(|text| text.trim().is_empty()),
            Kind::Array | Kind::Object => value.is_empty(),
            Kind::Bool | Kind::Number => false,
        }
    }

    fn path<'d>(&self, root: Value<'d>, path: &Path) -> Option<Value<'d>> {
        paths::first(root, path)
    }

    fn each<'d>(&self, root: Value<'d>, path: &Path, out: &mut Vec<Value<'d>>) {
        paths::each(root, path, out);
    }

    fn trim<'t>(&self, text: &'t str) -> &'t str {
        text.trim()
    }

    fn pattern(
        &self,
        source: &str,
        ignore_case: bool,
        pattern_use: PatternUse,
    ) -> Result<Pattern, PatternError> {
        pattern::exact(source, ignore_case, pattern_use)
    }
}

/// The user's text in backticks, control characters made visible.
pub(super) fn backticks(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    out.push('`');
    for it in text.chars() {
        match it {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if it.is_control() => out.extend(it.escape_unicode()),
            _ => out.push(it),
        }
    }
    out.push('`');
    out
}

fn canonical_number(lexeme: &str) -> Cow<'_, str> {
    let is_plain = lexeme.len() < 40 && lexeme.bytes().all(|byte| byte.is_ascii_digit());
    match Decimal::parse(lexeme) {
        Some(decimal) if !is_plain => Cow::Owned(decimal.canonical()),
        // Whole numbers are canonical already; one beyond all bounds stays as it is.
        _ => Cow::Borrowed(lexeme),
    }
}

/// Equal by type and value; the order of entries does not matter.
fn equal<'d>(a: Value<'d>, b: Value<'d>) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        let same = a.kind() == b.kind()
            && match a.kind() {
                Kind::Null => true,
                Kind::Bool => a.as_bool() == b.as_bool(),
                Kind::String => a.as_str() == b.as_str(),
                Kind::Number => equal_numbers(a.raw(), b.raw()),
                Kind::Array => {
                    pairs.extend(a.items().zip(b.items()));
                    a.len() == b.len()
                }
                Kind::Object => {
                    let (ours, theirs) = (sorted_entries(a), sorted_entries(b));
                    pairs.extend(ours.iter().map(|it| it.1).zip(theirs.iter().map(|it| it.1)));
                    ours.iter().map(|it| it.0).eq(theirs.iter().map(|it| it.0))
                }
            };
        if !same {
            return false;
        }
    }
    true
}

fn equal_numbers(a: &str, b: &str) -> bool {
    match (Decimal::parse(a), Decimal::parse(b)) {
        (Some(one), Some(other)) => one.compare(&other) == Ordering::Equal,
        _ => a == b,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// One text per value: keys sorted, numbers in their shortest form.
    Canonical,
    /// Keys and numbers as the text has them.
    AsWritten,
}

fn compact(value: Value<'_>, style: Style) -> String {
    let order = if style == Style::Canonical { Order::Sorted } else { Order::Text };
    let mut out = Compact { out: String::new(), style };
    walk(value, order, &mut out);
    out.out
}

struct Compact {
    out: String,
    style: Style,
}

impl<'d> Visitor<'d> for Compact {
    fn open(&mut self, kind: Kind) {
        self.out.push(if kind == Kind::Array { '[' } else { '{' });
    }

    fn close(&mut self, kind: Kind) {
        self.out.push(if kind == Kind::Array { ']' } else { '}' });
    }

    fn separate(&mut self) {
        self.out.push(',');
    }

    fn key(&mut self, key: &'d str) {
        write_string(&mut self.out, key);
        self.out.push(':');
    }

    fn scalar(&mut self, value: Value<'d>) {
        match value.kind() {
            Kind::String => write_string(&mut self.out, value.as_str().unwrap_or_default()),
            Kind::Number if self.style == Style::Canonical => {
                self.out.push_str(&canonical_number(value.raw()));
            }
            _ => self.out.push_str(value.raw()),
        }
    }
}
