//! Questions to a live door: any bytes get an answer or an error, and the same ones twice.

use std::sync::LazyLock;

use lawbook::{Policy, Time, Verdict, decide};

use crate::Target;

pub(super) const TARGET: Target = Target {
    name: "questions",
    run,
    seeds: &[
        "{\"history\": \"complete\", \"session\": {\"id\": \"s\", \"attributes\": {\"enduser.id\": \"C-1\"}}, \"messages\": [{\"role\": \"user\", \"content\": \"hi\"}, {\"role\": \"assistant\", \"content\": \"shall I?\", \"tool_calls\": [{\"id\": \"c1\", \"function\": {\"name\": \"pay\", \"arguments\": \"{}\"}}]}], \"call\": {\"id\": \"c1\", \"tool\": \"pay\", \"args\": {}}}",
        "{\"history\": \"partial\", \"approvals\": [{\"call\": \"c1\", \"by\": \"x\"}], \"refused\": [\"c0\"], \"calls\": [{\"id\": \"c1\", \"tool\": \"send\"}, {\"tool\": \"pay\", \"args\": \"{\\\"n\\\": 1}\", \"at\": 5}], \"facts\": {}, \"at\": \"now\"}",
        "[{\"role\": \"user\", \"content\": \"yes\"}]",
    ],
    seed_files: &["allowed.json", "too_much.json"],
};

const POLICY: &str = "
lawbook: 1
default: allow
tools: {pay: {access: write, confirm: true, max_calls: 1}}
rules:
  - {id: asks, verdict: ask, never: {tools: [send]}}
  - {id: own, arg_equals: {tools: [pay], arg: who, session: enduser.id}}
  - {id: first, require_before: {tools: [pay], first: [look], success: true, same_arg: n}}
";

static LOADED: LazyLock<Policy> =
    LazyLock::new(|| Policy::from_text("policy", POLICY).expect("the policy of the target loads"));

/// The bytes as a question, and as its messages.
pub fn run(data: &[u8]) {
    answer(data);
    if let Ok(text) = std::str::from_utf8(data) {
        let call = "{\"id\": \"c1\", \"tool\": \"pay\", \"args\": {}}";
        let whole =
            format!("{{\"history\": \"complete\", \"messages\": {text}, \"call\": {call}}}");
        answer(whole.as_bytes());
    }
}

fn answer(question: &[u8]) {
    let policy = &*LOADED;
    let at = Time { nanos: 1_767_225_600_000_000_000 };
    let answer = decide(policy, question, at);
    assert_eq!(answer, decide(policy, question, at), "the same question has two answers");
    match answer {
        Ok(answer) => {
            let blocked = answer.verdict() != Verdict::Allow;
            assert_eq!(answer.reply().is_some(), blocked, "who is blocked is told why");
            assert!(!answer.calls().is_empty(), "a question is about a call");
            let json = answer.to_json();
            let limits = lawbook_event::json::Limits::DEFAULT;
            let strict = lawbook_event::json::Grammar::Strict;
            let read = lawbook_event::json::Document::parse(&json, strict, &limits);
            assert!(read.is_ok(), "an answer is JSON: {json}");
        }
        Err(error) => assert!(!error.problems().is_empty(), "an error says what is wrong"),
    }
}
