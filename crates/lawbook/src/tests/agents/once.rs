//! One action is run once, by whoever asked first or by a grant, and two people are two persons.

use lawbook_diag::Verdict::{Allow, Ask};
use lawbook_event::{Actor, Answer, Effect};
use lawbook_ledger::store::Store;
use lawbook_session::{Quota, Reply, Status};

use super::made::{House, call, text, with_id};

const WIRE: &str = "{lawbook: 1, default: allow, tools: {wire: {approval: true}}}";
const TWO: &str = "
lawbook: 1
default: allow
rules: [{id: two, approval: {tools: [wire], people: 2}}]
";

fn answer(text: &str) -> Answer<'_> {
    Answer { text: text.into(), recorded: true, error: None, span_error: None, pending: false }
}

/// Whether whoever reads the reply may run the action.
fn licence(reply: &Reply) -> bool {
    reply.status == Status::Allowed && !reply.joined && !reply.ran && !reply.redeemed
}

#[test]
fn of_many_ids_that_were_joined_to_one_request_one_may_run_it() {
    for every in [0, 1] {
        let mut house = House::with(WIRE);
        house.every = every;
        house.restart();
        let ask = |house: &House, id: &str| {
            house.agents().request("desk", &with_id(id, "wire", "{}")).unwrap()
        };
        let first = ask(&house, "k0");
        assert!(!first.joined);
        for id in ["k1", "k2"] {
            let joined = ask(&house, id);
            assert_eq!((joined.verdict, &joined.action), (Ask, &first.action));
            let note = format!("joined to `{}`", first.action);
            assert!(joined.joined && joined.notes.iter().any(|it| it.starts_with(&note)));
        }
        let silent = house.ask("wire", "{}");
        assert!(silent.joined, "also one that gives no id");
        house.agents().approve("desk", &first.action, "treasurer", None, "").unwrap();
        for _ in 0..2 {
            let told = ["k0", "k1", "k2"].map(|it| ask(&house, it));
            assert!(told.iter().all(|it| it.action == first.action));
            assert_eq!(told.each_ref().map(licence), [true, false, false]);
            house.restart();
        }
        let grant = house.agents().grant("desk", &first.action, "bank").unwrap();
        house.agents().redeem(&grant, "bank").unwrap();
        assert!(!licence(&ask(&house, "k0")), "a grant used the yes");
    }
}

#[test]
fn what_its_host_says_ran_is_granted_and_redeemed_no_more() {
    for every in [0, 1] {
        let mut house = House::with("{lawbook: 1, default: allow}");
        house.every = every;
        house.restart();
        let paid = house.agents().request("desk", &with_id("k1", "pay", "{}")).unwrap();
        let grant = house.agents().grant("desk", &paid.action, "bank").unwrap();
        house.agents().result("desk", &paid.action, &answer(r#"{"ok": true}"#)).unwrap();
        for _ in 0..2 {
            assert_eq!(house.agents().redeem(&grant, "bank").unwrap_err().code(), "used");
            let again = house.agents().grant("desk", &paid.action, "bank").unwrap_err();
            assert_eq!(again.code(), "used");
            let told = house.agents().request("desk", &with_id("k1", "pay", "{}")).unwrap();
            assert!(told.ran && !licence(&told) && told.verdict == Allow);
            house.hands.pass(10);
            house.restart();
        }
        let other = house.ask("pay", "{}");
        let grant = house.agents().grant("desk", &other.action, "bank").unwrap();
        house.agents().redeem(&grant, "bank").unwrap();
        house.agents().result("desk", &other.action, &answer("{}")).unwrap();
    }
}

#[test]
fn two_people_are_two_persons_however_one_of_them_is_spelled() {
    let mut house = House::with(TWO);
    for (step, other) in
        ["dana", "Dana ", "d\u{430}na", "ｄａｎａ", "da\u{200b}na"].iter().enumerate()
    {
        let waits = house.ask("wire", &format!(r#"{{"n": {step}}}"#));
        let yes =
            |house: &House, by: &str| house.agents().approve("desk", &waits.action, by, None, "");
        assert_eq!(yes(&house, "dana").unwrap().people_missing, 1);
        for _ in 0..2 {
            let twice = yes(&house, other).unwrap_err();
            assert_eq!(twice.code(), "invalid_state", "{other:?}");
            assert_eq!(house.agents().waiting(None).unwrap()[0].approved_by, ["dana"]);
            house.restart();
        }
        assert_eq!(yes(&house, "erin").unwrap().verdict, Allow);
    }
    let waits = house.ask("wire", "{}");
    let nobody = house.agents().approve("desk", &waits.action, "\u{200b}", None, "").unwrap_err();
    assert_eq!(nobody.code(), "bad_request");
}

#[test]
fn reports_have_a_quota_of_their_own_which_attempts_do_not_use_up() {
    let mut house = House::empty();
    house.quota = Quota { attempts_per_sec: 1, bytes_per_min: 1_000 };
    house.restart();
    house.agents().create("desk", &text("{lawbook: 1, default: allow}")).unwrap();
    let paid = house.ask("pay", "{}");
    while house.agents().request("desk", &call("look", "{}")).is_ok() {}
    let mut heard = 0;
    let refused = loop {
        match house.agents().user_said("desk", Some("s"), "hello") {
            Ok(_) => heard += 1,
            Err(error) => break error.code(),
        }
    };
    assert_eq!((heard, refused), (40, "too_many_attempts"));
    let report = |by: Actor| house.agents().outcome("desk", &paid.action, Effect::Success, by, "");
    assert_eq!(report(Actor::Agent).unwrap_err().code(), "too_many_attempts");
    let told = house.agents().result("desk", &paid.action, &answer("{}")).unwrap_err();
    assert_eq!(told.code(), "too_many_attempts");
    let size = house.store().size();
    assert!(report(Actor::Operator).is_ok(), "people are not turned away");
    house.agents().end_session("desk", Some("s"), &lawbook_event::End::default()).unwrap();
    assert_eq!(house.store().size(), size + 2);
    house.hands.pass(60);
    let large = "x".repeat(70_000);
    let told = house.agents().user_said("desk", Some("s"), &large).unwrap_err();
    assert_eq!(told.code(), "too_many_attempts", "bytes count too");
    let other = house.ask("pay", "{}");
    let grant = house.agents().grant("desk", &other.action, "bank").unwrap();
    while house.agents().user_said("desk", Some("s"), "hello").is_ok() {}
    let used = house.agents().redeem(&grant, "bank").unwrap_err();
    assert_eq!(used.code(), "too_many_attempts");
    house.hands.pass(1);
    house.agents().redeem(&grant, "bank").unwrap();
}

#[test]
fn attempts_that_were_turned_away_are_told_also_where_the_next_one_is_joined() {
    let mut house = House::with(WIRE);
    house.quota = Quota::default();
    house.restart();
    let wire = |id: &str| house.agents().request("desk", &with_id(id, "wire", "{}"));
    wire("k0").unwrap();
    let turned_away = (0..150).filter(|it| wire(&format!("j{it}")).is_err()).count();
    assert_eq!(turned_away, 51);
    house.hands.pass(1);
    assert!(wire("late").unwrap().joined);
    let size = house.store().size();
    house.ask("look", "{}");
    assert!(house.entries(size)[0].contains("\"turned_away\":51"), "{:?}", house.entries(size));
}
