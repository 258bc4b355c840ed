//! Traces of agents as OpenTelemetry spans, as faultgate reads them.

use std::fmt::Write as _;

use crate::Dice;

/// So many traces, each of a scenario of its own, with so many calls.
#[must_use]
pub fn traces(number: u64, steps: u64, seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut text = String::from("{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[");
    for trace in 0..number {
        if trace > 0 {
            text.push(',');
        }
        let start = trace * 1_000_000;
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "{{\"traceId\":\"{trace:032x}\",\"spanId\":\"{:016x}\",\"name\":\"invoke_agent\",\
             \"startTimeUnixNano\":\"{}\",\"endTimeUnixNano\":\"{}\",\"attributes\":[{},{},{},{}]}}",
            trace * 100,
            start + 1,
            start + 900_000,
            attribute("gen_ai.operation.name", "invoke_agent"),
            attribute("faultgate.scenario", &format!("scenario-{trace}")),
            attribute("gen_ai.prompt", "help"),
            attribute("gen_ai.completion", "done"),
        );
        for step in 0..steps {
            call(&mut text, trace, step, &mut dice);
        }
    }
    text.push_str("]}]}]}");
    text
}

fn call(text: &mut String, trace: u64, step: u64, dice: &mut Dice) {
    let tool = if step.is_multiple_of(2) { "verify" } else { "pay" };
    let (order, amount) = (dice.below(3), dice.below(800));
    let args = format!("{{\\\"order_id\\\": \\\"W{order}\\\", \\\"amount\\\": {amount}}}");
    let begins = trace * 1_000_000 + 1_000 * (step + 1);
    let _ = write!(
        text,
        ",{{\"traceId\":\"{trace:032x}\",\"spanId\":\"{:016x}\",\"parentSpanId\":\"{:016x}\",\
         \"name\":\"execute_tool {tool}\",\"startTimeUnixNano\":\"{begins}\",\
         \"endTimeUnixNano\":\"{}\",\"attributes\":[{},{},{},{}]}}",
        trace * 100 + step + 1,
        trace * 100,
        begins + 500,
        attribute("gen_ai.operation.name", "execute_tool"),
        attribute("gen_ai.tool.name", tool),
        attribute("gen_ai.tool.call.arguments", &args),
        attribute("gen_ai.tool.call.result", "{\\\"status\\\": \\\"ok\\\"}"),
    );
}

fn attribute(key: &str, value: &str) -> String {
    format!("{{\"key\":\"{key}\",\"value\":{{\"stringValue\":\"{value}\"}}}}")
}

/// A policy that both sides read.
pub const POLICY: &str = r#"{"max_calls": 50, "max_arg_chars": 2000,
 "limits": [{"tool": "pay", "arg": "amount", "max": 900}],
 "requires": [{"tool": "pay", "after": "verify"}],
 "required_args": [{"tool": "pay", "args": ["amount"]}]}"#;
