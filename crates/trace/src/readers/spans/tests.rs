//! Recordings of `spans` as events.

use crate::testing::told;

#[test]
fn spellings_of_ids_times_and_states() {
    let all = told(
        "spans",
        r#"{"name": "execute_tool find_booking", "context": {"trace_id": "0xt1", "span_id": "0xb1"}, "parent_id": "0xa1", "start_time": "2026-03-01T10:00:01Z", "end_time": "2026-03-01T10:00:02Z", "status": {"status_code": "OK"}, "attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find_booking", "gen_ai.tool.call.arguments": "{\"day\": 1}", "gen_ai.tool.call.result": "B-1"}, "events": []}
{"name": "ai.toolCall", "trace_id": "0xt1", "span_id": "0xb2", "parent_span_id": "0xa1", "startTime": [1772359203, 5], "endTime": [1772359204, 0], "status": {"code": 2, "message": "late"}, "attributes": {"ai.toolCall.name": "cancel_booking", "ai.toolCall.id": "c", "ai.toolCall.args": "{\"id\":1}", "ai.toolCall.result": "\"cut off\""}}
{"name": "run", "trace_id": "0xt1", "span_id": "0xa1", "parent_span_id": "0x0000000000000000", "start_time": 1772359200000000000, "end_time": 1772359209000000000, "attributes": {"openinference": {"span": {"kind": "AGENT"}}, "session.id": "s-4", "input": {"value": "Cancel my crossing on Friday."}, "output": {"value": "Done."}}}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"openinference.span.kind":"AGENT","session.id":"s-4"}"#,
            "1 user m1 Cancel my crossing on Friday.",
            r#"2 call 1 b1 - find_booking {"day": 1} -> B-1 (no error)"#,
            "3 answer 1 B-1 (no error)",
            r#"4 call 2 b2 c cancel_booking {"id":1} -> cut off (error) (late)"#,
            "5 answer 2 cut off (error) (late)",
            "6 agent m6 Done.",
            "7 end Done. (root error=- ended=true)",
        ]
    );
}

#[test]
fn messages_in_bodies_and_columns() {
    let all = told(
        "spans",
        r#"[
  {
    "name": "scope",
    "trace_id": "t2",
    "span_id": "m1",
    "start_time": 1700000000000000000,
    "end_time": 1700000001000000000,
    "attributes": {"event.name": "scope"},
    "span_events": [
      {
        "event_name": "scope",
        "attributes": {},
        "body": {
          "input": {"messages": [{"role": "user", "content": "Cancel my crossing on Friday."}]},
          "output": {
            "messages": [
              {
                "role": "assistant",
                "content": "{\"generations\": [[{\"text\": \"\", \"message\": {\"tool_calls\": [{\"name\": \"find_booking\", \"args\": {\"day\": 1}, \"id\": \"a\"}]}}]]}"
              }
            ]
          }
        }
      }
    ]
  },
  {
    "name": "LLM",
    "context.trace_id": "t2",
    "context.span_id": "m2",
    "parent_id": null,
    "start_time": 1700000002000000000,
    "end_time": 1700000003000000000,
    "attributes.openinference.span.kind": "LLM",
    "attributes.llm.output_messages": [{"message.role": "assistant", "message.content": "Found."}],
    "attributes.llm.input_messages": [
      {"message.role": "user", "message.content": "Cancel my crossing on Friday."},
      {"message.role": "tool", "message.tool_call_id": "a", "message.content": "B-1"}
    ]
  }
]"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"event.name":"scope"}"#,
            "1 user m1 Cancel my crossing on Friday.",
            r#"2 call 1 m1.c0 a find_booking {"day": 1} -> B-1"#,
            "3 answer 1 B-1",
            "4 agent m4 Found.",
            "5 end Found. (root error=- ended=true)",
        ]
    );
    assert_eq!(all[0].notes, ["2 spans are without a parent"]);
}

#[test]
fn long_and_deep_names_stay_as_they_are_written() {
    let children: Vec<String> = (0..20_000).map(|at| format!(r#""k{at}":{at}"#)).collect();
    let deep = format!("{}1{}", r#"{"a":"#.repeat(300), "}".repeat(300));
    let text = format!(
        r#"[{{"name":"execute_tool x","trace_id":"t","span_id":"a","start_time":5,"attributes":{{"llm":{{"{}":{{{}}},"deep":{deep}}},"gen_ai.tool.call.arguments":"{{}}"}}}}]"#,
        "n".repeat(200_000),
        children.join(",")
    );
    assert_eq!(told("", &text)[0].calls, 1);
}
