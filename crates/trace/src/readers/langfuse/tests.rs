//! Langfuse exports in both readings.

use crate::Reading;
use crate::testing::{told, told_as};

const TRACE: &str = r#"{"trace": {"id": "t1", "name": "desk", "userId": "u", "sessionId": "s", "input": "\"move my slot\"", "output": "{\"answer\": \"moved\"}", "metadata": "{\"plan\": \"gold\"}"},
  "observations": [
    {"id": "t", "traceId": "t1", "type": "TOOL", "name": "execute_tool move", "input": "{\"slot\": 9}", "output": "{\"ok\": false}", "startTime": "2026-05-02T08:00:03Z", "endTime": "2026-05-02T08:00:04Z", "level": "ERROR", "statusMessage": "full",
     "metadata": "{\"attributes\": \"{\\\"gen_ai.tool.name\\\": \\\"move\\\", \\\"gen_ai.tool.call.id\\\": \\\"c\\\"}\"}"},
    {"id": "g", "traceId": "t1", "type": "GENERATION", "startTime": "2026-05-02T08:00:01Z", "endTime": "2026-05-02T08:00:02Z",
     "input": "[{\"role\": \"user\", \"content\": \"move my slot\"}]",
     "output": "{\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"c\", \"function\": {\"name\": \"move\", \"arguments\": \"{\\\"slot\\\":9}\"}}]}"}]}"#;

#[test]
fn the_full_reading() {
    let all = told("", TRACE);
    assert_eq!((all[0].id.as_str(), all[0].source.as_str()), ("t1", "t"));
    assert_eq!(
        all[0].lines(),
        [
            "start attributes={\"user.id\":\"u\",\"session.id\":\"s\",\"langfuse.trace.name\":\"desk\",\"enduser.id\":\"u\"} metadata={\"plan\": \"gold\"}",
            "1 user m1 move my slot",
            "2 call 1 t c move {\"slot\":9} -> {\"ok\": false} (error) (full)",
            "3 answer 1 {\"ok\": false} (error) (full)",
            "4 end moved (root error=- ended=true)",
        ]
    );
}

#[test]
fn rows_as_faultgate_reads_them() {
    // faultgate takes the list of observations and never sees the trace around it.
    let (all, _) = told_as("", TRACE.as_bytes(), Reading::Faultgate);
    assert_eq!(
        all[0].lines()[1..4],
        [
            "0 user m0 [{\"role\": \"user\", \"content\": \"move my slot\"}]",
            "1 call 1 t - execute_tool move {\"slot\": 9} -> Error: full {\"ok\": false} (Span status error: Code 2)",
            "2 answer 1 Error: full {\"ok\": false} (Span status error: Code 2)",
        ]
    );
}

#[test]
fn lines_and_pages_of_rows() {
    let row = |id: &str, trace: &str| {
        format!(
            r#"{{"id": "{id}", "trace_id": "{trace}", "type": "tool", "name": "{id}", "start_time": "2026-05-02T08:00:00Z"}}"#
        )
    };
    let lines = format!("{}\n{}\n{}\n", row("a", "x"), row("b", "y"), row("c", "x"));
    let calls: Vec<_> =
        told("", &lines).iter().map(|it| (it.id.clone(), it.calls, it.source.clone())).collect();
    assert_eq!(calls, [("x".into(), 2, "t:1".into()), ("y".into(), 1, "t:2".into())]);
    let page = format!(r#"{{"data": [{}, 5, {}]}}"#, row("a", "x"), row("b", "x"));
    let (all, problems) = told_as("", page.as_bytes(), Reading::Full);
    assert_eq!(
        (all[0].calls, all[0].source.as_str(), problems),
        (2, "t#/data/0", vec!["not_a_record"])
    );
}

#[test]
fn wrappers_around_arguments() {
    let tool = |input: &str| {
        format!(r#"[{{"id": "a", "traceId": "x", "type": "TOOL", "name": "n", "input": {input}}}]"#)
    };
    let args = |input: &str| told("", &tool(input))[0].of("call")[0].to_owned();
    assert_eq!(args(r#"{"input": {"a": 1}}"#), "1 call 1 a - n {\"a\": 1} -> nothing");
    assert_eq!(
        args(r#""{\"input\": \"free\"}""#),
        "1 call 1 a - n {\"input\": \"free\"} -> nothing"
    );
    assert_eq!(args("null"), "1 call 1 a - n (unrecorded) -> nothing");
}
