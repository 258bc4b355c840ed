//! Sessions of Gemini CLI.

use crate::testing::{told, told_as};
use crate::{Reading, detect};
use lawbook_event::json::{Document, Grammar, Limits};

fn call(id: &str, name: &str, status: &str, response: &str) -> String {
    format!(
        r#"{{"id":"{id}","name":"{name}","args":{{"a":"{id}"}},"status":"{status}","timestamp":"2026-05-02T08:00:02Z","result":{response}}}"#
    )
}

fn response(id: &str, inner: &str) -> String {
    format!(r#"[{{"functionResponse":{{"id":"{id}","name":"x","response":{inner}}}}}]"#)
}

fn message(id: &str, calls: &[String]) -> String {
    format!(
        r#"{{"id":"{id}","timestamp":"2026-05-02T08:00:01Z","type":"gemini","content":"on it","model":"m","toolCalls":[{}]}}"#,
        calls.join(",")
    )
}

const USER: &str = r#"{"id":"u","timestamp":"2026-05-02T08:00:00Z","type":"user","content":"tidy up\n--- Content from referenced files ---\nyes"}"#;

#[test]
fn calls_and_results_stand_in_one_object() {
    let calls = [
        call("1", "list", "success", &response("1", r#"{"output":"a"}"#)),
        call("2", "list", "error", &response("2", r#"{"error":"no"}"#)),
        call("3", "run_shell_command", "cancelled", &response("3", r#"{"error":"cancelled"}"#)),
        call(
            "4",
            "run_shell_command",
            "success",
            &response("4", r#"{"output":"Exit Code: 0\nExit Code: 2\nSignal: (none)"}"#),
        ),
        call("5", "list", "executing", "null"),
        call("6", "list", "success", "null"),
    ];
    let text = format!(
        r#"{{"sessionId":"s","projectHash":"p","messages":[{USER},{},{{"id":"i","timestamp":"2026-05-02T08:00:03Z","type":"info","content":"yes"}}]}}"#,
        message("g", &calls)
    );
    let all = told("", &text);
    assert_eq!(
        all[0].lines(),
        [
            r#"start metadata={"projectHash":"p","model":"m"}"#,
            "0 user m0 tidy up\n",
            "1 agent m1 on it",
            r#"1 call 1 m1.c0 1 list {"a":"1"} -> a (no error)"#,
            r#"1 call 2 m1.c1 2 list {"a":"2"} -> {"error":"no"} (error)"#,
            r#"1 call 3 m1.c2 3 run_shell_command {"a":"3"} -> {"error":"cancelled"} (error) (did not run)"#,
            "1 call 4 m1.c3 4 run_shell_command {\"a\":\"4\"} -> Exit Code: 0\nExit Code: 2\nSignal: (none) (error)",
            r#"1 call 5 m1.c4 5 list {"a":"5"} -> nothing"#,
            r#"1 call 6 m1.c5 6 list {"a":"6"} -> (unrecorded) (no error)"#,
            "1 answer 1 a (no error)",
            r#"1 answer 2 {"error":"no"} (error)"#,
            "1 other",
            "1 answer 4 Exit Code: 0\nExit Code: 2\nSignal: (none) (error)",
            "1 answer 6 (unrecorded) (no error)",
            "2 other",
            "2 end ",
        ]
    );
}

#[test]
fn lines_of_a_session_where_a_message_is_written_again() {
    let open = message("g", &[call("1", "list", "executing", "null")]);
    let done = message("g", &[call("1", "list", "success", &response("1", r#"{"output":"a"}"#))]);
    let lines = [
        r#"{"sessionId":"s","projectHash":"p"}"#,
        USER,
        &open,
        r#"{"$set":{"lastUpdated":"x"}}"#,
        &done,
        "[1]",
        "{}",
    ];
    let (all, problems) = told_as("", lines.join("\n").as_bytes(), Reading::Full);
    assert_eq!((all.len(), all[0].id.as_str(), all[0].calls), (1, "s", 1));
    assert!(all[0].of("call")[0].ends_with("-> a (no error)"));
    assert_eq!(problems, ["not_a_record", "not_a_record"]);
}

#[test]
fn a_message_alone() {
    let all = told("", &message("g", &[call("1", "list", "success", "null")]));
    assert_eq!((all.len(), all[0].id.as_str(), all[0].calls), (1, "t", 1));
}

#[test]
fn other_formats_are_not_taken() {
    for text in [
        r#"{"sessionId":"s","uuid":"u","type":"user","timestamp":"t","id":"i"}"#,
        r#"{"id":"u","timestamp":"t","type":"user","content":"x","source":"user"}"#,
        r#"{"id":"u","type":"human","content":"x"}"#,
        r#"[]"#,
    ] {
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let found = detect(document.root()).map(crate::Reader::name);
        assert_ne!(found, Some("gemini_cli"), "{text}");
    }
}
