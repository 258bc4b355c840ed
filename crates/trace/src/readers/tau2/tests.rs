//! Recordings of `tau2` as events.

use crate::testing::told;

#[test]
fn calls_of_the_user_are_not_the_agents() {
    let all = told(
        "tau2",
        r#####"{
  "timestamp": "2026-03-01T10:00:00",
  "info": {"environment_info": {"domain_name": "ferry"}},
  "tasks": [{"id": "t1"}],
  "simulations": [
    {
      "id": "s1",
      "task_id": "t1",
      "trial": 0,
      "seed": 3,
      "termination_reason": "user_stop",
      "messages": [
        {"role": "assistant", "content": "Hello!", "turn_idx": 0, "timestamp": "2026-03-01T10:00:01"},
        {"role": "user", "content": "Cancel my crossing on Friday.", "turn_idx": 1},
        {
          "role": "user",
          "content": null,
          "tool_calls": [{"id": "u1", "name": "restart_phone", "arguments": {}, "requestor": "user"}]
        },
        {"role": "tool", "id": "u1", "content": "restarted", "error": false, "requestor": "user"},
        {
          "role": "assistant",
          "content": "One moment.",
          "tool_calls": [
            {"id": "a", "name": "find_booking", "arguments": {"day": "Friday"}, "requestor": "assistant"},
            {"id": "b", "name": "find_rules", "arguments": {}, "requestor": "assistant"}
          ]
        },
        {
          "role": "tool",
          "tool_messages": [
            {"role": "tool", "id": "b", "content": "gone", "error": true, "requestor": "assistant"},
            {
              "role": "tool",
              "id": "a",
              "content": "{\"id\": \"B-1\"}",
              "error": false,
              "requestor": "assistant"
            }
          ]
        },
        {
          "role": "assistant",
          "content": null,
          "tool_calls": [{"id": "c", "name": "cancel_booking", "arguments": {"id": "B-1"}, "requestor": "assistant"}]
        },
        {"role": "user", "content": "Thank you! ###STOP###"},
        {"role": "user", "content": "###STOP###"}
      ]
    }
  ]
}"#####,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"task_id":"t1","trial":0,"seed":3,"domain_name":"ferry"}"#,
            "0 agent m0 Hello!",
            "1 user m1 Cancel my crossing on Friday.",
            "2 other",
            "3 other",
            "4 agent m4 One moment.",
            r#"4 call 1 m4.c0 a find_booking {"day": "Friday"} -> {"id": "B-1"} (no error)"#,
            "4 call 2 m4.c1 b find_rules {} -> gone (error)",
            "5 answer 2 gone (error)",
            r#"5 answer 1 {"id": "B-1"} (no error)"#,
            r#"6 call 3 m6.c0 c cancel_booking {"id": "B-1"} -> nothing"#,
            "7 user m7 Thank you!",
            "8 other",
            "8 end  !user_stop",
        ]
    );
}

#[test]
fn ticks_of_a_voice_run() {
    let all = told(
        "tau2",
        r#"{
  "id": "v1",
  "task_id": "t1",
  "termination_reason": "user_stop",
  "mode": "full_duplex",
  "messages": [],
  "ticks": [
    {
      "tick_id": 0,
      "timestamp": "2026-03-01T10:00:00",
      "user_chunk": {"role": "user", "content": "Cancel my"},
      "agent_chunk": {"role": "assistant", "content": "", "contains_speech": false}
    },
    {
      "tick_id": 1,
      "timestamp": "2026-03-01T10:00:01",
      "user_chunk": {"role": "user", "content": "crossing."},
      "agent_chunk": {"role": "assistant", "content": "One"}
    },
    {
      "tick_id": 2,
      "timestamp": "2026-03-01T10:00:02",
      "agent_chunk": {"role": "assistant", "content": "moment."},
      "agent_tool_calls": [
        {"id": "a", "name": "find_booking", "arguments": {}, "requestor": "assistant"},
        {"id": "b", "name": "find_rules", "arguments": {}, "requestor": "assistant"}
      ],
      "user_tool_calls": [{"id": "u", "name": "look", "arguments": {}, "requestor": "user"}],
      "agent_tool_results": [{"role": "tool", "id": "a", "content": "B-1", "error": false, "requestor": "assistant"}]
    },
    {
      "tick_id": 3,
      "timestamp": "2026-03-01T10:00:03",
      "user_chunk": {"role": "user", "content": "Thanks ###STOP###"}
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"task_id":"t1","mode":"full_duplex"}"#,
            "0 user m0 Cancel my crossing.",
            "1 agent m1 One moment.",
            "2 call 1 m2.c0 a find_booking {} -> B-1 (no error)",
            "2 call 2 m2.c1 b find_rules {} -> nothing",
            "2 answer 1 B-1 (no error)",
            "3 user m3 Thanks",
            "3 end  !user_stop",
        ]
    );
}

#[test]
fn a_results_file_may_leave_its_simulations_to_others() {
    let index = r#"{"info": {}, "tasks": [], "simulation_index": [{"id": "s"}]}"#;
    let (all, problems) = crate::testing::told_as("", index.as_bytes(), crate::Reading::Full);
    assert_eq!((all.len(), problems), (0, vec!["no_session"]));
}
