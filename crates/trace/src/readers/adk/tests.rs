//! Recordings of `adk` as events.

use crate::testing::told;

#[test]
fn a_session_with_a_batch_and_partial_events() {
    let all = told(
        "adk",
        r#"{
  "id": "s1",
  "appName": "ferry",
  "userId": "u7",
  "state": {"user:tier": "gold"},
  "events": [
    {
      "id": "e0",
      "invocationId": "i1",
      "author": "user",
      "timestamp": 1770000000,
      "content": {"role": "user", "parts": [{"text": "Cancel my crossing on Friday."}]}
    },
    {
      "id": "e1",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000001,
      "content": {"role": "model", "parts": [{"text": "Let me"}]},
      "partial": true
    },
    {
      "id": "e2",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000002,
      "content": {
        "role": "model",
        "parts": [
          {"text": "hm", "thought": true},
          {"text": "Let me look."},
          {"functionCall": {"name": "find_booking", "args": {"day": "Friday"}, "id": "a"}},
          {"functionCall": {"name": "find_rules", "args": {}, "id": "b"}}
        ]
      }
    },
    {
      "id": "e3",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000003,
      "content": {
        "role": "user",
        "parts": [
          {"functionResponse": {"name": "find_rules", "response": {"error": "gone"}, "id": "b"}},
          {"functionResponse": {"name": "find_booking", "response": {"result": "B-1"}, "id": "a"}}
        ]
      }
    },
    {
      "id": "e3",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000003,
      "content": {
        "role": "user",
        "parts": [
          {"functionResponse": {"name": "find_rules", "response": {"error": "gone"}, "id": "b"}},
          {"functionResponse": {"name": "find_booking", "response": {"result": "B-1"}, "id": "a"}}
        ]
      }
    },
    {
      "id": "e4",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000004,
      "content": {"role": "model", "parts": [{"functionCall": {"name": "cancel_booking", "args": {"id": "B-1"}}}]}
    },
    {
      "id": "e5",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000005,
      "content": {
        "role": "user",
        "parts": [{"functionResponse": {"name": "cancel_booking", "response": {"state": "ok", "fee": 0}}}]
      }
    },
    {
      "id": "e6",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000006,
      "content": {"role": "model", "parts": [{"text": "It is cancelled."}]}
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"appName":"ferry","userId":"u7","user:tier":"gold","enduser.id":"u7"} metadata={"user:tier": "gold"}"#,
            "0 user m0 Cancel my crossing on Friday.",
            "1 other",
            "2 agent m2 Let me look.",
            r#"2 call 1 m2.c0 a find_booking {"day": "Friday"} -> B-1"#,
            r#"2 call 2 m2.c1 b find_rules {} -> {"error": "gone"}"#,
            r#"3 answer 2 {"error": "gone"}"#,
            "3 answer 1 B-1",
            "4 other",
            r#"5 call 3 m5.c0 - cancel_booking {"id": "B-1"} -> {"state": "ok", "fee": 0}"#,
            r#"6 answer 3 {"state": "ok", "fee": 0}"#,
            "7 agent m7 It is cancelled.",
            "7 end It is cancelled.",
        ]
    );
}

#[test]
fn a_call_that_a_person_is_asked_for_has_its_last_answer() {
    let all = told(
        "adk",
        r#"{
  "id": "s2",
  "appName": "ferry",
  "userId": "u7",
  "events": [
    {
      "id": "e0",
      "invocationId": "i1",
      "author": "user",
      "timestamp": 1770000000,
      "content": {"role": "user", "parts": [{"text": "Cancel my crossing on Friday."}]}
    },
    {
      "id": "e1",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000001,
      "content": {
        "role": "model",
        "parts": [
          {"functionCall": {"name": "cancel_booking", "args": {"id": "B-1"}, "id": "a"}},
          {"functionCall": {"name": "issue_voucher", "args": {"sum": 5}, "id": "b"}},
          {"functionCall": {"name": "notify", "args": {}, "id": "c"}}
        ]
      }
    },
    {
      "id": "e2",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000002,
      "content": {
        "role": "model",
        "parts": [
          {
            "functionCall": {"name": "adk_request_confirmation", "args": {"originalFunctionCall": {"id": "a"}}, "id": "q"}
          }
        ]
      }
    },
    {
      "id": "e3",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000003,
      "content": {
        "role": "user",
        "parts": [
          {
            "functionResponse": {
              "name": "cancel_booking",
              "response": {"error": "This tool call requires confirmation, please approve or reject."},
              "id": "a"
            }
          },
          {
            "functionResponse": {
              "name": "issue_voucher",
              "response": {"error": "This tool call requires confirmation, please approve or reject."},
              "id": "b"
            }
          },
          {
            "functionResponse": {
              "name": "notify",
              "response": {"error": "This tool call requires confirmation, please approve or reject."},
              "id": "c"
            }
          }
        ]
      }
    },
    {
      "id": "e4",
      "invocationId": "i1",
      "author": "user",
      "timestamp": 1770000004,
      "content": {
        "role": "user",
        "parts": [{"functionResponse": {"name": "adk_request_confirmation", "response": {"confirmed": true}, "id": "q"}}]
      }
    },
    {
      "id": "e5",
      "invocationId": "i1",
      "author": "agent",
      "timestamp": 1770000005,
      "content": {
        "role": "user",
        "parts": [
          {"functionResponse": {"name": "cancel_booking", "response": {"result": "done"}, "id": "a"}},
          {
            "functionResponse": {"name": "issue_voucher", "response": {"error": "This tool call is rejected."}, "id": "b"}
          }
        ]
      }
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"appName":"ferry","userId":"u7","enduser.id":"u7"}"#,
            "0 user m0 Cancel my crossing on Friday.",
            r#"1 call 1 m1.c0 a cancel_booking {"id": "B-1"} -> done"#,
            r#"1 call 2 m1.c1 b issue_voucher {"sum": 5} -> {"error": "This tool call is rejected."} (did not run)"#,
            r#"1 call 3 m1.c2 c notify {} -> {"error": "This tool call requires confirmation, please approve or reject."} (did not run)"#,
            "2 other",
            "3 other",
            "4 other",
            "5 answer 1 done",
            "5 other",
            "5 end ",
        ]
    );
}

#[test]
fn an_eval_set_and_snake_case() {
    let all = told(
        "adk",
        r#"{
  "eval_set_id": "set",
  "eval_cases": [
    {
      "eval_id": "c1",
      "session_input": {"app_name": "ferry", "user_id": "u1", "state": {}},
      "conversation": [
        {
          "invocation_id": "i",
          "user_content": {"role": "user", "parts": [{"text": "Cancel my crossing on Friday."}]},
          "intermediate_data": {
            "tool_uses": [
              {"name": "find_booking", "args": {"day": "Friday"}, "id": "x"},
              {"name": "cancel_booking", "args": {}}
            ],
            "tool_responses": [{"name": "find_booking", "response": {"result": "B-1"}, "id": "x"}]
          },
          "final_response": {"role": "model", "parts": [{"text": "Done."}]}
        }
      ]
    }
  ]
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"appName":"ferry","userId":"u1","enduser.id":"u1"} metadata={}"#,
            "0 user m0 Cancel my crossing on Friday.",
            r#"1 call 1 m1.c0 x find_booking {"day": "Friday"} -> B-1"#,
            "2 call 2 m2.c0 - cancel_booking {} -> nothing",
            "2 answer 1 B-1",
            "3 agent m3 Done.",
            "3 end Done.",
        ]
    );
}

#[test]
fn an_id_that_comes_again_is_answered_in_its_own_turn() {
    let turn = |at: usize| {
        format!(
            r#"{{"id":"c{at}","invocationId":"i","author":"a","content":{{"parts":[{{"functionCall":{{"id":"x","name":"find","args":{{}}}}}}]}}}},
            {{"id":"r{at}","invocationId":"i","author":"a","content":{{"parts":[{{"functionResponse":{{"id":"x","name":"find","response":{{"result":{at}}}}}}}]}}}}"#
        )
    };
    let turns: Vec<String> = (0..20_000).map(turn).collect();
    let all = told("", &format!(r#"{{"appName":"a","events":[{}]}}"#, turns.join(",")));
    let calls = all[0].of("call");
    assert_eq!(calls.first(), Some(&"0 call 1 m0.c0 x find {} -> 0"));
    assert_eq!(calls.last(), Some(&"39998 call 20000 m39998.c0 x find {} -> 19999"));
}
