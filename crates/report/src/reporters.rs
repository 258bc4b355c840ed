//! The report formats.

mod json;
mod jsonl;
mod text;

use crate::Reporter;

/// Every report format; the first is what is written when none is named.
pub const REPORTERS: &[&dyn Reporter] = &[&text::Text, &json::Json, &jsonl::Jsonl];

/// The format of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Reporter> {
    REPORTERS.iter().find(|it| it.name() == name).copied()
}

#[cfg(test)]
mod tests;
