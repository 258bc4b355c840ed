//! What the doors of the facade say.

mod agents;
mod beyond;
mod bounds;
mod guard;
mod ids;
mod questions;
mod replies;
mod stories;
mod told;

use lawbook_diag::Verdict;
use serde_json::{Value, json};

use crate::{Answer, Error, Policy, Time, decide};

/// A time for all tests: 2026-01-01T00:00:00Z.
const NOW: Time = Time { nanos: 1_767_225_600_000_000_000 };

fn policy(text: &str) -> Policy {
    Policy::from_text("policy", text).unwrap()
}

fn ask(policy: &Policy, question: &Value) -> Result<Answer, Error> {
    decide(policy, question.to_string().as_bytes(), NOW)
}

/// A whole question about one call.
fn question(messages: Value, call: Value) -> Value {
    json!({"history": "complete", "messages": messages, "call": call})
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn agent(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

/// A message of calls: id, tool, arguments.
fn calls(calls: &[(&str, &str, Value)]) -> Value {
    let one = |(id, tool, args): &(&str, &str, Value)| json!({"id": id, "type": "function", "function": {"name": tool, "arguments": args.to_string()}});
    json!({"role": "assistant", "content": null, "tool_calls": calls.iter().map(one).collect::<Vec<_>>()})
}

fn result(id: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": text})
}

fn rules(answer: &Answer) -> Vec<&str> {
    answer.findings().iter().map(|it| &*it.rule).collect()
}

fn unknown(answer: &Answer) -> Vec<&str> {
    answer.unknown().iter().map(|it| &*it.rule).collect()
}

#[track_caller]
fn allowed(answer: &Answer) {
    assert_eq!(answer.verdict(), Verdict::Allow, "{}", answer.to_json());
    assert_eq!(answer.reply(), None);
}

#[track_caller]
fn denied(answer: &Answer, by: &[&str]) {
    assert_eq!(answer.verdict(), Verdict::Deny, "{}", answer.to_json());
    assert_eq!(rules(answer), by, "{}", answer.to_json());
}
