//! OpenInference spans in both readings.

use crate::Reading;
use crate::testing::{spans, told, told_as};

const RUN: &str = r#"
  {"spanId": "a", "name": "chain", "start": 1, "end": 9, "openinference.span.kind": "CHAIN", "input.value": "weather?", "output.value": "sunny", "user.id": "u", "metadata": "{\"scenario\":\"w\"}"}
  {"spanId": "l", "parentSpanId": "a", "name": "llm", "start": 2, "end": 3, "openinference.span.kind": "LLM",
   "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "weather?",
   "llm.output_messages.0.message.role": "assistant",
   "llm.output_messages.0.message.tool_calls.10.tool_call.function.name": "wx",
   "llm.output_messages.0.message.tool_calls.10.tool_call.function.arguments": "{\"c\": \"Rome\"}",
   "llm.output_messages.0.message.tool_calls.9.tool_call.function.name": "wx",
   "llm.output_messages.0.message.tool_calls.9.tool_call.function.arguments": "{\"c\": \"Oslo\"}"}
  {"spanId": "t", "parentSpanId": "a", "name": "tool", "start": 4, "end": 5, "openinference.span.kind": "TOOL", "tool.name": "wx", "tool.parameters": "{\"c\":\"Oslo\"}", "input.value": "ignored", "output.value": "18"}
  {"spanId": "s", "parentSpanId": "a", "name": "tool", "start": 6, "end": 7, "openinference.span.kind": "TOOL", "tool.name": "wx", "tool.parameters": "{\"type\":\"object\",\"properties\":{\"c\":{}}}", "input.value": "{\"c\": \"Rome\"}", "output.value": "25", "status": {"code": 2, "message": "late"}}"#;

#[test]
fn the_full_reading() {
    let all = told("", &spans(RUN));
    assert_eq!(
        all[0].lines()[1..],
        [
            "1 user m1 weather?",
            "2 call 1 t - wx {\"c\": \"Oslo\"} -> 18",
            "2 call 2 s - wx {\"c\": \"Rome\"} -> 25 (error) (late)",
            "3 answer 1 18",
            "4 answer 2 25 (error) (late)",
            "5 agent m5 sunny",
            "6 end sunny (root error=- ended=true)",
        ]
    );
}

#[test]
fn the_reading_of_faultgate() {
    let (all, _) = told_as("", spans(RUN).as_bytes(), Reading::Faultgate);
    assert_eq!(
        all[0].lines()[1..],
        [
            "0 user m0 weather?",
            "1 call 1 t - wx {\"c\":\"Oslo\"} -> 18",
            "2 answer 1 18",
            "3 call 2 s - wx {\"type\":\"object\",\"properties\":{\"c\":{}}} -> Error: late 25 (Span status error: Code 2)",
            "4 answer 2 Error: late 25 (Span status error: Code 2)",
            "5 end sunny (root error=- ended=true)",
        ]
    );
    for attribute in
        ["\"faultgate.scenario\":\"w\"", "\"enduser.id\":\"u\"", "\"gen_ai.agent.name\":\"chain\""]
    {
        assert!(all[0].lines()[0].contains(attribute), "{attribute}");
    }
}

#[test]
fn a_handoff_is_one_call() {
    let all = told(
        "",
        &spans(
            r#"{"spanId": "l", "name": "llm", "start": 1, "end": 2, "openinference.span.kind": "LLM",
                "llm.output_messages.0.message.tool_calls.0.tool_call.id": "h",
                "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "transfer_to_refund_desk"}
               {"spanId": "t", "name": "handoff to Refund desk", "start": 3, "end": 4, "openinference.span.kind": "TOOL", "input.value": "Triage", "output.value": "Refund desk"}"#,
        ),
    );
    assert_eq!(
        all[0].of("call"),
        ["1 call 1 t h transfer_to_refund_desk (unrecorded) -> Refund desk"]
    );
}

#[test]
fn one_marked_line_is_enough() {
    let plain = spans(r#"{"spanId": "a", "name": "x", "start": 1, "end": 2}"#);
    let marked = spans(
        r#"{"spanId": "b", "name": "y", "start": 3, "end": 4, "openinference.span.kind": "TOOL"}"#,
    );
    let (all, problems) = told_as("", format!("{plain}\n{marked}\n").as_bytes(), Reading::Full);
    assert!(problems.is_empty());
    assert_eq!((all.len(), all[0].calls), (1, 1));
}
