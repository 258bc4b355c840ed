//! Bounds that a case would be too long to reach.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::fmt::Write as _;
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Checked, Engine, check};
use lawbook_rule::Profile;
use lawbook_rule::kinds::{APPROVALS_MAX, EVIDENCE_MAX, SUBJECTS_MAX, UNSPENT_MAX};
use lawbook_trace::{Limits, Readings, Source, named, read};

/// The bound of `arg_equals`.
const VALUES_MAX: usize = 1_000;

/// What a native rule holds against a conversation in which each entry is a call: tool, arguments,
/// result.
fn checked(rule: &str, calls: &[(&str, String, String)]) -> Checked {
    checked_by(&format!("lawbook: 1\ndefault: allow\nrules:\n  - id: it\n    {rule}\n"), calls)
}

/// The same by a policy of any dialect, read strictly.
fn checked_by(policy: &str, calls: &[(&str, String, String)]) -> Checked {
    let options = Options { profile: Some(Profile::Strict), ..Options::default() };
    let policy = load("policy", policy.as_bytes(), &options).policy.unwrap();
    let engine = Engine::new(vec![Arc::new(policy)], None);
    let mut text = String::from(r#"{"messages": [{"role": "user", "content": "go"}"#);
    for (number, (tool, args, result)) in calls.iter().enumerate() {
        let function = serde_json::json!({"name": tool, "arguments": args});
        let call = serde_json::json!({"id": format!("c{number}"), "function": function});
        let ask = serde_json::json!({"role": "assistant", "tool_calls": [call]});
        let id = format!("c{number}");
        let answer = serde_json::json!({"role": "tool", "tool_call_id": id, "content": result});
        write!(text, ", {ask}, {answer}").unwrap();
    }
    text.push_str("]}");
    let mut out = Checked::default();
    let (source, limits) = (Source::new("trace"), Limits::default());
    let reader = named("messages");
    let problems =
        read(text.as_bytes(), reader, Readings::FULL, &source, &limits, &mut |session| {
            out = check(&engine, &session.events);
        });
    assert_eq!(problems, []);
    out
}

fn call(tool: &'static str, args: &str, result: &str) -> (&'static str, String, String) {
    (tool, args.to_owned(), result.to_owned())
}

#[test]
fn a_finding_lists_the_newest_steps_it_rests_on_and_counts_the_rest() {
    let calls = vec![call("pay", "{}", "ok"); EVIDENCE_MAX + 5];
    let rule = format!("at_most: {{tools: [pay], max: {}}}", EVIDENCE_MAX + 4);
    let finding = checked(&rule, &calls).findings.pop().unwrap();
    assert_eq!(finding.evidence.len(), EVIDENCE_MAX);
    assert_eq!(finding.evidence_total, EVIDENCE_MAX + 4);
    assert_eq!(finding.evidence.last().unwrap().step as usize, EVIDENCE_MAX + 4);
}

#[test]
fn past_the_bound_the_oldest_confirmations_are_gone() {
    let mut calls = vec![call("ask", "{}", r#"{"status": "ok"}"#); UNSPENT_MAX + 1];
    calls.extend(vec![call("pay", "{}", "ok"); UNSPENT_MAX + 1]);
    let rule = "confirm: {tools: [pay], by: ask, spend: true}";
    let findings = checked(rule, &calls).findings;
    let steps: Vec<_> = findings.iter().filter_map(|it| it.step).collect();
    assert_eq!(steps, [u32::try_from(calls.len()).unwrap()]);
}

#[test]
fn a_value_past_the_bound_of_a_result_is_never_taken_as_known() {
    let ids: Vec<String> = (0..=VALUES_MAX).map(|it| format!("A-{it}")).collect();
    let result = serde_json::json!({"orders": ids}).to_string();
    let last = |n: usize| format!(r#"{{"order": "A-{n}"}}"#);
    let calls = [
        call("list", "{}", &result),
        call("pay", &last(VALUES_MAX - 1), "ok"),
        call("pay", &last(VALUES_MAX), "ok"),
    ];
    let rule = r#"arg_equals: {tools: [pay], arg: order, result: {tool: list, path: "orders[*]"}}"#;
    let out = checked(rule, &calls);
    let unknown: Vec<_> = out.unknowns.iter().filter_map(|it| it.step).collect();
    assert!(out.findings.is_empty());
    assert_eq!(unknown, [3]);
}

#[test]
fn past_the_bound_the_oldest_approvals_are_gone() {
    let mut calls = vec![call("ask", "{}", "approved"); APPROVALS_MAX + 1];
    calls.extend(vec![call("pay", r#"{"n": 5}"#, "ok"); APPROVALS_MAX + 1]);
    let findings = checked("approval_above: {tools: [pay], arg: n, max: 1, by: ask}", &calls);
    let steps: Vec<_> = findings.findings.iter().filter_map(|it| it.step).collect();
    assert_eq!(steps, [u32::try_from(calls.len()).unwrap()]);
}

#[test]
fn past_the_bound_the_oldest_subjects_are_strangers() {
    let of = |n: usize| format!(r#"{{"customer": "C-{n}"}}"#);
    let mut calls: Vec<_> = (0..=SUBJECTS_MAX).map(|it| call("verify", &of(it), "ok")).collect();
    calls.extend([call("pay", &of(0), "ok"), call("pay", &of(1), "ok")]);
    let policy = r#"{"format": "pmstack.policy/1", "rules": [
        {"id": "it", "type": "requires-before", "tools": ["pay"], "before": "verify"}]}"#;
    let steps: Vec<_> =
        checked_by(policy, &calls).findings.iter().filter_map(|it| it.step).collect();
    assert_eq!(steps, [u32::try_from(calls.len() - 1).unwrap()]);
}
