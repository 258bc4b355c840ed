//! Logs of MCP.

use crate::testing::{told, told_as};
use crate::{Reading, detect};
use lawbook_event::json::{Document, Grammar, Limits};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"c"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"shop"}}}"#;

fn call(id: &str, tool: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"n":1}}}}}}"#
    )
}

fn result(id: &str, text: &str, more: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]{more}}}}}"#
    )
}

fn sent(by: &str, message: &str) -> String {
    format!(r#"{{"ts":"2026-05-02T08:00:00Z","dir":"{by}","msg":{message}}}"#)
}

#[test]
fn answers_find_their_requests_in_any_order() {
    let lines = [
        INITIALIZE.to_owned(),
        INITIALIZED.to_owned(),
        call("1", "stock"),
        call("\"1\"", "price"),
        call("2", "buy"),
        call("3", "gone"),
        r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ping"}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#.to_owned(),
        result("2", "sold", r#","isError":true"#),
        result("\"1\"", "9", ""),
        r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"unknown tool"}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
            .to_owned(),
        r#"{"jsonrpc":"2.0","id":4,"result":{"content":[],"structuredContent":{"ok":true}}}"#
            .to_owned(),
    ];
    let all = told("", &lines.join("\n"));
    assert_eq!((all.len(), all[0].id.as_str()), (1, "t:1"));
    assert!(
        all[0].lines()[0].contains(r#""clientInfo":{"name":"c"},"serverInfo":{"name":"shop"}"#)
    );
    assert_eq!(
        all[0].of("call"),
        [
            r#"2 call 1 m2.c0 1 stock {"n":1} -> nothing"#,
            r#"3 call 2 m3.c0 1 price {"n":1} -> 9 (no error)"#,
            r#"4 call 3 m4.c0 2 buy {"n":1} -> sold (error)"#,
            r#"5 call 4 m5.c0 3 gone {"n":1} -> {"code":-32602,"message":"unknown tool"} (error)"#,
            r#"6 call 5 m6.c0 4 ping  -> {"ok":true} (no error)"#,
        ]
    );
}

#[test]
fn ids_count_apart_on_each_side() {
    let sample = r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#;
    let sampled = r#"{"jsonrpc":"2.0","id":1,"result":{"role":"assistant","content":{"type":"text","text":"no"},"model":"m"}}"#;
    // Bare, only the shape of the answer shows whose it is.
    let bare = [
        INITIALIZE.to_owned(),
        call("1", "stock"),
        sample.to_owned(),
        sampled.to_owned(),
        result("1", "3", ""),
    ];
    // With a direction, the methods show which word means the client.
    let words = [
        sent("out", INITIALIZE),
        sent("out", &call("1", "stock")),
        sent("in", sample),
        sent("out", &result("1", "no", "")),
        sent("in", &result("1", "3", "")),
    ];
    for lines in [bare, words] {
        let all = told("", &lines.join("\n"));
        assert!(all[0].of("call")[0].ends_with("-> 3 (no error)"), "{:?}", all[0].lines());
    }
}

#[test]
fn a_list_of_requests_is_a_batch() {
    let lines = [
        format!("[{},{}]", call("1", "a"), call("2", "b")),
        format!("[{},{}]", result("2", "y", ""), result("1", "x", "")),
    ];
    let all = told("", &lines.join("\n"));
    let calls = all[0].of("call");
    assert!(calls[0].starts_with("0 call 1 m0.c0") && calls[1].starts_with("0 call 2 m0.c1"));
    assert!(calls[0].contains("-> x") && calls[1].contains("-> y"));
}

#[test]
fn a_session_ends_where_another_begins() {
    let lines = [
        sent("out", INITIALIZE),
        sent("out", &call("1", "a")),
        sent("out", INITIALIZE),
        sent("out", &call("1", "b")),
        sent("in", &result("1", "x", "")),
    ];
    let all = told("", &lines.join("\n"));
    assert_eq!(all.len(), 2);
    assert!(all[0].of("call")[0].ends_with("nothing"));
    assert_eq!(all[1].of("call"), [r#"1 call 1 m1.c0 1 b {"n":1} -> x (no error)"#]);
    // What the transport calls a session stays one, however it is mixed with others.
    let of = |session: &str, message: &str| {
        format!(r#"{{"session_id":"{session}","server":"hub","message":{message}}}"#)
    };
    let lines = [
        of("a", &call("1", "x")),
        of("b", &call("1", "y")),
        of("b", &result("1", "2", "")),
        of("a", &result("1", "1", "")),
    ];
    let all = told("", &lines.join("\n"));
    let ends: Vec<_> = all
        .iter()
        .map(|it| (it.id.as_str(), it.of("call")[0].rsplit("-> ").next().unwrap()))
        .collect();
    assert_eq!(ends, [("a", "1 (no error)"), ("b", "2 (no error)")]);
}

#[test]
fn a_task_that_was_only_taken_in_waits() {
    let task = r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t","status":"working"}}}"#;
    let all = told("", &[call("1", "a").as_str(), task].join("\n"));
    assert!(all[0].of("answer")[0].ends_with(r#""status":"working"}}"#), "{:?}", all[0].lines());
}

#[test]
fn records_that_are_none_are_problems() {
    let lines = [call("1", "a"), r#"{"note":"x"}"#.to_owned(), "5".to_owned()];
    let (all, problems) = told_as("", lines.join("\n").as_bytes(), Reading::Full);
    assert_eq!((all.len(), problems.as_slice()), (1, &["not_a_record", "not_a_record"][..]));
}

#[test]
fn other_protocols_are_not_taken() {
    for text in [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":1,"rootUri":null}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"method":"tools/call"}"#,
        r#"{"messages":[{"role":"user","content":"jsonrpc"}]}"#,
        r#"[{"role":"tool","content":{"jsonrpc":"2.0","id":1,"method":"tools/call"}}]"#,
    ] {
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let found = detect(document.root()).map(crate::Reader::name);
        assert_ne!(found, Some("mcp"), "{text}");
    }
}

#[test]
fn many_open_requests_take_linear_time() {
    let mut lines = vec![INITIALIZE.to_owned()];
    lines.extend((0..30_000).map(|it| call(&it.to_string(), "a")));
    lines.extend((0..30_000).rev().map(|it| result(&it.to_string(), "x", "")));
    let all = told("", &lines.join("\n"));
    assert_eq!((all[0].calls, all[0].of("answer").len()), (30_000, 30_000));
}
