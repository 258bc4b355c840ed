//! How a system reads the values in arguments and results: one trait, three implementations.
//!
//! The same bytes mean different things to different systems. `{"amount": "1,200.50"}` holds an
//! amount for one and only text for another; `7` and `7.0` are one account or two. A rule carries
//! the semantics of the system whose promise it keeps.

mod decimal;
mod exact;
mod javascript;
mod number;
mod path;
mod pattern;
pub mod python;
mod unique;
mod walk;

use std::borrow::Cow;
use std::fmt::Debug;

use crate::json::{Document, Grammar, Value};

pub(crate) use javascript::own_entries;
pub use number::Number;
pub use path::Path;
pub use pattern::{
    JavaScriptFlags, Pattern, PatternError, PatternSet, PatternUse,
    javascript as javascript_pattern,
};

/// Decimals by their text, types apart: what native rules and strict profiles use.
pub static EXACT: &dyn Semantics = &exact::Exact;

/// As CPython 3.11 reads JSON, numbers, text and patterns.
pub static PYTHON: &dyn Semantics = &python::Python;

/// As ECMAScript reads JSON, numbers, text and patterns.
pub static JAVASCRIPT: &dyn Semantics = &javascript::JavaScript;

/// What values mean to one system.
pub trait Semantics: Debug + Send + Sync {
    /// Its name: `exact`, `python` or `javascript`.
    fn name(&self) -> &'static str;

    /// Which texts it takes for JSON.
    fn grammar(&self) -> Grammar;

    /// Why a document that parsed cannot be trusted all the same, if so.
    fn refuses(&self, document: &Document<'_>) -> Option<&'static str>;

    /// The number in a value: a JSON number, or text that this system reads as one.
    fn number(&self, value: Value<'_>) -> Option<Number>;

    /// The number that a policy file states by this JSON lexeme.
    fn bound(&self, lexeme: &str) -> Option<Number>;

    /// The text that this system displays for a value.
    fn text<'d>(&self, value: Value<'d>) -> Cow<'d, str>;

    /// What two values must have in common to be the same customer, order or account.
    /// None when a value names nothing.
    fn key<'d>(&self, value: Value<'d>) -> Option<Cow<'d, str>>;

    /// As [`Semantics::key`] for counting, where spellings of one name count together.
    fn cap_key<'d>(&self, value: Value<'d>) -> Option<Cow<'d, str>> {
        self.key(value)
    }

    /// The user's text inside a message.
    fn quote(&self, text: &str) -> String;

    /// A value inside a message.
    fn show(&self, value: Value<'_>) -> String;

    /// Whether two values are equal.
    fn equal(&self, a: Value<'_>, b: Value<'_>) -> bool;

    /// Whether a required argument with this value is missing all the same.
    fn is_empty(&self, value: Value<'_>) -> bool;

    /// Whether a value that stands there counts as absent all the same.
    fn is_missing(&self, value: Value<'_>) -> bool {
        let _ = value;
        false
    }

    /// Whether arguments that can't be read are arguments without values, those in a list are its
    /// items, and text within JSON stays text. Everybody else has arguments in an object only.
    fn is_lenient(&self) -> bool {
        false
    }

    /// Whether a value that only says that it was left out or cut is no value: a system of others
    /// reads it as it stands.
    fn tells_gaps(&self) -> bool {
        false
    }

    /// The value at a path of the arguments.
    fn path<'d>(&self, root: Value<'d>, path: &Path) -> Option<Value<'d>>;

    /// The value at a path of a result.
    fn result_path<'d>(&self, root: Value<'d>, path: &Path) -> Option<Value<'d>> {
        self.path(root, path)
    }

    /// Appends every value that a path of the arguments can mean, in the order of the text.
    fn each<'d>(&self, root: Value<'d>, path: &Path, out: &mut Vec<Value<'d>>) {
        out.extend(self.path(root, path));
    }

    /// The number of items or characters, where a path ends in a property that counts them.
    fn length(&self, root: Value<'_>, path: &Path) -> Option<usize> {
        let _ = (root, path);
        None
    }

    /// Text without the white space at its ends.
    fn trim<'t>(&self, text: &'t str) -> &'t str;

    /// Compiles a pattern in this system's syntax.
    ///
    /// # Errors
    /// When the system refuses the pattern, or no bounded engine can run it.
    fn pattern(
        &self,
        source: &str,
        ignore_case: bool,
        pattern_use: PatternUse,
    ) -> Result<Pattern, PatternError>;
}

#[cfg(test)]
mod tests;
