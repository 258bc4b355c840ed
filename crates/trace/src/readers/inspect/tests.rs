//! Recordings of `inspect` as events.

use crate::testing::told;

#[test]
fn events_are_what_happened() {
    let all = told(
        "inspect",
        r#"{
  "version": 2,
  "status": "success",
  "eval": {"task": "ferry", "model": "m", "run_id": "r"},
  "samples": [
    {
      "id": "one",
      "epoch": 1,
      "input": "Cancel my crossing on Friday.",
      "target": "",
      "metadata": {"day": 5},
      "messages": [
        {"id": "u1", "role": "user", "source": "input", "content": "Cancel my crossing on Friday."},
        {"role": "assistant", "content": "rewritten"}
      ],
      "attachments": {"aa11": "a long result", "bb22": "a \"long\" reason"},
      "events": [
        {"event": "span_begin", "id": "run", "type": "solver", "name": "x"},
        {
          "event": "model",
          "timestamp": "2026-03-01T10:00:00Z",
          "completed": "2026-03-01T10:00:01Z",
          "input": [{"id": "u1", "role": "user", "source": "input", "content": "Cancel my crossing on Friday."}],
          "output": {
            "choices": [
              {
                "message": {
                  "role": "assistant",
                  "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Let me look."}],
                  "tool_calls": [
                    {"id": "a", "function": "find_booking", "arguments": {"day": "Friday"}, "type": "function"},
                    {
                      "id": "b",
                      "function": "find_rules",
                      "arguments": {"why": "attachment://bb22"},
                      "type": "function"
                    },
                    {"id": "c", "function": "cancel_booking", "arguments": {"id": "B-1"}, "type": "function"},
                    {"id": "d", "function": "issue_voucher", "arguments": {"sum": 900}, "type": "function"},
                    {"id": "e", "function": "notify", "arguments": {}, "type": "function"}
                  ]
                }
              }
            ]
          }
        },
        {
          "event": "approval",
          "call": {"id": "d", "function": "issue_voucher", "arguments": {"sum": 900}, "type": "function"},
          "decision": "modify",
          "modified": {"id": "d", "function": "issue_voucher", "arguments": {"sum": 9}, "type": "function"}
        },
        {
          "event": "approval",
          "call": {"id": "c", "function": "cancel_booking", "arguments": {}, "type": "function"},
          "decision": "reject"
        },
        {
          "event": "tool",
          "timestamp": "2026-03-01T10:00:02Z",
          "completed": "2026-03-01T10:00:03Z",
          "id": "b",
          "function": "find_rules",
          "arguments": {"why": "attachment://bb22"},
          "result": "",
          "error": {"type": "timeout", "message": "too slow"}
        },
        {
          "event": "tool",
          "timestamp": "2026-03-01T10:00:02Z",
          "completed": "2026-03-01T10:00:03Z",
          "id": "a",
          "function": "find_booking",
          "arguments": {"day": "Friday"},
          "result": "attachment://aa11",
          "error": null,
          "span_id": "run"
        },
        {
          "event": "tool",
          "timestamp": "2026-03-01T10:00:03Z",
          "completed": "2026-03-01T10:00:04Z",
          "id": "c",
          "function": "cancel_booking",
          "arguments": {},
          "result": "",
          "error": {"type": "approval", "message": "no"}
        },
        {
          "event": "tool",
          "timestamp": "2026-03-01T10:00:03Z",
          "completed": "2026-03-01T10:00:04Z",
          "id": "d",
          "function": "issue_voucher",
          "arguments": {"sum": 9},
          "result": [{"type": "text", "text": "attachment://zz99"}],
          "error": null
        },
        {
          "event": "tool",
          "timestamp": "2026-03-01T10:00:04Z",
          "completed": "2026-03-01T10:00:05Z",
          "id": "x",
          "function": "audit",
          "arguments": {"n": 1},
          "result": 7,
          "error": null,
          "events": [
            {
              "event": "model",
              "timestamp": "2026-03-01T10:00:04Z",
              "completed": "2026-03-01T10:00:05Z",
              "input": [],
              "output": {
                "choices": [
                  {
                    "message": {
                      "role": "assistant",
                      "content": "inner words",
                      "tool_calls": [{"id": "y", "function": "find_rules", "arguments": {}, "type": "function"}]
                    }
                  }
                ]
              }
            }
          ]
        },
        {
          "event": "model",
          "timestamp": "2026-03-01T10:00:05Z",
          "completed": "2026-03-01T10:00:06Z",
          "input": [
            {"id": "u1", "role": "user", "source": "input", "content": "Cancel my crossing on Friday."},
            {"id": "u2", "role": "user", "content": "Please continue."},
            {"id": "u3", "role": "user", "source": "operator", "content": "Also tell my wife."}
          ],
          "output": {"choices": [{"message": {"role": "assistant", "content": "Done."}}]}
        },
        {"event": "span_begin", "id": "sc", "type": "scorer", "name": "s"},
        {
          "event": "model",
          "timestamp": "2026-03-01T10:00:06Z",
          "completed": "2026-03-01T10:00:07Z",
          "input": [],
          "output": {
            "choices": [
              {
                "message": {
                  "role": "assistant",
                  "content": "GRADE: C",
                  "tool_calls": [{"id": "z", "function": "grade", "arguments": {}, "type": "function"}]
                }
              }
            ]
          },
          "span_id": "sc"
        }
      ]
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"task":"ferry","model":"m","run_id":"r","sample_id":"one","epoch":1} metadata={"day": 5}"#,
            "1 user m1 Cancel my crossing on Friday.",
            "2 agent m2 Let me look.",
            r#"2 call 1 m2.c0 a find_booking {"day": "Friday"} -> a long result (no error)"#,
            r#"2 call 2 m2.c1 b find_rules {"why": "a \"long\" reason"} -> too slow (error)"#,
            r#"2 call 3 m2.c2 c cancel_booking {"id": "B-1"} -> no (error) (did not run)"#,
            r#"2 call 4 m2.c3 d issue_voucher {"sum": 9} -> (unrecorded) (no error)"#,
            "2 call 5 m2.c4 e notify {} -> nothing",
            "2 answer 2 too slow (error)",
            "2 answer 1 a long result (no error)",
            "2 other",
            "2 answer 4 (unrecorded) (no error)",
            r#"3 call 6 m3.c0 x audit {"n": 1} -> 7 (no error)"#,
            "3 answer 6 7 (no error)",
            "5 call 7 m5.c0 y find_rules {} -> nothing",
            "6 user m6 Also tell my wife.",
            "7 agent m7 Done.",
            "7 end Done.",
        ]
    );
}

#[test]
fn messages_where_there_are_no_events() {
    let all = told(
        "inspect",
        r#"{
  "id": 2,
  "epoch": 3,
  "input": [{"role": "user", "content": "Cancel my crossing on Friday."}],
  "target": "",
  "messages": [
    {"role": "user", "content": "Cancel my crossing on Friday."},
    {
      "role": "assistant",
      "content": "",
      "tool_calls": [
        {"id": "a", "function": "find_booking", "arguments": {}, "type": "function"},
        {"id": "b", "function": "find_rules", "arguments": {"why": "attachment://gone"}, "type": "function"}
      ]
    },
    {"role": "tool", "tool_call_id": "a", "function": "find_booking", "content": "B-1"},
    {
      "role": "tool",
      "tool_call_id": "b",
      "function": "find_rules",
      "content": "",
      "error": {"type": "approval", "message": "no"}
    },
    {"role": "user", "content": "Please continue."}
  ],
  "limit": {"type": "message", "limit": 5}
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"sample_id":2,"epoch":3}"#,
            "0 user m0 Cancel my crossing on Friday.",
            "0 other",
            "1 call 1 m1.c0 a find_booking {} -> B-1 (no error)",
            r#"1 call 2 m1.c1 b find_rules (cut) {"why": "attachment://gone"} -> no (error) (did not run)"#,
            "2 answer 1 B-1 (no error)",
            "3 other",
            "4 other",
            "4 end  !message",
        ]
    );
}

#[test]
fn large_logs_take_linear_time() {
    let events: Vec<String> = (0..20_000)
        .map(|at| {
            format!(
                r#"{{"event":"model","input_refs":[[0,20000]],"output":{{"choices":[{{"message":{{"tool_calls":[{{"id":"c{at}","function":"x","arguments":{{"a":"attachment://aa"}}}}]}}}}]}}}}"#
            )
        })
        .collect();
    let pool: Vec<String> = (0..20_000)
        .map(|at| format!(r#"{{"role":"user","source":"operator","id":"u{at}","content":"{at}"}}"#))
        .collect();
    let text = format!(
        r#"{{"id":1,"epoch":1,"input":"u","target":"","messages":[],"attachments":{{"aa":"{}"}},"message_pool":[{}],"events":[{}]}}"#,
        "x".repeat(20_000),
        pool.join(","),
        events.join(",")
    );
    let all = told("inspect", &text);
    assert_eq!((all[0].calls, all[0].of("user").len()), (20_000, 20_001));
    // Past the bound the text is not copied any more.
    let cut = all[0].of("call").iter().filter(|it| it.contains(" (cut) ")).count();
    assert_eq!(cut, 20_000 - (256 << 20) / 20_000);
    let marks = "attachment://".repeat(100_000);
    let text = format!(
        r#"{{"id":1,"epoch":1,"input":"u","target":"","messages":[{{"role":"assistant","tool_calls":[{{"id":"c","function":"x","arguments":{{"a":"{marks}","b":"\"attachment://aa\""}}}}]}}],"attachments":{{"aa":"x"}}}}"#
    );
    assert_eq!(told("inspect", &text)[0].calls, 1);
}
