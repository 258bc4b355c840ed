//! Rollouts of Codex.

use crate::testing::{Told, told, told_as};
use crate::{Reading, detect};
use lawbook_event::json::{Document, Grammar, Limits};

fn line(at: u32, kind: &str, payload: &str) -> String {
    format!(
        r#"{{"timestamp":"2026-05-02T08:00:{at:02}.000Z","type":"{kind}","payload":{payload}}}"#
    )
}

fn meta(id: &str) -> String {
    line(
        0,
        "session_meta",
        &format!(r#"{{"id":"{id}","cwd":"/w","originator":"cli","cli_version":"0.40.0"}}"#),
    )
}

fn item(at: u32, payload: &str) -> String {
    line(at, "response_item", payload)
}

fn event(at: u32, payload: &str) -> String {
    line(at, "event_msg", payload)
}

fn call(at: u32, id: &str, tool: &str) -> String {
    item(
        at,
        &format!(
            r#"{{"type":"function_call","name":"{tool}","arguments":"{{\"n\":1}}","call_id":"{id}"}}"#
        ),
    )
}

fn output(at: u32, id: &str, output: &str) -> String {
    item(at, &format!(r#"{{"type":"function_call_output","call_id":"{id}","output":{output}}}"#))
}

fn read(lines: &[String]) -> Vec<Told> {
    told("", &lines.join("\n"))
}

#[test]
fn a_session_with_lines_for_the_screen() {
    let all = read(&[
        meta("s"),
        item(
            1,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>yes</environment_context>"}]}"#,
        ),
        line(1, "turn_context", r#"{"model":"m","approval_policy":"on-request"}"#),
        item(
            2,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"list them"}]}"#,
        ),
        event(2, r#"{"type":"user_message","message":"list them","kind":"plain"}"#),
        event(3, r#"{"type":"agent_reasoning","text":"hm"}"#),
        item(3, r#"{"type":"reasoning","summary":[]}"#),
        item(
            3,
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"looking"}]}"#,
        ),
        event(3, r#"{"type":"agent_message","message":"looking"}"#),
        call(4, "c1", "shell"),
        call(4, "c2", "hub__find"),
        event(4, r#"{"type":"token_count","info":{}}"#),
        output(
            5,
            "c1",
            r#""{\"output\":\"a\\nb\\n\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}""#,
        ),
        output(5, "c2", r#""none""#),
        item(
            6,
            r#"{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch","call_id":"c3"}"#,
        ),
        item(
            7,
            r#"{"type":"custom_tool_call_output","call_id":"c3","output":"patch rejected by user"}"#,
        ),
        item(
            8,
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]}"#,
        ),
        event(8, r#"{"type":"agent_message","message":"two"}"#),
    ]);
    assert_eq!((all.len(), all[0].id.as_str()), (1, "s"));
    let lines: Vec<_> = all[0].lines().iter().filter(|it| !it.ends_with(" other")).collect();
    assert_eq!(
        lines,
        [
            r#"start metadata={"originator":"cli","cli_version":"0.40.0","model":"m","approval_policy":"on-request"}"#,
            "4 user m4 list them",
            "6 agent m6 looking",
            "6 call 1 m6.c0 c1 shell {\"n\":1} -> a\nb\n (no error)",
            r#"6 call 2 m6.c1 c2 hub__find {"n":1} -> none"#,
            "12 answer 1 a\nb\n (no error)",
            "13 answer 2 none",
            "14 call 3 m14.c0 c3 apply_patch *** Begin Patch -> patch rejected by user (error) (did not run)",
            "16 agent m16 two",
            "17 end two",
        ]
    );
    assert_eq!(all[0].notes, Vec::<String>::new());
}

#[test]
fn failures_as_newer_versions_write_them() {
    let all = read(&[
        meta("s"),
        event(1, r#"{"type":"user_message","message":"run"}"#),
        call(2, "c1", "exec_command"),
        output(
            3,
            "c1",
            r#""Chunk ID: a\nProcess exited with code 2\nOutput:\nProcess exited with code 0\n""#,
        ),
        call(4, "c2", "hub__find"),
        // The same words in another tool's result are that tool's own.
        output(5, "c2", r#""Process exited with code 2""#),
        call(6, "c3", "exec_command"),
        event(7, r#"{"type":"exec_command_end","call_id":"c3","exit_code":1}"#),
        output(7, "c3", r#""no""#),
        call(8, "c4", "view"),
        output(9, "c4", r#"{"content":"gone","success":false}"#),
        item(
            10,
            r#"{"type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}}"#,
        ),
        item(
            11,
            r#"{"type":"local_shell_call","call_id":"c5","status":"completed","action":{"type":"exec","command":["ls"]}}"#,
        ),
        event(12, r#"{"type":"turn_aborted","reason":"interrupted"}"#),
    ]);
    let ends: Vec<_> =
        all[0].of("call").iter().map(|it| it.split(" -> ").last().unwrap()).collect();
    assert_eq!(ends[1], "Process exited with code 2");
    assert!(ends[0].ends_with("(error)") && ends[2].ends_with("no (error)"));
    assert_eq!(ends[3..], ["gone (error)", "(unrecorded) (no error)", "nothing"]);
    assert!(all[0].of("call")[4].contains(r#"web_search {"type":"search","query":"q"}"#));
    assert!(all[0].lines().last().unwrap().ends_with("!interrupted"));
}

#[test]
fn without_lines_for_the_screen_messages_hold_what_the_user_wrote() {
    let message = |words: &str| {
        item(
            1,
            &format!(
                r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{words}"}}]}}"#
            ),
        )
    };
    let all = read(&[
        meta("s"),
        message("<user_instructions>yes</user_instructions>"),
        message("# AGENTS.md instructions for /w"),
        message("list them"),
    ]);
    assert_eq!(all[0].of("user"), ["3 user m3 list them"]);
}

#[test]
fn a_line_that_is_written_twice_counts_once() {
    let all =
        read(&[meta("s"), call(1, "c1", "view"), call(1, "c1", "view"), call(2, "c1", "view")]);
    assert_eq!(all[0].calls, 2);
}

#[test]
fn forks_are_one_session_and_joined_files_are_two() {
    let all = read(&[
        meta("new"),
        meta("old"),
        call(1, "c1", "view"),
        meta("new"),
        call(2, "c2", "view"),
    ]);
    assert_eq!((all.len(), all[0].id.as_str(), all[0].calls), (1, "new", 2));
    let all =
        read(&[meta("a"), call(1, "c1", "view"), meta("b"), meta("a"), call(2, "c2", "view")]);
    let told: Vec<_> = all.iter().map(|it| (it.id.as_str(), it.calls)).collect();
    assert_eq!(told, [("a", 1), ("b", 1)]);
}

#[test]
fn old_files_have_no_envelopes() {
    let lines = [
        r#"{"id":"s","timestamp":"2025-05-02T08:00:00Z","instructions":null,"git":{}}"#,
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}"#,
        r#"{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}"#,
        r#"{"type":"function_call_output","call_id":"c1","output":"ok"}"#,
        r#"{"type":"function_call","name":"shell","arguments":"{}","call_id":"c2"}"#,
    ];
    let all = told("", &lines.join("\n"));
    assert_eq!((all[0].id.as_str(), all[0].calls, all[0].of("user").len()), ("s", 2, 1));
}

#[test]
fn records_that_are_none_are_problems() {
    let lines = [meta("s"), "7".to_owned()];
    let (all, problems) = told_as("", lines.join("\n").as_bytes(), Reading::Full);
    assert_eq!((all.len(), problems.as_slice()), (1, &["not_a_record"][..]));
}

#[test]
fn other_formats_are_not_taken() {
    for text in [
        r#"{"items":[{"type":"function_call","name":"x","arguments":"{}","call_id":"c"}]}"#,
        r#"{"type":"message","role":"user","content":[]}"#,
        r#"{"id":"r","object":"response","timestamp":"t","instructions":"i"}"#,
        r#"{"type":"event_msg"}"#,
        r#"{"timestamp":"t","type":"other","payload":{}}"#,
    ] {
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let found = detect(document.root()).map(crate::Reader::name);
        assert_ne!(found, Some("codex"), "{text}");
    }
}
