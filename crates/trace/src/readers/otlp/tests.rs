//! OTLP documents as events, in both readings.

use lawbook_event::{Event, What};

use crate::testing::{Told, spans, told, told_as};
use crate::{Limits, Reading, Source};

/// One trace, told in full.
fn one(list: &str) -> Told {
    let mut all = told("otlp", &spans(list));
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn faultgate(list: &str) -> Told {
    let (mut all, problems) = told_as("otlp", spans(list).as_bytes(), Reading::Faultgate);
    assert!(problems.is_empty());
    all.remove(0)
}

const CHAT: &str = r#"
  {"spanId": "root", "name": "invoke_agent", "start": 1, "end": 90, "gen_ai.operation.name": "invoke_agent", "enduser.id": "u1"}
  {"spanId": "m1", "parentSpanId": "root", "name": "chat", "start": 2, "end": 10, "gen_ai.operation.name": "chat",
   "gen_ai.input.messages": "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"refund both\"}]}]",
   "gen_ai.output.messages": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"one moment\"},{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"refund\",\"arguments\":{\"id\":1}},{\"type\":\"tool_call\",\"id\":\"b\",\"name\":\"refund\",\"arguments\":{\"id\":2}}]}]"}
  {"spanId": "t2", "parentSpanId": "root", "name": "execute_tool refund", "start": 11, "end": 20, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "refund", "gen_ai.tool.call.id": "b", "gen_ai.tool.call.arguments": "{\"id\": 2}", "gen_ai.tool.call.result": "two"}
  {"spanId": "t1", "parentSpanId": "root", "name": "execute_tool refund", "start": 12, "end": 15, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "refund", "gen_ai.tool.call.id": "a", "gen_ai.tool.call.arguments": "{\"id\": 1}", "status": {"code": 2, "message": "no money"}}
  {"spanId": "m2", "parentSpanId": "root", "name": "chat", "start": 30, "end": 40, "gen_ai.operation.name": "chat",
   "gen_ai.input.messages": "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"refund both\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"refund\",\"arguments\":{\"id\":1}},{\"type\":\"tool_call\",\"id\":\"b\",\"name\":\"refund\",\"arguments\":{\"id\":2}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"b\",\"response\":\"two\"},{\"type\":\"tool_call_response\",\"id\":\"a\",\"response\":\"failed\"}]}]",
   "gen_ai.output.messages": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"half done\"}]}]"}"#;

#[test]
fn one_call_in_four_tellings() {
    let told = one(CHAT);
    assert_eq!(told.calls, 2);
    assert_eq!(
        told.lines(),
        [
            "start attributes={\"gen_ai.operation.name\":\"invoke_agent\",\"enduser.id\":\"u1\"}",
            "1 user m1 refund both",
            "2 agent m2 one moment",
            "2 call 1 t1 a refund {\"id\":1} -> failed (error) (no money)",
            "2 call 2 t2 b refund {\"id\":2} -> two",
            "3 answer 1 failed (error) (no money)",
            "4 answer 2 two",
            "5 agent m5 half done",
            "6 end half done (root error=- ended=true)",
        ]
    );
}

#[test]
fn faultgate_reads_the_same_bytes_its_way() {
    let told = faultgate(CHAT);
    assert_eq!(told.calls, 2);
    assert_eq!(
        told.lines()[1..],
        [
            "0 user m0 refund both",
            "1 call 1 t2 b refund {\"id\": 2} -> two",
            "2 call 2 t1 a refund {\"id\": 1} ->  (Span status error: Code 2)",
            "3 answer 2  (Span status error: Code 2)",
            "4 answer 1 two",
            "5 end half done (root error=- ended=true)",
        ]
    );
}

#[test]
fn two_calls_that_only_share_an_id_are_two() {
    let told = one(r#"
      {"spanId": "m1", "name": "chat", "start": 1, "end": 2, "gen_ai.output.messages": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"x\",\"name\":\"refund\",\"arguments\":{\"id\":1}}]}]"}
      {"spanId": "m2", "name": "chat", "start": 3, "end": 4, "gen_ai.output.messages": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"x\",\"name\":\"refund\",\"arguments\":{\"id\":1}}]}]"}
      {"spanId": "m3", "name": "chat", "start": 5, "end": 6, "gen_ai.output.messages": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"x\",\"name\":\"refund\",\"arguments\":{\"id\":2}}]}]"}
      {"spanId": "t1", "name": "execute_tool refund", "start": 7, "end": 8, "gen_ai.tool.call.id": "x", "gen_ai.tool.call.arguments": "{\"id\": 3}"}"#);
    assert_eq!(told.calls, 4);
    assert!(told.notes.iter().any(|note| note.contains("use an id again")));
}

#[test]
fn an_agent_repeats_what_its_model_said() {
    let output = r#""gen_ai.output.messages": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"name\":\"t\",\"arguments\":{}},{\"type\":\"tool_call\",\"name\":\"t\",\"arguments\":{}},{\"type\":\"text\",\"content\":\"hi\"}]}]""#;
    let told = one(&format!(
        r#"{{"spanId": "a", "name": "invoke_agent", "start": 1, "end": 9, "gen_ai.operation.name": "invoke_agent", {output}}}
           {{"spanId": "m", "parentSpanId": "a", "name": "chat", "start": 2, "end": 8, {output}}}"#
    ));
    assert_eq!((told.calls, told.of("agent").len()), (2, 1));
}

#[test]
fn both_sides_of_a_wire_are_one_call() {
    let remote = r#""gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get", "mcp.method.name": "tools/call", "jsonrpc.request.id": "3", "mcp.session.id": "s""#;
    let told = one(&format!(
        r#"{{"spanId": "o", "name": "execute_tool get", "start": 1, "end": 9, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get", "gen_ai.tool.call.arguments": "{{\"a\":1}}"}}
           {{"spanId": "c", "parentSpanId": "o", "name": "tools/call get", "start": 2, "end": 8, {remote}}}
           {{"spanId": "s", "name": "tools/call get", "start": 3, "end": 7, {remote}, "gen_ai.tool.call.result": "r"}}"#
    ));
    assert_eq!(told.of("call"), ["1 call 1 o - get {\"a\":1} -> r"]);
}

#[test]
fn merged_spans_and_hidden_content() {
    let told = one(r#"
      {"spanId": "1", "name": "execute_tool (merged)", "start": 1, "end": 2, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "(merged tools)"}
      {"spanId": "2", "name": "execute_tool x", "start": 3, "end": 4, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "x"}
      {"spanId": "3", "name": "execute_tool y", "start": 5, "gen_ai.operation.name": "execute_tool", "gcp.vertex.agent.tool_call_args": "{}", "gcp.vertex.agent.tool_response": "{}"}
      {"spanId": "4", "name": "claude_code.tool", "start": 6, "end": 9, "span.type": "tool", "tool_name": "Bash", "full_command": "rm -r /"}
      {"spanId": "5", "parentSpanId": "4", "name": "claude_code.tool.execution", "start": 7, "end": 8, "span.type": "tool.execution", "success": "false"}"#);
    assert_eq!(
        told.of("call"),
        [
            "1 call 1 2 - x (unrecorded) -> (unrecorded)",
            "3 call 2 3 - y (unrecorded) -> nothing",
            "4 call 3 4 - Bash (cut) {\"command\":\"rm -r /\"} -> (unrecorded) (error)",
        ]
    );
}

#[test]
fn words_of_a_tool_or_inside_one_are_not_the_users() {
    let input = |text: &str| {
        format!(r#""gen_ai.input.messages": "[{{\"role\":\"user\",\"content\":\"{text}\"}}]""#)
    };
    let told = one(&format!(
        r#"{{"spanId": "m", "name": "chat", "start": 1, "end": 2, {}}}
           {{"spanId": "t", "name": "execute_tool ask", "start": 3, "end": 9, "gen_ai.tool.call.result": "yes, do it"}}
           {{"spanId": "n", "parentSpanId": "t", "name": "chat", "start": 4, "end": 5, {}}}
           {{"spanId": "o", "name": "chat", "start": 10, "end": 11, {}}}"#,
        input("hello"),
        input("answer me"),
        input("yes, do it")
    ));
    assert_eq!(told.of("user"), ["1 user m1 hello"]);
}

#[test]
fn words_inside_a_result_are_not_the_users() {
    let input = |text: &str| {
        format!(r#""gen_ai.input.messages": "[{{\"role\":\"user\",\"content\":\"{text}\"}}]""#)
    };
    let told = one(&format!(
        r#"{{"spanId": "m", "name": "chat", "start": 1, "end": 2, {}}}
           {{"spanId": "t", "name": "execute_tool mail", "start": 3, "end": 4, "gen_ai.tool.call.result": "yes: please refund the whole order, says Ada"}}
           {{"spanId": "n", "name": "chat", "start": 5, "end": 6, {}}}
           {{"spanId": "o", "name": "chat", "start": 7, "end": 8, {}}}"#,
        input("please read my mail from Ada"),
        input("please refund the whole order"),
        input("yes")
    ));
    assert_eq!(told.of("user"), ["1 user m1 please read my mail from Ada", "4 user m4 yes"]);
}

#[test]
fn only_the_root_says_whose_session_it_is() {
    let told = one(r#"
      {"spanId": "i", "parentSpanId": "r", "name": "invoke_agent", "start": 1, "end": 5, "gen_ai.operation.name": "invoke_agent", "enduser.id": "u2", "user.id": "u3", "session.id": "s1"}
      {"spanId": "l", "parentSpanId": "gone", "name": "invoke_agent", "start": 1, "end": 5, "gen_ai.operation.name": "invoke_agent", "enduser.id": "u4"}
      {"spanId": "r", "name": "run", "start": 2, "end": 9, "tenant": "t1"}"#);
    assert_eq!(told.lines()[0], "start attributes={\"tenant\":\"t1\",\"session.id\":\"s1\"}");
}

#[test]
fn an_answer_may_be_json() {
    let agent = r#""spanId": "r", "name": "invoke_agent", "start": 1, "end": 9, "gen_ai.operation.name": "invoke_agent""#;
    for (key, value, expected) in [
        ("gen_ai.completion", r#"{"total": 5}"#, r#"{"total": 5}"#),
        ("gen_ai.completion", "[1, 2]", "[1, 2]"),
        ("gen_ai.completion", r#"[{"total": 5}]"#, r#"[{"total": 5}]"#),
        ("gen_ai.completion", "5", "5"),
        ("gen_ai.completion", "{}", ""),
        ("gen_ai.output.messages", r#"{"total": 5}"#, r#"{"total": 5}"#),
        (
            "gen_ai.output.messages",
            r#"[{"role": "assistant", "content": "{\"total\": 5}"}]"#,
            r#"{"total": 5}"#,
        ),
        ("gen_ai.output.messages", r#"[{"role": "assistant", "tool_calls": []}]"#, ""),
        ("ai.response.object", r#"{"total": 5}"#, r#"{"total": 5}"#),
        ("gen_ai.completion", r#"[{"type": "thinking", "thinking": "5?"}]"#, ""),
        ("output.value", r#"[{"total": 5}]"#, r#"[{"total": 5}]"#),
    ] {
        let mut text = String::new();
        lawbook_event::json::write_string(&mut text, value);
        let told = one(&format!(r#"{{{agent}, "{key}": {text}}}"#));
        let end = format!("end {expected} (root error=- ended=true)");
        assert!(told.lines().last().unwrap().ends_with(&end), "{key} {value}: {:?}", told.lines());
    }
}

#[test]
fn the_user_may_say_a_thing_twice() {
    let history = |texts: &[&str]| {
        let messages: Vec<_> = texts
            .iter()
            .map(|it| format!(r#"{{\"role\":\"user\",\"content\":\"{it}\"}}"#))
            .collect();
        format!(r#""gen_ai.input.messages": "[{}]""#, messages.join(","))
    };
    let told = one(&format!(
        r#"{{"spanId": "1", "name": "chat", "start": 1, "end": 2, {}}}
           {{"spanId": "2", "name": "chat", "start": 3, "end": 4, {}}}
           {{"spanId": "3", "name": "chat", "start": 5, "end": 6, {}}}"#,
        history(&["yes"]),
        history(&["yes", "no"]),
        history(&["yes", "no", "yes"])
    ));
    assert_eq!(told.of("user"), ["1 user m1 yes", "2 user m2 no", "3 user m3 yes"]);
}

#[test]
fn histories_may_begin_in_another_trace() {
    let call = r#"{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"t\",\"arguments\":{}}]}"#;
    let document = spans(&format!(
        r#"{{"traceId": "one", "spanId": "1", "name": "chat", "start": 1, "end": 2, "gen_ai.output.messages": "[{call}]"}}
           {{"traceId": "two", "spanId": "2", "name": "chat", "start": 3, "end": 4, "gen_ai.input.messages": "[{call},{{\"role\":\"tool\",\"parts\":[{{\"type\":\"tool_call_response\",\"id\":\"a\",\"response\":\"r\"}}]}}]"}}"#
    ));
    let calls: Vec<_> =
        told("otlp", &document).iter().map(|it| (it.id.clone(), it.calls)).collect();
    assert_eq!(calls, [("one".to_owned(), 1), ("two".to_owned(), 0)]);
    // Alone, the second trace is all that tells of the call.
    let alone = document
        .replace("\"traceId\":\"one\"", "\"traceId\":\"two\"")
        .replace("gen_ai.output.messages", "x");
    assert_eq!(told("otlp", &alone)[0].of("call"), ["1 call 1 2.c0 a t {} -> r"]);
}

#[test]
fn every_spelling_of_the_container() {
    let span = r#"{"trace_id": "t", "span_id": "AQIDBAUGBwg=", "parent_span_id": "", "name": "execute_tool x", "start_time_unix_nano": "5", "end_time_unix_nano": 6, "attributes": [{"key": "gen_ai.tool.call.arguments", "value": {"kvlist_value": {"values": [{"key": "a", "value": {"int_value": "1"}}]}}}]}"#;
    for (document, place) in [
        (
            format!(r#"{{"resource_spans": [{{"scope_spans": [{{"spans": [{span}]}}]}}]}}"#),
            "t#/resource_spans/0/scope_spans/0/spans/0",
        ),
        (
            format!(
                r#"{{"batches": [{{"instrumentationLibrarySpans": [{{"spans": [{span}]}}]}}]}}"#
            ),
            "t#/batches/0/instrumentationLibrarySpans/0/spans/0",
        ),
        (
            format!(r#"[{{"resourceSpans": [{{"scopeSpans": [{{"spans": [{span}]}}]}}]}}]"#),
            "t#/resourceSpans/0/scopeSpans/0/spans/0",
        ),
        (
            format!(
                "{{\"resourceSpans\":[]}}\n{{\"resourceSpans\":[{{\"scopeSpans\":[{{\"spans\":[{span}]}}]}}]}}\n"
            ),
            "t:2#/resourceSpans/0/scopeSpans/0/spans/0",
        ),
    ] {
        let all = told("", &document);
        assert_eq!(all.len(), 1, "{document}");
        assert_eq!(all[0].source, place);
        assert_eq!(all[0].of("call"), ["1 call 1 0102030405060708 - x {\"a\":1} -> (unrecorded)"]);
    }
}

#[test]
fn lines_of_one_trace_belong_together() {
    let line = |id: &str, parent: &str, start: u8| {
        spans(&format!(
            r#"{{"spanId": "{id}", "parentSpanId": "{parent}", "name": "execute_tool {id}", "start": {start}, "end": {start}}}"#
        ))
    };
    let lines = format!("{}\n{}\n", line("b", "", 5), line("a", "b", 3));
    let all = told("", &lines);
    assert_eq!(
        (all.len(), all[0].calls, all[0].source.as_str()),
        (1, 2, "t:1#/resourceSpans/0/scopeSpans/0/spans/0")
    );
}

#[test]
fn a_trace_stands_where_its_first_span_does() {
    let logs = r#"{"resourceLogs": [{"scopeLogs": [{"logRecords": [{"traceId": "t"}, {"traceId": "u"}]}]}]}"#;
    let span = |start: u8| format!(r#"{{"traceId": "t", "spanId": "{start}", "start": {start}}}"#);
    let lines = format!("{logs}\n{}\n{}\n", spans(&span(5)), spans(&span(3)));
    let places: Vec<_> = told("otlp", &lines).into_iter().map(|it| (it.id, it.source)).collect();
    let expected = [("u", "t"), ("t", "t:2#/resourceSpans/0/scopeSpans/0/spans/0")];
    assert_eq!(places, expected.map(|(id, place)| (id.to_owned(), place.to_owned())));
}

/// Faultgate looks for spans beside a wrapper and never into it.
#[test]
fn spans_in_a_wrapper_are_none_that_faultgate_sees() {
    let under = |document: &str, reading| {
        let (mut all, problems) = told_as("otlp", document.as_bytes(), reading);
        assert!(problems.is_empty() && all.len() == 1);
        all.remove(0).lines().to_vec()
    };
    let wrapped = format!("{{\"trace\": {}}}", spans(CHAT));
    assert_eq!(under(&wrapped, Reading::Faultgate), under(&wrapped, Reading::Full));
    // A span that it would refuse hides nothing of the others, nor of itself.
    let refused = wrapped.replace("\"value\":{\"stringValue\":\"{\\\"id\\\": 2}\"}", "\"extra\":1");
    assert_ne!(refused, wrapped);
    let lines = under(&refused, Reading::Faultgate);
    assert_eq!(lines, under(&refused, Reading::Full));
    assert!(lines.iter().any(|it| it.contains(" t2 ")), "{lines:?}");
    let beside = spans(r#"{"spanId": "t9", "name": "execute_tool wipe", "start": 5, "end": 6}"#);
    let both = format!("{{\"trace\": {}, {}", spans(CHAT), &beside[1..]);
    assert_eq!(under(&both, Reading::Faultgate), under(&beside, Reading::Faultgate));
}

#[test]
fn a_count_of_what_was_dropped_holds_though_it_stands_twice() {
    let counts = r#""droppedAttributesCount": 5, "droppedAttributesCount": 0"#;
    let span = format!(r#"{{"traceId": "t", "spanId": "a", "name": "chat", {counts}}}"#);
    let document = format!(r#"{{"resourceSpans": [{{"scopeSpans": [{{"spans": [{span}]}}]}}]}}"#);
    let (full, source, limits) = (Reading::Full.into(), Source::new("t"), Limits::default());
    let mut dropped = Vec::new();
    crate::read(document.as_bytes(), None, full, &source, &limits, &mut |it| {
        let start = |it: &Event<'_>| matches!(&it.what, What::Start(it) if it.dropped);
        dropped.push(it.events.iter().any(start));
    });
    assert_eq!(dropped, [true]);
}

#[test]
fn messages_in_events_and_logs() {
    let document = r#"{"resourceSpans": [{"scopeSpans": [{"spans": [
        {"traceId": "t", "spanId": "aa", "name": "chat", "startTimeUnixNano": "1", "endTimeUnixNano": "2"},
        {"traceId": "t", "spanId": "bb", "name": "execute_tool x", "startTimeUnixNano": "3", "endTimeUnixNano": "4", "events": [
          {"name": "gen_ai.tool.message", "attributes": [{"key": "content", "value": {"stringValue": "{\"a\":1}"}}]},
          {"name": "gen_ai.choice", "attributes": [{"key": "message", "value": {"stringValue": "[{\"text\": \"r\"}]"}}]}]}]}]}],
      "resourceLogs": [{"scopeLogs": [{"logRecords": [
        {"traceId": "t", "spanId": "aa", "eventName": "gen_ai.user.message", "body": {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "hi"}}]}}},
        {"traceId": "t", "spanId": "aa", "attributes": [{"key": "event.name", "value": {"stringValue": "gen_ai.choice"}}], "body": {"kvlistValue": {"values": [{"key": "message", "value": {"kvlistValue": {"values": [
          {"key": "tool_calls", "value": {"arrayValue": {"values": [{"kvlistValue": {"values": [{"key": "id", "value": {"stringValue": "1"}}, {"key": "function", "value": {"kvlistValue": {"values": [{"key": "name", "value": {"stringValue": "x"}}, {"key": "arguments", "value": {"stringValue": "{\"a\":1}"}}]}}}]}}]}}}]}}}]}}}]}]}]}"#;
    assert_eq!(
        told("otlp", document)[0].lines()[1..4],
        ["1 user m1 hi", "2 call 1 bb 1 x {\"a\":1} -> r", "3 answer 1 r"]
    );
}

#[test]
fn what_is_no_otlp_is_said_with_its_place() {
    for (document, line, problems) in [
        (r#"{"resourceSpans": null}"#, 1, 1),
        (
            "{\"resourceSpans\": [\n1, {\"scopeSpans\": 5},\n{\"scopeSpans\": [{\"spans\": [null]}]}]}",
            2,
            3,
        ),
    ] {
        let mut found = Vec::new();
        let source = crate::Source::new("t");
        for reading in [Reading::Full, Reading::Faultgate] {
            found = crate::read(
                document.as_bytes(),
                None,
                reading.into(),
                &source,
                &crate::Limits::default(),
                &mut |_| {},
            );
            assert_eq!(found.len(), problems, "{document}");
        }
        assert_eq!((found[0].code, found[0].line), ("not_otlp", Some(line)));
    }
    let many = format!("{{\"resourceSpans\": [{}1]}}", "null,".repeat(100_000));
    let (_, codes) = told_as("", many.as_bytes(), Reading::Full);
    assert_eq!(codes.len(), 101);
}

#[test]
fn faultgate_refuses_and_we_read_on() {
    let list = r#"{"spanId": "b", "parentSpanId": "", "name": "execute_tool x", "start": 2, "end": 3, "faultgate.confirmed": "True"}"#;
    let document = spans(list);
    let reading = |bytes: &[u8]| told_as("", bytes, Reading::Faultgate).0.remove(0);
    // An empty parent is a parent to faultgate, so its reading has no root.
    assert!(reading(document.as_bytes()).lines().last().unwrap().ends_with("(no root)"));
    let marked = format!("\u{feff}{document}");
    let lines = format!("{document}\n{{\"resourceSpans\":[]}}\n");
    let without_id = document.replace("\"spanId\"", "\"span\"");
    for other in [marked, lines, without_id] {
        assert!(
            reading(other.as_bytes()).lines().last().unwrap().contains("(root error"),
            "{other}"
        );
    }
    // What fails inside faultgate is read as nothing.
    let parts = list.replace("\"start\"", r#""gen_ai.output.messages": "[{\"role\":\"assistant\",\"parts\":5,\"content\":\"hi\"}]", "start""#);
    assert_eq!(reading(spans(&parts).as_bytes()).calls, 1);
}
