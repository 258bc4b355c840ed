//! A recorded session through the hooks: each call is answered as a check of the recording up to
//! there would judge it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic
)]

mod session;

use lawbook::{Options, Policy, Time, decide};
use lawbook_bridge::{Around, Door, OnError, Store, named};
use serde_json::{Value, json};

const POLICY: &str = "
lawbook: 1
default: allow
rules:
  - {id: edits, at_most: {tools: [Edit], max: 2}}
  - {id: tested, require_before: {tools: [Deploy], first: [Test], success: true}}
  - {id: asks, verdict: ask, never: {tools: [Publish]}}
  - {id: one-app, at_most: {tools: [Deploy], max: 1, per: app}}
";

const NOW: Time = Time { nanos: 1_767_225_600_000_000_000 };

/// A session in which the agent does what it may and what it may not.
fn recording() -> String {
    let mut lines = vec![json!({
        "type": "user", "uuid": "u0", "sessionId": "s", "message": {"role": "user", "content": "ship it"},
    })];
    let mut call = |id: &str, tool: &str, input: Value, error: bool| {
        lines.push(json!({
            "type": "assistant", "uuid": format!("a-{id}"), "sessionId": "s",
            "message": {"id": format!("m-{id}"), "role": "assistant", "content": [
                {"type": "tool_use", "id": id, "name": tool, "input": input},
            ]},
        }));
        lines.push(json!({
            "type": "user", "uuid": format!("r-{id}"), "sessionId": "s",
            "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": id, "content": "done", "is_error": error},
            ]},
        }));
    };
    call("c1", "Edit", json!({"file_path": "a"}), false);
    call("c2", "Deploy", json!({"app": "x"}), false);
    call("c3", "Test", json!({}), true);
    call("c4", "Deploy", json!({"app": "y"}), false);
    call("c5", "Test", json!({}), false);
    call("c6", "Deploy", json!({"app": "z"}), false);
    call("c7", "Deploy", json!({"app": "z"}), false);
    call("c8", "Edit", json!({"file_path": "b"}), false);
    call("c9", "Edit", json!({"file_path": "c"}), false);
    call("c10", "Publish", json!({}), false);
    lines.iter().map(|it| format!("{it}\n")).collect()
}

/// What a check says of a call, given the recording before it.
fn checked(policy: &Policy, recording: &str, id: &str, input: &Value) -> String {
    let before = recording.lines().take_while(|it| !it.contains(&format!("\"id\":\"{id}\"")));
    let messages: Vec<Value> = before.map(|it| serde_json::from_str(it).unwrap()).collect();
    let question = json!({
        "history": "complete",
        "messages": messages,
        "call": {"id": id, "tool": input["tool_name"], "args": input["tool_input"]},
    });
    let answer = decide(policy, question.to_string().as_bytes(), NOW).unwrap();
    answer.verdict().word().to_owned()
}

#[test]
fn a_session_is_answered_as_a_check_of_it_would_judge() {
    let folder = std::env::temp_dir().join(format!("lawbook-replay-{}", std::process::id()));
    let policy = Options::new().texts([("p.yaml", POLICY)]).unwrap();
    let door = Door {
        policy: Ok(policy.clone()),
        store: Some(Store::at(&folder)),
        auto_allow: false,
        unattended: false,
        on_error: OnError::Deny,
        mask: lawbook::Mask::default(),
        around: Around { entry: Some("cli".to_owned()), ..Around::default() },
    };
    let recording = recording();
    let mut verdicts = Vec::new();
    for (id, input) in session::inputs(&recording) {
        let output = door.answer(named("claude-code").unwrap(), input.to_string().as_bytes(), NOW);
        let Some(id) = id else { continue };
        let verdict = session::verdict(&output.stdout);
        assert_eq!(verdict, checked(&policy, &recording, &id, &input), "{id}");
        verdicts.push(verdict);
    }
    let wanted =
        ["allow", "deny", "allow", "deny", "allow", "allow", "deny", "allow", "deny", "ask"];
    assert_eq!(verdicts, wanted);
    std::fs::remove_dir_all(folder).unwrap();
}
