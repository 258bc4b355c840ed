//! Chat messages as events.

use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_event::{Call, Hindsight, Ran, What};

use crate::testing::{Told, told};

fn chat(text: &str) -> Vec<Told> {
    told("messages", text)
}

#[test]
fn a_batch_with_results_in_any_order() {
    let all = chat(
        r#"{"id": "s1", "user": "u9", "metadata": {"channel": "sms"}, "messages": [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": "please refund"},
        {"role": "assistant", "content": "one moment", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "get", "arguments": "{\"id\": 1.50}"}},
            {"id": "b", "type": "function", "function": {"name": "put", "arguments": ""}}]},
        {"role": "tool", "tool_call_id": "b", "content": "second"},
        {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "first"}]},
        {"role": "assistant", "content": "done"}]}"#,
    );
    let told = &all[0];
    assert_eq!((told.id.as_str(), told.source.as_str(), told.calls), ("s1", "t", 2));
    assert_eq!(
        told.lines(),
        [
            "start attributes={\"user\":\"u9\",\"enduser.id\":\"u9\"} metadata={\"channel\": \"sms\"}",
            "0 other",
            "1 user m1 please refund",
            "2 agent m2 one moment",
            "2 call 1 m2.c0 a get {\"id\": 1.50} -> first",
            "2 call 2 m2.c1 b put  -> second",
            "3 answer 2 second",
            "4 answer 1 first",
            "5 agent m5 done",
            "5 end done",
        ]
    );
}

#[test]
fn many_sessions_in_one_document() {
    let list = chat(
        r#"[{"task_id": 3, "trial": 1, "traj": [{"role": "user", "content": "a"}]},
            {"messages": []}, [{"role": "user", "content": "b"}]]"#,
    );
    let places: Vec<_> = list.iter().map(|it| (it.id.as_str(), it.source.as_str())).collect();
    assert_eq!(places, [("3.1", "t#/0"), ("t#/1", "t#/1"), ("t#/2", "t#/2")]);
}

#[test]
fn one_session_a_line() {
    let lines =
        chat("{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n\n{\"messages\":[]}\n");
    let places: Vec<_> = lines.iter().map(|it| it.source.as_str()).collect();
    assert_eq!(places, ["t:1", "t:3"]);
}

#[test]
fn old_function_calls_and_custom_tools() {
    let all = chat(
        r#"[{"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{}"}},
            {"role": "function", "name": "f", "content": "ok"},
            {"role": "assistant", "tool_calls": [{"id": "c", "type": "custom",
              "custom": {"name": "sh", "input": "ls -l"}}]},
            {"role": "tool", "tool_call_id": "c", "content": null, "status": "rejected"}]"#,
    );
    assert_eq!(
        all[0].lines()[1..6],
        [
            "0 call 1 m0.c0 - f {} -> ok",
            "1 answer 1 ok",
            "2 call 2 m2.c0 c sh ls -l -> (unrecorded) (did not run)",
            "3 other",
            "3 end ",
        ]
    );
}

#[test]
fn ids_missing_repeated_or_unknown() {
    let all = chat(
        r#"[{"role": "assistant", "tool_calls": [
              {"id": "x", "function": {"name": "a", "arguments": "{}"}},
              {"id": "x", "function": {"name": "b", "arguments": "{}"}},
              {"function": {"name": "c"}}, {"id": null, "function": {"arguments": {"k": 1}}}, 5]},
            {"role": "tool", "tool_call_id": "x", "content": "1"},
            {"role": "tool", "tool_call_id": "x", "content": "2"},
            {"role": "tool", "tool_call_id": "x", "content": "3"},
            {"role": "tool", "tool_call_id": "", "name": "c", "content": "4"}]"#,
    );
    assert_eq!(
        all[0].lines()[1..10],
        [
            "0 call 1 m0.c0 x a {} -> 1",
            "0 call 2 m0.c1 x b {} -> 2",
            "0 call 3 m0.c2 - c (unrecorded) -> 4",
            "0 call 4 m0.c3 -  {\"k\": 1} -> nothing",
            "0 call 5 m0.c4 -  (unrecorded) -> nothing",
            "1 answer 1 1",
            "2 answer 2 2",
            "3 other",
            "4 answer 3 4",
        ]
    );
    assert_eq!(
        all[0].notes,
        [
            "2 call(s) without a tool name",
            "1 result(s) belong to no call",
            "call id `x` stands on 2 calls"
        ]
    );
}

#[test]
fn only_a_person_is_the_user() {
    let all = chat(
        r#"[{"content": "yes"}, {"role": "User", "content": "yes"},
            {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "t", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "yes, go ahead"},
            {"role": "user", "content": " yes, go ahead "},
            {"role": "user", "content": [{"type": "text", "text": "no"}, {"type": "file", "text": "yes"}]}]"#,
    );
    let users: Vec<_> = all[0].lines().iter().filter(|it| it.contains("user")).cloned().collect();
    assert_eq!(users, ["5 user m5 no"]);
}

#[test]
fn a_result_answers_the_newest_call_with_its_id() {
    let call = |tool: &str| {
        format!(
            r#"{{"role": "assistant", "tool_calls": [{{"id": "call_0", "function": {{"name": "{tool}", "arguments": "{{}}"}}}}]}}"#
        )
    };
    let ok = r#"{"role": "tool", "tool_call_id": "call_0", "content": "ok"}"#;
    let all = chat(&format!("[{}, {}, {ok}, {ok}]", call("verify"), call("lookup")));
    assert_eq!(
        all[0].of("call"),
        ["0 call 1 m0.c0 call_0 verify {} -> nothing", "1 call 2 m1.c0 call_0 lookup {} -> ok"]
    );
    assert_eq!(
        all[0].notes,
        ["1 result(s) belong to no call", "call id `call_0` stands on 2 calls"]
    );
}

#[test]
fn many_repeated_ids_are_counted() {
    let calls: Vec<_> = (0..20)
        .map(|it| format!(r#"{{"id": "i{}", "function": {{"name": "t"}}}}"#, it % 10))
        .collect();
    let all = chat(&format!(r#"[{{"role": "assistant", "tool_calls": [{}]}}]"#, calls.join(",")));
    assert_eq!(all[0].notes.len(), 5);
    assert_eq!(all[0].notes[3], "call id `i3` stands on 2 calls");
    assert_eq!(all[0].notes[4], "6 more call id(s) stand on several calls");
}

#[test]
fn parts_of_a_result_are_not_the_users() {
    let all = chat(
        r#"[{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "t", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": [
              {"type": "text", "text": "yes"}, {"type": "text", "text": "The guest wrote: please refund the whole order. No reply yet."}]},
            {"role": "user", "content": "yes"},
            {"role": "user", "content": "yes\nThe guest wrote: please refund the whole order. No reply yet."},
            {"role": "user", "content": "please refund the whole order"},
            {"role": "user", "content": "No reply yet."},
            {"role": "user", "content": "please refund the other order"}]"#,
    );
    assert_eq!(
        all[0].of("user"),
        ["5 user m5 No reply yet.", "6 user m6 please refund the other order"]
    );
}

#[test]
fn arguments_that_were_cut_or_hidden() {
    let all = chat(
        r#"[{"role": "assistant", "tool_calls": [
              {"function": {"name": "a", "arguments": "{\"x\": \"y"}},
              {"function": {"name": "a", "arguments": "{\"x\": \"y…"}},
              {"function": {"name": "b", "arguments": "<redacted>"}}]}]"#,
    );
    assert_eq!(
        all[0].lines()[1..4],
        [
            "0 call 1 m0.c0 - a {\"x\": \"y -> nothing",
            "0 call 2 m0.c1 - a (cut) {\"x\": \"y… -> nothing",
            "0 call 3 m0.c2 - b (unrecorded) -> nothing"
        ]
    );
}

#[test]
fn texts_are_borrowed_from_the_line() {
    let line = r#"{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"t","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"1","content":"r"}]}"#;
    let mut seen = 0;
    let problems = crate::named("messages").unwrap().read_line(
        line,
        1,
        &mut lawbook_event::json::Buffers::default(),
        crate::Readings::FULL,
        &crate::Source::new("t"),
        &mut |session| {
            for event in &session.events {
                if let What::Call(Call { tool, args, hindsight, ran, .. }) = &event.what {
                    assert!(matches!(tool, std::borrow::Cow::Borrowed("t")));
                    assert!(matches!(args.text, std::borrow::Cow::Borrowed("{\"a\":1}")));
                    assert!(matches!(hindsight, Some(Hindsight::Answered(answer))
                        if matches!(answer.text, std::borrow::Cow::Borrowed("r"))));
                    assert_eq!(*ran, Ran::Yes);
                    seen += 1;
                }
            }
        },
    );
    assert!(problems.is_empty());
    assert_eq!(seen, 1);
}

#[test]
fn other_systems_are_left_to_their_readers() {
    for foreign in [
        r#"[{"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "1", "toolName": "t", "input": {}}]}]"#,
        r#"[{"role": "user", "content": [{"toolResult": {}}]}]"#,
        r#"[{"role": "user", "parts": [{"text": "x"}]}]"#,
        r#"{"simulations": [], "messages": [{"role": "user", "content": "x"}]}"#,
        r#"[{"role": "assistant", "tool_calls": [{"function": "name", "args": {}}]}]"#,
        r#"{"messages": 5}"#,
        "[]",
        "null",
    ] {
        let document = Document::parse(foreign, Grammar::Strict, &Limits::DEFAULT).unwrap();
        assert!(!crate::named("messages").unwrap().sniff(document.root()), "{foreign}");
    }
}

#[test]
fn a_repeated_key_is_noted() {
    let all = chat(r#"[{"role": "user", "content": "a", "content": "b"}]"#);
    assert_eq!(all[0].of("user"), ["0 user m0 b"]);
    assert_eq!(all[0].notes, ["`content` stands twice in one object; the last one is read"]);
}

#[test]
fn pmstack_reads_roles_places_and_pairs() {
    let (all, problems) = crate::testing::told_as(
        "",
        br#"{"id": "t", "input": "hi", "messages": [
            "hello", null, {"role": "wizard", "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "id": "1", "name": "x", "input": {"a": 1.0}}, {"type": "text", "text": "b"}]},
            {"content": [{"type": "tool_result", "tool_use_id": "1", "is_error": true, "content": [{"type": "text", "text": "no"}]}, {"type": "text", "text": "sure"}]},
            {"role": "assistant", "content": "k", "function_call": {"name": "f"}, "tool_calls": [{"name": "g", "input": "[1]"}]},
            {"role": "function", "name": "f", "content": "pending"}],
          "steps": [{"type": "odd", "input": {"q": 1}, "output": [2], "status": "denied"}, {"type": "llm"}]}"#,
        crate::Reading::Pmstack,
    );
    assert!(problems.is_empty());
    assert_eq!(
        all[0].lines()[1..],
        [
            "1 user input hi",
            "2 user m0 hello",
            "3 agent m2 a\n\nb",
            "3 call 1 m2.c0 1 x {\"a\":1} -> [{\"type\":\"text\",\"text\":\"no\"}] (error)",
            "4 answer 1 [{\"type\":\"text\",\"text\":\"no\"}] (error)",
            "5 user m3 sure",
            "6 agent m4 k",
            "6 call 2 m4.c0 - g [1] -> nothing",
            "7 call 3 m4.c1 - f {} -> pending",
            "8 answer 3 pending",
            "9 call 4 s0 - odd {\"q\":1} -> [2] (error)",
            "10 answer 4 [2] (error)",
            "11 end k"
        ]
    );
}

/// Ids, codes of problems, and notes of a file that pmstack reads.
fn file(name: &str, text: &str) -> (Vec<String>, Vec<&'static str>, usize) {
    let (mut ids, mut notes) = (Vec::new(), 0);
    let problems = crate::read(
        text.as_bytes(),
        crate::named("messages"),
        crate::Reading::Pmstack.into(),
        &crate::Source::new(name),
        &crate::Limits::default(),
        &mut |session| {
            ids.push(session.id.to_string());
            notes += session.notes.len();
        },
    );
    (ids, problems.iter().map(|it| it.code).collect(), notes)
}

#[test]
fn files_as_pmstack_reads_them() {
    type Row<'t> = (&'t str, &'t str, &'t [&'t str], &'t [&'t str], usize);
    let table: [Row<'_>; 8] = [
        (
            "a.jsonl",
            "{\"id\":1}\nnot json\n[1]\n\n{\"id\":1}\n",
            &["1", "1-2"],
            &["not_json", "no_messages"],
            1,
        ),
        (
            "b.json",
            "{\"traces\":[{\"id\":\"x\"},\"plain\",5]}",
            &["x", "t-664e13ec"],
            &["no_messages"],
            0,
        ),
        ("c.json", "{\"id\":\"x\"}\n{\"id\":\"y\"}", &["x", "y"], &[], 0),
        (
            "d.csv",
            "Session ID,channel,input,metadata.plan\nq1,SMS,hi,gold\n,web,yo,\n",
            &["q1", "t-df4104aa"],
            &[],
            0,
        ),
        ("e.txt", "{\"id\":\"x\"}\n{\"id\":\"y\"}", &["x", "y"], &[], 0),
        ("f.json", "{\"id\":", &[], &["not_json"], 0),
        ("g.jsonl", "", &[], &["empty"], 0),
        (
            "h.json",
            r#"{"format": "pmstack.project/1", "experience": {"fieldMap": {"id": "meta.key"}}, "traces": [{"meta": {"key": 7}}, {"id": "z"}]}"#,
            &["7", "z"],
            &[],
            0,
        ),
    ];
    for (name, text, ids, codes, notes) in table {
        let came = file(name, text);
        assert_eq!(
            (came.0, &*came.1, came.2),
            (ids.iter().map(|it| (*it).to_owned()).collect(), codes, notes),
            "{name}"
        );
    }
}

#[test]
fn the_normalised_trace() {
    let normalised = |text: &str| {
        let mut found = String::new();
        crate::read(
            text.as_bytes(),
            crate::named("messages"),
            crate::Reading::Pmstack.into(),
            &crate::Source::new("t"),
            &crate::Limits::default(),
            &mut |session| {
                let What::Start(start) = &session.events[0].what else { panic!("no start") };
                found = start.normalised.to_string();
            },
        );
        found
    };
    for (trace, shape) in [
        (r#"{"messages":[{"role":"assistant","tool_calls":[]}]}"#, "openai"),
        (r#"{"messages":[{"role":"user","content":"x"}]}"#, "chat"),
        (r#"{"messages":[{"role":"assistant","content":[{"type":"tool_use"}]}]}"#, "anthropic"),
        (r#"{"messages":[{"role":"assistant","content":[{"type":"text","text":"x"}]}]}"#, "chat"),
        (r#"{"messages":[{"type":"message","role":"user","content":"x"}]}"#, "openai-responses"),
        (r#"{"items":[{"type":"function_call","name":"x"}]}"#, "openai-responses"),
        (r#"{"messages":[],"steps":[{"type":"tool"}]}"#, "steps"),
        (r#"{"question":"x"}"#, "io"),
        (r#"{"transcript":"x"}"#, "text"),
        (r#"{"a":1}"#, "unknown"),
    ] {
        let found = normalised(trace);
        assert!(found.contains(&format!(r#""shape":"{shape}""#)), "{trace}: {found}");
    }
    assert_eq!(
        normalised(
            r#"{"id":"q","question":"why?","answer":"so","messages":[{"role":"wizard","content":"a","time":2,"tool_calls":[{"id":"1","name":"t","arguments":"{}"}]},{"role":"tool","tool_call_id":"1","content":"r"}],"steps":[{"type":"llm","output":[1]}]}"#
        ),
        concat!(
            r#"{"id":"q","title":"why?","shape":"openai","input":"why?","output":{"type":"text","text":"so","stepId":"out"},"steps":["#,
            r#"{"id":"m0","kind":"assistant","role":"wizard","name":null,"text":"a","data":null,"status":null,"time":2000,"endTime":null,"callId":null,"stage":null,"customerVisible":true,"isOutput":false},"#,
            r#"{"id":"m0.c0","kind":"tool_call","role":"assistant","name":"t","text":"{}","data":{},"status":null,"time":2000,"endTime":null,"callId":"1","stage":null,"customerVisible":false,"isOutput":false},"#,
            r#"{"id":"m1","kind":"tool_result","role":"tool","name":"t","text":"r","data":null,"status":null,"time":null,"endTime":null,"callId":"1","stage":null,"customerVisible":false,"isOutput":false},"#,
            r#"{"id":"s0","kind":"llm","role":null,"name":"llm","text":"[1]","data":{"type":"llm","output":[1],"rawId":null},"status":null,"time":null,"endTime":null,"callId":null,"stage":null,"customerVisible":false,"isOutput":false},"#,
            r#"{"id":"out","kind":"output","role":"assistant","name":null,"text":"so","data":{"type":"text","text":"so"},"status":null,"time":null,"endTime":null,"callId":null,"stage":null,"customerVisible":true,"isOutput":true}]}"#
        )
    );
}

#[test]
fn items_of_one_response_are_a_batch_and_what_was_turned_down_did_not_run() {
    let all = chat(
        r#"{"previous_response_id": "r0", "items": [
            {"role": "user", "content": "book"},
            {"type": "reasoning", "summary": []},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "on it"}]},
            {"type": "mcp_approval_request", "id": "a", "server_label": "s", "name": "book", "arguments": "{}"},
            {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{", "status": "incomplete"},
            {"type": "mcp_approval_response", "approval_request_id": "a", "approve": false},
            {"type": "function_call_output", "call_id": "1", "output": "half", "status": "incomplete"},
            {"type": "shell_call", "call_id": "2", "action": {"commands": ["ls"]}, "status": "completed"},
            {"type": "shell_call_output", "call_id": "2", "output": [], "status": "in_progress"},
            {"type": "mcp_approval_request", "id": "b", "server_label": "s", "name": "book", "arguments": "{}"}]}"#,
    );
    assert_eq!(
        all[0].lines()[1..],
        [
            "0 user m0 book",
            "1 other",
            "1 agent m2 on it",
            "3 other",
            "1 call 1 m4.c0 1 f (cut) { -> (unrecorded)",
            "3 call 2 m3.c0 a book {} -> nothing (did not run)",
            "6 answer 1 (unrecorded)",
            "7 call 3 m7.c0 2 shell {\"commands\": [\"ls\"]} -> ",
            "8 answer 3 ",
            "9 other",
            "9 call 4 m9.c0 b book {} -> nothing (did not run)",
            "9 end ",
        ]
    );
    assert_eq!(all[0].notes, ["earlier items of the conversation are not in the recording"]);
}

#[test]
fn pmstack_pairs_many_calls_in_linear_time() {
    const CALLS: usize = 60_000;
    let mut text = String::from(r#"{"id": "t", "messages": ["#);
    for at in 0..CALLS {
        let id = if at % 3 == 0 { String::new() } else { format!(r#""id": "i{at}", "#) };
        text.push_str(&format!(
            r#"{{"role": "assistant", "tool_calls": [{{{id}"name": "t{}", "arguments": "{{}}"}}]}},"#,
            at % 7
        ));
    }
    for at in (0..CALLS).rev() {
        text.push_str(&format!(
            r#"{{"role": "tool", "tool_call_id": "i{at}", "content": "{at}"}},"#
        ));
    }
    text.push_str("null]}");
    let (all, _) = crate::testing::told_as("", text.as_bytes(), crate::Reading::Pmstack);
    let calls = all[0].of("call");
    assert_eq!(calls.len(), CALLS);
    // A call without an id takes the first result that is left and has its name, or none: no call
    // was filed under the id of such a one. So call 10 takes the result of the last call.
    let ends =
        [(0, "59997"), (1, "1"), (3, "59994"), (4, "4"), (9, "59999"), (CALLS - 1, "nothing")];
    for (at, end) in ends {
        assert!(calls[at].ends_with(&format!("-> {end}")), "{}", calls[at]);
    }
}
