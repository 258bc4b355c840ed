//! Following a path that may name every item of a list, or a key that holds dots itself.

use crate::json::{Kind, Value};
use crate::semantics::Path;
use crate::semantics::path::Step;

/// The value at `path`. A value inside objects goes before one under a key with dots.
pub(super) fn first<'d>(root: Value<'d>, path: &Path) -> Option<Value<'d>> {
    let nested = path.steps().iter().try_fold(root, |value, step| match step {
        Step::Key(range) => child(value, path.at(range)),
        Step::Every => None,
    });
    nested.or_else(|| {
        let mut all = Vec::new();
        each(root, path, &mut all);
        all.first().copied()
    })
}

/// Every value that `path` can mean.
pub(super) fn each<'d>(root: Value<'d>, path: &Path, out: &mut Vec<Value<'d>>) {
    if let [Step::Key(range)] = path.steps() {
        out.extend(child(root, path.at(range)));
        return;
    }
    let from = out.len();
    let mut open = vec![(root, path.steps())];
    while let Some((value, steps)) = open.pop() {
        match steps.split_first() {
            None => out.push(value),
            Some((Step::Every, rest)) => open.extend(value.items().map(|item| (item, rest))),
            Some((Step::Key(first), _)) => {
                let mut joined = first.clone();
                let mut rest = steps;
                // The next one, two, three … parts taken together as one key.
                while let Some((Step::Key(range), after)) = rest.split_first() {
                    joined.end = range.end;
                    rest = after;
                    open.extend(child(value, path.at(&joined)).map(|inner| (inner, after)));
                }
            }
        }
    }
    if let Some(found) = out.get_mut(from..) {
        found.sort_by_key(|value| value.offset());
    }
}

/// The value of a key, or the item at a place.
fn child<'d>(value: Value<'d>, key: &str) -> Option<Value<'d>> {
    match value.kind() {
        Kind::Array if key.bytes().all(|byte| byte.is_ascii_digit()) => {
            value.item(key.parse().ok()?)
        }
        _ => value.get(key),
    }
}
