//! What a host tells is whole, whatever words stand at its end.

use serde_json::json;

use super::{agent, allowed, ask, calls, denied, policy, question, result, user};

#[test]
fn a_mark_at_the_end_is_the_word_of_whoever_wrote_it() {
    let rules = policy(
        "{lawbook: 1, default: allow, rules: [{id: looked, require_before: {tools: [deploy], first: [test]}}]}",
    );
    let call = json!({"id": "c2", "tool": "deploy", "args": {}});
    let past = |told: &str| json!([calls(&[("c1", "test", json!({}))]), result("c1", told)]);
    allowed(&ask(&rules, &question(past("all passed [truncated]"), call.clone())).unwrap());
    denied(
        &ask(&rules, &question(past("error: it failed [truncated]"), call)).unwrap(),
        &["looked"],
    );
    let text = "{lawbook: 1, default: deny, tools: {pay: {access: write, confirm: true}}}";
    let call = json!({"id": "c1", "tool": "pay", "args": {"amount": 40}});
    let past = json!([agent("I can pay 40. Shall I?"), user("yes (truncated)")]);
    allowed(&ask(&policy(text), &question(past, call)).unwrap());
}
