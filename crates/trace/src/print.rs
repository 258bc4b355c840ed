//! Fingerprints of arguments: equal for the same JSON however it is written.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Args, ArgsState};

use crate::attr;

/// The fingerprint of arguments, made when it is first looked at: most calls are never compared.
#[derive(Clone, Debug)]
pub struct Print<'a> {
    args: Args<'a>,
    made: OnceCell<Option<u128>>,
}

impl<'a> Print<'a> {
    /// The fingerprint of these arguments.
    pub fn new(args: Args<'a>) -> Self {
        Print { args, made: OnceCell::new() }
    }

    /// The fingerprint of arguments that stand elsewhere.
    pub fn borrowed(args: &'a Args<'_>) -> Self {
        Print::new(Args { text: Cow::Borrowed(&args.text), state: args.state })
    }

    /// The same fingerprint, with what was made of it, for arguments that live longer.
    pub fn with<'b>(&self, args: Args<'b>) -> Print<'b> {
        Print { args, made: self.made.clone() }
    }

    /// Whether two arguments are the same, as far as they were recorded.
    pub fn may_equal(&self, other: &Print<'_>) -> bool {
        if self.args == other.args {
            return true;
        }
        let (mine, theirs) = (self.get(), other.get());
        mine == theirs || mine.is_none() || theirs.is_none()
    }

    /// The number; nothing when the arguments were not recorded.
    pub fn get(&self) -> Option<u128> {
        *self.made.get_or_init(|| of(&self.args))
    }
}

/// A fingerprint of a text of arguments; nothing when they were not recorded.
fn of(args: &Args<'_>) -> Option<u128> {
    if args.state == ArgsState::Unrecorded {
        return None;
    }
    let text = args.text.trim();
    let text = if text.is_empty() || text == "null" { "{}" } else { text };
    let document = match attr::parse(text) {
        Some(document) if document.root().kind() == Kind::String => attr::parse_deep(text),
        own => own.filter(|it| it.root().is_object() || it.root().is_array()),
    };
    Some(document.map_or_else(|| hash(&("text", text)), |it| value(it.root())))
}

/// The arguments without the single key `input` that some exporters put around them.
pub fn unwrapped<'d>(args: &Args<'d>) -> Option<Args<'d>> {
    if args.state == ArgsState::Unrecorded || !args.text.contains("\"input\"") {
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
                for (key, inner) in value.entries() {
                    match leaf(inner) {
                        Some(leaf) => sum = sum.wrapping_add(hash(&(path, key, leaf))),
                        None => open.push((inner, hash(&(path, key)))),
                    }
                }
            }
            Kind::Array => {
                sum = sum.wrapping_add(hash(&(path, "list", value.len())));
                open.extend(
                    value.items().enumerate().map(|(at, inner)| (inner, hash(&(path, at)))),
                );
            }
            _ => sum = sum.wrapping_add(hash(&(path, leaf(value)))),
        }
    }
    sum
}

/// A value that holds no others: what it is, and its text.
fn leaf(value: Value<'_>) -> Option<(&'static str, &str)> {
    match value.kind() {
        Kind::Object | Kind::Array => None,
        Kind::String => Some(("text", value.as_str().unwrap_or_default())),
        _ => Some(("raw", value.raw())),
    }
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
