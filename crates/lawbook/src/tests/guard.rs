//! Known-good and known-bad calls of a support agent, each through both doors.

use serde_json::json;

use super::{NOW, agent, allowed, ask, calls, denied, policy, question, result, user};
use crate::{Answer, Call, Policy, Session, Start};

const CREDITS: &str = "
lawbook: 1
name: parcel credits
default: deny
user_word: customer
tools:
  find_account: {access: read}
  issue_credit: {access: write, confirm: {bind: [amount]}}
rules:
  - {id: credit-cap, arg_range: {tools: [issue_credit], arg: amount, min: 0, max: 50}}
  - id: verify-first
    require_before: {tools: [issue_credit], first: [find_account], success: true, same_arg: account}
  - {id: own-account, arg_equals: {tools: [issue_credit], arg: account, session: enduser.id}}
";

/// The same conversation through both doors: the account is looked up, the agent proposes, the
/// customer says something, and the credit is asked for.
fn both(policy: &Policy, amount: u32, words: &str) -> Answer {
    let credit = json!({"amount": amount, "account": "A-1"});
    let proposal = format!("I can credit {amount} to A-1. Shall I?");
    let messages = json!([
        user("my parcel is late"),
        calls(&[("c1", "find_account", json!({"account": "A-1"}))]),
        result("c1", r#"{"status": "ok"}"#),
        agent(&proposal),
        user(words),
    ]);
    let mut asked = question(messages, json!({"id": "c2", "tool": "issue_credit", "args": credit}));
    asked["session"] = json!({"id": "s-1", "attributes": {"enduser.id": "A-1"}});
    let stateless = ask(policy, &asked).unwrap();

    let start = Start::new("s-1").attribute("enduser.id", "A-1");
    let mut session = Session::begin(policy, &start, NOW).unwrap();
    session.user("my parcel is late", NOW).unwrap();
    allowed(&session.call(&Call::new("c1", "find_account", r#"{"account": "A-1"}"#), NOW).unwrap());
    session.result("c1", r#"{"status": "ok"}"#, NOW).unwrap();
    session.agent(&proposal, NOW).unwrap();
    session.user(words, NOW).unwrap();
    let live = session.call(&Call::new("c2", "issue_credit", credit.to_string()), NOW).unwrap();

    assert_eq!(live.findings(), stateless.findings());
    assert_eq!((live.verdict(), live.reply()), (stateless.verdict(), stateless.reply()));
    live
}

#[test]
fn a_credit_over_the_limit_is_blocked() {
    denied(&both(&policy(CREDITS), 80, "yes"), &["credit-cap"]);
}

#[test]
fn a_credit_under_the_limit_on_the_own_account_after_a_yes_is_allowed() {
    allowed(&both(&policy(CREDITS), 40, "yes please"));
}

#[test]
fn the_same_credit_after_a_no_is_blocked() {
    let answer = both(&policy(CREDITS), 40, "no, don't do it");
    denied(&answer, &["issue_credit.confirm"]);
    assert!(answer.reply().unwrap().contains("ask the CUSTOMER"), "{:?}", answer.reply());
}

#[test]
fn the_account_of_another_customer_is_blocked() {
    let mut asked = question(
        json!([]),
        json!({"id": "c1", "tool": "issue_credit",
        "args": {"amount": 40, "account": "A-2"}}),
    );
    asked["session"] = json!({"attributes": {"enduser.id": "A-1"}});
    let answer = ask(&policy(CREDITS), &asked).unwrap();
    denied(&answer, &["issue_credit.confirm", "verify-first", "own-account"]);
}

#[test]
fn proven_rules_alone_are_in_force() {
    let digest = policy(CREDITS).digest().to_owned();
    let proven = json!({"schema": "lawbook.proven/1", "policy": digest, "rules": ["credit-cap"]});
    let options = crate::Options::new().proven("proven.json", proven.to_string());
    let held = options.texts([("policy", CREDITS)]).unwrap();
    allowed(&both(&held, 40, "no, don't do it"));
    denied(&both(&held, 80, "yes"), &["credit-cap"]);
    let notes = held.notes().join("\n");
    assert!(notes.contains("not in force: `denied_patterns`, `only_listed`"), "{notes}");
    let held = options.rules(["credit-cap", "own-account"]).texts([("policy", CREDITS)]).unwrap();
    assert!(held.notes().iter().any(|it| it == "in force, but never proven: `own-account`"));
}

#[test]
fn rules_proven_on_another_text_are_refused() {
    let held = |digest: &str| {
        let rules = ["credit-cap", "old"];
        let proven = json!({"schema": "lawbook.proven/1", "policy": digest, "rules": rules});
        let options = crate::Options::new().proven("proven.json", proven.to_string());
        options.texts([("policy", CREDITS)])
    };
    assert_eq!(held("sha256:0").unwrap_err().code(), "stale_proven");
    let notes = held(&digest_of_credits()).unwrap().notes().join("\n");
    assert!(notes.contains("proven, but in no policy any more: `old`"), "{notes}");
    for broken in ["", "{}", r#"{"schema": "lawbook.proven/1", "rules": []}"#] {
        assert!(crate::Options::new().proven("p", broken).texts([("policy", CREDITS)]).is_err());
    }
    let none = json!({"schema": "lawbook.proven/1", "policy": digest_of_credits(), "rules": []});
    let error = crate::Options::new().proven("p", none.to_string()).texts([("policy", CREDITS)]);
    assert_eq!(error.unwrap_err().code(), "no_rule");
}

fn digest_of_credits() -> String {
    crate::digest(CREDITS.as_bytes())
}

#[test]
fn live_doors_refuse_an_empty_policy_and_read_others_strictly() {
    for empty in ["{}", " {\n} \n", "\u{feff}{}"] {
        assert!(Policy::from_text("policy.json", empty).is_err(), "{empty:?}");
    }
    let strict = policy(r#"{"limits": [{"tool": "pay", "arg": "eur", "max": 10}]}"#);
    assert!(strict.notes().iter().any(|it| it.contains("read strictly")));
    // Strictly, an absent argument is objected to; the system itself lets it pass.
    let asked = question(json!([]), json!({"tool": "pay", "args": {}}));
    denied(&ask(&strict, &asked).unwrap(), &["limits[0]"]);
    let options = crate::Options::new().profile(crate::Profile::Compatible);
    let text = r#"{"limits": [{"tool": "pay", "arg": "eur", "max": 10}]}"#;
    allowed(&ask(&options.texts([("policy", text)]).unwrap(), &asked).unwrap());
}

#[test]
fn policies_of_several_readings_are_one_door() {
    let cap = "{lawbook: 1, default: allow, rules: [{id: one, at_most: {tools: [pay], max: 1}}]}";
    let faultgate = r#"{"limits": [{"tool": "pay", "arg": "eur", "max": 10}]}"#;
    let options = crate::Options::new().profile(crate::Profile::Compatible);
    let both = options.texts([("policy.json", faultgate), ("cap.yaml", cap)]).unwrap();
    let mut session = Session::begin(&both, &Start::new("s"), NOW).unwrap();
    let pay = |id: &str, eur: u32| Call::new(id, "pay", json!({"eur": eur}).to_string());
    let answer = session.call(&pay("c1", 11), NOW).unwrap();
    denied(&answer, &["limits[0]"]);
    assert_eq!(answer.findings()[0].layer, 0);
    // What one policy refused has not happened for the other.
    allowed(&session.call(&pay("c2", 9), NOW).unwrap());
    let answer = session.call(&pay("c3", 9), NOW).unwrap();
    denied(&answer, &["one"]);
    assert_eq!(answer.findings()[0].layer, 1);
}

/// The same rules as pmstack writes them, with an approval above the limit.
const PMSTACK: &str = r#"{
  "format": "pmstack.policy/1",
  "onlyListedTools": true,
  "tools": {
    "find_account": {"access": "read"},
    "request_approval": {"access": "read"},
    "issue_credit": {"access": "write", "confirm": true, "maxPerTrace": 2}
  },
  "rules": [
    {"id": "verify-first", "type": "requires-before", "tools": ["issue_credit"], "before": "find_account"},
    {"id": "same-account", "type": "arg-equals", "tools": ["issue_credit"], "argPath": "account",
     "source": {"detail": "metadata.account"}},
    {"id": "credit-approval", "type": "approval-above", "tools": ["issue_credit"], "argPath": "amount",
     "max": 50, "approvalTool": "request_approval"},
    {"id": "credit-cap", "type": "arg-max", "tools": ["issue_credit"], "argPath": "amount", "max": 200}
  ]
}"#;

/// The conversation of [`both`] as one question to a pmstack policy.
fn credit(amount: u32, words: &str, approval: Option<(u32, &str)>) -> serde_json::Value {
    let mut messages = vec![
        user("my parcel is late"),
        calls(&[("c1", "find_account", json!({"account": "A-1"}))]),
        result("c1", r#"{"status": "ok"}"#),
        agent(&format!("I can credit {amount} to A-1. Shall I?")),
        user(words),
    ];
    if let Some((asked, answer)) = approval {
        let args = json!({"account": "A-1", "amount": asked});
        messages.push(calls(&[("c2", "request_approval", args)]));
        messages.push(result("c2", answer));
    }
    let args = json!({"amount": amount, "account": "A-1"});
    let mut asked =
        question(json!(messages), json!({"id": "c3", "tool": "issue_credit", "args": args}));
    asked["session"] = json!({"id": "s-1", "metadata": {"account": "A-1"}});
    asked
}

#[test]
fn a_pmstack_policy_guards_its_known_good_and_known_bad_calls() {
    for profile in [crate::Profile::Strict, crate::Profile::Compatible] {
        let options = crate::Options::new().profile(profile);
        let held = options.texts([("policy.json", PMSTACK)]).unwrap();
        let about = |question: &serde_json::Value| ask(&held, question).unwrap();
        denied(&about(&credit(80, "yes please", None)), &["credit-approval"]);
        allowed(&about(&credit(40, "yes please", None)));
        denied(&about(&credit(40, "no, don't do it", None)), &["confirm"]);
        let granted = r#"{"status": "approved"}"#;
        allowed(&about(&credit(80, "yes please", Some((80, granted)))));
        let refused = r#"{"status": "denied"}"#;
        denied(&about(&credit(80, "yes please", Some((80, refused)))), &["credit-approval"]);
        let mut other = credit(40, "yes please", None);
        other["session"]["metadata"]["account"] = json!("A-2");
        let answer = about(&other);
        denied(&answer, &["same-account"]);
        assert!(!answer.reply().unwrap().contains("A-2"), "{:?}", answer.reply());
        assert_eq!(answer.calls()[0].step, Some(2));
    }
}

#[test]
fn a6_an_approval_serves_what_it_was_asked_for_once_and_until_a_refusal() {
    let held = policy(PMSTACK);
    let granted = r#"{"status": "approved"}"#;
    // Approved for less.
    let answer = ask(&held, &credit(80, "yes please", Some((60, granted)))).unwrap();
    denied(&answer, &["credit-approval"]);
    // Spent by an earlier credit.
    let mut twice = credit(80, "yes please", Some((80, granted)));
    let messages = twice["messages"].as_array_mut().unwrap();
    let args = json!({"amount": 80, "account": "A-1"});
    messages.push(calls(&[("c8", "issue_credit", args.clone())]));
    messages.push(result("c8", r#"{"status": "ok"}"#));
    messages.push(agent("I can credit another 80 to A-1. Shall I?"));
    messages.push(user("yes please"));
    denied(&ask(&held, &twice).unwrap(), &["credit-approval"]);
    // Taken back by a later refusal.
    let mut later = credit(80, "yes please", Some((80, granted)));
    let messages = later["messages"].as_array_mut().unwrap();
    messages.push(calls(&[("c9", "request_approval", args)]));
    messages.push(result("c9", r#"{"status": "denied"}"#));
    denied(&ask(&held, &later).unwrap(), &["credit-approval"]);
}
