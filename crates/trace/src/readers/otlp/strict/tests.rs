//! What faultgate loads, asked along the way and in a walk of its own.

use std::borrow::Cow;

use lawbook_event::json::{Buffers, Document, Grammar, Limits};

use super::{Loads, loads};
use crate::readers::otlp::collect::collect;
use crate::{Part, Source};

/// Documents, with `GOOD` for a span and `BAD` for one that faultgate refuses, and whether it loads
/// them.
const DOCUMENTS: [(&str, bool); 55] = [
    // Spans where faultgate looks for them.
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [GOOD, GOOD]}]}]}"#, true),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [GOOD, BAD]}]}]}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [BAD, GOOD]}]}]}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": [{}, {"spans": [GOOD]}]}, {}]}"#, true),
    (r#"{"resourceSpans": [{}, {"scopeSpans": [{}, {"spans": [BAD]}]}]}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [{}]}]}]}"#, false),
    // Lists that are missing or empty, and what passes for an empty one.
    (r#"{}"#, true),
    (r#"{"resourceLogs": []}"#, true),
    (r#"{"resourceLogs": [{"scopeLogs": [{"logRecords": [{"traceId": 5}]}]}]}"#, true),
    (r#"{"resourceSpans": []}"#, true),
    (r#"{"resourceSpans": ""}"#, true),
    (r#"{"resourceSpans": {}}"#, true),
    (r#"{"resourceSpans": [{"scopeSpans": []}, {"scopeSpans": ""}]}"#, true),
    (r#"{"resourceSpans": [{"scopeSpans": {}}, {"scopeSpans": [{"spans": [BAD]}]}]}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": ""}, {"spans": {}}]}]}"#, true),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": ""}, {"spans": [BAD]}]}]}"#, false),
    // What stands in the place of a list.
    (r#"{"resourceSpans": null}"#, false),
    (r#"{"resourceSpans": 0}"#, false),
    (r#"{"resourceSpans": "x"}"#, false),
    (r#"{"resourceSpans": {"x": 1}}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": null}]}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": null}]}]}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [GOOD]}, {"spans": false}]}]}"#, false),
    // What stands in the place of an object.
    (r#"{"resourceSpans": [null]}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": [[]]}]}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [GOOD, ""]}]}]}"#, false),
    // Keys that faultgate does not know.
    (r#"{"resource_spans": [{"scopeSpans": [{"spans": [BAD]}]}]}"#, true),
    (r#"{"resource_spans": 5}"#, true),
    (r#"{"batches": [{"scopeSpans": [{"spans": [BAD]}]}]}"#, true),
    (r#"{"batches": [{"instrumentationLibrarySpans": [{"spans": [BAD]}]}]}"#, true),
    (r#"{"resourceSpans": [{"scope_spans": [{"spans": [BAD]}]}]}"#, true),
    (r#"{"resourceSpans": [{"scope_spans": [{"spans": [null]}]}]}"#, true),
    (r#"{"resourceSpans": [{"scope_spans": null}, {"scopeSpans": [{"spans": [BAD]}]}]}"#, false),
    (r#"{"resourceSpans": [{"instrumentationLibrarySpans": [{"spans": [BAD]}]}]}"#, true),
    (r#"{"resourceSpans": [{"scope_spans": [{"spans": [BAD]}]}, {"scopeSpans": [{}]}]}"#, true),
    // Keys of both kinds side by side.
    (r#"{"resourceSpans": [], "batches": [{"scopeSpans": [{"spans": [BAD]}]}]}"#, true),
    (r#"{"resource_spans": [], "resourceSpans": [{"scopeSpans": [{"spans": [BAD]}]}]}"#, false),
    (r#"{"resourceSpans": null, "resource_spans": []}"#, false),
    (r#"{"resourceSpans": [{"scope_spans": [{"spans": [BAD]}], "scopeSpans": []}]}"#, true),
    (r#"{"resourceSpans": [{"scope_spans": [], "scopeSpans": [{"spans": [BAD]}]}]}"#, false),
    // Keys that stand twice: the last one counts.
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [BAD]}]}], "resourceSpans": []}"#, true),
    (r#"{"resourceSpans": 5, "resourceSpans": [{"scopeSpans": [{"spans": [GOOD]}]}]}"#, true),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [GOOD], "spans": [BAD]}]}]}"#, false),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [BAD], "spans": [GOOD]}]}]}"#, true),
    (r#"{"resourceSpans": [{"scopeSpans": [{"spans": [GOOD]}], "scopeSpans": null}]}"#, false),
    (r#"{"resourceSpans": [], "resourceSpans": [{"scopeSpans": [{"spans": [BAD]}]}]}"#, false),
    // Documents in a list, and in a wrapper.
    (r#"[{"resourceSpans": [{"scopeSpans": [{"spans": [GOOD]}]}]}]"#, false),
    (r#"[]"#, false),
    (r#"5"#, false),
    (r#"{"trace": {"resourceSpans": [{"scopeSpans": [{"spans": [BAD]}]}]}}"#, true),
    (r#"{"trace": {"resourceSpans": []}, "resourceSpans": null}"#, false),
    (r#"{"trace": {}, "resourceSpans": [{"scopeSpans": [{"spans": [GOOD]}]}]}"#, true),
    (r#"{"trace": {}, "resourceSpans": [{"scopeSpans": [{"spans": [BAD]}]}]}"#, false),
    (r#"{"trace": [], "resourceSpans": [{"scopeSpans": [{"spans": [GOOD]}]}]}"#, true),
    (r#"{"trace": "x", "resourceSpans": [{"scopeSpans": [{"spans": [BAD]}]}]}"#, false),
];

const GOOD: &str = r#"{"traceId": "t", "spanId": "a", "name": "n", "startTimeUnixNano": "1"}"#;
/// Spans that faultgate refuses.
const BAD: [&str; 8] = [
    r#"{"traceId": "t", "name": "n"}"#,
    r#"{"trace_id": "t", "spanId": "a"}"#,
    r#"{"traceId": "t", "span_id": "a"}"#,
    r#"{"traceId": null, "spanId": "a"}"#,
    r#"{"traceId": "t", "spanId": "a", "startTimeUnixNano": "now"}"#,
    r#"{"traceId": "t", "spanId": "a", "attributes": [{"key": "k"}]}"#,
    r#"{"traceId": "t", "spanId": "a", "attributes": null}"#,
    r#"{"traceId": "t", "spanId": "a", "spanId": 5}"#,
];

/// The documents of the table, with each of the spans that faultgate refuses.
fn documents() -> impl Iterator<Item = (String, bool)> {
    BAD.iter().flat_map(|bad| {
        DOCUMENTS
            .iter()
            .map(move |(text, loads)| (text.replace("GOOD", GOOD).replace("BAD", bad), *loads))
    })
}

fn part(text: &str) -> Part<'_> {
    let (limits, mut buffers) = (Limits::DEFAULT, Buffers::default());
    let text = Cow::Borrowed(text);
    let document = Document::parse_with(text, Grammar::Python, &limits, &mut buffers).unwrap();
    Part { document, line: None, plain: true }
}

#[test]
fn what_is_asked_along_the_way_is_what_a_walk_of_its_own_says() {
    for (text, expected) in documents() {
        let parts = [part(&text)];
        let root = parts[0].document.root();
        let mut asked = Loads::of(root);
        let (_, problems) = collect(&parts, &Source::new("t"), &mut asked);
        assert_eq!((asked.told(&problems), loads(root)), (expected, expected), "{text}");
    }
}

#[test]
fn a_document_without_problems_is_walked_once() {
    let text = DOCUMENTS[0].0.replace("GOOD", GOOD);
    let parts = [part(&text)];
    let mut asked = Loads::of(parts[0].document.root());
    let (_, problems) = collect(&parts, &Source::new("t"), &mut asked);
    assert!(problems.is_empty() && matches!(asked, Loads::SoFar(_)));
}
