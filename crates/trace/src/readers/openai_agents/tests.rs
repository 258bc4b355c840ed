//! Traces of the OpenAI Agents SDK.

use crate::testing::{Told, told};

fn span(id: &str, parent: &str, times: (u32, u32), data: &str, error: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    let at = |second: u32| format!("2026-05-02T08:00:{second:02}+00:00");
    format!(
        r#"{{"object":"trace.span","id":"{id}","trace_id":"tr","parent_id":{parent},"started_at":"{}","ended_at":"{}","span_data":{data},"error":{error}}}"#,
        at(times.0),
        at(times.1)
    )
}

fn tool(
    id: &str,
    parent: &str,
    times: (u32, u32),
    name: &str,
    output: &str,
    error: &str,
) -> String {
    let data = format!(
        r#"{{"type":"function","name":"{name}","input":"{{\"n\": 1}}","output":{output},"mcp_data":null}}"#
    );
    span(id, parent, times, &data, error)
}

const TRACE: &str = r#"{"object":"trace","id":"tr","workflow_name":"shop","group_id":"g","metadata":{"user_id":"U-1"}}"#;

fn read(spans: &[String]) -> Told {
    let mut lines: Vec<&str> = spans.iter().map(String::as_str).collect();
    lines.push(TRACE);
    let all = told("", &lines.join("\n"));
    assert_eq!(all.len(), 1);
    all.into_iter().next().unwrap()
}

#[test]
fn generations_tell_the_words_and_the_batch() {
    let output = r#"[{"role":"assistant","content":"looking","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"n\":1}"}},{"id":"c2","type":"function","function":{"name":"pay","arguments":"{\"n\": 1}"}}]}]"#;
    let input = r#"[{"role":"system","content":"s"},{"role":"user","content":"refund it"}]"#;
    let told = read(&[
        tool("f1", "turn", (3, 4), "find", r#""found""#, "null"),
        tool(
            "f2",
            "turn",
            (3, 5),
            "pay",
            "null",
            r#"{"message":"Error running tool","data":{"tool_name":"pay","error":"no money"}}"#,
        ),
        span(
            "gen",
            "turn",
            (1, 2),
            &format!(r#"{{"type":"generation","input":{input},"output":{output}}}"#),
            "null",
        ),
        span("turn", "agent", (1, 5), r#"{"type":"custom","name":"turn","data":{}}"#, "null"),
        span(
            "agent",
            "",
            (0, 6),
            r#"{"type":"agent","name":"bot"}"#,
            r#"{"message":"Error in agent run","data":null}"#,
        ),
    ]);
    assert_eq!(
        told.lines(),
        [
            r#"start attributes={"group_id":"g","workflow_name":"shop","user_id":"U-1","enduser.id":"U-1"} metadata={"user_id":"U-1"}"#,
            "1 user m1 refund it",
            "2 agent m2 looking",
            r#"2 call 1 f1 c1 find {"n":1} -> found"#,
            r#"2 call 2 f2 c2 pay {"n": 1} -> (unrecorded) (error) (Error running tool: no money)"#,
            "3 answer 1 found",
            "4 answer 2 (unrecorded) (error) (Error running tool: no money)",
            "5 end  (root error=Error in agent run ended=true)",
        ]
    );
}

#[test]
fn responses_say_nothing_but_the_tools_that_ran_show_the_batch() {
    let response = r#"{"type":"response","response_id":"r","usage":{}}"#;
    let told = read(&[
        span("r1", "agent", (1, 2), response, "null"),
        tool(
            "f1",
            "agent",
            (2, 3),
            "find",
            r#""An error occurred while running the tool. Please try again. Error: no""#,
            "null",
        ),
        tool("f2", "agent", (2, 3), "find", r#""found""#, "null"),
        span("r2", "agent", (4, 5), response, "null"),
        tool("f3", "agent", (5, 6), "pay", r#""Tool execution was not approved.""#, "null"),
        span(
            "h",
            "agent",
            (7, 7),
            r#"{"type":"handoff","from_agent":"bot","to_agent":"Back Office"}"#,
            "null",
        ),
        span("agent", "", (0, 8), r#"{"type":"agent","name":"bot"}"#, "null"),
    ]);
    let calls = told.of("call");
    assert_eq!(
        calls,
        [
            r#"1 call 1 f1 - find {"n": 1} -> An error occurred while running the tool. Please try again. Error: no (error)"#,
            r#"1 call 2 f2 - find {"n": 1} -> found"#,
            r#"4 call 3 f3 - pay {"n": 1} -> Tool execution was not approved. (error) (did not run)"#,
            "6 call 4 h - transfer_to_back_office (unrecorded) -> (unrecorded)",
        ]
    );
}

#[test]
fn content_that_was_switched_off_is_unrecorded() {
    let told = read(&[span(
        "f",
        "",
        (1, 2),
        r#"{"type":"function","name":"pay","input":null,"output":null}"#,
        "null",
    )]);
    assert_eq!(told.of("call"), ["1 call 1 f - pay (unrecorded) -> (unrecorded)"]);
}

#[test]
fn each_trace_is_a_session() {
    let other = tool("x", "", (1, 2), "find", "null", "null")
        .replace(r#""trace_id":"tr""#, r#""trace_id":"other""#);
    let text = format!(r#"{{"data":[{},{other}]}}"#, tool("f", "", (1, 2), "find", "null", "null"));
    let ids: Vec<String> = told("", &text).into_iter().map(|it| it.id).collect();
    assert_eq!(ids, ["tr", "other"]);
}
