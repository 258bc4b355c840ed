//! Conversations made to cost without end: each is answered at once, with a clear finding.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, check};
use lawbook_rule::Profile;
use lawbook_trace::{Limits, Source, named, read};
use serde_json::json;

/// Far more than any of them takes, and far less than a search that ran away.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a pmstack policy with one rule holds against a call after the user's words, in both
/// profiles.
fn found(rule: &serde_json::Value, said: &str, args: &str) -> [Vec<String>; 2] {
    let policy = json!({
        "format": "pmstack.policy/1",
        "tools": {"pay": {"confirm": !said.is_empty()}},
        "rules": [rule],
    });
    let function = json!({"name": "pay", "arguments": args});
    let trace = json!({"messages": [
        {"role": "assistant", "content": "Shall I pay?"},
        {"role": "user", "content": if said.is_empty() { "yes" } else { said }},
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": function}]},
    ]});
    let started = Instant::now();
    let found = [Profile::Compatible, Profile::Strict].map(|profile| {
        let options = Options { profile: Some(profile), ..Options::default() };
        let loaded = load("policy.json", policy.to_string().as_bytes(), &options);
        assert_eq!(loaded.problems, []);
        let policy = Arc::new(loaded.policy.unwrap());
        let engine = Engine::new(vec![Arc::clone(&policy)], None);
        let (source, limits) = (Source::new("trace.json"), Limits::default());
        let (text, reading) = (trace.to_string(), policy.reading);
        let mut found = Vec::new();
        let mut take = |session: lawbook_trace::Session<'_>| {
            let findings = check(&engine, session.under(reading)).findings;
            found.extend(findings.into_iter().map(|it| format!("{}: {}", it.rule, it.message)));
        };
        let reader = named("messages");
        let problems = read(text.as_bytes(), reader, reading.into(), &source, &limits, &mut take);
        assert_eq!(problems, []);
        found
    });
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    found
}

#[test]
fn a_pattern_that_searches_without_end_is_an_objection() {
    let args = json!({"note": format!("{}!", "a".repeat(26))}).to_string();
    // Regular patterns run in linear time and find what is there: nothing.
    let linear = json!({"id": "r", "type": "arg-not-match", "pattern": "(a+)+$"});
    assert_eq!(found(&linear, "", &args), [Vec::<String>::new(), Vec::new()]);
    let pattern = r"^(a|a|aa)+\1?(?=b)$";
    let backtracking =
        json!({"id": "r", "type": "arg-not-match", "argPath": "note", "pattern": pattern});
    for findings in found(&backtracking, "", &args) {
        assert_eq!(findings.len(), 1);
        assert!(findings.iter().all(|it| it.starts_with("r: argument matches")), "{findings:?}");
    }
}

#[test]
fn a_number_of_thousands_of_digits_is_read_once() {
    let rule = json!({"id": "cap", "type": "arg-max", "argPath": "amount", "max": 5});
    let digits = "1".repeat(32_000);
    for amount in [format!("{digits}x"), digits, "1,".repeat(16_000)] {
        for findings in found(&rule, "", &json!({"amount": amount}).to_string()) {
            assert_eq!(findings.len(), 1, "{amount}");
            assert!(findings.iter().all(|it| it.starts_with("cap: pay.amount ")));
        }
    }
}

#[test]
fn thousands_of_refused_words_are_no_yes() {
    let rule = json!({"id": "never", "type": "deny-tools", "tools": ["nothing"]});
    for said in ["don't do it. ".repeat(8_000), "no yes not ".repeat(8_000)] {
        for findings in found(&rule, &said, "{}") {
            assert_eq!(findings.len(), 1);
            assert!(findings.iter().all(|it| it.starts_with("confirm: pay without a yes")));
        }
    }
}

#[test]
fn arguments_of_any_depth_cost_no_stack_and_never_pass() {
    let deep = format!("{{\"amount\": {}{}}}", "[".repeat(20_000), "]".repeat(20_000));
    let deeper = format!("{{\"amount\": {}", "{\"a\":".repeat(20_000));
    let limit = json!({"id": "it", "type": "arg-max", "argPath": "amount", "max": 5});
    let required = json!({"id": "it", "type": "arg-required", "argPath": "amount"});
    let approval = json!({"id": "it", "type": "approval-above", "argPath": "amount", "max": 5,
        "approvalTool": "ask"});
    for (rule, what) in [(limit, "amount"), (required, "required amount"), (approval, "amount")] {
        for args in [&deep, &deeper] {
            for findings in found(&rule, "", args) {
                let said = "it: pay arguments are nested too deep, cannot check";
                assert_eq!(findings, [format!("{said} {what}")]);
            }
        }
    }
}
