//! What a question can't show: history that was left out (E3), the life of an agent (E4), and a
//! time that only the caller claims (E10).

use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::{EXACT, Reading, SuccessReading};
use lawbook_rule::{
    Asked, EvidenceFrom, Kind, Manner, NameMatch, OnUnknown, Past, Pick, Report, Role, Rule, Said,
    Tools,
};
use serde_json::json;

use super::{NOW, agent, allowed, ask, calls, denied, policy, question, result, unknown, user};
use crate::{Call, Options, Policy, Profile, Session, Start, Time, decide};

#[test]
fn e3_a_partial_history_makes_rules_that_look_back_unknown() {
    let text = "
lawbook: 1
default: allow
tools: {pay: {access: write, confirm: true}}
rules:
  - {id: cap, at_most: {tools: [pay], max: 5}}
  - {id: look-first, require_before: {tools: [pay], first: [look], success: true}}
  - {id: joined, arg_equals: {tools: [pay], arg: n, result: {tool: look, path: n}}}
  - {id: small, arg_range: {tools: [pay], arg: n, max: 5}}
  - {id: own, arg_equals: {tools: [pay], arg: who, session: enduser.id}}
  - {id: one-each, at_most: {tools: [pay], max: 1, per: batch}}
";
    // What the model was shown is all in order; what was cut off may not have been.
    let messages = json!([
        calls(&[("c1", "look", json!({}))]),
        result("c1", r#"{"n": 1}"#),
        agent("Shall I pay 1?"),
        user("yes"),
    ]);
    let mut asked = question(messages, json!({"tool": "pay", "args": {"n": 1, "who": "C-1"}}));
    asked["session"] = json!({"attributes": {"enduser.id": "C-1"}});
    let policy = policy(text);
    allowed(&ask(&policy, &asked).unwrap());
    asked["history"] = json!("partial");
    let answer = ask(&policy, &asked).unwrap();
    denied(&answer, &[]);
    assert!(answer.only_unknown());
    assert_eq!(unknown(&answer), ["pay.confirm", "cap", "look-first", "joined"]);
    // What needs no history is judged all the same.
    asked["call"]["args"]["n"] = json!(9);
    denied(&ask(&policy, &asked).unwrap(), &["small"]);
    // A tool that no such rule concerns may run.
    asked["call"] = json!({"tool": "look", "args": {}});
    allowed(&ask(&policy, &asked).unwrap());
    asked.as_object_mut().unwrap().remove("history");
    assert_eq!(ask(&policy, &asked).unwrap_err().code(), "missing_key");
}

#[test]
fn e3_a_compatible_policy_is_no_way_around_a_partial_history() {
    let text = r#"{"requires": [{"tool": "pay", "after": "look"}]}"#;
    let options = Options::new().profile(Profile::Compatible);
    let policy = options.texts([("policy.json", text)]).unwrap();
    let messages = json!([calls(&[("c1", "look", json!({}))]), result("c1", "ok")]);
    let mut asked = question(messages, json!({"tool": "pay", "args": {}}));
    allowed(&ask(&policy, &asked).unwrap());
    asked["history"] = json!("partial");
    let answer = ask(&policy, &asked).unwrap();
    assert_eq!((answer.verdict(), unknown(&answer)), (Verdict::Deny, vec!["requires[0]"]));
}

/// A made-up kind that rests on all that an agent ever did.
#[derive(Debug)]
struct Lifelong {
    tools: Tools,
}

impl Kind for Lifelong {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "lifelong";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn past(&self) -> Past {
        Past { life: true, ..Past::default() }
    }

    fn judge(&self, (): &(), _asked: &Asked<'_>, _said: &mut Said) {}
}

fn lifelong() -> Policy {
    let rule = Rule {
        id: Arc::from("life-budget"),
        why: None,
        tell: None,
        when: None,
        verdict: Verdict::Deny,
        mode: Mode::Enforce,
        on_unknown: OnUnknown::OwnVerdict,
        report: Report::Each,
        scar: None,
        body: Box::new(Lifelong { tools: Tools::literal(["pay"]) }),
    };
    let rules = lawbook_rule::Policy {
        name: None,
        dialect: "test",
        profile: Profile::Native,
        digest: "sha256:0".to_owned(),
        owner: None,
        not_covered: Vec::new(),
        reading: Reading::Full,
        manner: Manner {
            values: EXACT,
            success: SuccessReading::Declared,
            evidence: EvidenceFrom::Result,
            names: NameMatch::Skeleton,
        },
        pick: Pick::All,
        rules: vec![rule],
        waivers: Vec::new(),
        tools: std::collections::BTreeMap::new(),
    };
    Policy::new(vec![Arc::new(rules)], false, Vec::new(), None)
}

#[test]
fn e4_rules_on_the_life_of_an_agent_are_named_at_load_and_unknown() {
    let policy = lifelong();
    let named = policy.notes().iter().any(|it| it.contains("`life-budget`") && it.contains("life"));
    assert!(named, "{:?}", policy.notes());
    let answer = ask(&policy, &question(json!([]), json!({"tool": "pay", "args": {}}))).unwrap();
    assert_eq!((answer.verdict(), unknown(&answer)), (Verdict::Deny, vec!["life-budget"]));
    assert!(answer.notes().iter().any(|it| it.contains("`life-budget`")));
    let mut session = Session::begin(&policy, &Start::new("s"), NOW).unwrap();
    let answer = session.call(&Call::new("c1", "pay", "{}"), NOW).unwrap();
    assert_eq!(unknown(&answer), ["life-budget"]);
    let other = question(json!([]), json!({"tool": "look", "args": {}}));
    allowed(&ask(&policy, &other).unwrap());
}

#[test]
fn e4_a_rule_on_the_end_of_a_run_is_named_at_load() {
    let policy = policy("{lawbook: 1, default: allow, rules: [{id: whole, complete: {}}]}");
    assert!(policy.notes().iter().any(|it| it.starts_with("`whole`: judged when a session ends")));
}

const WINDOW: &str = "{lawbook: 1, default: allow, rules: [
  {id: rate, at_most: {tools: [pay], max: 1, window: 1m}}]}";

#[test]
fn e10_a_time_that_the_caller_claims_is_kept_and_never_used() {
    let policy = policy(WINDOW);
    let secs = |secs: i64| json!(NOW.nanos / 1_000_000_000 + secs);
    let mut before = calls(&[("c1", "pay", json!({}))]);
    before["timestamp"] = secs(-30);
    let mut asked =
        question(json!([before, result("c1", "ok")]), json!({"tool": "pay", "args": {}}));
    denied(&ask(&policy, &asked).unwrap(), &["rate"]);
    // An hour later, says the caller; the door's own clock says otherwise.
    asked["at"] = json!("2026-01-01T01:00:00Z");
    asked["call"]["at"] = json!("2026-01-01T01:00:00Z");
    let answer = ask(&policy, &asked).unwrap();
    denied(&answer, &["rate"]);
    assert_eq!(answer.claimed_at(), Some("2026-01-01T01:00:00Z"));
    // Backdated, it is judged at the door's time too.
    asked["at"] = json!("2020-01-01T00:00:00Z");
    denied(&ask(&policy, &asked).unwrap(), &["rate"]);
    // The message that holds the asked call does not say when it is asked either.
    let mut last = calls(&[("c2", "pay", json!({}))]);
    last["timestamp"] = secs(3_600);
    asked["messages"] = json!([before, result("c1", "ok"), last]);
    asked["call"]["id"] = json!("c2");
    denied(&ask(&policy, &asked).unwrap(), &["rate"]);
    // Once the door's clock is an hour further, the window is open.
    let later = Time { nanos: NOW.nanos + 3_600_000_000_000 };
    allowed(&decide(&policy, asked.to_string().as_bytes(), later).unwrap());
}

#[test]
fn e10_messages_without_times_leave_a_window_unknown_and_it_is_said() {
    let policy = policy(WINDOW);
    let messages = json!([calls(&[("c1", "pay", json!({}))]), result("c1", "ok")]);
    let answer = ask(&policy, &question(messages, json!({"tool": "pay", "args": {}}))).unwrap();
    assert_eq!((answer.verdict(), unknown(&answer)), (Verdict::Deny, vec!["rate"]));
    let notes = answer.notes().join("\n");
    assert!(notes.contains("`rate`: counted by the times of earlier calls"), "{notes}");
    assert!(notes.contains("calls in `messages` carry no times"), "{notes}");
}

#[test]
fn e10_a_session_counts_by_the_times_that_its_door_gives() {
    let policy = policy(WINDOW);
    let at = |secs: i64| Time { nanos: NOW.nanos + secs * 1_000_000_000 };
    let mut session = Session::begin(&policy, &Start::new("s"), NOW).unwrap();
    allowed(&session.call(&Call::new("c1", "pay", "{}"), at(0)).unwrap());
    denied(&session.call(&Call::new("c2", "pay", "{}"), at(30)).unwrap(), &["rate"]);
    // A clock that runs back opens nothing.
    denied(&session.call(&Call::new("c3", "pay", "{}"), at(-3_600)).unwrap(), &["rate"]);
    allowed(&session.call(&Call::new("c4", "pay", "{}"), at(61)).unwrap());
}
