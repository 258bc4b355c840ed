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

/// What a recording says that it used: tokens, milliseconds and dollars.
fn used(text: &str) -> String {
    let measures = Readings::FULL.with(RecordingPart::Measures);
    let mut all = Vec::new();
    let problems = read(
        text.as_bytes(),
        None,
        measures,
        &Source::new("t"),
        &Limits::default(),
        &mut |session| {
            if let Some(What::End(end)) = session.events.last().map(|it| &it.what) {
                let said = |it: Option<f64>| it.map_or("-".to_owned(), |it| it.to_string());
                let usage = [end.usage.tokens, end.usage.latency_ms, end.usage.cost_usd].map(said);
                all.push(format!("{} {}", session.format, usage.join(" ")));
            }
        },
    );
    let problems = problems.iter().map(|it| it.message.clone());
    all.into_iter().chain(problems).collect::<Vec<_>>().join("\n")
}

/// One small recording for each family of formats, and what it says that was used.
const RECORDINGS: &[(&str, &str)] = &[
    (
        r#"{"request":{"messages":[{"role":"user","content":"q"}]},"response":{"choices":[{"message":{"role":"assistant","content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}}"#,
        "chat 9 - -",
    ),
    // The second request goes on from the first response, whose tokens were spent too.
    (
        r#"{"request":{"messages":[{"role":"user","content":"q"}]},"response":{"choices":[{"message":{"role":"assistant","content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":2}}}
{"request":{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"r"}]},"response":{"choices":[{"message":{"role":"assistant","content":"b"}}],"usage":{"prompt_tokens":20,"completion_tokens":1}}}"#,
        "chat 30 - -",
    ),
    (
        r#"{"request":{"messages":[{"role":"user","content":"q"}]},"response":{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"x","input":{}}],"stop_reason":"tool_use","usage":{"input_tokens":5,"cache_read_input_tokens":100,"cache_creation_input_tokens":0,"output_tokens":2}}}"#,
        "anthropic_messages 107 - -",
    ),
    (
        r#"{"messages":[{"role":"user","content":"q","timestamp":"2026-01-01T00:00:00Z"},{"role":"assistant","content":"a","timestamp":"2026-01-01T00:00:02.5Z","usage":{"prompt_tokens":3,"completion_tokens":1}}]}"#,
        "chat 4 2500 -",
    ),
    (
        r#"{"input":"q","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}],"usage":{"input_tokens":4,"output_tokens":2,"total_tokens":6}}"#,
        "chat 6 - -",
    ),
    (
        r#"[{"type":"message_start","message":{"id":"m","role":"assistant","usage":{"input_tokens":10,"output_tokens":1}}},{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}},{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}},{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}},{"type":"message_stop"}]"#,
        "anthropic_messages 25 - -",
    ),
    // A message that was written in two lines used what the last of them says.
    (
        r#"{"type":"user","uuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"q"}}
{"type":"assistant","uuid":"u2","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"a"}],"usage":{"input_tokens":5,"output_tokens":1}}}
{"type":"assistant","uuid":"u3","sessionId":"s","timestamp":"2026-01-01T00:00:03Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}],"usage":{"input_tokens":5,"output_tokens":20}}}"#,
        "claude_code 25 3000 -",
    ),
    (
        r#"{"type":"system","subtype":"init","session_id":"s","uuid":"u1"}
{"type":"assistant","session_id":"s","uuid":"u2","parent_tool_use_id":null,"message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"a"}],"usage":{"input_tokens":5,"output_tokens":1}}}
{"type":"result","subtype":"success","session_id":"s","uuid":"u3","num_turns":1,"duration_ms":1200,"total_cost_usd":0.5,"result":"a","usage":{"input_tokens":5,"output_tokens":30}}"#,
        "claude_code 35 1200 0.5",
    ),
    (
        r#"{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s"}}
{"timestamp":"2026-01-01T00:00:01Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":10,"cached_input_tokens":5,"output_tokens":2,"total_tokens":12}}}}
{"timestamp":"2026-01-01T00:00:04Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":40,"output_tokens":8,"total_tokens":48}}}}"#,
        "codex 48 4000 -",
    ),
    (
        r#"{"type":"thread.started","thread_id":"t"}
{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":2,"output_tokens":3}}"#,
        "codex_exec 13 - -",
    ),
    (
        r#"{"contents":[{"role":"user","parts":[{"text":"q"}]}],"response":{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2,"thoughtsTokenCount":4,"totalTokenCount":11}}}"#,
        "gemini 11 - -",
    ),
    (
        r#"{"sessionId":"s","projectHash":"p","messages":[{"id":"1","timestamp":"2026-01-01T00:00:00Z","type":"user","content":"q"},{"id":"2","timestamp":"2026-01-01T00:00:01Z","type":"gemini","content":"a","tokens":{"input":9,"output":1,"cached":4,"thoughts":2,"tool":0,"total":12}}]}"#,
        "gemini_cli 12 1000 -",
    ),
    (
        r#"{"id":"s","appName":"a","userId":"u","events":[{"id":"1","invocationId":"i","author":"user","timestamp":1.0,"content":{"role":"user","parts":[{"text":"q"}]}},{"id":"2","invocationId":"i","author":"agent","timestamp":3.0,"content":{"role":"model","parts":[{"text":"a"}]},"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2}}]}"#,
        "adk 7 2000 -",
    ),
    (
        r#"{"messages":[{"type":"TextMessage","source":"user","content":"q","models_usage":null},{"type":"TextMessage","source":"agent","content":"a","models_usage":{"prompt_tokens":6,"completion_tokens":2}}],"stop_reason":"done"}"#,
        "autogen 8 - -",
    ),
    (
        r#"[{"kind":"request","parts":[{"part_kind":"user-prompt","content":"q","timestamp":"2026-01-01T00:00:00Z"}]},{"kind":"response","parts":[{"part_kind":"text","content":"a"}],"usage":{"input_tokens":4,"output_tokens":3,"details":{}},"timestamp":"2026-01-01T00:00:02Z"}]"#,
        "pydantic_ai 7 2000 -",
    ),
    (
        r#"{"prompt":"q","steps":[{"content":[{"type":"tool-call","toolCallId":"c","toolName":"x","input":{}}],"finishReason":"tool-calls","usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7}},{"content":[{"type":"text","text":"a"}],"finishReason":"stop","usage":{"inputTokens":9,"outputTokens":1,"totalTokens":10}}],"totalUsage":{"inputTokens":14,"outputTokens":3,"totalTokens":17}}"#,
        "vercel 17 - -",
    ),
    (
        r#"{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"x","input":{}}}],"metadata":{"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7}}}]}"#,
        "strands 7 - -",
    ),
    (
        r#"{"messages":[{"type":"human","data":{"content":"q"}},{"type":"ai","data":{"content":"a","usage_metadata":{"input_tokens":5,"output_tokens":2,"total_tokens":7},"response_metadata":{"token_usage":{"total_tokens":7}}}}]}"#,
        "langchain 7 - -",
    ),
    // What the simulated user used is not the agent's.
    (
        r#"{"id":"s","task_id":"1","termination_reason":"user_stop","duration":2.5,"agent_cost":0.25,"user_cost":9,"messages":[{"role":"user","content":"q","usage":{"prompt_tokens":100,"completion_tokens":1}},{"role":"assistant","content":"a","usage":{"prompt_tokens":5,"completion_tokens":2}}]}"#,
        "tau2 7 2500 0.25",
    ),
    (
        r#"{"suite_name":"s","pipeline_name":"p","user_task_id":"u","duration":1.5,"messages":[{"role":"user","content":"q"}]}"#,
        "agentdojo - 1500 -",
    ),
    (
        r#"{"status":"success","eval":{"task":"t"},"samples":[{"id":"1","epoch":1,"input":"q","target":"","messages":[{"role":"user","content":"q"}],"model_usage":{"a":{"input_tokens":5,"output_tokens":2,"total_tokens":7},"b":{"input_tokens":1,"output_tokens":1,"total_tokens":2}},"total_time":3.5}]}"#,
        "inspect 9 3500 -",
    ),
    (
        r#"{"trajectory":[{"action":"ls","observation":"x","response":"r","thought":"t"}],"history":[{"role":"user","content":"q","agent":"main"}],"info":{"exit_status":"submitted","model_stats":{"instance_cost":0.5,"tokens_sent":40,"tokens_received":2}}}"#,
        "swe_agent 42 - 0.5",
    ),
    (
        r#"{"trajectory_format":"mini-swe-agent-1.1","info":{"exit_status":"Submitted"},"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","extra":{"cost":0.25,"response":{"usage":{"prompt_tokens":3,"completion_tokens":2}}}}]}"#,
        "swe_agent 5 - 0.25",
    ),
    (
        r#"{"interactions":[{"request":{"uri":"https://api.openai.com/v1/chat/completions","body":{"string":"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}"}},"response":{"body":{"string":"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"a\"}}],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1,\"total_tokens\":6}}"}}}]}"#,
        "http_cassette 6 - -",
    ),
    (
        r#"[{"id":"t","timestamp":"2026-01-01T00:00:00Z","observations":[{"id":"o","traceId":"t","type":"GENERATION","name":"g","startTime":"2026-01-01T00:00:00Z","endTime":"2026-01-01T00:00:02Z","input":"q","output":"a","usageDetails":{"input":5,"output":2,"total":7},"costDetails":{"total":0.5}}]}]"#,
        "langfuse 7 2000 0.5",
    ),
    (
        r#"[{"id":"r","trace_id":"r","run_type":"chain","name":"a","start_time":"2026-01-01T00:00:00Z","end_time":"2026-01-01T00:00:04Z","inputs":{},"outputs":{},"total_tokens":9},{"id":"c","trace_id":"r","parent_run_id":"r","run_type":"llm","name":"m","start_time":"2026-01-01T00:00:01Z","end_time":"2026-01-01T00:00:02Z","inputs":{},"outputs":{"llm_output":{"token_usage":{"prompt_tokens":5,"completion_tokens":2}}},"total_cost":0.25}]"#,
        "langsmith 7 4000 0.25",
    ),
    (
        r#"[{"id":"r","span_id":"r","root_span_id":"r","span_parents":[],"span_attributes":{"name":"a","type":"llm"},"input":"q","output":"a","metrics":{"start":1,"end":3,"prompt_tokens":5,"completion_tokens":2,"estimated_cost":0.125}}]"#,
        "braintrust 7 2000 0.125",
    ),
    (
        r#"{"object":"trace.span","id":"s","trace_id":"t","started_at":"2026-01-01T00:00:00Z","ended_at":"2026-01-01T00:00:01Z","span_data":{"type":"generation","input":[{"role":"user","content":"q"}],"output":[{"role":"assistant","content":"a"}],"usage":{"input_tokens":5,"output_tokens":2}}}"#,
        "openai_agents 7 1000 -",
    ),
];

#[test]
fn every_family_of_formats_says_what_was_used() {
    let mut wrong = Vec::new();
    for (text, wanted) in RECORDINGS {
        let found = used(text);
        if found != *wanted {
            wrong.push(format!("{text}\n  is `{found}` and not `{wanted}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_no_number_or_below_zero_is_not_used() {
    let of = |usage: &str| {
        used(&format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":"a","usage":{usage}}}]}}"#
        ))
    };
    for usage in [
        "null",
        "5",
        "[]",
        "{}",
        r#"{"prompt_tokens":"5"}"#,
        r#"{"prompt_tokens":-5}"#,
        r#"{"total_tokens":1e999}"#,
        r#"{"input_tokens":true}"#,
    ] {
        assert_eq!(of(usage), "chat - - -", "{usage}");
    }
    assert_eq!(of(r#"{"total_tokens":0,"prompt_tokens":5}"#), "chat 5 - -");
}
