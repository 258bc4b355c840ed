//! `lawbook decisions`: a log summed up.

use serde_json::{Value, json};

use crate::room::{CAP, Room};
use crate::schema::fits;

const SCHEMA: &str = include_str!("../../../../docs/schema/decisions-1.schema.json");

/// A line of a log.
fn line(
    time: &str,
    session: &str,
    tool: &str,
    verdict: &str,
    rules: &[&str],
    unknown: &[&str],
) -> String {
    let line = json!({
        "schema": "lawbook.decision/1", "time": time, "claimed_at": null, "session": session,
        "policy": "sha256:0", "call_id": null, "tool": tool, "verdict": verdict, "rules": rules,
        "unknown": unknown, "error": null,
    });
    format!("{line}\n")
}

fn log() -> String {
    [
        line("2026-01-01T00:00:00.000Z", "old", "pay", "deny", &["cap"], &[]),
        line("2026-01-05T00:00:00.000Z", "s-1", "pay", "allow", &[], &[]),
        line("2026-01-05T01:00:00.000Z", "s-1", "pay", "deny", &["cap", "own"], &[]),
        line("2026-01-05T02:00:00.000Z", "s-2", "pay", "deny", &["cap"], &[]),
        line("2026-01-06T02:00:00.000Z", "s-2", "wire", "ask", &["asks"], &[]),
        line("2026-01-06T03:00:00.000Z", "s-3", "pay", "deny", &[], &["rate"]),
        line("2026-01-06T04:00:00.000Z", "s-2", "pay", "deny", &["cap"], &[]),
    ]
    .concat()
}

#[test]
fn a_log_is_summed_up_by_rule_tool_and_session() {
    let room = Room::new(&[("d.jsonl", &log())]);
    let ran = room.run("decisions d.jsonl --since 2026-01-05 --format json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let summary: Value = serde_json::from_str(&ran.out).unwrap();
    fits(SCHEMA, &summary);
    let count = |key: &str| summary[key].as_u64().unwrap();
    let counts = ["decisions", "allowed", "asked", "denied", "only_unknown"].map(count);
    assert_eq!(counts, [6, 1, 1, 4, 1]);
    let first = &summary["rules"][0];
    assert_eq!(
        first,
        &json!({
            "rule": "cap", "denied": 3, "asked": 0, "unknown": 0, "sessions": 2,
            "tools": {"pay": 3}, "first": "2026-01-05T01:00:00.000Z",
            "last": "2026-01-06T04:00:00.000Z",
        })
    );
    let blocked = &summary["most_blocked"][0];
    assert_eq!(blocked, &json!({"session": "s-2", "calls": 3, "rules": ["asks", "cap"]}));
    assert_eq!(summary["read_first"][0]["session"], "s-2");
}

#[test]
fn the_summary_reads_well() {
    let room = Room::new(&[("d.jsonl", &log())]);
    let ran = room.run("decisions d.jsonl --since 2026-01-05");
    for part in [
        "6 decisions: 1 allowed, 1 asked about, 4 denied; 1 blocked for want of evidence alone\n",
        "  cap: 3 denied, 0 asked about, 0 unknown, in 2 sessions, 2026-01-05T01:00:00.000Z to",
        "    pay: 3\n",
        "most blocked sessions\n  s-2: 3 calls, by asks, cap\n",
        "read these first\n  s-2: `cap` stood in the way in 2 sessions\n",
        "  s-3: `rate` mostly lacked evidence in 1 session\n",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    // Without `--since` the last seven days count, and these are older.
    let ran = room.run("decisions d.jsonl");
    assert!(ran.out.contains("0 decisions"), "{}", ran.out);
    assert!(ran.out.contains("no rule stood in the way"), "{}", ran.out);
}

#[test]
fn what_decide_writes_is_read_again() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    let question = r#"{"history": "complete", "call": {"tool": "pay", "args": {"amount": 99}}}"#;
    room.run_with("decide --policy cap.yaml --log d.jsonl", question);
    room.run_with("decide --policy cap.yaml --log d.jsonl", "{");
    let ran = room.run("decisions d.jsonl");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in ["2 decisions", "cap: 1 denied", "1 could not be decided: not_json", "(no session)"]
    {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
}

#[test]
fn a_line_that_is_no_decision_is_told_and_the_rest_is_summed_up() {
    let mut text = log();
    text.push_str("not json\n\n{\"schema\": \"lawbook.decision/2\"}\n");
    let long = format!("\"{}\"\n", "x".repeat(3 * 1024 * 1024));
    text.push_str(&long);
    text.push_str(&line("2026-01-07T00:00:00.000Z", "s-9", "pay", "allow", &[], &[]));
    let room = Room::new(&[("d.jsonl", &text)]);
    let ran = room.run("decisions d.jsonl --since 2026-01-05");
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("7 decisions"), "{}", ran.out);
    for place in ["d.jsonl:8:1", "d.jsonl:10:1", "d.jsonl:11:1"] {
        assert!(ran.err.contains(place), "{place}\n{}", ran.err);
    }
    room.write("p.yaml", CAP.as_bytes());
    let ran = room.run("decisions p.yaml");
    assert_eq!((ran.code, ran.err.matches("error").count()), (2, 1), "{}", ran.err);
    assert!(ran.err.contains("this is no log of decisions"), "{}", ran.err);
    assert_eq!(room.run("decisions nowhere.jsonl").code, 2);
    assert_eq!(room.run("decisions d.jsonl --since lately").code, 2);
}

#[test]
fn names_that_an_agent_makes_up_are_no_labels() {
    let room = Room::new(&[("p.yaml", "lawbook: 1\ndefault: deny\ntools: {pay: {}, look: {}}\n")]);
    let made_up = |it: usize| {
        line("2026-01-05T01:00:00.000Z", "s", &format!("pay\n{it}"), "deny", &["listed"], &[])
    };
    let pay = line("2026-01-05T01:00:00.000Z", "s", "pay", "deny", &["listed"], &[]);
    room.write("d.jsonl", ((0..300).map(made_up).collect::<String>() + &pay).as_bytes());
    let ran = room.run("decisions d.jsonl --since 2026-01-05 --format json --policy p.yaml");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let summary: Value = serde_json::from_str(&ran.out).unwrap();
    fits(SCHEMA, &summary);
    assert_eq!(summary["rules"][0]["tools"], json!({"other": 300, "pay": 1}));
    let ran = room.run("decisions d.jsonl --since 2026-01-05 --format json");
    let summary: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(summary["rules"][0]["tools"].as_object().unwrap().len(), 301);
}
