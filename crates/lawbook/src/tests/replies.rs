//! The model learns from a reply what to do, and nothing that it may not know.

use serde_json::json;

use super::{agent, ask, calls, policy, question, result, user};

/// A secret for each place that a rule may read.
const SECRETS: [&str; 4] = ["SECRET-SESSION", "SECRET-META", "SECRET-RESULT", "SECRET-FACT"];

const RULES: &str = r#"
lawbook: 1
default: deny
tools: {pay: {access: write, confirm: {bind: [n]}}, look: {access: read}}
rules:
  - {id: own, arg_equals: {tools: [pay], arg: who, session: enduser.id}}
  - {id: meta, arg_equals: {tools: [pay], arg: who, session: session.metadata.account}}
  - {id: joined, arg_equals: {tools: [pay], arg: who, result: {tool: look, path: owner}}}
  - {id: verified, require_before: {tools: [pay], first: [look], result: [{path: owner, equals: C-9}]}}
  - {id: cap, at_most: {tools: [pay], max: 0, per: who}}
  - {id: small, arg_range: {tools: [pay], arg: n, max: 5}}
  - {id: reason, arg_in: {tools: [pay], arg: reason, values: [late, lost]}}
  - {id: words, arg_never_matches: {tools: [pay], arg: note, pattern: "gift ?card"}}
  - {id: size, arg_size: {tools: [pay], arg: note, max_chars: 5}}
  - {id: never, never: {tools: [pay]}}
  - {id: told, tell: hand over to the day shift, arg_required: {tools: [pay], args: [day]}}
  - {id: when, when: session.metadata.account == "x", never: {tools: [pay]}}
  - {id: gap, arg_equals: {tools: [pay], arg: who, session: not.there}}
"#;

#[test]
fn no_secret_gets_into_a_reply() {
    let messages = json!([
        user("hello"),
        calls(&[("c1", "look", json!({"who": "C-2"}))]),
        result("c1", r#"{"owner": "SECRET-RESULT", "status": "ok"}"#),
        agent("shall I?"),
    ]);
    let args = json!({"who": "C-2", "n": 9, "reason": "bored", "note": "a gift card"});
    let mut asked = question(messages, json!({"id": "c2", "tool": "pay", "args": args}));
    asked["session"] = json!({
        "id": "s-1",
        "attributes": {"enduser.id": "SECRET-SESSION"},
        "metadata": {"account": "SECRET-META"},
    });
    asked["facts"] = json!({"balance": "SECRET-FACT"});
    let policy = policy(RULES);
    let answer = ask(&policy, &asked).unwrap();
    let objecting = answer.findings().len() + answer.unknown().len();
    assert!(objecting >= 13, "{}", answer.to_json());
    // Whoever reads findings sees what was compared; the reply must not.
    let findings = format!("{:?}", answer.findings());
    assert!(findings.contains("SECRET-SESSION") && findings.contains("SECRET-META"), "{findings}");

    // One rule at a time, so that none hides behind the bound of a reply.
    let ids: Vec<String> = answer.findings().iter().map(|it| it.rule.to_string()).collect();
    for id in ids.iter().map(String::as_str).chain(["gap"]) {
        let options = crate::Options::new().rules([id]);
        let one = options.texts([("policy", RULES)]).unwrap();
        let answer = ask(&one, &asked).unwrap();
        let reply = answer.reply().unwrap_or_else(|| panic!("{id} says nothing"));
        for secret in SECRETS {
            assert!(!reply.contains(secret), "{id}: {reply}");
        }
        assert!(!reply.contains("gift ?card"), "{id}: {reply}");
    }
}

#[test]
fn a_reply_says_what_would_make_it_right() {
    for (rule, wanted) in [
        ("small", "pay.n 9 > max 5"),
        ("own", "pay.who must be the enduser.id of this session"),
        ("reason", "pay.reason must be one of `late`, `lost`"),
        ("verified", "pay needs an earlier successful call of look"),
        ("told", "hand over to the day shift"),
    ] {
        let options = crate::Options::new().rules([rule]);
        let policy = options.texts([("policy", RULES)]).unwrap();
        let args = json!({"who": "C-2", "n": 9});
        let mut asked = question(json!([]), json!({"tool": "pay", "args": args}));
        asked["session"] = json!({"attributes": {"enduser.id": "C-1"}});
        let answer = ask(&policy, &asked).unwrap();
        assert_eq!(answer.reply(), Some(&*format!("blocked by policy: {wanted}")));
    }
}

#[test]
fn a_reply_is_short_however_much_is_wrong() {
    let mut text = String::from("lawbook: 1\ndefault: allow\nrules:\n");
    for n in 0..40 {
        text.push_str(&format!(
            "  - {{id: r{n}, arg_in: {{tools: [pay], arg: a, values: [x{n}]}}}}\n"
        ));
    }
    text.push_str("  - {id: small, arg_range: {tools: [pay], arg: a, max: 5}}\n");
    let args = json!({"a": "y".repeat(100_000)});
    let asked = question(json!([]), json!({"tool": "pay", "args": args}));
    let answer = ask(&policy(&text), &asked).unwrap();
    assert_eq!(answer.findings().len(), 41);
    let reply = answer.reply().unwrap();
    assert!(reply.chars().count() < 5_000, "{}", reply.len());
    let one = crate::Options::new().rules(["small"]).texts([("policy", &*text)]).unwrap();
    let one = ask(&one, &asked).unwrap();
    assert!(one.reply().unwrap().ends_with("is not a number"));
    assert!(reply.ends_with("and 33 more"), "{}", reply.len());
}
