//! Approvals: bound to what was seen, used once, and judged again when they are given.

use lawbook_diag::Verdict::{Allow, Ask, Deny};
use lawbook_session::Status;

use super::made::{House, call, with_id};

const WIRE: &str = "
lawbook: 1
default: allow
tools: {pay: {cost: 6}, wire: {approval: true, cost: 6}, sign: {approval: true}}
budget: {credits: 10}
rules:
  - {id: soon, approval: {tools: [wire], expires: 60s}}
";

#[test]
fn a10_equal_requests_wait_as_one() {
    let mut house = House::with("{lawbook: 1, default: allow, tools: {wire: {approval: true}}}");
    let first = house.ask("wire", r#"{"to": "bad"}"#);
    for step in 0..50 {
        let again = with_id(&format!("k{step}"), "wire", r#"{"to": "good"}"#);
        assert_eq!(house.agents().request("desk", &again).unwrap().verdict, Ask);
        assert_eq!(house.ask("wire", r#"{"to": "good"}"#).verdict, Ask);
    }
    for _ in 0..2 {
        let waiting = house.agents().waiting(None).unwrap();
        assert_eq!(waiting.len(), 2, "the flood is one line");
        assert_eq!(waiting[0].action, first.action, "the oldest stands first");
        assert_eq!(house.agents().status("desk").unwrap().pending, 2);
        house.restart();
    }
    let joined =
        house.agents().request("desk", &with_id("k7", "wire", r#"{"to": "good"}"#)).unwrap();
    let yes = house.agents().approve("desk", &joined.action, "treasurer", None, "").unwrap();
    assert_eq!(yes.verdict, Allow);
    let told = house.agents().request("desk", &with_id("k9", "wire", r#"{"to": "good"}"#)).unwrap();
    assert_eq!((told.action, told.status), (joined.action, Status::Allowed), "one yes, one action");
    assert_eq!(house.agents().status("desk").unwrap().allowed, 1);
}

#[test]
fn b34_one_id_is_one_charge_and_another_request_under_it_is_a_conflict() {
    let mut house = House::with(
        "{lawbook: 1, default: allow, tools: {refund: {cost: {arg: amount}}}, budget: {credits: 500}}",
    );
    let first =
        house.agents().request("desk", &with_id("k1", "refund", r#"{"amount": 100}"#)).unwrap();
    for _ in 0..2 {
        let again =
            house.agents().request("desk", &with_id("k1", "refund", r#"{"amount": 100}"#)).unwrap();
        assert_eq!((again.action, again.cost, again.repeated), (first.action.clone(), 100, true));
        for other in [
            with_id("k1", "refund", r#"{"amount": 101}"#),
            with_id("k1", "refund", r#"{"amount":100}"#),
            with_id("k1", "Refund", r#"{"amount": 100}"#),
            lawbook_session::Request {
                session: Some("s".into()),
                ..with_id("k1", "refund", r#"{"amount": 100}"#)
            },
            lawbook_session::Request {
                server: Some("s".into()),
                ..with_id("k1", "refund", r#"{"amount": 100}"#)
            },
            lawbook_session::Request {
                cost: Some(100),
                ..with_id("k1", "refund", r#"{"amount": 100}"#)
            },
        ] {
            let conflict = house.agents().request("desk", &other).unwrap_err();
            assert_eq!(conflict.code(), "conflict", "{other:?}");
        }
        assert_eq!(house.agents().status("desk").unwrap().spent, 100);
        house.restart();
    }
}

#[test]
fn b37_a_yes_covers_what_was_seen_and_nothing_else() {
    let mut house = House::with("{lawbook: 1, default: allow, tools: {refund: {approval: true}}}");
    let small = house.ask("refund", r#"{"amount": 100}"#);
    let large = house.ask("refund", r#"{"amount": 1000}"#);
    house.restart();
    let (seen, other) = (small.binding.unwrap(), large.binding.unwrap());
    assert_ne!(seen, other);
    let approve = |action: &str, seen: &str| {
        house.agents().approve("desk", action, "treasurer", Some(seen), "")
    };
    assert_eq!(approve(&large.action, &seen).unwrap_err().code(), "other_request");
    assert_eq!(approve(&small.action, &seen).unwrap().verdict, Allow);
    let grant = house.agents().grant("desk", &small.action, "till").unwrap();
    assert_eq!(
        house.agents().grant("desk", &large.action, "till").unwrap_err().code(),
        "invalid_state"
    );
    let run = house.agents().redeem(&grant, "till").unwrap();
    assert_eq!(run.args, r#"{"amount": 100}"#, "what runs is what stands in the grant");
    // A further request of the same arguments is another one, and waits anew.
    assert_eq!(house.ask("refund", r#"{"amount": 100}"#).verdict, Ask);
    // Somebody writes another amount into the grant.
    let grant = house.agents().redeem(&grant.replacen('.', "x.", 1), "till").unwrap_err();
    assert_eq!(grant.code(), "bad_grant");
}

#[test]
fn b38_one_yes_is_one_execution() {
    let mut house = House::with("{lawbook: 1, default: allow, tools: {wire: {approval: true}}}");
    let waits = house.ask("wire", "{}");
    let approve =
        |house: &House| house.agents().approve("desk", &waits.action, "treasurer", None, "");
    assert_eq!(approve(&house).unwrap().verdict, Allow);
    let grant = house.agents().grant("desk", &waits.action, "bank").unwrap();
    let second = house.agents().grant("desk", &waits.action, "bank").unwrap();
    assert_eq!(house.agents().redeem(&grant, "bank").unwrap().tool, "wire");
    for _ in 0..2 {
        assert_eq!(approve(&house).unwrap_err().code(), "invalid_state");
        for grant in [&grant, &second] {
            assert_eq!(house.agents().redeem(grant, "bank").unwrap_err().code(), "used");
        }
        assert_eq!(house.agents().grant("desk", &waits.action, "bank").unwrap_err().code(), "used");
        assert_eq!(house.agents().status("desk").unwrap().allowed, 1);
        house.restart();
    }
}

#[test]
fn b39_a_yes_is_judged_at_its_own_time_and_over_its_own_budget() {
    let mut house = House::with(WIRE);
    let late = house.ask("wire", r#"{"n": 1}"#);
    house.hands.pass(61);
    house.restart();
    let yes = house.agents().approve("desk", &late.action, "treasurer", None, "").unwrap();
    assert_eq!((yes.verdict, yes.status), (Deny, Status::Denied));
    assert_eq!(yes.rules, ["soon"]);

    let waits = house.ask("wire", r#"{"n": 2}"#);
    assert_eq!(house.ask("pay", "{}").verdict, Allow);
    house.restart();
    let yes = house.agents().approve("desk", &waits.action, "treasurer", None, "").unwrap();
    assert_eq!(yes.verdict, Deny, "the budget was used meanwhile");
    assert!(yes.rules.contains(&"budget".to_owned()), "{:?}", yes.rules);
    assert_eq!(house.agents().status("desk").unwrap().spent, 6);

    let ended = house.ask("sign", "{}");
    assert_eq!(ended.verdict, Ask);
    house.agents().terminate("desk", "incident", "on-call lead").unwrap();
    let yes = house.agents().approve("desk", &ended.action, "treasurer", None, "");
    assert!(yes.map_or(true, |it| it.verdict == Deny), "the agent ended meanwhile");
    assert!(house.agents().grant("desk", &ended.action, "bank").is_err());
}

#[test]
fn b40_a_digest_of_another_scheme_is_refused_by_name_and_what_waits_goes_on_waiting() {
    let house = House::with("{lawbook: 1, default: allow, tools: {wire: {approval: true}}}");
    let waits = house.ask("wire", "{}");
    let binding = waits.binding.clone().unwrap();
    let (_, digest) = binding.split_once(':').unwrap();
    let old = format!("v0:{digest}");
    let error =
        house.agents().approve("desk", &waits.action, "treasurer", Some(&old), "").unwrap_err();
    assert_eq!(error.code(), "other_scheme");
    assert!(error.message().contains("`v0`"), "{error}");
    assert!(error.way_out().unwrap().contains("look at the request again"));
    let yes =
        house.agents().approve("desk", &waits.action, "treasurer", Some(&binding), "").unwrap();
    assert_eq!(yes.verdict, Allow);
    let request = call("wire", "{}");
    assert_eq!(house.agents().request("desk", &request).unwrap().verdict, Ask);
}
