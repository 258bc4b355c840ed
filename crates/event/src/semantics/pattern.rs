//! Patterns of three syntaxes on engines that cannot run away.
//!
//! A pattern is translated twice where that helps: for the linear engine, and for a backtracking
//! one with a step limit. The linear one is used on every text where both mean the same.

mod charset;
mod engine;
mod javascript;
mod output;
mod python;
mod set;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use engine::{Engine, Found};

pub use set::PatternSet;

/// What a match means, which decides what an unfinished search counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternUse {
    /// A match is an objection: over the step limit the pattern has matched.
    Deny,
    /// A match is a consent or an exception: over the step limit it has not matched.
    Allow,
}

/// A pattern that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// Where, in bytes of the pattern.
    pub offset: usize,
    /// Why.
    pub message: String,
}

impl PatternError {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        PatternError { offset, message: message.into() }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {} of the pattern", self.message, self.offset)
    }
}

impl std::error::Error for PatternError {}

/// A compiled pattern. It is searched for anywhere in a text.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: Arc<str>,
    pattern_use: PatternUse,
    engine: Arc<Engine>,
}

impl Pattern {
    fn new(source: &str, pattern_use: PatternUse, engine: Engine) -> Self {
        Pattern { source: source.into(), pattern_use, engine: Arc::new(engine) }
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern matches anywhere in `text`.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match self.engine.is_match(text) {
            Found::Yes(()) => true,
            Found::No => false,
            Found::OverLimit => self.pattern_use == PatternUse::Deny,
        }
    }

    /// Whether any match, from left to right and without overlaps, is wanted. A search that does
    /// not end counts as one that is, or as none, by what a match means.
    #[must_use]
    pub fn any_match(&self, text: &str, wanted: impl FnMut(Range<usize>) -> bool) -> bool {
        match self.engine.any_match(text, wanted) {
            Found::Yes(()) => true,
            Found::No => false,
            Found::OverLimit => self.pattern_use == PatternUse::Deny,
        }
    }

    /// The bytes of the first match. An unfinished search that counts as a match gives all of
    /// the text.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        match self.engine.find(text) {
            Found::Yes(range) => Some(range),
            Found::No => None,
            Found::OverLimit => (self.pattern_use == PatternUse::Deny).then_some(0..text.len()),
        }
    }
}

/// A longer pattern is refused: compiling takes time and memory in proportion.
const PATTERN_BYTES_MAX: usize = 16 << 10;

fn check_length(source: &str) -> Result<(), PatternError> {
    match source.len() > PATTERN_BYTES_MAX {
        true => Err(PatternError::new(PATTERN_BYTES_MAX, "the pattern is longer than 16 KiB")),
        false => Ok(()),
    }
}

/// A pattern in the syntax of the `regex` crate, with look-around and back-references added.
pub(super) fn exact(
    source: &str,
    ignore_case: bool,
    pattern_use: PatternUse,
) -> Result<Pattern, PatternError> {
    check_length(source)?;
    let engine = match Engine::linear(source, ignore_case) {
        Some(engine) => engine?,
        None => Engine::translated(python::translate_native(source, ignore_case)?)?,
    };
    Ok(Pattern::new(source, pattern_use, engine))
}

/// A pattern in the syntax of Python's `re`, for `re.search`.
pub(super) fn python(
    source: &str,
    ignore_case: bool,
    pattern_use: PatternUse,
) -> Result<Pattern, PatternError> {
    check_length(source)?;
    let output = python::translate(source, ignore_case)?;
    Ok(Pattern::new(source, pattern_use, Engine::translated(output)?))
}

/// The flags of an ECMAScript `RegExp` that change what it matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JavaScriptFlags {
    /// `i`: letters match in either case.
    pub ignore_case: bool,
    /// `m`: `^` and `$` match at line breaks.
    pub multiline: bool,
    /// `s`: `.` matches line breaks.
    pub dot_all: bool,
    /// `u`: code points, and no syntax but the standard's own.
    pub unicode: bool,
}

/// A pattern in the syntax of an ECMAScript `RegExp`.
///
/// # Errors
/// When ECMAScript refuses the pattern, or no bounded engine can run it.
pub fn javascript(
    source: &str,
    flags: JavaScriptFlags,
    pattern_use: PatternUse,
) -> Result<Pattern, PatternError> {
    check_length(source)?;
    let output = javascript::translate(source, flags)?;
    Ok(Pattern::new(source, pattern_use, Engine::translated(output)?))
}

#[cfg(test)]
mod tests;
