//! Equality of JSON results: types apart at the top, Python's own `==` inside containers.

use std::cmp::Ordering;

use super::read::json_double;
use crate::json::{Kind, Value};
use crate::semantics::Number;
use crate::semantics::unique::sorted_entries;

/// True is not 1 and text is no number, but `[True] == [1]` as in Python.
pub(super) fn equal(a: Value<'_>, b: Value<'_>) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Bool, Kind::Bool) => a.as_bool() == b.as_bool(),
        (Kind::Number, Kind::Number) => numbers(a, b) && !is_nan(a),
        (one, other) if one == other => native(a, b),
        _ => false,
    }
}

/// `a == b` of two values inside containers.
fn native<'d>(a: Value<'d>, b: Value<'d>) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        let same = match (a.kind(), b.kind()) {
            (Kind::Null, Kind::Null) => true,
            (Kind::String, Kind::String) => a.as_str() == b.as_str(),
            (Kind::Bool | Kind::Number, Kind::Bool | Kind::Number) => numbers(a, b),
            (Kind::Array, Kind::Array) => {
                pairs.extend(a.items().zip(b.items()));
                a.len() == b.len()
            }
            (Kind::Object, Kind::Object) => {
                let (ours, theirs) = (sorted_entries(a), sorted_entries(b));
                let keys = ours.iter().map(|it| it.0).eq(theirs.iter().map(|it| it.0));
                pairs.extend(ours.iter().map(|it| it.1).zip(theirs.iter().map(|it| it.1)));
                keys
            }
            _ => false,
        };
        if !same {
            return false;
        }
    }
    true
}

/// The NaN of Python's json module is one object, and containers look at identity first.
fn numbers(a: Value<'_>, b: Value<'_>) -> bool {
    match (number(a), number(b)) {
        (Some(one), Some(other)) => {
            (is_nan(a) && is_nan(b))
                || (!is_nan(a) && !is_nan(b) && one.compare(&other) == Ordering::Equal)
        }
        _ => false,
    }
}

fn number(value: Value<'_>) -> Option<Number> {
    match value.as_bool() {
        Some(truth) => Some(Number::float(f64::from(u8::from(truth)))),
        None => Number::python(value.number_text()?),
    }
}

fn is_nan(value: Value<'_>) -> bool {
    value.number_text().and_then(json_double).is_some_and(f64::is_nan)
}
