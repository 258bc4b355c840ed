//! The JSON reader and what the three semantics make of its values.

use std::borrow::Cow;

use lawbook_event::json::{Buffers, Document, Grammar, Kind, Limits, Value, Writer};
use lawbook_event::{EXACT, JAVASCRIPT, PYTHON, python};

use crate::Target;

pub(super) const TARGET: Target = Target {
    name: "json",
    run,
    seeds: &[
        r#"{"amount": 500.00, "id": "C-1", "nested": {"a": [1, -0.5e+3, null, true]}}"#,
        r#"{"a": 1, "a": "\ud83d\ude00\u0000\ud800", "é": [NaN, -Infinity, 1e999]}"#,
        r#"[[[[]]], {"": {}}, "\"\\\/\b\f\n\r\t", 9007199254740993, 0.1]"#,
        "[\"a long text without escapes that is longer than one word of the machine é€😀\"]",
    ],
    seed_files: &[".json", ".jsonl"],
};

const LIMITS: Limits = Limits { bytes_max: 1 << 20, depth_max: 64, nodes_max: 10_000 };

/// Reading ends in an error or in a document that is consistent; nothing panics.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let strict = Document::parse(&text, Grammar::Strict, &LIMITS);
    let python = Document::parse(&text, Grammar::Python, &LIMITS);
    if let Err(error) = &strict {
        assert!(error.offset <= text.len() && error.line > 0 && error.column > 0);
        assert!(text.is_char_boundary(error.offset) || error.kind.is_limit());
    }
    let Ok(document) = python else {
        assert!(strict.is_err(), "strict JSON that Python refuses");
        return;
    };
    assert_eq!(strict.is_ok(), !document.non_finite_literal());
    check_tape(document.root());
    check_rewriting(&document);
    for semantics in [EXACT, PYTHON, JAVASCRIPT] {
        let value = document.root();
        let _ = (semantics.refuses(&document), semantics.number(value), semantics.key(value));
        let _ = (semantics.cap_key(value), semantics.is_empty(value), semantics.show(value));
        let _ = semantics.text(value);
    }
}

/// Each value stands where the tape says, and holds what its own text holds.
fn check_tape(root: Value<'_>) {
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        assert!(!value.raw().is_empty());
        match value.kind() {
            Kind::Array => {
                assert_eq!(value.items().count(), value.len());
                open.extend(value.items());
            }
            Kind::Object => {
                assert_eq!(value.entries().count(), value.len());
                for (key, inner) in value.entries() {
                    let last = value.get(key).expect("a key that is there");
                    assert!(last.offset() >= inner.offset());
                    open.push(inner);
                }
            }
            Kind::String => assert!(value.as_str().is_some()),
            Kind::Number => assert_eq!(value.number_text(), Some(value.raw())),
            Kind::Bool => assert!(value.as_bool().is_some()),
            Kind::Null => assert_eq!(value.raw(), "null"),
        }
    }
}

/// What is written again reads as the same value.
fn check_rewriting(document: &Document<'_>) {
    let mut writer = Writer::new();
    rewrite(document.root(), &mut writer);
    let again = writer.finish();
    let mut buffers = Buffers::default();
    let limits = Limits { bytes_max: usize::MAX, ..LIMITS };
    let copy = Document::parse_with(Cow::Borrowed(&again), Grammar::Python, &limits, &mut buffers)
        .expect("what was written");
    assert!(EXACT.equal(document.root(), copy.root()), "{again}");
    assert_eq!(document.duplicate_key().is_some(), copy.duplicate_key().is_some());
    let dumped = python::dumps(document.root());
    let dumped = Document::parse(&dumped, Grammar::Python, &limits).expect("what was dumped");
    assert_eq!(dumped.duplicate_key(), None);
    assert_eq!(PYTHON.show(dumped.root()), PYTHON.show(document.root()));
}

/// Recursion is fine here: the depth is limited to 64.
fn rewrite(value: Value<'_>, writer: &mut Writer) {
    match value.kind() {
        Kind::Array => {
            writer.array();
            value.items().for_each(|item| rewrite(item, writer));
            writer.end_array();
        }
        Kind::Object => {
            writer.object();
            value.entries().for_each(|(key, value)| rewrite(value, writer.key(key)));
            writer.end_object();
        }
        Kind::String => {
            writer.string(value.as_str().expect("a string"));
        }
        Kind::Null | Kind::Bool | Kind::Number => {
            writer.raw(value.raw());
        }
    }
}
