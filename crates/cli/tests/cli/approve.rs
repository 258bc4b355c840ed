//! `lawbook approve` and `lawbook ledger rejudge`, over a ledger that agents wrote.

use lawbook::agent::{Agents, Policy, ToolRule};
use serde_json::Value;

use crate::ledger::fits;
use crate::room::Room;

/// A room with a ledger in which two payments wait and a look-up was allowed.
fn room() -> Room {
    let room = Room::new(&[]);
    let policy = Policy::new(100)
        .allow("look_up", ToolRule::cost(0))
        .allow("pay", ToolRule::cost(60).with_approval());
    let agents = Agents::open(room.folder.join("ledger")).unwrap();
    let desk = agents.create("desk-1", &policy.build().unwrap()).unwrap();
    desk.request("look_up", r#"{"order": "W1"}"#, None).unwrap();
    desk.request("pay", "{\"eur\": 60, \"to\": \"DE1\u{202e}\"}", None).unwrap();
    desk.request("pay", r#"{"eur": 5}"#, None).unwrap();
    room
}

fn queue(room: &Room) -> Vec<Value> {
    let ran = room.run("approve ledger --format json");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let queue: Value = serde_json::from_str(&ran.out).unwrap();
    fits("approvals", &queue);
    queue["waiting"].as_array().unwrap().clone()
}

#[test]
fn a_person_sees_everything_and_says_yes_to_that() {
    let room = room();
    let ran = room.run("approve ledger");
    assert!(ran.out.contains("DE1\\u{202e}"), "what can't be seen is written out: {}", ran.out);
    assert!(ran.out.contains("2 actions waiting"), "{}", ran.out);
    let waiting = queue(&room);
    assert_eq!(waiting[0]["args"], "{\"eur\": 60, \"to\": \"DE1\u{202e}\"}");
    let binding = waiting[0]["binding"].as_str().unwrap();

    let unseen = room.run("approve ledger desk-1 act-2 --by lead");
    assert_eq!(unseen.code, 2);
    assert!(unseen.err.contains("a yes must name what it covers"), "{}", unseen.err);
    let other = waiting[1]["binding"].as_str().unwrap();
    let wrong = room.run(&format!("approve ledger desk-1 act-2 --by lead --seen {other}"));
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("what was approved is not what waits"), "{}", wrong.err);

    let yes = room.run(&format!("approve ledger desk-1 act-2 --by lead --seen {binding}"));
    assert_eq!(
        (yes.code, yes.out.as_str()),
        (0, "act-2 may run now: it costs 60 credits, 40 left\n")
    );
    let late = room.run(&format!("approve ledger desk-1 act-3 --by lead --seen {other}"));
    assert_eq!(late.code, 1, "{}{}", late.out, late.err);
    assert!(late.out.starts_with("act-3 may not run (insufficient_budget)"), "{}", late.out);
    assert!(queue(&room).is_empty());
    assert_eq!(room.run("approve ledger").out, "nothing waits\n");
}

#[test]
fn a_no_can_leave_a_mark_and_what_is_open_elsewhere_is_not_touched() {
    let room = room();
    let line = "approve ledger desk-1 act-3 --by lead --reject --reason odd --scar moderate";
    let no = room.run(&format!("{line} --format json"));
    let told: Value = serde_json::from_str(&no.out).unwrap();
    fits("approval", &told);
    assert_eq!((no.code, told["status"].as_str()), (0, Some("denied")));
    let again = room.run(line);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("the action is denied and waits for nobody"), "{}", again.err);

    let agents = Agents::open(room.folder.join("ledger")).unwrap();
    assert_eq!(agents.agent("desk-1").unwrap().status().unwrap().scar_score, 3);
    let locked = room.run("approve ledger");
    assert_eq!(locked.code, 2);
    assert!(locked.err.contains("ask the process that has it open"), "{}", locked.err);
    drop(agents);
    assert_eq!(room.run("approve nowhere").code, 2);
}

#[test]
fn every_decision_is_judged_again_and_a_ledger_verifies() {
    let room = room();
    let same = room.run("ledger rejudge ledger");
    assert_eq!((same.code, same.out.as_str()), (0, "3 decisions judged again, all alike\n"));
    let verified = room.run("ledger verify ledger");
    assert_ne!(verified.code, 1, "{}{}", verified.out, verified.err);

    let agents = Agents::open(room.folder.join("ledger")).unwrap();
    let desk = agents.agent("desk-1").unwrap();
    desk.erase(None, "lead", "asked for by the customer").unwrap();
    drop((agents, desk));
    let erased = room.run("ledger rejudge ledger --format json");
    let told: Value = serde_json::from_str(&erased.out).unwrap();
    fits("ledger_rejudge", &told);
    assert_eq!((erased.code, told["erased"].as_u64()), (3, Some(3)));
    assert_eq!(queue(&room)[0]["binding"], Value::Null, "nobody can see what a yes would cover");
}
