// Trees from YAML and JSON: places, and what is refused.

use lawbook_diag::place;
use lawbook_rule::params::{Fault, Form, Node};

use super::{POLICY_DEPTH_MAX, POLICY_NODES_MAX, read};

fn tree(text: &str) -> (Option<Node>, Vec<Fault>) {
    let mut faults = Vec::new();
    let root = read(text, &mut faults);
    (root, faults)
}

/// Every key and scalar, each with the text at its place.
fn places(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut left = vec![tree(text).0.unwrap()];
    while let Some(node) = left.pop() {
        match node.form {
            Form::Scalar { text: value, .. } => {
                out.push((value, text[node.span.start..node.span.end].to_owned()));
            }
            Form::List(items) => left.extend(items),
            Form::Map(entries) => {
                for entry in entries {
                    let at = &text[entry.key_span.start..entry.key_span.end];
                    out.push((entry.key, at.to_owned()));
                    left.push(entry.value);
                }
            }
        }
    }
    out
}

#[test]
fn every_key_and_scalar_knows_its_place() {
    for text in [
        "a: b\nc:\n  - d\n  - {e: f, 'g': \"h\"}\n",
        "é: ü\r\nw: [x, y]\r\n# ö\r\nz: 'ä'\r\n",
        "{\"a\": \"b\", \"c\\\"d\": [1, true, null, \"é\"], \"f\": {}}",
        "{\n\t\"a\":\t\"b\"\n}",
    ] {
        for (value, at) in places(text) {
            let bare = at.trim_matches(['"', '\'']).replace("\\\"", "\"");
            assert_eq!(bare, value, "in {text}");
        }
    }
}

#[test]
fn containers_end_where_their_text_ends() {
    let text = "a:\n  - b\n  - c\n\nd: 1\n";
    let root = tree(text).0.unwrap();
    let list = root.get("a").unwrap();
    assert_eq!(&text[list.span.start..list.span.end], "- b\n  - c");
}

#[test]
fn what_readers_disagree_on_is_refused() {
    for (text, code, line) in [
        ("a: 1\nb: 2\na: 3\n", "duplicate_key", 3),
        ("{\"a\": 1,\n\"a\": 2}", "duplicate_key", 2),
        ("a: &x 1\nb: 2\n", "not_plain_yaml", 1),
        ("a: &x 1\nb: *x\n", "not_plain_yaml", 1),
        ("a: !!str 1\n", "not_plain_yaml", 1),
        ("a: 1\n<<: {b: 1}\n", "not_plain_yaml", 2),
        ("a: 1\n---\nb: 1\n", "second_document", 2),
        ("? [a]\n: b\n", "wrong_shape", 1),
        ("a: [1\nb: 2\n", "not_yaml", 2),
        ("a: 'x\n", "not_yaml", 1),
    ] {
        let faults = tree(text).1;
        let fault = faults.first().unwrap_or_else(|| panic!("nothing is told of {text:?}"));
        assert_eq!(
            (fault.code, place(text, fault.span.start).0),
            (code, line),
            "{text:?}: {fault:?}"
        );
    }
}

#[test]
fn yes_and_no_are_text() {
    let root = tree("a: yes\nb: no\nc: on\nd: off\n").0.unwrap();
    for key in ["a", "b", "c", "d"] {
        assert_eq!(root.get(key).unwrap().what(), "text");
    }
}

#[test]
fn depth_is_bounded() {
    let fits = format!("{}{}", "[".repeat(POLICY_DEPTH_MAX), "]".repeat(POLICY_DEPTH_MAX));
    assert!(tree(&fits).0.is_some());
    let deeper = format!("[{fits}]");
    assert_eq!(tree(&deeper).1[0].code, "policy_depth_max");
    for deep in ["[".repeat(100_000), "{\"a\":".repeat(100_000), "- ".repeat(100_000)] {
        let (root, faults) = tree(&deep);
        assert!(root.is_none());
        assert!(matches!(faults[0].code, "policy_depth_max" | "not_yaml"), "{faults:?}");
    }
}

#[test]
fn json_escapes_are_read_as_json() {
    let root = tree("{\"a\": \"\\/\\ud83d\\ude00\"}").0.unwrap();
    assert_eq!(root.get("a").unwrap().words(), Some("/\u{1f600}"));
}

#[test]
fn the_number_of_values_is_bounded() {
    let most = format!("[{}1]", "1, ".repeat(POLICY_NODES_MAX - 2));
    assert!(tree(&most).0.is_some());
    let more = format!("[{}1]", "1, ".repeat(POLICY_NODES_MAX - 1));
    let (root, faults) = tree(&more);
    assert!(root.is_none());
    assert_eq!(faults[0].code, "policy_nodes_max");
}
