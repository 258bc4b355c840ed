//! Faultgate policies in conversions.

mod read;
mod write;

use lawbook_rule::params::Node;

use crate::convert::ends_line;

pub(crate) use read::read;
pub(crate) use write::write;

/// Constructs that Python's `re` and the native patterns read differently, or that only one has.
const APART: &[&str] = &["\\Z", "(?P", "(?a", "(?L", "(?u", "{,", "\\N"];

/// What a pattern that moves between the two may mean otherwise, if anything.
fn reads_apart(pattern: &str) -> Option<String> {
    let end = ends_line(pattern).then_some("$");
    let construct = end.or(APART.iter().find(|it| pattern.contains(**it)).copied())?;
    Some(format!("`{construct}` in a pattern may be read differently"))
}

/// The texts of a list, or the one that stands alone.
fn texts(node: Option<&Node>) -> Vec<&str> {
    let Some(node) = node else { return Vec::new() };
    let one = std::slice::from_ref(node);
    let items = if node.words().is_some() { one } else { node.items() };
    items.iter().filter_map(Node::words).collect()
}
