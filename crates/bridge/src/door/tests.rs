use lawbook::{Mask, Options, Time};
use lawbook_event::json::Value;

use super::{Door, INPUT_BYTES_MAX, OnError};
use crate::host::{Ability, Around, Failing, Heard, Host, Output, Say, Setup, Told};
use crate::store::{RECORD_BYTES_MAX, Record, Store};

const NOW: Time = Time { nanos: 1_767_225_600_000_000_000 };

fn door(policy: &str, store: Option<Store>) -> Door {
    Door {
        policy: Options::new().texts([("p.yaml", policy)]),
        store,
        auto_allow: false,
        unattended: false,
        on_error: OnError::Deny,
        mask: Mask::default(),
        around: Around::default(),
    }
}

fn claude() -> &'static dyn Host {
    crate::named("claude-code").unwrap()
}

#[test]
fn an_input_over_the_bound_is_a_block() {
    let input = vec![b' '; INPUT_BYTES_MAX + 1];
    let output = door("{lawbook: 1, default: allow}", None).answer(claude(), &input, NOW);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("bytes"), "{}", output.stderr);
}

#[test]
fn texts_that_are_too_long_are_left_out() {
    let folder = std::env::temp_dir().join(format!("lawbook-door-{}", std::process::id()));
    let policy =
        "{lawbook: 1, default: allow, rules: [{id: one, at_most: {tools: [Write], max: 9}}]}";
    let store = Store::at(&folder);
    let door = door(policy, Some(store.clone()));
    let long = "x".repeat(RECORD_BYTES_MAX);
    let begins = r#"{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}"#;
    assert_eq!(door.answer(claude(), begins.as_bytes(), NOW), Output::silent());
    for (id, text) in [("a", "short"), ("b", long.as_str())] {
        let input = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Write","tool_use_id":"{id}","tool_input":{{"content":"{text}"}}}}"#
        );
        assert_eq!(door.answer(claude(), input.as_bytes(), NOW), Output::silent());
    }
    let kept =
        Store::records(&store.file("claude-code", "s")).into_iter().filter_map(|it| match it.1 {
            Record::Call { args, .. } => Some(args.is_some()),
            _ => None,
        });
    assert_eq!(kept.collect::<Vec<bool>>(), [true, false]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nothing_is_kept_that_no_rule_needs() {
    let folder = std::env::temp_dir().join(format!("lawbook-secrets-{}", std::process::id()));
    let store = Store::at(&folder);
    let door = door("{lawbook: 1, default: allow}", Some(store.clone()));
    for input in [
        r#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"sesame"}"#,
        r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_use_id":"a","tool_input":{"command":"echo sesame"}}"#,
        r#"{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_use_id":"a","tool_input":{"command":"echo sesame"},"tool_response":"sesame"}"#,
        r#"{"hook_event_name":"Stop","session_id":"s","last_assistant_message":"sesame"}"#,
    ] {
        assert_eq!(door.answer(claude(), input.as_bytes(), NOW), Output::silent());
    }
    let text = std::fs::read_to_string(store.file("claude-code", "s")).unwrap();
    assert!(text.lines().count() > 3 && !text.contains("sesame"), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A host whose code is wrong.
struct Falls;

impl Host for Falls {
    fn name(&self) -> &'static str {
        "falls"
    }

    fn title(&self) -> &'static str {
        "Falls"
    }

    fn page(&self) -> &'static str {
        ""
    }

    fn abilities(&self) -> &'static [Ability] {
        &[]
    }

    fn failing(&self) -> Failing {
        Failing::Opens
    }

    fn read(&self, _: Value<'_>, _: &Around) -> Result<Heard, lawbook_diag::Problem> {
        Ok(Heard { told: Told::Other, ..Heard::default() })
    }

    fn write(&self, _: &str, _: &Say) -> Output {
        panic!("a mistake of ours")
    }

    fn setup(&self) -> &'static Setup {
        claude().setup()
    }
}

#[test]
fn a_mistake_of_ours_is_a_block() {
    let output = door("{lawbook: 1, default: allow}", None).answer(&Falls, b"{}", NOW);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("may not run"), "{}", output.stderr);
}
