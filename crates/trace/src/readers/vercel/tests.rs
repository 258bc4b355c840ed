//! Recordings of `vercel` as events.

use crate::testing::told;

#[test]
fn model_messages_with_a_batch_and_a_denied_call() {
    let all = told(
        "vercel",
        r#"{
  "id": "chat-1",
  "messages": [
    {"role": "user", "content": [{"type": "text", "text": "Cancel my crossing on Friday."}]},
    {
      "role": "assistant",
      "content": [
        {"type": "reasoning", "text": "hm"},
        {"type": "text", "text": "Let me look."},
        {"type": "tool-call", "toolCallId": "a", "toolName": "find_booking", "input": {"day": "Friday"}},
        {"type": "tool-call", "toolCallId": "b", "toolName": "find_rules", "input": {}},
        {"type": "tool-call", "toolCallId": "c", "toolName": "cancel_booking", "input": {"id": "B-1"}},
        {"type": "tool-call", "toolCallId": "d", "toolName": "notify", "input": {}},
        {"type": "tool-approval-request", "approvalId": "q", "toolCallId": "d"}
      ]
    },
    {
      "role": "tool",
      "content": [
        {
          "type": "tool-result",
          "toolCallId": "b",
          "toolName": "find_rules",
          "output": {"type": "error-text", "value": "gone"}
        },
        {
          "type": "tool-result",
          "toolCallId": "a",
          "toolName": "find_booking",
          "output": {"type": "json", "value": {"id": "B-1"}}
        },
        {
          "type": "tool-result",
          "toolCallId": "c",
          "toolName": "cancel_booking",
          "output": {"type": "execution-denied", "reason": "not now"}
        }
      ]
    },
    {"role": "tool", "content": [{"type": "tool-approval-response", "approvalId": "q", "approved": false}]},
    {"role": "assistant", "content": "Shall I?"}
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            "1 agent m1 Let me look.",
            r#"1 call 1 m1.c0 a find_booking {"day": "Friday"} -> {"id": "B-1"} (no error)"#,
            "1 call 2 m1.c1 b find_rules {} -> gone (error)",
            r#"1 call 3 m1.c2 c cancel_booking {"id": "B-1"} -> not now (did not run)"#,
            "1 call 4 m1.c3 d notify {} -> nothing (did not run)",
            "2 answer 2 gone (error)",
            r#"2 answer 1 {"id": "B-1"} (no error)"#,
            "2 other",
            "3 other",
            "4 agent m4 Shall I?",
            "4 end Shall I?",
        ]
    );
}

#[test]
fn version_four_says_args_and_result() {
    let all = told(
        "vercel",
        r#"{
  "id": "chat-2",
  "messages": [
    {"role": "user", "content": "Cancel my crossing on Friday."},
    {
      "role": "assistant",
      "content": [{"type": "tool-call", "toolCallId": "a", "toolName": "find_booking", "args": {"day": 1}}]
    },
    {
      "role": "tool",
      "content": [
        {
          "type": "tool-result",
          "toolCallId": "a",
          "toolName": "find_booking",
          "result": {"id": "B-1"},
          "isError": true
        }
      ]
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            r#"1 call 1 m1.c0 a find_booking {"day": 1} -> {"id": "B-1"} (error)"#,
            r#"2 answer 1 {"id": "B-1"} (error)"#,
            "2 end ",
        ]
    );
}

#[test]
fn messages_of_an_interface_hold_all_steps() {
    let all = told(
        "vercel",
        r#"{
  "id": "chat-3",
  "messages": [
    {"id": "u", "role": "user", "parts": [{"type": "text", "text": "Cancel my crossing on Friday."}]},
    {
      "id": "a",
      "role": "assistant",
      "parts": [
        {"type": "step-start"},
        {
          "type": "tool-find_booking",
          "toolCallId": "a",
          "state": "output-available",
          "input": {"day": 1},
          "output": "B-1"
        },
        {
          "type": "tool-find_rules",
          "toolCallId": "b",
          "state": "output-error",
          "input": {},
          "errorText": "An error occurred."
        },
        {"type": "step-start"},
        {"type": "text", "text": "Shall I?"},
        {
          "type": "tool-cancel_booking",
          "toolCallId": "c",
          "state": "output-denied",
          "input": {"id": 1},
          "approval": {"id": "q", "approved": false}
        },
        {
          "type": "dynamic-tool",
          "toolName": "notify",
          "toolCallId": "d",
          "state": "output-available",
          "input": {},
          "output": {"sent": 1},
          "preliminary": true
        },
        {
          "type": "tool-issue_voucher",
          "toolCallId": "e",
          "state": "approval-requested",
          "input": {},
          "approval": {"id": "q2"}
        },
        {"type": "tool-find_booking", "toolCallId": "f", "state": "input-streaming", "input": {"da": null}}
      ]
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            r#"2 call 1 m1.c0 a find_booking {"day": 1} -> B-1 (no error)"#,
            "2 answer 1 B-1 (no error)",
            "2 call 2 m1.c1 b find_rules {} -> An error occurred. (error)",
            "2 answer 2 An error occurred. (error)",
            "3 agent m1 Shall I?",
            r#"3 call 3 m1.c2 c cancel_booking {"id": 1} -> nothing (did not run)"#,
            r#"3 call 4 m1.c3 d notify {} -> {"sent": 1} (no error)"#,
            r#"3 answer 4 {"sent": 1} (no error)"#,
            "3 call 5 m1.c4 e issue_voucher {} -> nothing (did not run)",
            r#"3 call 6 m1.c5 f find_booking (cut) {"da": null} -> nothing"#,
            "3 end ",
        ]
    );
}

#[test]
fn invocations_of_version_four() {
    let all = told(
        "vercel",
        r#"{
  "id": "chat-4",
  "messages": [
    {"id": "u", "role": "user", "content": "Cancel my crossing on Friday."},
    {
      "id": "a",
      "role": "assistant",
      "content": "Found.",
      "toolInvocations": [
        {
          "state": "result",
          "toolCallId": "a",
          "toolName": "find_booking",
          "args": {"day": 1},
          "result": {"id": "B-1"}
        },
        {"state": "call", "toolCallId": "b", "toolName": "cancel_booking", "args": {}}
      ]
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            "1 agent m1 Found.",
            r#"1 call 1 m1.c0 a find_booking {"day": 1} -> {"id": "B-1"}"#,
            r#"1 answer 1 {"id": "B-1"}"#,
            "1 call 2 m1.c1 b cancel_booking {} -> nothing",
            "1 end ",
        ]
    );
}

#[test]
fn steps_of_a_generation() {
    let all = told(
        "vercel",
        r#"{
  "id": "gen-1",
  "prompt": "Cancel my crossing on Friday.",
  "text": "Found.",
  "steps": [
    {
      "content": [
        {"type": "tool-call", "toolCallId": "a", "toolName": "find_booking", "input": {"day": 1}},
        {"type": "tool-call", "toolCallId": "b", "toolName": "find_rules", "input": {}},
        {
          "type": "tool-result",
          "toolCallId": "a",
          "toolName": "find_booking",
          "input": {"day": 1},
          "output": "B-1"
        },
        {"type": "tool-error", "toolCallId": "b", "toolName": "find_rules", "input": {}, "error": {}}
      ],
      "finishReason": "tool-calls",
      "response": {
        "messages": [
          {
            "role": "assistant",
            "content": [{"type": "tool-call", "toolCallId": "a", "toolName": "find_booking", "input": {"day": 1}}]
          }
        ]
      }
    },
    {"content": [{"type": "text", "text": "Found."}], "finishReason": "stop", "response": {"messages": []}}
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            r#"0 call 1 m0.c0 a find_booking {"day": 1} -> B-1 (no error)"#,
            "0 call 2 m0.c1 b find_rules {} -> (unrecorded) (error)",
            "0 answer 1 B-1 (no error)",
            "0 answer 2 (unrecorded) (error)",
            "1 agent m1 Found.",
            "1 end Found.",
        ]
    );
}
