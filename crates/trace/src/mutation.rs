//! Every value of a sample replaced by a wrong one: nothing panics, loops or breaks an event list.

mod frameworks;

use lawbook_event::json::{Document, Grammar, Limits, Value};

use crate::testing::{check, spans, told_as};
use crate::{READERS, Reading, Readings, Source};

const WRONG: [&str; 9] =
    ["null", "7", "-1e999", "\"\"", "\"x\"", "[]", "[null,1,\"a\",{}]", "{}", "{\"a\":null}"];

/// A document of each format that coding agents, frameworks and wires write, and its reader.
const LOGS: [(&str, &str); 9] = [
    (
        "claude_code",
        r#"[{"type": "user", "uuid": "a", "parentUuid": null, "sessionId": "s", "isSidechain": false, "isMeta": false, "cwd": "/w", "timestamp": "t", "message": {"role": "user", "content": "go <system-reminder>x"}}, {"type": "assistant", "uuid": "b", "parentUuid": "a", "sessionId": "s", "message": {"id": "m", "content": [{"type": "text", "text": "t"}, {"type": "tool_use", "id": "c", "name": "mcp__h__n", "input": {}}]}}, {"type": "user", "uuid": "d", "sessionId": "r", "agentId": "x", "message": {"content": [{"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "r"}], "is_error": true}]}}, {"type": "result", "subtype": "success", "session_id": "s", "result": "r", "permission_denials": [{"tool_use_id": "c"}]}]"#,
    ),
    (
        "codex",
        r#"[{"timestamp": "t", "type": "session_meta", "payload": {"id": "s", "cwd": "/w", "git": {}}}, {"type": "event_msg", "payload": {"type": "user_message", "message": "m", "kind": "plain"}}, {"type": "response_item", "payload": {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"}}, {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": "{\"output\":\"o\",\"metadata\":{\"exit_code\":1}}"}}, {"type": "response_item", "payload": {"type": "web_search_call", "status": "completed", "action": {}}}, {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "t"}]}}, {"type": "event_msg", "payload": {"type": "exec_command_end", "call_id": "c", "exit_code": 1, "invocation": {"server": "h"}}}]"#,
    ),
    (
        "codex_exec",
        r#"[{"type": "thread.started", "thread_id": "th"}, {"type": "item.started", "item": {"id": "i", "type": "command_execution", "command": "ls", "status": "in_progress"}}, {"type": "item.completed", "item": {"id": "i", "type": "command_execution", "command": "ls", "aggregated_output": "o", "exit_code": 0, "status": "completed"}}, {"type": "item.completed", "item": {"id": "j", "type": "mcp_tool_call", "server": "h", "tool": "n", "arguments": {}, "result": {"content": []}, "error": {"message": "e"}}}]"#,
    ),
    (
        "openai_agents",
        r#"[{"object": "trace.span", "id": "a", "trace_id": "t", "parent_id": "p", "started_at": "2026-05-02T08:00:01Z", "ended_at": "x", "span_data": {"type": "response", "response_id": "r"}, "error": null}, {"object": "trace.span", "id": "b", "trace_id": "t", "parent_id": "p", "started_at": "2026-05-02T08:00:02Z", "span_data": {"type": "function", "name": "n", "input": "{}", "output": "o", "mcp_data": {"server": "h"}}, "error": {"message": "m", "data": {"error": "e"}}}, {"object": "trace.span", "id": "h", "trace_id": "t", "span_data": {"type": "handoff", "to_agent": "A"}}, {"object": "trace", "id": "t", "workflow_name": "w", "group_id": "g", "metadata": {"user_id": "u"}}]"#,
    ),
    (
        "mcp",
        r#"[{"ts": "t", "dir": "out", "server": "h", "msg": {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "v", "clientInfo": {}}}}, {"dir": "out", "msg": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "n", "arguments": {}}}}, {"dir": "in", "headers": {"Mcp-Session-Id": "s"}, "msg": [{"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "r"}], "isError": false, "structuredContent": {}, "task": {}}}]}, {"jsonrpc": "2.0", "id": 2, "error": {"code": 1}}]"#,
    ),
    (
        "http_cassette",
        r#"{"interactions": [{"request": {"uri": "u", "body": "{\"model\":\"m\",\"input\":\"x\",\"user\":\"u\"}"}, "response": {"body": {"string": "data: {\"choices\":[{\"delta\":{\"content\":\"a\",\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"n\",\"arguments\":\"{\"}}]}}]}"}}}, {"request": {"url": "u", "postData": {"text": "eyJ9", "encoding": "base64"}}, "response": {"parsed_body": {"candidates": [{"content": {"parts": []}}]}}}]}"#,
    ),
    (
        "gemini_cli",
        r#"{"sessionId": "s", "projectHash": "p", "messages": [{"id": "a", "timestamp": "t", "type": "user", "content": [{"text": "x"}]}, {"id": "b", "timestamp": "t", "type": "gemini", "content": "c", "model": "m", "toolCalls": [{"id": "c", "name": "run_shell_command", "args": {}, "status": "success", "timestamp": "t", "result": [{"functionResponse": {"response": {"output": "Exit Code: 1"}}}]}]}]}"#,
    ),
    (
        "langchain",
        r#"[{"values": {"messages": [{"type": "human", "content": "h", "id": "a"}, {"lc": 1, "type": "constructor", "id": ["x", "AIMessage"], "kwargs": {"content": [{"type": "tool_use", "id": "c", "name": "n", "input": {}}], "id": "b", "tool_calls": [], "invalid_tool_calls": [{"name": "n", "args": "{", "id": "d"}], "additional_kwargs": {"function_call": {"name": "f"}}}}, {"type": "tool", "data": {"content": "r", "tool_call_id": "d", "status": "error"}}]}, "config": {"configurable": {"thread_id": "t"}}, "metadata": {}}, ["messages", [{"type": "AIMessageChunk", "content": "p", "id": "z", "tool_call_chunks": [{"index": 0, "id": "c", "name": "n", "args": "{"}]}, {"thread_id": "t"}]], {"n": {"messages": [{"type": "remove", "id": "a"}, {"type": "ai", "content": ""}]}}]"#,
    ),
    (
        "gemini",
        r#"{"request": {"contents": [{"role": "user", "parts": [{"text": "x"}]}, {"role": "model", "parts": [{"functionCall": {"name": "n", "args": {}, "id": "c"}}, {"executable_code": {"code": "1"}}, {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}}]}, {"role": "user", "parts": [{"functionResponse": {"name": "n", "response": {"result": 1}, "id": "c"}}]}]}, "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": "y"}]}, "finishReason": "STOP"}]}, "userId": "u", "labels": {}}"#,
    ),
];

/// Where every value of a document stands: start and end in bytes.
fn places(document: &Document<'_>) -> Vec<(usize, usize)> {
    let mut open: Vec<Value<'_>> = vec![document.root()];
    let mut places = Vec::new();
    while let Some(value) = open.pop() {
        places.push((value.offset(), value.offset() + value.raw().len()));
        open.extend(value.items());
        open.extend(value.entries().map(|(_, inner)| inner));
    }
    places
}

fn samples() -> Vec<String> {
    let span = r#"{"traceId": "t", "spanId": "a", "parentSpanId": "b", "name": "execute_tool x", "start": 1, "end": 3, "status": {"code": 2, "message": "m"}, "gen_ai.tool.call.id": "c", "gen_ai.tool.call.arguments": "{}",
       "gen_ai.input.messages": "[{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"c\",\"response\":\"r\"}]}]", "gen_ai.output.messages": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c\",\"name\":\"x\",\"arguments\":{}}]}]", "openinference.span.kind": "TOOL"}"#;
    let logs = r#"{"resourceLogs": [{"scopeLogs": [{"logRecords": [{"traceId": "t", "spanId": "a", "eventName": "gen_ai.choice", "attributes": [{"key": "k", "value": {"arrayValue": {"values": [{"kvlistValue": {"values": []}}]}}}], "body": {"kvlistValue": {"values": [{"key": "message", "value": {"stringValue": "hi"}}]}}}]}]}]}"#;
    let texts = [
        logs,
        r#"{"trace": {"id": "t", "input": "i", "output": {"messages": [{"role": "ai", "content": "c"}]}, "metadata": {"user_id": 5}, "userId": "u"}, "observations": [{"id": "o", "traceId": "t", "type": "TOOL", "name": "n", "input": {"input": {"a": 1}}, "output": {"output": "r"}, "startTime": "2026-05-02T08:00:01Z", "endTime": 5, "level": "ERROR", "statusMessage": "s", "metadata": {"attributes": {"tool.id": "c"}}}, {"id": "g", "traceId": "t", "type": "GENERATION", "input": [], "output": {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "n", "arguments": "{}"}}]}, "usage": {}}]}"#,
        r#"[{"id": "r", "trace_id": "r", "parent_run_id": null, "run_type": "chain", "name": "n", "inputs": {"messages": [["user", "u"]]}, "outputs": {"generations": [[{"message": {"kwargs": {"tool_calls": [{"name": "t", "args": {}, "id": "c"}]}}}]]}, "extra": {"metadata": {"user_id": "u"}}, "start_time": 1, "end_time": "2"}, {"id": "k", "trace_id": "r", "parent_run_id": "r", "run_type": "tool", "inputs": {}, "outputs": {"output": {"content": "c", "tool_call_id": "c", "status": "error"}}, "error": "e"}]"#,
        r#"[{"id": "x", "span_id": "x", "root_span_id": "x", "span_parents": ["y"], "span_attributes": {"name": "n", "type": "tool"}, "input": {}, "output": [], "error": "e", "metadata": {"tool_call_id": "c"}, "metrics": {"start": 1, "end": 2}}]"#,
        r#"{"id": "s", "user": "u", "attributes": {}, "metadata": {}, "trial": 1, "messages": [{"role": "user", "content": [{"type": "text", "text": "t"}]}, {"role": "assistant", "content": null, "refusal": "r", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "n", "arguments": "{}"}}, {"type": "custom", "custom": {"name": "n", "input": "i"}}], "function_call": {"name": "f", "arguments": "{}"}}, {"role": "tool", "tool_call_id": "c", "name": "n", "content": "r", "status": "error", "error": true, "timestamp": 5}]}"#,
        r#"{"id": "s", "input": "i", "messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "t"}], "is_error": true}, {"type": "text", "text": "t"}]}, {"type": "mcp_call", "id": "m", "server_label": "l", "name": "n", "arguments": "{}", "output": "o", "error": null, "approval_request_id": "a"}, {"type": "function_call_output", "call_id": "c", "output": "o"}, {"choices": [{"index": 0, "delta": {"content": "c", "tool_calls": [{"index": 0, "id": "c", "function": {"name": "n", "arguments": "{"}}]}}]}], "steps": [{"type": "tool", "name": "n", "input": {}, "output": "o", "status": "ok"}]}"#,
        r#"[{"request": {"messages": [{"role": "user", "content": "c"}]}, "response": {"choices": [{"message": {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "n", "arguments": "{}"}}]}}]}}]"#,
    ];
    let mut all: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    all.push(spans(span));
    all.extend(LOGS.map(|it| it.1.to_owned()));
    all.extend(frameworks::SAMPLES.iter().map(|(_, text)| (*text).to_owned()));
    all
}

fn read_all(text: &str) {
    for reader in READERS {
        for reading in [Reading::Full, Reading::Faultgate, Reading::Pmstack] {
            let (sessions, problems) = told_as(reader.name(), text.as_bytes(), reading);
            assert!(
                !sessions.is_empty() || !problems.is_empty() || text.len() < 400,
                "{}: {text}",
                reader.name()
            );
        }
    }
}

#[test]
fn wrong_values_everywhere() {
    for sample in samples() {
        let document = Document::parse(&sample, Grammar::Strict, &Limits::DEFAULT).unwrap();
        for (start, end) in places(&document) {
            for wrong in WRONG {
                let text = format!("{}{wrong}{}", &sample[..start], &sample[end..]);
                for reader in READERS {
                    for reading in [Reading::Full, Reading::Faultgate, Reading::Pmstack] {
                        told_as(reader.name(), text.as_bytes(), reading);
                    }
                }
            }
        }
    }
}

#[test]
fn every_reader_reads_every_sample() {
    for sample in samples() {
        read_all(&sample);
    }
}

#[test]
fn both_readings_at_once_are_those_made_apart() {
    let mut differ = 0;
    for sample in samples() {
        let read = |wanted: Readings| {
            let mut all = Vec::new();
            let source = Source::new("t");
            let limits = crate::Limits::default();
            let keep = &mut |session: crate::Session<'_>| {
                let under = |reading| format!("{:?}", session.under(reading));
                all.push((session.id.to_string(), under(Reading::Full), under(Reading::Faultgate)));
            };
            crate::read(sample.as_bytes(), None, wanted, &source, &limits, keep);
            all
        };
        let apart = read(Reading::Full.into()).into_iter().zip(read(Reading::Faultgate.into()));
        for (both, (full, faultgate)) in
            read(Readings::FULL.and(Reading::Faultgate)).into_iter().zip(apart)
        {
            differ += usize::from(full.1 != faultgate.1);
            assert_eq!(both, (faultgate.0, full.1, faultgate.1));
        }
    }
    assert!(differ >= 4, "only {differ} samples differ");
}

#[test]
fn deep_and_wide_documents() {
    let deep = |open: &str, middle: &str, close: &str, times: usize| {
        format!("{}{middle}{}", open.repeat(times), close.repeat(times))
    };
    let value = deep(r#"{"arrayValue":{"values":["#, r#"{"intValue":1}"#, "]}}", 150);
    let span = format!(
        r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"traceId":"t","spanId":"s","name":"execute_tool x","attributes":[{{"key":"gen_ai.tool.call.arguments","value":{value}}}]}}]}}]}}]}}"#
    );
    let nested = deep("[", "1", "]", 100_000);
    let quoted = format!(
        "[{{\"role\":\"assistant\",\"tool_calls\":[{{\"function\":{{\"name\":\"x\",\"arguments\":\"{nested}\"}}}}]}}]"
    );
    let wrapped = format!(
        r#"[{{"id":"a","traceId":"t","type":"GENERATION","output":{}}}]"#,
        deep(r#"{"messages":["#, "1", "]}", 200)
    );
    for text in [span, nested, quoted, wrapped] {
        for reader in READERS {
            for reading in [Reading::Full, Reading::Faultgate, Reading::Pmstack] {
                told_as(reader.name(), text.as_bytes(), reading);
            }
        }
    }
}

#[test]
fn names_pages_and_detection() {
    let mut seen = std::collections::BTreeSet::new();
    for reader in READERS {
        assert!(seen.insert(reader.name()), "{} stands twice", reader.name());
        let page = reader.page();
        assert!(page.starts_with(&format!("# {}\n", reader.name())), "{}", reader.name());
        for part in ["## What it reads", "## What it cannot see", "## Source"] {
            assert!(page.contains(part), "{}: {part}", reader.name());
        }
    }
    let formats: Vec<_> = samples()
        .iter()
        .map(|sample| {
            let mut found = "";
            let source = Source::new("t");
            crate::read(
                sample.as_bytes(),
                None,
                Readings::FULL,
                &source,
                &crate::Limits::default(),
                &mut |session| {
                    check(&session);
                    found = session.format;
                },
            );
            found
        })
        .collect();
    let others = [
        "otlp",
        "langfuse",
        "langsmith",
        "braintrust",
        "openai_chat",
        "openai_responses",
        "openai_chat",
        "openinference",
    ];
    let logs = LOGS.iter().map(|it| it.0);
    let frameworks = frameworks::SAMPLES.iter().map(|(format, _)| *format);
    let all = others.into_iter().chain(logs).chain(frameworks);
    assert_eq!(formats, all.collect::<Vec<_>>());
}
