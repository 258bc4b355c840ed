//! Where a machine broke off: what was not durable is not known, and what is recorded as erased is
//! gone.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use lawbook_diag::Verdict::{Allow, Deny};
use lawbook_ledger::store::sim::Faults;
use lawbook_ledger::store::{FileStore, Store};
use lawbook_session::{Agents, Statement};

use super::flaky::Flaky;
use super::made::{ANY_NUMBER, House, OPTIONS, TestKey, call, text, with_id};
use crate::agent::store::compile;

const PURSE: &str = "{lawbook: 1, default: allow, tools: {pay: {cost: 4}}, budget: {credits: 10}}";
const SECRET: &str = "12 Elm Street";

/// The agents of a house whose store breaks when it is told to.
fn over(house: &mut House, every: u64) -> (Arc<Flaky>, Agents) {
    house.close();
    let store = FileStore::open_on(Arc::new(house.disk.clone()), &OPTIONS).unwrap();
    let flaky = Arc::new(Flaky::over(Arc::new(store)));
    let agents = Agents::open_at(flaky.clone(), compile(), house.hands.clone()).unwrap();
    (flaky, agents.quota(ANY_NUMBER).grants(Arc::new(TestKey)).snapshots_every(every))
}

#[test]
fn what_was_not_durable_is_forgotten_before_the_next_answer() {
    let mut house = House::with(PURSE);
    let (flaky, agents) = over(&mut house, 0);
    let pay = |id: &str| agents.request("desk", &with_id(id, "pay", "{}"));
    assert_eq!(pay("k1").unwrap().cost, 4);
    flaky.loses.store(1, Ordering::Relaxed);
    assert_eq!(pay("k2").unwrap_err().code(), "not_durable");
    let standing = agents.status("desk").unwrap();
    assert_eq!((standing.spent, standing.allowed), (4, 1), "the lost one was never there");
    let again = pay("k2").unwrap();
    assert_eq!((again.verdict, again.repeated, again.standing.spent), (Allow, false, 8));
    assert_eq!(pay("k3").unwrap().verdict, Deny);
}

#[test]
fn a_person_whose_yes_was_lost_may_say_it_again() {
    let mut house = House::with("{lawbook: 1, default: allow, tools: {wire: {approval: true}}}");
    let (flaky, agents) = over(&mut house, 0);
    let waits = agents.request("desk", &call("wire", "{}")).unwrap();
    let approve = || agents.approve("desk", &waits.action, "treasurer", None, "");
    flaky.loses.store(1, Ordering::Relaxed);
    assert_eq!(approve().unwrap_err().code(), "not_durable");
    assert_eq!(agents.grant("desk", &waits.action, "bank").unwrap_err().code(), "invalid_state");
    assert_eq!(approve().unwrap().verdict, Allow);
    let grant = agents.grant("desk", &waits.action, "bank").unwrap();
    flaky.loses.store(1, Ordering::Relaxed);
    assert_eq!(agents.redeem(&grant, "bank").unwrap_err().code(), "not_durable");
    assert!(agents.redeem(&grant, "bank").is_ok(), "nobody was told that it may run");
}

#[test]
fn what_is_recorded_as_erased_is_erased_by_the_next_opening() {
    // With snapshots after every entry, and without any.
    for (every, whole) in [(0, true), (0, false), (1, true), (1, false)] {
        let mut house = House::with("{lawbook: 1, default: allow}");
        let (flaky, agents) = over(&mut house, every);
        let ask = |text: &str| {
            let args = format!(r#"{{"to": "{text}"}}"#);
            let reply = agents.request("desk", &call("mail", &args)).unwrap();
            agents.action("desk", &reply.action).unwrap().entry
        };
        let entry = ask(SECRET);
        flaky.keeps.store(true, Ordering::Relaxed);
        let erased = agents.erase("desk", (!whole).then_some(entry), "data officer", "asked");
        assert!(erased.is_err() && house.disk.holds(SECRET.as_bytes()));
        let later = ask("9 Oak Lane");
        drop(agents);
        drop(flaky);
        house.restart();
        assert!(!house.disk.holds(SECRET.as_bytes()), "snapshots {every}, all {whole}");
        assert!(house.disk.holds(b"9 Oak Lane"), "what came after it stays");
        assert_eq!(house.agents().action("desk", "act-1").unwrap().args, None);
        assert!(house.agents().action("desk", "act-2").unwrap().args.is_some());
        // Nothing is left to do for the next opening.
        let owed = [("desk".to_owned(), later)].into();
        assert_eq!(house.store().erase_before(&owed).unwrap(), 0);
    }
}

#[test]
fn wherever_the_machine_stops_an_entry_that_says_erased_comes_true() {
    let mut broke_off = 0;
    for seed in 0..100 {
        let mut house = House::on(seed);
        house.agents().create("desk", &text("{lawbook: 1, default: allow}")).unwrap();
        house.ask("mail", &format!(r#"{{"to": "{SECRET}"}}"#));
        let before = house.store().size();
        house.disk.faults(Faults { crash: 1_500, ..Faults::default() });
        let told = house.agents().erase("desk", None, "data officer", "asked");
        house.disk.crash();
        house.close();
        house.disk.faults(Faults::default());
        house.disk.restart();
        let lay_there = house.disk.holds(SECRET.as_bytes());
        house.restart();
        let recorded = house.entries(before).iter().any(|it| it.contains("\"erased\""));
        broke_off += u64::from(recorded && lay_there);
        assert!(told.is_err() || recorded, "seed {seed}");
        assert_eq!(house.disk.holds(SECRET.as_bytes()), !recorded, "seed {seed}");
    }
    assert!(broke_off > 3, "{broke_off} of 100 broke off between the entry and the erasure");
}

#[test]
fn a_successor_that_was_begun_goes_on_on_the_same_word_alone() {
    let word = |remaining: u64| Statement {
        by: "head of accounts".to_owned(),
        why: "a new quarter".to_owned(),
        remaining: Some(remaining),
        scars: true,
    };
    for reopens in [false, true] {
        let mut house = House::with(PURSE);
        let (flaky, agents) = over(&mut house, 0);
        // The end of the other agent, the genesis, and the policy, which is lost.
        flaky.loses.store(3, Ordering::Relaxed);
        let begun = agents.succeed("desk-2", &text(PURSE), "desk", Some(word(2))).unwrap_err();
        assert_eq!(begun.code(), "not_durable");
        flaky.flush().unwrap();
        let mut agents = agents;
        let mut held = Some(flaky);
        if reopens {
            drop((agents, held.take()));
            let (flaky, again) = over(&mut house, 0);
            (agents, held) = (again, Some(flaky));
        }
        let succeed = |it: Option<Statement>| agents.succeed("desk-2", &text(PURSE), "desk", it);
        let others = [
            Some(word(9)),
            Some(Statement { by: "somebody else".to_owned(), ..word(2) }),
            Some(Statement { why: "another reason".to_owned(), ..word(2) }),
            None,
        ];
        for other in others {
            let told = succeed(other.clone()).unwrap_err();
            assert_eq!(told.code(), "agent_exists", "{other:?}");
        }
        assert_eq!(agents.create("desk-2", &text(PURSE)).unwrap_err().code(), "agent_exists");
        let begun = succeed(Some(word(2))).unwrap();
        assert_eq!((begun.alive, begun.remaining), (true, Some(2)), "reopened: {reopens}");
        drop((agents, held));
    }
}

#[test]
fn an_agent_whose_beginning_was_lost_begins_again() {
    let mut house = House::empty();
    for lost in [1, 2] {
        let (flaky, agents) = over(&mut house, 0);
        let name = format!("desk-{lost}");
        flaky.loses.store(lost, Ordering::Relaxed);
        assert!(agents.create(&name, &text(PURSE)).is_err());
        flaky.loses.store(0, Ordering::Relaxed);
        assert_eq!(agents.status(&name).unwrap_err().code(), "not_found");
        assert!(agents.create(&name, &text(PURSE)).unwrap().alive, "entry {lost}");
        assert_eq!(agents.request(&name, &call("pay", "{}")).unwrap().verdict, Allow);
    }
}
