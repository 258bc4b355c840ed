//! Every trace reader, forced on the same bytes, under all readings.

use lawbook_event::json::Limits as JsonLimits;
use lawbook_event::{Event, What};
use lawbook_trace::{Limits, READERS, Reading, Session, Source, read};

use crate::Target;

pub(super) const TARGET: Target = Target {
    name: "readers",
    run,
    seeds: &[
        r#"[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{\"x\":1}"}}]},{"role":"tool","tool_call_id":"a","content":"r"}]"#,
        r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"a","name":"execute_tool x","startTimeUnixNano":"1","endTimeUnixNano":"3","attributes":[{"key":"gen_ai.tool.call.id","value":{"stringValue":"c"}},{"key":"openinference.span.kind","value":{"stringValue":"TOOL"}}]},{"traceId":"t","spanId":"b","name":"chat","startTimeUnixNano":"2","attributes":[{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c\",\"name\":\"x\",\"arguments\":{}}]}]"}}]}]}]}]}"#,
        r#"{"trace":{"id":"t","input":"i"},"observations":[{"id":"o","traceId":"t","type":"TOOL","name":"n","input":{"a":1},"output":"r","startTime":"2026-05-02T08:00:01Z"},{"id":"g","traceId":"t","type":"GENERATION","output":"{\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"n\",\"arguments\":\"{}\"}}]}"}]}"#,
        "{\"id\":\"r\",\"run_type\":\"chain\",\"inputs\":{\"messages\":[[\"user\",\"u\"]]}}\n{\"id\":\"k\",\"trace_id\":\"r\",\"parent_run_id\":\"r\",\"run_type\":\"tool\",\"name\":\"n\",\"inputs\":{},\"outputs\":{\"output\":{\"content\":\"c\",\"tool_call_id\":\"c\"}}}\n",
        r#"[{"span_id":"x","root_span_id":"x","span_parents":["y"],"span_attributes":{"name":"n","type":"tool"},"input":{},"output":[],"metrics":{"start":1,"end":2}}]"#,
    ],
    seed_files: &[".json", ".jsonl"],
};

/// Reading ends in sessions whose events are in order, or in problems; nothing panics.
pub fn run(data: &[u8]) {
    let json = JsonLimits { bytes_max: 1 << 20, depth_max: 64, nodes_max: 20_000 };
    let limits = Limits { gzip_bytes_max: 1 << 20, json, ..Limits::default() };
    let source = Source::new("-");
    for reading in [Reading::Full, Reading::Faultgate, Reading::Pmstack] {
        let mut told = 0_usize;
        let mut out = |session: Session<'_>| {
            told = told.saturating_add(1);
            check(&session, reading);
        };
        let problems = read(data, None, reading.into(), &source, &limits, &mut out);
        assert!(told > 0 || !problems.is_empty() || !data.is_empty());
        for reader in READERS {
            read(data, Some(*reader), reading.into(), &source, &limits, &mut |it| {
                check(&it, reading)
            });
        }
    }
}

fn check(session: &Session<'_>, reading: Reading) {
    let events: &[Event<'_>] = &session.events;
    assert!(matches!(events.first().map(|it| &it.what), Some(What::Start(_))));
    assert!(matches!(events.last().map(|it| &it.what), Some(What::End(_))));
    let mut steps = 0_u32;
    let mut answered = std::collections::BTreeSet::new();
    for (place, event) in (0_u64..).zip(events) {
        assert_eq!(event.place, place);
        match &event.what {
            What::Call(call) => {
                steps = steps.saturating_add(1);
                assert_eq!(call.step, steps);
                assert!(call.hindsight.is_some(), "a recorded call knows its future");
            }
            What::Answer { step, .. } => {
                assert!(*step >= 1 && *step <= steps, "an answer before its call");
                assert!(answered.insert(*step), "a second answer");
            }
            _ => {}
        }
    }
    assert!(reading != Reading::Full || steps == session.calls);
}
