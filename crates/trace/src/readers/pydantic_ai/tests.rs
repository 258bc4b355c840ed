//! Recordings of `pydantic_ai` as events.

use crate::testing::told;

#[test]
fn a_batch_with_retries_and_a_denied_call() {
    let all = told(
        "pydantic_ai",
        r#"[
  {
    "kind": "request",
    "parts": [
      {"part_kind": "system-prompt", "content": "Be kind."},
      {
        "part_kind": "user-prompt",
        "content": ["Cancel my crossing on Friday.", {"kind": "image-url", "url": "x"}],
        "timestamp": "2026-03-01T09:59:59Z"
      }
    ],
    "timestamp": "2026-03-01T10:00:00Z",
    "conversation_id": "c1",
    "run_id": "r1"
  },
  {
    "kind": "response",
    "parts": [
      {"part_kind": "thinking", "content": "hm"},
      {"part_kind": "text", "content": "Let me look."},
      {
        "part_kind": "tool-call",
        "tool_name": "find_booking",
        "args": "{\"day\": \"Friday\"}",
        "tool_call_id": "a"
      },
      {"part_kind": "tool-call", "tool_name": "find_rules", "args": {"n": 1.5}, "tool_call_id": "b"},
      {"part_kind": "tool-call", "tool_name": "cancel_booking", "args": null, "tool_call_id": "c"},
      {"part_kind": "tool-call", "tool_name": "notify", "tool_call_id": "d"}
    ],
    "timestamp": "2026-03-01T10:00:00Z"
  },
  {
    "kind": "request",
    "parts": [
      {
        "part_kind": "tool-return",
        "tool_name": "find_booking",
        "content": {"id": "B-1"},
        "tool_call_id": "a",
        "outcome": "success"
      },
      {
        "part_kind": "retry-prompt",
        "tool_name": "find_rules",
        "content": [{"type": "int_type", "loc": ["n"], "msg": "not whole"}],
        "tool_call_id": "b"
      },
      {
        "part_kind": "tool-return",
        "tool_name": "cancel_booking",
        "content": "denied by the desk",
        "tool_call_id": "c",
        "outcome": "denied"
      },
      {"part_kind": "retry-prompt", "tool_name": "notify", "content": "try later", "tool_call_id": "d"}
    ],
    "timestamp": "2026-03-01T10:00:00Z"
  },
  {
    "kind": "request",
    "parts": [{"part_kind": "retry-prompt", "content": "Answer in JSON."}],
    "timestamp": "2026-03-01T10:00:00Z"
  },
  {
    "kind": "response",
    "parts": [{"part_kind": "tool-call", "tool_name": "final_result", "args": "{}", "tool_call_id": "e"}],
    "timestamp": "2026-03-01T10:00:00Z"
  }
]"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"conversation_id":"c1","run_id":"r1"}"#,
            "0 user m0 Cancel my crossing on Friday.",
            "1 agent m1 Let me look.",
            r#"1 call 1 m1.c0 a find_booking {"day": "Friday"} -> {"id": "B-1"} (no error)"#,
            r#"1 call 2 m1.c1 b find_rules {"n": 1.5} -> [{"type": "int_type", "loc": ["n"], "msg": "not whole"}] (error) (did not run)"#,
            "1 call 3 m1.c2 c cancel_booking  -> denied by the desk (did not run)",
            "1 call 4 m1.c3 d notify (unrecorded) -> try later (error)",
            r#"2 answer 1 {"id": "B-1"} (no error)"#,
            "2 other",
            "2 other",
            "2 answer 4 try later (error)",
            "3 other",
            "4 call 5 m4.c0 e final_result {} -> nothing",
            "4 end ",
        ]
    );
}
