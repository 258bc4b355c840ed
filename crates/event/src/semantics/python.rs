//! Values as CPython 3.11 reads them: `json.loads`, `float`, `int`, `str`, `repr`, `re`.

mod display;
mod equal;
mod read;
mod unicode;

use std::borrow::Cow;

use super::{Number, Path, Pattern, PatternError, PatternUse, Semantics, pattern};
use crate::json::{Document, Grammar, Kind, Value};

pub use display::{dumps, dumps_sorted, repr, repr_text, text};
pub use read::{Int, int, is_true};

pub(super) use display::general;
pub(super) use read::{is_int, json_double};
pub use unicode::is_space;

/// An integer of more digits is a ValueError in `json.loads` (`sys.int_info`).
pub const INT_DIGITS_MAX: usize = 4300;

#[derive(Debug)]
pub(super) struct Python;

impl Semantics for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn grammar(&self) -> Grammar {
        Grammar::Python
    }

    fn refuses(&self, document: &Document<'_>) -> Option<&'static str> {
        // Only the longest number decides whether the others need a look.
        if document.longest_number() <= INT_DIGITS_MAX {
            return None;
        }
        let too_long = |lexeme: &str| is_int(lexeme) && digits(lexeme) > INT_DIGITS_MAX;
        document.numbers().any(too_long).then_some("hold an integer of more than 4300 digits")
    }

    fn number(&self, value: Value<'_>) -> Option<Number> {
        if let Some(lexeme) = value.number_text() {
            let double = json_double(lexeme)?;
            // An integer beyond the largest double is told apart from a float that overflowed.
            return (double.is_finite() || is_beyond_double(lexeme, double))
                .then(|| Number::float(double));
        }
        let text = value.as_str()?.trim_matches(is_space);
        let text = text.strip_prefix('$').unwrap_or(text);
        let text = match text.contains(',') {
            true => Cow::Owned(text.replace(',', "")),
            false => Cow::Borrowed(text),
        };
        read::float(&text).filter(|double| double.is_finite()).map(Number::float)
    }

    fn bound(&self, lexeme: &str) -> Option<Number> {
        Number::python(lexeme)
    }

    fn text<'d>(&self, value: Value<'d>) -> Cow<'d, str> {
        text(value)
    }

    fn key<'d>(&self, value: Value<'d>) -> Option<Cow<'d, str>> {
        Some(match text(value) {
            Cow::Borrowed(text) => Cow::Borrowed(self.trim(text)),
            Cow::Owned(text) => Cow::Owned(self.trim(&text).to_owned()),
        })
    }

    fn quote(&self, text: &str) -> String {
        repr_text(text)
    }

    fn show(&self, value: Value<'_>) -> String {
        repr(value)
    }

    fn equal(&self, a: Value<'_>, b: Value<'_>) -> bool {
        equal::equal(a, b)
    }

    fn is_empty(&self, value: Value<'_>) -> bool {
        match value.kind() {
            Kind::Null => true,
            Kind::String => value.as_str().is_some_and(|text| self.trim(text).is_empty()),
            Kind::Array | Kind::Object => value.is_empty(),
            Kind::Bool | Kind::Number => false,
        }
    }

    fn path<'d>(&self, root: Value<'d>, path: &Path) -> Option<Value<'d>> {
        path.parts().try_fold(root, |value, part| value.get(part))
    }

    fn result_path<'d>(&self, root: Value<'d>, path: &Path) -> Option<Value<'d>> {
        path.parts().try_fold(root, |value, part| match value.kind() {
            Kind::Array => value.item(read::place(part)?),
            _ => value.get(part),
        })
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
        pattern::python(source, ignore_case, pattern_use)
    }
}

fn is_beyond_double(lexeme: &str, double: f64) -> bool {
    double.is_infinite() && is_int(lexeme)
}

fn digits(lexeme: &str) -> usize {
    lexeme.trim_start_matches('-').len()
}
