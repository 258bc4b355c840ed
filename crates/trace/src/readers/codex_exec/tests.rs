//! The stream of `codex exec --json`.

use crate::testing::{told, told_as};
use crate::{Reading, detect};
use lawbook_event::json::{Document, Grammar, Limits};

#[test]
fn one_id_is_one_call() {
    let lines = [
        r#"{"type":"thread.started","thread_id":"th"}"#,
        r#"{"type":"turn.started"}"#,
        r#"{"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"hm"}}"#,
        r#"{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"bash -lc ls","aggregated_output":"","exit_code":null,"status":"in_progress"}}"#,
        r#"{"type":"item.started","item":{"id":"item_2","type":"mcp_tool_call","server":"hub","tool":"find","arguments":{"q":1},"result":null,"error":null,"status":"in_progress"}}"#,
        r#"{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"bash -lc ls","aggregated_output":"a\n","exit_code":1,"status":"failed"}}"#,
        r#"{"type":"item.completed","item":{"id":"item_2","type":"mcp_tool_call","server":"hub","tool":"find","arguments":{"q":1},"result":{"content":[{"type":"text","text":"one"}],"structured_content":null},"error":null,"status":"completed"}}"#,
        r#"{"type":"item.completed","item":{"id":"item_3","type":"file_change","changes":[{"path":"a","kind":"add"}],"status":"completed"}}"#,
        r#"{"type":"item.completed","item":{"id":"item_4","type":"command_execution","command":"rm a","aggregated_output":"","exit_code":null,"status":"declined"}}"#,
        r#"{"type":"item.started","item":{"id":"item_5","type":"command_execution","command":"sleep 9","aggregated_output":"","exit_code":null,"status":"in_progress"}}"#,
        r#"{"type":"item.updated","item":{"id":"item_5","type":"command_execution","command":"sleep 9","aggregated_output":"x","exit_code":null,"status":"in_progress"}}"#,
        r#"{"type":"item.completed","item":{"id":"item_6","type":"agent_message","text":"done"}}"#,
        r#"{"type":"turn.failed","error":{"message":"gone"}}"#,
    ];
    let all = told("", &lines.join("\n"));
    assert_eq!((all.len(), all[0].id.as_str()), (1, "th"));
    assert_eq!(
        all[0].of("call"),
        [
            "3 call 1 m3.c0 item_1 command_execution {\"command\":\"bash -lc ls\"} -> a\n (error)",
            r#"4 call 2 m4.c0 item_2 find {"q":1} -> one (no error)"#,
            r#"7 call 3 m7.c0 item_3 file_change {"changes":[{"path":"a","kind":"add"}]} -> (unrecorded) (no error)"#,
            r#"8 call 4 m8.c0 item_4 command_execution {"command":"rm a"} ->  (error) (did not run)"#,
            r#"9 call 5 m9.c0 item_5 command_execution {"command":"sleep 9"} -> nothing"#,
        ]
    );
    assert_eq!(all[0].lines().last().unwrap(), "12 end done !turn.failed");
}

#[test]
fn each_thread_is_a_session_and_ids_begin_again_in_each_turn() {
    let item = r#"{"type":"item.completed","item":{"id":"item_0","type":"command_execution","command":"ls","aggregated_output":"","exit_code":0,"status":"completed"}}"#;
    let text = format!(
        r#"{{"events":[{{"type":"thread.started","thread_id":"a"}},{{"type":"turn.started"}},{item},{{"type":"thread.started","thread_id":"a"}},{{"type":"turn.started"}},{item},{{"type":"thread.started","thread_id":"b"}},{item}]}}"#
    );
    let told: Vec<_> = told("", &text).iter().map(|it| (it.id.clone(), it.calls)).collect();
    assert_eq!(told, [("a".to_owned(), 2), ("b".to_owned(), 1)]);
}

#[test]
fn records_that_are_none_are_problems() {
    let text = "{\"type\":\"thread.started\",\"thread_id\":\"a\"}\n[1]\n{}";
    let (all, problems) = told_as("", text.as_bytes(), Reading::Full);
    assert_eq!((all.len(), problems.as_slice()), (1, &["not_a_record", "not_a_record"][..]));
}

#[test]
fn other_formats_are_not_taken() {
    for text in [
        r#"{"events":[]}"#,
        r#"{"events":[{"type":"item.completed"}]}"#,
        r#"{"type":"turn.started","other":1}"#,
        r#"[{"type":"thread.started","thread_id":"a"},{"role":"user","content":"x"}]"#,
    ] {
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let found = detect(document.root()).map(crate::Reader::name);
        assert_ne!(found, Some("codex_exec"), "{text}");
    }
}
