//! LangSmith runs in both readings.

use crate::Reading;
use crate::testing::{told, told_as};

const RUNS: [&str; 4] = [
    r#"{"id": "r", "run_type": "chain", "name": "bot", "events": [], "inputs": {"messages": [["user", "pay 5"]]}, "outputs": {"messages": [{"type": "ai", "content": "paid"}]}, "start_time": "2026-05-02T08:00:00", "end_time": "2026-05-02T08:00:09", "extra": {"metadata": {"user_id": "u", "thread_id": "h"}}}"#,
    r#"{"id": "l", "trace_id": "r", "parent_run_id": "r", "run_type": "llm", "name": "m", "inputs": {"messages": [[{"lc": 1, "type": "constructor", "id": ["x", "HumanMessage"], "kwargs": {"content": "pay 5", "type": "human"}}]]}, "outputs": {"generations": [[{"text": "", "message": {"lc": 1, "kwargs": {"content": "", "tool_calls": [{"name": "pay", "args": {"sum": 5}, "id": "c1", "type": "tool_call"}, {"name": "pay", "args": {"sum": 6}, "id": "c2", "type": "tool_call"}]}}}]]}, "start_time": "2026-05-02T08:00:01", "end_time": "2026-05-02T08:00:02"}"#,
    r#"{"id": "k", "trace_id": "r", "parent_run_id": "r", "run_type": "tool", "name": "pay", "inputs": {"sum": 6}, "outputs": {"output": {"type": "tool", "content": "no money", "tool_call_id": "c2", "status": "error"}}, "start_time": "2026-05-02T08:00:03", "end_time": "2026-05-02T08:00:05"}"#,
    r#"{"id": "j", "trace_id": "r", "parent_run_id": "r", "run_type": "tool", "name": "pay", "inputs": {"sum": 5}, "outputs": {"output": {"ok": true}}, "error": "late", "extra": {"tool_call_id": "c1"}, "start_time": "2026-05-02T08:00:03", "end_time": "2026-05-02T08:00:04"}"#,
];

#[test]
fn the_full_reading_of_lines() {
    let all = told("", &RUNS.join("\n"));
    assert_eq!(all.len(), 1);
    assert_eq!(
        all[0].lines(),
        [
            "start attributes={\"user_id\":\"u\",\"thread_id\":\"h\",\"enduser.id\":\"u\"} metadata={\"user_id\": \"u\", \"thread_id\": \"h\"}",
            "1 user m1 pay 5",
            "2 call 1 j c1 pay {\"sum\": 5} -> {\"ok\": true} (error) (late)",
            "2 call 2 k c2 pay {\"sum\": 6} -> no money (error)",
            "3 answer 1 {\"ok\": true} (error) (late)",
            "4 answer 2 no money (error)",
            "5 agent m5 paid",
            "6 end paid (root error=- ended=true)",
        ]
    );
}

#[test]
fn the_reading_of_faultgate() {
    let document = format!("{{\"runs\": [{}]}}", RUNS.join(","));
    let (all, _) = told_as("", document.as_bytes(), Reading::Faultgate);
    assert_eq!(all[0].calls, 2);
    assert_eq!(
        all[0].of("call"),
        [
            "1 call 1 j - pay {\"sum\": 5} -> Error: late {\"ok\": true} (Span status error: Code 2)",
            "2 call 2 k - pay {\"sum\": 6} -> {\"type\": \"tool\", \"content\": \"no money\", \"tool_call_id\": \"c2\", \"status\": \"error\"}",
        ]
    );
}

#[test]
fn an_answer_may_be_json() {
    for (outputs, expected) in [
        (r#"{"items": [{"total": 5}]}"#, r#"{"items": [{"total": 5}]}"#),
        (r#"[{"total": 5}]"#, r#"[{"total": 5}]"#),
        (r#"{"messages": [{"type": "human", "content": ""}]}"#, ""),
        ("{}", "{}"),
    ] {
        let run = format!(
            r#"{{"id": "r", "run_type": "chain", "name": "bot", "inputs": {{}}, "outputs": {outputs}, "start_time": "2026-05-02T08:00:00", "end_time": "2026-05-02T08:00:09"}}"#
        );
        let all = told("langsmith", &run);
        let end = format!("end {expected} (root error=- ended=true)");
        assert!(all[0].lines().last().unwrap().ends_with(&end), "{outputs}: {:?}", all[0].lines());
    }
}
