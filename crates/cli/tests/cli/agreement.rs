//! Agreement with labels: rates, lists, rules for a guard, and notes that are kept.

use serde_json::Value;

use crate::room::{Room, line};

const POLICY: &str = "\
lawbook: 1
default: allow
denied_patterns: []
rules:
  - {id: cap, arg_range: {tools: [pay], arg: amount, max: 10}}
  - {id: small, arg_range: {tools: [pay], arg: amount, min: 1}}
  - {id: never-drop, never: {tools: [drop_all]}}
  - {id: no-dump, never: {tools: [dump]}}
";

const LABELS: &str = "\
id,verdict,note
g1,good,
g2,good,explained well
p1,problem,far too much
p2,problem,\"booked twice, during an outage\"
p3,problem,it read all of it
gone,good,
s1,skip,
";

fn room() -> Room {
    let room = Room::new(&[("p.yaml", POLICY), ("l.csv", LABELS)]);
    let text = [
        line("g1", "pay", r#"{"amount": 5}"#),
        line("g2", "pay", r#"{"amount": 50}"#),
        line("p1", "pay", r#"{"amount": 99}"#),
        line("p2", "book", "{}"),
        line("p3", "dump", "{}"),
        line("s1", "pay", r#"{"amount": 5}"#),
        line("u1", "pay", r#"{"amount": 0}"#),
    ];
    room.write("t.jsonl", text.concat().as_bytes());
    room
}

const AGREEMENT: &str = "agreement t.jsonl --policy p.yaml --labels l.csv";

#[test]
fn the_text_says_rates_lists_and_what_a_guard_may_have() {
    let ran = room().run(AGREEMENT);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let wanted = "\
policy p.yaml: lawbook, native
labels l.csv: 7 labels

5 traces compared: 2 good, 3 problem
catches     2 of 3  67% (21% to 94%)  problem traces that the policy flags
agrees      1 of 2   50% (9% to 91%)  good traces that it lets pass
missed: p2
wrongly flagged: g2 (cap)
labelled and not in the traces: gone
labels that say nothing: 1
traces without a label: 1

rule     catches                   agrees                      tried on           wrongly flagged
cap      1 of 3   33% (6% to 79%)  1 of 2  50% (9% to 91%)     2 good, 1 problem  g2
small    0 of 3   0% (0% to 56%)   2 of 2  100% (34% to 100%)  2 good, 1 problem
no-dump  1 of 3   33% (6% to 79%)  2 of 2  100% (34% to 100%)  0 good, 1 problem

flagged no good trace, for a guard:
  --rules small,no-dump
  of these, no good trace put to the test: no-dump
flagged a good trace: cap
had nothing to judge in any labelled trace: never-drop
small also finds something in 1 trace without a label
";
    assert_eq!(ran.out, wanted);
}

#[test]
fn the_json_says_the_same() {
    let ran = room().run(&format!("{AGREEMENT} --format json"));
    let it: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(it["schema"], "lawbook.agreement/1");
    assert_eq!(it["overall"]["catches"]["count"], 2);
    assert_eq!(it["overall"]["agrees"]["low"], 0.094531);
    assert_eq!(it["overall"]["missed"], serde_json::json!(["p2"]));
    assert_eq!(it["proven"], serde_json::json!(["small", "no-dump"]));
    assert_eq!(it["untried"], serde_json::json!(["never-drop"]));
    assert_eq!(it["rules"][0]["standing"], "flagged_good");
    assert_eq!(it["rules"][0]["tried"], serde_json::json!({"good": 2, "problem": 1}));
}

#[test]
fn what_is_proven_is_written_for_a_guard() {
    let room = room();
    let ran = room.run(&format!("{AGREEMENT} --proven-out proven.json"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let it: Value = serde_json::from_str(&room.read("proven.json")).unwrap();
    assert_eq!(it["schema"], "lawbook.proven/1");
    assert!(it["policy"].as_str().unwrap().starts_with("sha256:"));
    assert_eq!(it["rules"], serde_json::json!(["small", "no-dump"]));
    assert_eq!(it["labels"], 5);
    assert_eq!(it["flagged_good"], serde_json::json!({"cap": ["g2"]}));
    let ran = room.run(&format!("{AGREEMENT} --policy p.yaml --proven-out proven.json"));
    assert_eq!(ran.code, 2, "of two policies nothing is proven");
    let ran = room.run(&format!("{AGREEMENT} --proven-out l.csv"));
    assert_eq!(ran.code, 2, "what is read is not replaced");
}

#[test]
fn a_rule_that_only_observes_is_not_proven() {
    let room = room();
    let policy = POLICY.replace("{id: cap, ", "{id: cap, mode: observe, ");
    room.write("p.yaml", policy.as_bytes());
    let ran = room.run(&format!("{AGREEMENT} --proven-out proven.json"));
    assert!(ran.out.contains("  --rules small,no-dump\n"), "{}", ran.out);
    assert!(ran.out.contains("not in force (observe): cap\n"), "{}", ran.out);
    let it: Value = serde_json::from_str(&room.read("proven.json")).unwrap();
    assert_eq!(it["rules"], serde_json::json!(["small", "no-dump"]));
    let ran = room.run(&format!("{AGREEMENT} --format json"));
    let it: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(it["observed"], serde_json::json!(["cap"]));
    assert_eq!(it["rules"][0]["standing"], "observed");
}

#[test]
fn notes_on_traces_that_pass_are_kept_until_they_are_sorted() {
    let room = room();
    let line = format!("{AGREEMENT} --notes r.yaml");
    let ran = room.run(&line);
    assert!(
        ran.out.ends_with(
            "1 note on problem traces that the policy passed, 1 unsorted, 0 found by now\n"
        ),
        "{}",
        ran.out
    );
    let ran = room.run("review r.yaml");
    assert!(ran.out.contains("  trace p2: booked twice, during an outage\n"), "{}", ran.out);
    assert!(ran.out.contains("next: sort the notes that are left\n"), "{}", ran.out);
    let ran = room.run("review r.yaml sort p2 instruction --with outages");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = room.run(&line);
    assert!(ran.out.contains("1 note on problem traces that the policy passed, 0 unsorted"));
    assert!(room.read("r.yaml").contains("    disposition: instruction\n    with: outages\n"));
    // A rule is written for it, and the note says so.
    let more = format!("{POLICY}  - {{id: no-book, never: {{tools: [book]}}}}\n");
    room.write("p.yaml", more.as_bytes());
    let ran = room.run(&line);
    assert!(ran.out.ends_with("0 unsorted, 1 found by now\n"), "{}", ran.out);
    assert!(room.read("r.yaml").contains("state: found now\n"));
}

#[test]
fn the_review_of_findings_and_the_notes_share_a_file() {
    let room = room();
    room.run("check t.jsonl --policy p.yaml --review r.yaml");
    let findings = room.read("r.yaml");
    room.run(&format!("{AGREEMENT} --notes r.yaml"));
    assert!(room.read("r.yaml").starts_with(findings.trim_end()), "{}", room.read("r.yaml"));
    room.run("check t.jsonl --policy p.yaml --review r.yaml");
    assert!(room.read("r.yaml").contains("  - trace: p2\n"), "{}", room.read("r.yaml"));
}

#[test]
fn a_trace_that_could_not_be_judged_is_neither_right_nor_wrong() {
    let room = room();
    let policy = "\
lawbook: 1
denied_patterns: []
rules:
  - {id: sms, when: session.metadata.channel == \"sms\", never: {tools: [book]}}
";
    room.write("p.yaml", policy.as_bytes());
    let ran = room.run(AGREEMENT);
    assert!(ran.out.contains("4 traces compared: 2 good, 2 problem\n"), "{}", ran.out);
    assert!(ran.out.contains("could not be judged: p2\n"), "{}", ran.out);
    // The condition never held, so the rule was not asked.
    assert!(ran.out.contains("had nothing to judge in any labelled trace: sms\n"), "{}", ran.out);
}

#[test]
fn a_failure_mode_and_a_split_choose_among_labels() {
    let room = room();
    room.write(
        "m.csv",
        b"id,verdict,modes,split\ng1,good,,test\ng2,good,,tuning\np1,problem,policy,test\np2,problem,late,test\n",
    );
    let line = "agreement t.jsonl --policy p.yaml --labels m.csv";
    let ran = room.run(line);
    assert!(
        ran.out.contains("note every problem counts; `--mode` compares with one"),
        "{}",
        ran.out
    );
    let ran = room.run(&format!("{line} --mode policy"));
    assert!(ran.out.contains("3 traces compared: 2 good, 1 problem\n"), "{}", ran.out);
    assert!(ran.out.contains("problems of another sort: 1\n"), "{}", ran.out);
    let ran = room.run(&format!("{line} --mode policy --split test"));
    assert!(ran.out.contains("2 traces compared: 1 good, 1 problem\n"), "{}", ran.out);
    let ran = room.run(&format!("{AGREEMENT} --split test"));
    assert!(ran.out.contains("note `--split` is ignored"), "{}", ran.out);
}

#[test]
fn a_project_of_pmstack_is_compared_with_its_own_failure_mode() {
    let room = room();
    let project = r#"{"format": "pmstack.project/1",
 "modes": [{"id": "fm-1", "template": "policy", "createdAt": "2026-05-02T00:00:00Z"}],
 "reviews": {"g1": {"verdict": "pass", "reviewedAt": "2026-05-01T00:00:00Z"},
             "g2": {"verdict": "pass", "reviewedAt": "2026-05-03T00:00:00Z"},
             "p1": {"verdict": "fail", "modes": ["fm-1"]}}}"#;
    room.write("project.json", project.as_bytes());
    let ran = room.run("agreement t.jsonl --policy p.yaml --labels project.json");
    assert!(ran.out.contains("3 labels, failure mode `fm-1`\n"), "{}", ran.out);
    assert!(ran.out.contains("wait for a re-check, being older than the failure mode: g1\n"));
    assert!(ran.out.contains("2 traces compared: 1 good, 1 problem\n"), "{}", ran.out);
}

#[test]
fn labels_without_a_column_or_a_trace_say_so() {
    let room = room();
    for (labels, wanted) in [
        ("id,note\ng1,fine\n", "the column `verdict` is missing"),
        ("trace,verdict\ng1,good\n", "the column `id` is missing"),
        ("g1,good\n", "the column `id` is missing"),
        ("id,verdict\nx1,good\nx2,problem\n", "none of the labels is of a trace"),
    ] {
        room.write("l.csv", labels.as_bytes());
        let ran = room.run(&format!("{AGREEMENT} --proven-out proven.json"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{labels}");
        assert!(ran.err.contains(wanted), "{wanted}\n{}", ran.err);
        assert!(!room.names().iter().any(|it| it == "proven.json"), "{labels}");
    }
}

#[test]
fn what_cannot_be_used_is_two() {
    let room = room();
    for line in [
        "agreement t.jsonl --policy p.yaml --labels nowhere.csv",
        "agreement t.jsonl --policy p.yaml --labels p.yaml",
        "agreement nowhere.jsonl --policy p.yaml --labels l.csv",
        "agreement t.jsonl --policy l.csv --labels l.csv",
        "agreement t.jsonl --policy p.yaml --labels l.csv --mode late",
    ] {
        let ran = room.run(line);
        assert_eq!(ran.code, 2, "{line}\n{}", ran.out);
        assert!(!ran.err.is_empty(), "{line}");
    }
    let ran = room.run("agreement t.jsonl nowhere.jsonl --policy p.yaml --labels l.csv");
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("5 traces compared"), "{}", ran.out);
}
