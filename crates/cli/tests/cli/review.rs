//! The review file: what a run writes, what a person writes, and what a rerun makes of both.

use serde_json::Value;

use crate::room::{CAP, Room, line};

const TABLE: &str = "\
lawbook: 1
default: deny
denied_patterns: []
tools:
  pay: {access: write}
rules:
  - {id: cap, why: more needs a manager, arg_range: {tools: [pay], arg: amount, max: 10}}
";

fn room() -> Room {
    let room = Room::new(&[("p.yaml", TABLE)]);
    let text = [
        line("a", "pay", r#"{"amount": 99}"#),
        line("b", "find_slots", "{}"),
        line("c", "find_slots", "{}"),
        line("d", "pay", r#"{"amount": 5}"#),
    ];
    room.write("t.jsonl", text.concat().as_bytes());
    room
}

const CHECK: &str = "check t.jsonl --policy p.yaml --review r.yaml";

fn review(room: &Room) -> Value {
    let ran = room.run("review r.yaml --format json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn each_finding_has_an_entry_and_an_edit_that_clears_it() {
    let room = room();
    let ran = room.run(CHECK);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let wanted = "note r.yaml: 0 marked real, 0 rule to fix still found, 0 cleared, 3 unmarked\n";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    let state = review(&room);
    let seen: Vec<String> = state["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {} {}", it["rule"], it["session"], it["edit"]["write"]))
        .collect();
    let wanted = [
        r#""cap" "a" "max: 99""#,
        r#""only_listed" "b" "find_slots: {access: read}""#,
        r#""only_listed" "c" "find_slots: {access: read}""#,
    ];
    assert_eq!(seen, wanted);
}

#[test]
fn marks_stay_and_a_rerun_says_what_is_left() {
    let room = room();
    room.run(CHECK);
    let text = room.read("r.yaml");
    // A person marks the first finding and the second.
    let text =
        text.replacen("    mark:\n    note:\n", "    mark: real\n    note: 'he agreed'\n", 1);
    let text = text.replacen("    mark:\n", "    mark: rule-to-fix\n", 1);
    room.write("r.yaml", text.as_bytes());
    let ran = room.run(CHECK);
    assert_eq!(ran.code, 1, "marks hide nothing");
    let wanted = "1 marked real, 1 rule to fix still found, 0 cleared, 1 unmarked";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    assert!(room.read("r.yaml").contains("    mark: rule to fix\n"), "{}", room.read("r.yaml"));
    // The edit that the review offers is made by hand.
    let edited = TABLE.replace("  pay:", "  find_slots: {access: read}\n  pay:");
    room.write("p.yaml", edited.as_bytes());
    let ran = room.run(CHECK);
    let wanted = "1 marked real, 0 rule to fix still found, 2 cleared, 0 unmarked";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    assert!(ran.out.contains("breaks the policy in 1 of 4 traces\n"), "{}", ran.out);
    let ran = room.run("review r.yaml");
    assert!(ran.out.ends_with("nothing is left: all that is found is real\n"), "{}", ran.out);
    assert!(room.read("r.yaml").contains("note: he agreed\n"));
}

#[test]
fn a_real_finding_that_an_edit_lets_pass_is_told() {
    let room = room();
    room.run(CHECK);
    let id = review(&room)["findings"][0]["id"].as_str().unwrap().to_owned();
    let ran = room.run(&format!("review r.yaml mark {} real --note pending", &id[..5]));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("cap of session a: real\n1 marked real, 0 rule"), "{}", ran.out);
    room.write("p.yaml", TABLE.replace("max: 10", "max: 100").as_bytes());
    let ran = room.run(CHECK);
    assert!(ran.out.contains("; 1 that is marked real pass now\n"), "{}", ran.out);
    let ran = room.run("review r.yaml");
    assert!(ran.out.contains("an edit went too far"), "{}", ran.out);
}

#[test]
fn what_a_run_did_not_judge_keeps_its_state() {
    let room = room();
    room.run(CHECK);
    room.write("d.jsonl", line("d", "pay", r#"{"amount": 5}"#).repeat(2).as_bytes());
    let states = |room: &Room| {
        let findings = review(room)["findings"].as_array().unwrap().clone();
        findings.iter().map(|it| it["state"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    room.run("check d.jsonl --policy p.yaml --review r.yaml");
    assert_eq!(states(&room), ["found"; 3]);
    room.run(&format!("{CHECK} --ignore cap"));
    assert_eq!(states(&room), ["found"; 3]);
    let ran = room.run(&format!("{CHECK} --rules cap"));
    assert!(ran.out.contains("3 unmarked"), "{}", ran.out);
    // A rule that is gone from the policy is looked at and finds nothing.
    room.write("p.yaml", TABLE.replace("default: deny\n", "").as_bytes());
    room.run(CHECK);
    assert_eq!(states(&room), ["found", "cleared", "cleared"]);
}

#[test]
fn what_became_unknown_is_not_cleared() {
    let room = Room::new(&[]);
    let policy = |when: &str| {
        format!("lawbook: 1\nrules:\n  - {{id: never, {when}never: {{tools: [pay]}}}}\n")
    };
    room.write("t.jsonl", line("a", "pay", "{}").repeat(2).as_bytes());
    room.write("p.yaml", policy("").as_bytes());
    room.run(CHECK);
    room.write("p.yaml", policy("when: 'session.metadata.x == 1', ").as_bytes());
    let ran = room.run(CHECK);
    assert!(ran.out.contains("0 cleared, 0 unmarked, 1 unknown\n"), "{}{}", ran.out, ran.err);
}

#[test]
fn known_takes_a_review_and_leaves_out_what_is_real() {
    let room = room();
    room.run(CHECK);
    let id = review(&room)["findings"][0]["id"].as_str().unwrap().to_owned();
    room.run(&format!("review r.yaml mark {id} real"));
    let ran = room.run(&format!("{CHECK} --known r.yaml --rules cap"));
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("note 1 known finding is left out\n"), "{}", ran.out);
    assert!(ran.out.contains("note r.yaml: 1 marked real"), "{}", ran.out);
}

#[test]
fn a_slip_of_the_pen_is_told_with_its_place_and_nothing_is_written() {
    let room = room();
    room.run(CHECK);
    let text = room.read("r.yaml").replacen("mark:\n", "mark: reel\n", 1);
    let text = text.replacen("note:\n", "nte: x\n", 1);
    room.write("r.yaml", text.as_bytes());
    for line in [CHECK, "review r.yaml"] {
        let ran = room.run(line);
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert!(ran.err.contains("`mark` is `reel`"), "{}", ran.err);
        assert!(ran.err.contains("did you mean `note`?"), "{}", ran.err);
    }
    assert_eq!(room.read("r.yaml"), text);
    let ran = room.run("review nowhere.yaml");
    assert_eq!(ran.code, 2, "{}", ran.out);
}

#[test]
fn a_review_replaces_nothing_that_is_read() {
    let room = room();
    for file in ["t.jsonl", "p.yaml"] {
        let before = room.read(file);
        let ran = room.run(&format!("check t.jsonl --policy p.yaml --review {file}"));
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert_eq!(room.read(file), before);
    }
}

#[test]
fn marks_from_the_command_line_are_checked() {
    let room = room();
    room.run(CHECK);
    for (line, wanted) in [
        ("mark zzz real", "holds no `zzz`"),
        ("mark 1 wrong", "there is no mark `wrong`"),
        ("sort t-1 no-gap", "holds no `t-1`"),
    ] {
        let ran = room.run(&format!("review r.yaml {line}"));
        assert_eq!(ran.code, 2, "{line}");
        assert!(ran.err.contains(wanted), "{line}: {}", ran.err);
    }
}

#[test]
fn hostile_words_of_a_trace_stay_text_in_the_review() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    let evil = r#"{"amount": "99\n    mark: real\n- \u001b[2J{x: *a} \u202e"}"#;
    room.write("t.jsonl", line("s\\n- id: x", "pay", evil).repeat(2).as_bytes());
    room.run("check t.jsonl --policy cap.yaml --review r.yaml");
    let state = review(&room);
    assert_eq!(state["findings"].as_array().unwrap().len(), 1, "{state}");
    assert_eq!(state["findings"][0]["session"], "s\n- id: x");
    assert_eq!(state["findings"][0]["mark"], "");
    let text = room.read("r.yaml");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
}
