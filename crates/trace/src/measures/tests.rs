//! How turns end and what runs use, under the full reading.

use lawbook_event::{End, RecordingPart, What};

use crate::{Limits, Reading, Readings, Source, read};

fn end(text: &str, wanted: Readings) -> String {
    let mut all = Vec::new();
    read(text.as_bytes(), None, wanted, &Source::new("t"), &Limits::default(), &mut |session| {
        if let Some(What::End(end)) = session.events.last().map(|it| &it.what) {
            all.push(line(end));
        }
    });
    all.join("\n")
}

fn line(end: &End<'_>) -> String {
    let turns: Vec<String> = end
        .turns
        .iter()
        .map(|it| format!("{} {:?} {:?} {:?}", it.name, it.finish, it.error, it.steps))
        .collect();
    let usage = end.usage;
    format!("{turns:?} {:?} {:?} {:?}", usage.tokens, usage.latency_ms, usage.cost_usd)
}

const SPANS: &str = r#"{"resourceSpans":[{"scopeSpans":[{"spans":[
{"traceId":"01","spanId":"0b","parentSpanId":"0a","name":"chat m","startTimeUnixNano":"3000000","endTimeUnixNano":"4000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"5"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":"2"}},{"key":"gen_ai.response.finish_reasons","value":{"arrayValue":{"values":[{"stringValue":"length"}]}}},{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c\",\"name\":\"x\",\"arguments\":{}}]}]"}}]},
{"traceId":"01","spanId":"0c","parentSpanId":"0a","name":"execute_tool y","startTimeUnixNano":"5000000","endTimeUnixNano":"6000000","status":{"code":2},"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"y"}}]},
{"traceId":"01","spanId":"0a","name":"invoke_agent","startTimeUnixNano":"1000000","endTimeUnixNano":"7000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"7"}},{"key":"faultgate.cost_usd","value":{"doubleValue":0.25}}]}
]}]}]}"#;

#[test]
fn turns_stand_by_their_start_and_a_total_of_the_root_is_not_added_to_its_parts() {
    let measures = Readings::FULL.with(RecordingPart::Measures);
    assert_eq!(
        end(SPANS, measures),
        r#"["invoke_agent [] None []", "chat m [\"length\"] None [1]", "execute_tool y [] Some(\"Span status error: Code 2\") [2]"] Some(7.0) Some(6.0) Some(0.25)"#
    );
}

#[test]
fn faultgate_adds_the_total_of_the_root_to_its_parts() {
    let measures = Readings::from(Reading::Faultgate).with(RecordingPart::Measures);
    assert!(end(SPANS, measures).ends_with("Some(14.0) Some(6.0) Some(0.25)"));
}

#[test]
fn what_nobody_asked_for_is_not_there() {
    for wanted in [Readings::FULL, Readings::from(Reading::Faultgate)] {
        assert_eq!(end(SPANS, wanted), "[] None None None");
    }
}
