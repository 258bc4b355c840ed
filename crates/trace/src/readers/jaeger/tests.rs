//! Recordings of `jaeger` as events.

use crate::testing::told;

#[test]
fn tags_and_references() {
    let all = told(
        "jaeger",
        r#"{
  "data": [
    {
      "traceID": "0af7651916cd43dd8448eb211c80319c",
      "processes": {"p1": {"serviceName": "desk", "tags": [{"key": "deployment", "type": "string", "value": "test"}]}},
      "spans": [
        {
          "traceID": "0af7651916cd43dd8448eb211c80319c",
          "spanID": "b1",
          "operationName": "execute_tool cancel_booking",
          "references": [{"refType": "CHILD_OF", "spanID": "a1"}],
          "startTime": 1770000000000200,
          "duration": 50,
          "processID": "p1",
          "tags": [
            {"key": "gen_ai.operation.name", "type": "string", "value": "execute_tool"},
            {"key": "gen_ai.tool.name", "type": "string", "value": "cancel_booking"},
            {"key": "gen_ai.tool.call.id", "type": "string", "value": "c"},
            {"key": "gen_ai.tool.call.arguments", "type": "string", "value": "{\"id\": 1}"},
            {"key": "otel.status_code", "type": "string", "value": "ERROR"},
            {"key": "otel.status_description", "type": "string", "value": "no such booking"}
          ],
          "logs": []
        },
        {
          "traceID": "0af7651916cd43dd8448eb211c80319c",
          "spanID": "a1",
          "operationName": "invoke_agent desk",
          "references": [],
          "startTime": 1770000000000000,
          "duration": 900,
          "processID": "p1",
          "tags": [
            {"key": "gen_ai.operation.name", "type": "string", "value": "invoke_agent"},
            {"key": "session.id", "type": "string", "value": "s-4"},
            {
              "key": "gen_ai.input.messages",
              "type": "string",
              "value": "[{\"role\": \"user\", \"parts\": [{\"type\": \"text\", \"content\": \"Cancel my crossing on Friday.\"}]}]"
            },
            {
              "key": "gen_ai.output.messages",
              "type": "string",
              "value": "[{\"role\": \"assistant\", \"parts\": [{\"type\": \"tool_call\", \"id\": \"c\", \"name\": \"cancel_booking\", \"arguments\": {\"id\": 1}}, {\"type\": \"tool_call\", \"id\": \"d\", \"name\": \"notify\", \"arguments\": {}}]}]"
            }
          ],
          "logs": [{"timestamp": 1770000000000001, "fields": [{"key": "event", "type": "string", "value": "begun"}]}]
        }
      ]
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"gen_ai.operation.name":"invoke_agent","session.id":"s-4","deployment":"test"}"#,
            "1 user m1 Cancel my crossing on Friday.",
            r#"2 call 1 b1 c cancel_booking {"id": 1} -> (unrecorded) (error) (no such booking)"#,
            "3 answer 1 (unrecorded) (error) (no such booking)",
            "4 call 2 a1.c1 d notify {} -> nothing",
            "5 end  (root error=- ended=true)",
        ]
    );
}

#[test]
fn many_processes_take_linear_time() {
    let processes: Vec<String> = (0..50_000).map(|at| format!(r#""p{at}":{{}}"#)).collect();
    let spans: Vec<String> = (0..50_000)
        .map(|at| {
            format!(
                r#"{{"spanID":"{at}","operationName":"execute_tool x","startTime":{},"duration":1,"processID":"p{at}"}}"#,
                at + 1
            )
        })
        .collect();
    let text = format!(
        r#"{{"data":[{{"traceID":"t","processes":{{{}}},"spans":[{}]}}]}}"#,
        processes.join(","),
        spans.join(",")
    );
    assert_eq!(told("", &text)[0].calls, 50_000);
}
