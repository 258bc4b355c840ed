//! Hostile sizes: each ends in bounded time and on the safe side.

use serde_json::json;

use super::{NOW, allowed, ask, denied, policy, question, unknown};
use crate::{CALLS_MAX, Call, IDS_MAX, QUESTION_BYTES_MAX, Session, Start, decide};

const CAP: &str =
    "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: n, max: 5}}]}";

#[test]
fn deep_arguments_are_refused() {
    let deep = format!("{}1{}", "[".repeat(20_000), "]".repeat(20_000));
    let text =
        format!(r#"{{"history": "complete", "call": {{"tool": "pay", "args": {{"n": {deep}}}}}}}"#);
    assert_eq!(decide(&policy(CAP), text.as_bytes(), NOW).unwrap_err().code(), "too_large");
    let args = format!("{{\"n\": {deep}}}");
    let asked = question(json!([]), json!({"tool": "pay", "args": args}));
    denied(&ask(&policy(CAP), &asked).unwrap(), &["cap"]);
}

#[test]
fn a_question_over_the_bound_is_refused_unread() {
    let mut text =
        String::from(r#"{"history": "complete", "call": {"tool": "pay", "args": {"n": 1}}}"#);
    text.push_str(&" ".repeat(QUESTION_BYTES_MAX + 1 - text.len()));
    assert_eq!(decide(&policy(CAP), text.as_bytes(), NOW).unwrap_err().code(), "too_large");
    text.truncate(QUESTION_BYTES_MAX);
    allowed(&decide(&policy(CAP), text.as_bytes(), NOW).unwrap());
}

#[test]
fn a_question_about_more_calls_than_the_bound_is_refused() {
    let calls = vec![json!({"tool": "pay", "args": {"n": 1}}); CALLS_MAX + 1];
    let asked = json!({"history": "complete", "calls": calls});
    assert_eq!(ask(&policy(CAP), &asked).unwrap_err().code(), "calls_max");
    let asked = json!({"history": "complete", "calls": calls[..CALLS_MAX]});
    assert_eq!(ask(&policy(CAP), &asked).unwrap().calls().len(), CALLS_MAX);
}

#[test]
fn many_wrong_keys_are_told_in_bounded_words() {
    let keys: Vec<String> = (0..100_000).map(|it| format!("\"k{it}\": 1")).collect();
    let text = format!("{{{}}}", keys.join(","));
    assert_eq!(decide(&policy(CAP), text.as_bytes(), NOW).unwrap_err().problems().len(), 20);
}

#[test]
fn past_the_bound_of_ids_a_call_is_unknown() {
    let policy = policy(CAP);
    let mut session = Session::begin(&policy, &Start::new("s"), NOW).unwrap();
    for number in 0..IDS_MAX {
        session.call(&Call::new(number.to_string(), "look", "{}"), NOW).unwrap();
    }
    let answer = session.call(&Call::new("more", "look", "{}"), NOW).unwrap();
    denied(&answer, &[]);
    assert_eq!(unknown(&answer), ["session"]);
}

#[test]
fn a_long_history_is_read_in_linear_time() {
    // Quadratic work over these would take minutes.
    let mut messages = Vec::new();
    for number in 0..20_000 {
        let id = format!("c{number}");
        messages.push(super::calls(&[(&id, "pay", json!({"n": 1}))]));
        messages.push(super::result(&id, "ok"));
    }
    let policy = policy(
        "{lawbook: 1, default: allow, rules: [{id: cap, at_most: {tools: [pay], max: 20000}}]}",
    );
    let asked = question(json!(messages), json!({"id": "last", "tool": "pay", "args": {}}));
    denied(&ask(&policy, &asked).unwrap(), &["cap"]);
}
