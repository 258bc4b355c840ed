//! Fingerprints of arguments: equal for the same JSON however it is written.

use std::hash::{DefaultHasher, Hash, Hasher};

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Args, ArgsState};

use crate::attr;

/// A fingerprint of a text of arguments; nothing when they were not recorded.
pub fn of(args: &Args<'_>) -> Option<u128> {
    if args.state == ArgsState::Unrecorded {
        return None;
    }
    let text = args.text.trim();
    let text = if text.is_empty() || text == "null" { "{}" } else { text };
    match attr::parse_deep(text) {
        Some(document) => Some(value(document.root())),
        None => Some(hash(&("text", text))),
    }
}

/// The arguments without the single key `input` that some exporters put around them.
pub fn unwrapped<'d>(args: &Args<'d>) -> Option<Args<'d>> {
    if args.state != ArgsState::Whole || !args.text.contains("\"input\"") {
        return None;
    }
    let document = attr::parse(&args.text)?;
    let root = document.root();
    let inner = root.get("input").filter(|it| root.len() == 1 && !it.is_null())?;
    let text = inner.as_str().unwrap_or_else(|| inner.raw()).to_owned();
    Some(Args { state: crate::cut::state(&text), text: text.into() })
}

/// Sums over all leaves, each hashed with its path, so that the order of keys does not count.
fn value(root: Value<'_>) -> u128 {
    let mut sum = 0_u128;
    let mut open = vec![(root, 0_u128)];
    while let Some((value, path)) = open.pop() {
        match value.kind() {
            Kind::Object => {
                sum = sum.wrapping_add(hash(&(path, "object")));
                open.extend(value.entries().map(|(key, inner)| (inner, hash(&(path, key)))));
            }
            Kind::Array => {
                sum = sum.wrapping_add(hash(&(path, "list", value.len())));
                open.extend(
                    value.items().enumerate().map(|(at, inner)| (inner, hash(&(path, at)))),
                );
            }
            Kind::String => sum = sum.wrapping_add(hash(&(path, "text", value.as_str()))),
            _ => sum = sum.wrapping_add(hash(&(path, "raw", value.raw()))),
        }
    }
    sum
}

fn hash(what: &impl Hash) -> u128 {
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        what.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    (half(1) << 64) | half(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(text: &str) -> Option<u128> {
        of(&Args { text: text.to_owned().into(), state: ArgsState::Whole })
    }

    #[test]
    fn the_same_json_has_one_print() {
        let one = print(r#"{"a": 1, "b": {"c": [1, "\u0078"]}}"#);
        assert_eq!(one, print(r#"{"b":{"c":[1,"x"]},"a":1}"#));
        assert_eq!(one, print(r#""{\"b\":{\"c\":[1,\"x\"]},\"a\":1}""#));
        assert_eq!(print(""), print("{}"));
        for other in [
            r#"{"a": 1, "b": {"c": ["x", 1]}}"#,
            r#"{"a": "1", "b": {"c": [1, "x"]}}"#,
            "{}",
            "[]",
            "x",
        ] {
            assert_ne!(one, print(other), "{other}");
        }
        assert_ne!(print("{\"a\": 1.0}"), print("{\"a\": 1}"));
        assert_eq!(of(&Args { text: "".into(), state: ArgsState::Unrecorded }), None);
    }
}
