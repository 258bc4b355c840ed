//! Ids that are planted, used again or late, and where a call stands in its message.

use serde_json::{Value, json};

use super::{agent, allowed, ask, calls, denied, policy, question, result, user};
use crate::{Call, Session, Start};

const TWICE: &str =
    "{lawbook: 1, default: allow, rules: [{id: twice, at_most: {tools: [pay], max: 2}}]}";

const FIRST: &str = "{lawbook: 1, default: allow, rules: [
  {id: look-first, require_before: {tools: [pay], first: [look], success: true}}]}";

fn pay(id: &str) -> Value {
    json!({"id": id, "tool": "pay", "args": {"n": 1}})
}

#[test]
fn a_used_id_is_refused() {
    let policy = policy(TWICE);
    let n = || json!({"n": 1});
    let table = [
        // Of an earlier message, with and without a result.
        (json!([calls(&[("c1", "pay", n())]), result("c1", "ok"), user("and?")]), "earlier call"),
        (json!([calls(&[("c1", "pay", n())]), user("and?")]), "earlier call"),
        // Of another tool, in an earlier message and in the last one.
        (json!([calls(&[("c1", "look", n())]), result("c1", "ok"), agent("so")]), "earlier call"),
        (json!([calls(&[("c1", "look", n())])]), "another tool or other arguments"),
        // The same tool with other arguments.
        (json!([calls(&[("c1", "pay", json!({"n": 2}))])]), "another tool or other arguments"),
        // Twice in the last message.
        (json!([calls(&[("c1", "pay", n()), ("c1", "pay", n())])]), "earlier call"),
    ];
    for (messages, why) in table {
        let answer = ask(&policy, &question(messages.clone(), pay("c1"))).unwrap();
        denied(&answer, &["used_id"]);
        let message = &answer.findings()[0].message;
        assert!(message.contains(why), "{message}\n{messages}");
        assert!(answer.reply().unwrap().contains("under a new id"));
    }
}

#[test]
fn a_call_that_has_a_result_ran_already() {
    let messages = json!([calls(&[("c1", "pay", json!({"n": 1}))]), result("c1", "ok")]);
    let answer = ask(&policy(TWICE), &question(messages, pay("c1"))).unwrap();
    denied(&answer, &["used_id"]);
    assert!(answer.findings()[0].ran);
    assert!(answer.reply().unwrap().contains("ran already"));
}

#[test]
fn a_session_refuses_a_used_id_and_does_not_count_the_call() {
    let policy = policy(TWICE);
    let now = super::NOW;
    let mut session = Session::begin(&policy, &Start::new("s"), now).unwrap();
    allowed(&session.call(&Call::new("c1", "pay", "{}"), now).unwrap());
    denied(&session.call(&Call::new("c1", "pay", "{}"), now).unwrap(), &["used_id"]);
    allowed(&session.call(&Call::new("c2", "pay", "{}"), now).unwrap());
    assert_eq!(session.result("c9", "ok", now).unwrap_err().code(), "unknown_action");
}

#[test]
fn a_call_in_the_last_message_is_judged_there_once() {
    let policy = policy(TWICE);
    let before = calls(&[("c0", "pay", json!({"n": 1}))]);
    // Written in another way, it is the same call.
    let mut last = calls(&[("c1", "pay", json!({}))]);
    last["tool_calls"][0]["function"]["arguments"] = json!("{ \"n\" : 1.0 }");
    let answer =
        ask(&policy, &question(json!([before, result("c0", "ok"), last]), pay("c1"))).unwrap();
    allowed(&answer);
    assert_eq!(answer.calls()[0].step_id.as_deref(), Some("m2.c0"));
    // As a call of its own it would be the third.
    let messages = json!([before, result("c0", "ok"), last]);
    let answer = ask(&policy, &question(messages, pay("c9"))).unwrap();
    denied(&answer, &["twice"]);
}

#[test]
fn calls_before_it_in_its_message_are_open_and_later_ones_not_asked_yet() {
    let policy = policy(TWICE);
    let n = || json!({"n": 1});
    let three = calls(&[("c1", "pay", n()), ("c2", "pay", n()), ("c3", "pay", n())]);
    let about = |id| ask(&policy, &question(json!([three]), pay(id))).unwrap();
    allowed(&about("c1"));
    allowed(&about("c2"));
    denied(&about("c3"), &["twice"]);
    // A mate that ran already counts wherever it stands.
    let messages = json!([three, result("c3", "ok"), result("c2", "ok")]);
    denied(&ask(&policy, &question(messages, pay("c1"))).unwrap(), &["twice"]);
}

#[test]
fn calls_of_one_message_never_help_each_other() {
    let policy = policy(FIRST);
    let both = calls(&[("c1", "look", json!({})), ("c2", "pay", json!({"n": 1}))]);
    for messages in [json!([both]), json!([both, result("c1", r#"{"status": "ok"}"#)])] {
        denied(&ask(&policy, &question(messages, pay("c2"))).unwrap(), &["look-first"]);
    }
    let look = calls(&[("c1", "look", json!({}))]);
    let messages = json!([look, result("c1", r#"{"status": "ok"}"#)]);
    allowed(&ask(&policy, &question(messages, pay("c2"))).unwrap());
}

#[test]
fn each_call_of_a_batch_is_judged_with_the_allowed_ones_before_it_open() {
    let policy = policy(
        "{lawbook: 1, default: allow, rules: [
           {id: twice, at_most: {tools: [pay], max: 2}},
           {id: small, arg_range: {tools: [pay], arg: n, max: 5}}]}",
    );
    let pay = |id: &str, n: u32| json!({"id": id, "tool": "pay", "args": {"n": n}});
    let list = json!([pay("c1", 1), pay("c2", 9), pay("c3", 1), pay("c4", 1), pay("c1", 1)]);
    let apart = json!({"history": "complete", "calls": list});
    let answer = ask(&policy, &apart).unwrap();
    let said: Vec<_> = answer.calls().iter().map(|it| (it.verdict.word(), &*it.rules)).collect();
    let rule = |id: &str| [id.to_owned()];
    assert_eq!(said[0], ("allow", [].as_slice()));
    assert_eq!(said[1], ("deny", rule("small").as_slice()));
    assert_eq!(said[2], ("allow", [].as_slice()));
    assert_eq!(said[3], ("deny", rule("twice").as_slice()));
    assert_eq!(said[4], ("deny", rule("used_id").as_slice()));

    // The same where the message is in the list already.
    let n = |n: u32| json!({"n": n});
    let last = calls(&[
        ("c1", "pay", n(1)),
        ("c2", "pay", n(9)),
        ("c3", "pay", n(1)),
        ("c4", "pay", n(1)),
    ]);
    let mut there = json!({"history": "complete", "messages": [last]});
    there["calls"] = json!([pay("c4", 1), pay("c3", 1), pay("c2", 9), pay("c1", 1)]);
    let answer = ask(&policy, &there).unwrap();
    let said: Vec<&str> = answer.calls().iter().map(|it| it.verdict.word()).collect();
    assert_eq!(said, ["allow", "deny", "allow", "deny"]);

    // Calls of two messages are no batch.
    there["calls"] = json!([pay("c1", 1), pay("c9", 1)]);
    assert_eq!(ask(&policy, &there).unwrap_err().code(), "two_messages");
}

#[test]
fn what_the_host_did_not_run_does_not_count() {
    let policy = policy(
        "{lawbook: 1, default: allow, rules: [{id: once, at_most: {tools: [pay], max: 1}}]}",
    );
    let messages = json!([
        calls(&[("c1", "pay", json!({"n": 900}))]),
        result("c1", "blocked by policy: too much"),
    ]);
    let mut asked = question(messages, pay("c2"));
    denied(&ask(&policy, &asked).unwrap(), &["once"]);
    asked["refused"] = json!(["c1"]);
    allowed(&ask(&policy, &asked).unwrap());
    asked["refused"] = json!(["c7"]);
    assert_eq!(ask(&policy, &asked).unwrap_err().code(), "unknown_call");
    // Its call may stand in what was left out.
    asked["history"] = json!("partial");
    let answer = ask(&policy, &asked).unwrap();
    assert!(answer.notes().iter().any(|it| it == "no call has the id `c7`"));
    asked["history"] = json!("complete");
    asked["messages"] = json!([calls(&[("c1", "pay", json!({})), ("c1", "pay", json!({}))])]);
    asked["refused"] = json!(["c1"]);
    assert_eq!(ask(&policy, &asked).unwrap_err().code(), "ambiguous_id");
}

#[test]
fn a_yes_of_a_person_relaxes_what_asked_and_nothing_else() {
    let policy = policy(
        "{lawbook: 1, default: allow, rules: [
           {id: asks, verdict: ask, never: {tools: [pay]}},
           {id: small, arg_range: {tools: [pay], arg: n, max: 5}}]}",
    );
    let mut asked = question(json!([user("hi")]), pay("c1"));
    let answer = ask(&policy, &asked).unwrap();
    assert_eq!(answer.verdict().word(), "ask");
    assert!(answer.reply().unwrap().starts_with("a person must say yes first: "));
    asked["approvals"] = json!([{"call": "c1", "by": "support lead"}]);
    allowed(&ask(&policy, &asked).unwrap());
    asked["call"]["args"]["n"] = json!(9);
    denied(&ask(&policy, &asked).unwrap(), &["small"]);
    // A yes to another call is none to this one.
    asked["call"] = pay("c2");
    assert_eq!(ask(&policy, &asked).unwrap().verdict().word(), "ask");
}
