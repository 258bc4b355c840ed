//! Recordings of `strands` as events.

use crate::testing::told;

#[test]
fn a_batch_with_an_error_and_words_beside_results() {
    let all = told(
        "strands",
        r#"{
  "session_id": "s1",
  "messages": [
    {"role": "user", "content": [{"text": "Cancel my crossing on Friday."}]},
    {
      "role": "assistant",
      "content": [
        {"reasoningContent": {"reasoningText": {"text": "hm"}}},
        {"text": "Let me look."},
        {"toolUse": {"toolUseId": "a", "name": "find_booking", "input": {"day": "Friday"}}},
        {"toolUse": {"toolUseId": "b", "name": "find_rules", "input": {}}},
        {"toolUse": {"toolUseId": "c", "name": "notify", "input": {}}}
      ]
    },
    {
      "role": "user",
      "content": [
        {"toolResult": {"toolUseId": "b", "content": [{"text": "gone"}], "status": "error"}},
        {"toolResult": {"toolUseId": "a", "content": [{"json": {"id": "B-1"}}], "status": "success"}},
        {"toolResult": {"toolUseId": "c", "content": [{"text": "tool cancelled by user"}], "status": "error"}},
        {"text": "And be quick."}
      ]
    },
    {
      "role": "assistant",
      "content": [{"toolUse": {"toolUseId": "d", "name": "cancel_booking", "input": {"id": "B-1"}}}]
    },
    {
      "role": "user",
      "content": [{"toolResult": {"toolUseId": "d", "content": [{"text": "line one"}, {"text": "line two"}]}}]
    },
    {"role": "assistant", "content": [{"text": "It is cancelled."}]}
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
            "1 call 3 m1.c2 c notify {} -> tool cancelled by user (error) (did not run)",
            "2 answer 2 gone (error)",
            r#"2 answer 1 {"id": "B-1"} (no error)"#,
            "2 other",
            "2 user m2 And be quick.",
            r#"3 call 4 m3.c0 d cancel_booking {"id": "B-1"} -> line one
line two"#,
            r#"4 answer 4 line one
line two"#,
            "5 agent m5 It is cancelled.",
            "5 end It is cancelled.",
        ]
    );
}

#[test]
fn stored_files_are_one_session_of_each_agent() {
    let all = told(
        "strands",
        r#"{
 "session_id": "s9",
 "session_type": "AGENT",
 "created_at": "2026-03-01T10:00:00+00:00"
}
{
 "agent_id": "desk",
 "state": {
  "tier": "gold"
 },
 "conversation_manager_state": {}
}
{
 "message": {
  "role": "user",
  "content": [
   {
    "text": "Cancel my crossing on Friday."
   }
  ]
 },
 "message_id": 0,
 "redact_message": null,
 "created_at": "2026-03-01T10:00:00.000000+00:00"
}
{
 "message": {
  "role": "assistant",
  "content": [
   {
    "text": "Found."
   }
  ]
 },
 "message_id": 10,
 "redact_message": null,
 "created_at": "2026-03-01T10:00:10.000000+00:00"
}
{
 "message": {
  "role": "assistant",
  "content": [
   {
    "toolUse": {
     "toolUseId": "a",
     "name": "find_booking",
     "input": {}
    }
   }
  ]
 },
 "message_id": 1,
 "redact_message": null,
 "created_at": "2026-03-01T10:00:01.000000+00:00"
}
{
 "message": {
  "role": "user",
  "content": [
   {
    "toolResult": {
     "toolUseId": "a",
     "content": [
      {
       "text": "B-1"
      }
     ],
     "status": "success"
    }
   }
  ]
 },
 "message_id": 2,
 "redact_message": null,
 "created_at": "2026-03-01T10:00:02.000000+00:00"
}
{
 "message": {
  "role": "user",
  "content": [
   {
    "text": "Other agent."
   }
  ]
 },
 "message_id": 0,
 "redact_message": null,
 "created_at": "2026-03-01T10:00:00.000000+00:00"
}"#,
    );
    assert_eq!(
        all[0].lines(),
        [
            r#"start metadata={
  "tier": "gold"
 }"#,
            "0 user m0 Cancel my crossing on Friday.",
            "1 call 1 m1.c0 a find_booking {} -> B-1 (no error)",
            "2 answer 1 B-1 (no error)",
            "3 agent m3 Found.",
            "3 end Found.",
        ]
    );
    assert_eq!(all[0].notes, ["7 message(s) of the session are not here"]);
    assert_eq!(all[1].lines(), ["start", "0 user m0 Other agent.", "0 end ",]);
}

#[test]
fn one_stored_file_alone_is_refused() {
    let file = r#"{"message": {"role": "user", "content": [{"text": "u"}]}, "message_id": 0, "created_at": "2026-03-01T10:00:00+00:00"}"#;
    let read = |text: &str| crate::testing::told_as("", text.as_bytes(), crate::Reading::Full);
    let (all, problems) = read(file);
    assert_eq!((all.len(), problems), (0, vec!["part_of_session"]));
    assert_eq!(read(&format!("{file}\n{file}")).0.len(), 2);
    let (all, problems) = read(&format!("{file}\n{{}}\n"));
    assert_eq!((all.len(), problems), (0, vec!["part_of_session", "unknown_format"]));
}
