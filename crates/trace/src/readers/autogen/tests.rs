//! Recordings of `autogen` as events.

use crate::testing::told;

#[test]
fn a_task_with_a_batch_and_an_error() {
    let all = told(
        "autogen",
        r#"{
  "id": "s1",
  "messages": [
    {
      "id": "m0",
      "source": "user",
      "type": "TextMessage",
      "created_at": "2026-03-01T10:00:00Z",
      "content": "Cancel my crossing on Friday."
    },
    {
      "id": "m1",
      "source": "desk",
      "type": "ThoughtEvent",
      "created_at": "2026-03-01T10:00:01Z",
      "content": "I should look."
    },
    {
      "id": "m2",
      "source": "desk",
      "type": "ToolCallRequestEvent",
      "created_at": "2026-03-01T10:00:02Z",
      "content": [
        {"id": "a", "name": "find_booking", "arguments": "{\"day\": \"Friday\"}"},
        {"id": "b", "name": "find_rules", "arguments": ""}
      ]
    },
    {
      "id": "m3",
      "source": "desk",
      "type": "ToolCallExecutionEvent",
      "created_at": "2026-03-01T10:00:03Z",
      "content": [
        {"call_id": "b", "name": "find_rules", "content": "gone", "is_error": true},
        {"call_id": "a", "name": "find_booking", "content": "B-1", "is_error": false}
      ]
    },
    {
      "id": "m3",
      "source": "desk",
      "type": "ToolCallExecutionEvent",
      "created_at": "2026-03-01T10:00:03Z",
      "content": [{"call_id": "b", "name": "find_rules", "content": "gone", "is_error": true}]
    },
    {
      "id": "m4",
      "source": "reviewer",
      "type": "TextMessage",
      "created_at": "2026-03-01T10:00:04Z",
      "content": "Ask the guest."
    },
    {
      "id": "m5",
      "source": "desk",
      "type": "HandoffMessage",
      "created_at": "2026-03-01T10:00:05Z",
      "content": "I ask the guest.",
      "target": "user"
    },
    {
      "id": "m6",
      "source": "desk",
      "type": "HandoffMessage",
      "created_at": "2026-03-01T10:00:06Z",
      "content": "Over to billing.",
      "target": "billing"
    },
    {
      "id": "m7",
      "source": "guest",
      "type": "UserInputRequestedEvent",
      "created_at": "2026-03-01T10:00:07Z",
      "content": "",
      "request_id": "r"
    },
    {
      "id": "m8",
      "source": "guest",
      "type": "TextMessage",
      "created_at": "2026-03-01T10:00:08Z",
      "content": "yes, please"
    },
    {
      "id": "m9",
      "source": "desk",
      "type": "ToolCallRequestEvent",
      "created_at": "2026-03-01T10:00:09Z",
      "content": [{"id": "c", "name": "cancel_booking", "arguments": "{\"id\": \"B-"}]
    }
  ],
  "stop_reason": "max turns"
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            "1 other",
            r#"2 call 1 m2.c0 a find_booking {"day": "Friday"} -> B-1 (no error)"#,
            "2 call 2 m2.c1 b find_rules  -> gone (error)",
            "3 answer 2 gone (error)",
            "3 answer 1 B-1 (no error)",
            "4 other",
            "5 agent m5 Ask the guest.",
            "6 agent m6 I ask the guest.",
            "7 other",
            "8 other",
            "9 user m9 yes, please",
            r#"10 call 3 m10.c0 c cancel_booking {"id": "B- -> nothing"#,
            "10 end  !max turns",
        ]
    );
}

#[test]
fn the_thread_of_a_team_counts_once() {
    let all = told(
        "autogen",
        r#"{
  "type": "TeamState",
  "version": "1.0.0",
  "agent_states": {
    "desk": {
      "type": "ChatAgentContainerState",
      "agent_state": {
        "type": "AssistantAgentState",
        "llm_context": {
          "messages": [
            {
              "type": "AssistantMessage",
              "source": "desk",
              "content": [{"id": "a", "name": "find_booking", "arguments": "{}"}]
            }
          ]
        }
      }
    },
    "thread": {
      "type": "RoundRobinState",
      "message_thread": [
        {
          "id": "m0",
          "source": "user",
          "type": "TextMessage",
          "created_at": "2026-03-01T10:00:00Z",
          "content": "Cancel my crossing on Friday."
        },
        {
          "id": "m1",
          "source": "desk",
          "type": "ToolCallRequestEvent",
          "created_at": "2026-03-01T10:00:01Z",
          "content": [{"id": "a", "name": "find_booking", "arguments": "{}"}]
        },
        {
          "id": "m2",
          "source": "desk",
          "type": "ToolCallExecutionEvent",
          "created_at": "2026-03-01T10:00:02Z",
          "content": [{"call_id": "a", "name": "find_booking", "content": "B-1", "is_error": false}]
        }
      ]
    }
  }
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            "1 call 1 m1.c0 a find_booking {} -> B-1 (no error)",
            "2 answer 1 B-1 (no error)",
            "2 end ",
        ]
    );
}

#[test]
fn contexts_of_agents_without_a_thread() {
    let all = told(
        "autogen",
        r#"{
  "type": "TeamState",
  "agent_states": {
    "desk": {
      "agent_state": {
        "type": "AssistantAgentState",
        "llm_context": {
          "messages": [
            {"type": "UserMessage", "source": "user", "content": "Cancel my crossing on Friday."},
            {"type": "UserMessage", "source": "reviewer", "content": "yes"},
            {
              "type": "AssistantMessage",
              "source": "desk",
              "content": [{"id": "a", "name": "find_booking", "arguments": "{}"}]
            },
            {
              "type": "FunctionExecutionResultMessage",
              "content": [{"call_id": "a", "name": "find_booking", "content": "B-1", "is_error": false}]
            },
            {"type": "AssistantMessage", "source": "desk", "content": "Found."}
          ]
        }
      }
    }
  }
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            "1 other",
            "2 call 1 m2.c0 a find_booking {} -> B-1 (no error)",
            "3 answer 1 B-1 (no error)",
            "4 agent m4 Found.",
            "4 end Found.",
        ]
    );
}

#[test]
fn the_log_of_the_core() {
    let all = told(
        "autogen",
        r#"{"type": "LLMCall", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "Cancel my crossing on Friday."}], "response": {"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "find_booking", "arguments": "{}"}}, {"id": "b", "type": "function", "function": {"name": "find_booking", "arguments": "{\"day\": 2}"}}]}}]}, "agent_id": "desk"}
{"type": "ToolCall", "tool_name": "find_booking", "arguments": {}, "result": "B-1", "agent_id": "desk"}
{"type": "ToolCall", "tool_name": "find_booking", "arguments": {"day": 2}, "result": null, "agent_id": "desk"}
{"type": "ToolCall", "tool_name": "audit", "arguments": {"x": 1}, "result": "ok", "agent_id": "desk"}
{"type": "LLMCall", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "Cancel my crossing on Friday."}, {"role": "tool", "content": "B-1"}], "response": {"choices": [{"message": {"role": "assistant", "content": "Found."}}]}, "agent_id": "desk"}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 Cancel my crossing on Friday.",
            "0 call 1 m0.c0 a find_booking {} -> B-1",
            r#"0 call 2 m0.c1 b find_booking {"day": 2} -> (unrecorded)"#,
            "1 answer 1 B-1",
            "2 answer 2 (unrecorded)",
            r#"3 call 3 m3.c0 - audit {"x": 1} -> ok"#,
            "3 answer 3 ok",
            "4 agent m4 Found.",
            "4 end Found.",
        ]
    );
}
