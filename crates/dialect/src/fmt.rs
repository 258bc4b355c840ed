//! The canonical layout of a native policy: key order, indentation and quotes. Comments stay.

mod comments;
mod json;
mod order;
mod page;
mod scalar;
mod yaml;

use lawbook_diag::Problem;
use lawbook_rule::params::{Form, Node, NodeEntry};

use crate::dialects::parse;

pub(crate) use page::Page;
pub(crate) use scalar::written;

/// How wide a line may be before a list or map is spread over several.
const LINE_WIDTH: usize = 100;

/// A policy in its canonical layout, YAML or JSON as it was.
///
/// # Errors
/// With everything that keeps the file from being read, or if the layout would change its meaning.
pub fn fmt(source: &str, text: &str) -> Result<String, Vec<Problem>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = parse(source, text)?;
    if !matches!(root.form, Form::Map(_)) {
        return Err(vec![Problem::new(source, "wrong_shape", "a policy is a map of keys")]);
    }
    let ordered = order::ordered(&root);
    let notes = comments::notes(text, &root);
    let out = if text.trim_start().starts_with('{') && notes.is_empty() {
        json::layout(&ordered)
    } else {
        yaml::layout(&ordered, &notes)
    };
    let again = parse(source, &out).ok().filter(|it| same(&ordered, it));
    if again.is_some_and(|it| comments::notes(&out, &it).comments == notes.comments) {
        Ok(out)
    } else {
        Err(vec![
            Problem::new(source, "no_layout", "the layout would change the policy")
                .help("move comments to lines of their own, and write texts on one line"),
        ])
    }
}

/// A tree as JSON.
pub(crate) fn json_page(root: &Node) -> String {
    json::layout(root)
}

/// Whether two trees mean the same, wherever they stand.
fn same(a: &Node, b: &Node) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        let (one, other) = (a.entries(), b.entries());
        let keys = |it: &[NodeEntry]| it.iter().map(|it| it.key.clone()).collect::<Vec<_>>();
        let alike = match (&a.form, &b.form) {
            (Form::Scalar { .. }, Form::Scalar { .. }) => a.scalar() == b.scalar(),
            (Form::List(a), Form::List(b)) => a.len() == b.len(),
            (Form::Map(_), Form::Map(_)) => keys(one) == keys(other),
            _ => false,
        };
        if !alike {
            return false;
        }
        pairs.extend(a.items().iter().zip(b.items()));
        pairs.extend(one.iter().map(|it| &it.value).zip(other.iter().map(|it| &it.value)));
    }
    true
}

#[cfg(test)]
mod tests;
