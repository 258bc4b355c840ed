//! The report formats.

mod github;
mod gitlab;
mod html;
mod json;
mod jsonl;
mod junit;
mod markdown;
mod sarif;
mod text;

use crate::Reporter;

pub use markdown::code_span;

/// Every report format; the first is what is written when none is named.
pub const REPORTERS: &[&dyn Reporter] = &[
    &text::Text,
    &json::Json,
    &jsonl::Jsonl,
    &junit::Junit,
    &sarif::Sarif,
    &github::Github,
    &gitlab::Gitlab,
    &markdown::Markdown,
    &html::Html,
];

/// The format of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Reporter> {
    REPORTERS.iter().find(|it| it.name() == name).copied()
}

#[cfg(test)]
mod tests;
