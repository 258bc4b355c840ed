//! YAML, JSON or TOML text as a tree of values that know their places.
//!
//! Only what means the same to every reader is taken: no aliases, anchors, tags, merge keys or
//! further documents, and no key twice.

mod build;
mod from_json;
mod from_jsonc;
mod from_toml;
mod from_yaml;

pub(crate) use from_jsonc::plain;
use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_rule::params::{Fault, Node};

/// How deep lists and maps may nest in a policy.
pub const POLICY_DEPTH_MAX: usize = 32;

/// How many values a policy may hold.
pub const POLICY_NODES_MAX: usize = 200_000;

/// Reads a text; none if it can't be read to its end, which the faults then tell.
pub(crate) fn read(text: &str, faults: &mut Vec<Fault>) -> Option<Node> {
    // What is JSON is read as JSON, since YAML reads some of its escapes in another way.
    if text.trim_start().starts_with('{')
        && let Ok(document) = Document::parse(text, Grammar::Strict, &Limits::DEFAULT)
    {
        return from_json::read(&document, text, faults);
    }
    from_yaml::read(text, faults)
}

/// Reads JSON in which comments and trailing commas may stand.
pub(crate) fn read_jsonc(text: &str, faults: &mut Vec<Fault>) -> Option<Node> {
    from_jsonc::read(text, faults)
}

/// Reads TOML.
pub(crate) fn read_toml(text: &str, faults: &mut Vec<Fault>) -> Option<Node> {
    from_toml::read(text, faults)
}

#[cfg(test)]
mod tests;
