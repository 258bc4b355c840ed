//! Values as ECMAScript reads them: `JSON.parse`, doubles, `String`, own keys.

mod display;
mod money;

use std::borrow::Cow;

use super::unique::sorted_entries;
use super::{
    JavaScriptFlags, Number, Path, Pattern, PatternError, PatternUse, Semantics, exact, pattern,
    walk,
};
use crate::json::{Document, Grammar, Kind, Value};

pub(super) use display::number_text;

/// The entries of an object as ECMAScript lists them: one for each key, array indexes first.
pub(crate) fn own_entries<'d>(object: Value<'d>) -> Vec<(&'d str, Value<'d>)> {
    walk::entries(object, walk::Order::JavaScript)
}

#[derive(Debug)]
pub(super) struct JavaScript;

impl Semantics for JavaScript {
    fn name(&self) -> &'static str {
        "javascript"
    }

    fn grammar(&self) -> Grammar {
        Grammar::Strict
    }

    fn refuses(&self, _: &Document<'_>) -> Option<&'static str> {
        None
    }

    fn number(&self, value: Value<'_>) -> Option<Number> {
        match value.number_text() {
            Some(lexeme) => lexeme.parse().ok().map(Number::javascript),
            None => money::number(self.trim(value.as_str()?)).map(Number::javascript),
        }
    }

    fn bound(&self, lexeme: &str) -> Option<Number> {
        lexeme.parse().ok().map(Number::javascript)
    }

    fn text<'d>(&self, value: Value<'d>) -> Cow<'d, str> {
        display::string(value)
    }

    fn key<'d>(&self, value: Value<'d>) -> Option<Cow<'d, str>> {
        let is_missing = match value.kind() {
            Kind::Null => true,
            Kind::String => value.as_str() == Some(""),
            Kind::Array => value.is_empty(),
            Kind::Bool | Kind::Number | Kind::Object => false,
        };
        if is_missing {
            return None;
        }
        Some(match display::shown(value) {
            Cow::Borrowed(text) => Cow::Borrowed(self.trim(text)),
            Cow::Owned(text) => Cow::Owned(self.trim(&text).to_owned()),
        })
    }

    fn quote(&self, text: &str) -> String {
        exact::backticks(text)
    }

    fn show(&self, value: Value<'_>) -> String {
        display::shown(value).into_owned()
    }

    fn equal(&self, a: Value<'_>, b: Value<'_>) -> bool {
        equal(a, b)
    }

    fn is_empty(&self, value: Value<'_>) -> bool {
        self.key(value).is_none()
    }

    fn is_lenient(&self) -> bool {
        true
    }

    fn is_missing(&self, value: Value<'_>) -> bool {
        self.is_empty(value)
    }

    fn path<'d>(&self, root: Value<'d>, path: &Path) -> Option<Value<'d>> {
        keys(path).try_fold(root, child)
    }

    fn length(&self, root: Value<'_>, path: &Path) -> Option<usize> {
        let keys: Vec<&str> = keys(path).collect();
        let (last, before) = keys.split_last()?;
        if *last != "length" {
            return None;
        }
        let value = before.iter().copied().try_fold(root, child)?;
        match value.kind() {
            Kind::Array => Some(value.len()),
            // Strings count in UTF-16 units.
            Kind::String => Some(value.as_str()?.encode_utf16().count()),
            _ => None,
        }
    }

    fn trim<'t>(&self, text: &'t str) -> &'t str {
        text.trim_matches(is_space)
    }

    fn pattern(
        &self,
        source: &str,
        ignore_case: bool,
        pattern_use: PatternUse,
    ) -> Result<Pattern, PatternError> {
        let flags = JavaScriptFlags { ignore_case, ..JavaScriptFlags::default() };
        pattern::javascript(source, flags, pattern_use)
    }
}

/// WhiteSpace and LineTerminator of ECMAScript.
fn is_space(it: char) -> bool {
    it == '\u{feff}' || (it.is_whitespace() && it != '\u{85}')
}

/// The keys of a path: what stands between dots and brackets.
fn keys(path: &Path) -> impl Iterator<Item = &str> {
    path.text().split(['.', '[', ']']).filter(|it| !it.is_empty())
}

fn child<'d>(value: Value<'d>, key: &str) -> Option<Value<'d>> {
    match value.kind() {
        Kind::Array if key == "0" || !key.starts_with('0') => value.item(key.parse().ok()?),
        _ => value.get(key),
    }
}

/// Equal by type and value, numbers as doubles; the order of entries does not matter.
fn equal<'d>(a: Value<'d>, b: Value<'d>) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        let same = a.kind() == b.kind()
            && match a.kind() {
                Kind::Null => true,
                Kind::Bool => a.as_bool() == b.as_bool(),
                Kind::String => a.as_str() == b.as_str(),
                Kind::Number => a.raw().parse::<f64>() == b.raw().parse::<f64>(),
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
