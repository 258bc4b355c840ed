//! The closing report: it says what its files show, names them, and claims nothing else.

use serde_json::Value;

use crate::room::{Room, line};

const POLICY: &str = "\
lawbook: 1
default: deny
owner: support lead
denied_patterns: []
not_covered: ['tone: a person reads a sample']
tools:
  pay: {access: write}
rules:
  - {id: cap, why: more needs a manager, arg_range: {tools: [pay], arg: amount, max: 10}}
";

fn room() -> Room {
    let room = Room::new(&[("p.yaml", POLICY)]);
    let text = [
        line("a", "pay", r#"{"amount": 99}"#),
        line("b", "find_slots", "{}"),
        line("c", "pay", r#"{"amount": 5}"#),
    ];
    room.write("t.jsonl", text.concat().as_bytes());
    room
}

/// Goes through all phases, as an owner would.
fn walked() -> Room {
    let room = room();
    room.write("l.csv", b"id,verdict,note\na,problem,\nb,problem,during an outage\nc,good,\n");
    let check = "check t.jsonl --policy p.yaml --review r.yaml";
    room.run(check);
    let ran = room.run("review r.yaml --format json");
    let review: Value = serde_json::from_str(&ran.out).unwrap();
    let id = |place: usize| review["findings"][place]["id"].as_str().unwrap().to_owned();
    room.run(&format!("review r.yaml mark {} real", id(0)));
    room.run(&format!("review r.yaml mark {} rule-to-fix --note forgotten", id(1)));
    let edited = POLICY.replace("  pay:", "  find_slots: {access: read}\n  pay:");
    room.write("p.yaml", edited.as_bytes());
    room.run(check);
    let agreement = "agreement t.jsonl --policy p.yaml --labels l.csv --notes r.yaml";
    room.run(&format!("{agreement} --proven-out proven.json"));
    room.run("review r.yaml sort b instruction --with ask_about_outages");
    room.write("build.yml", b"steps:\n  - run: lawbook check fresh.jsonl --policy p.yaml\n");
    room
}

const CLOSING: &str = "closing t.jsonl --policy p.yaml";

#[test]
fn alone_it_says_what_it_was_not_told() {
    let ran = room().run(CLOSING);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let wanted = "\
Policy: p.yaml, 2 rules from support lead
Past traces: breaks the policy in 2 of 3 traces; top rules: cap 1, only_listed 1
Review: no review file was named, so nothing is said of it
Check: no file was named in which it runs (`--runs-in`)
Guard: not set up: no file says which rules are proven (`--proven`)
Not covered by rules: 1
  tone: a person reads a sample
Files read: 2
  policy p.yaml sha256:";
    assert!(ran.out.starts_with(wanted), "{}", ran.out);
    assert!(ran.out.contains("  traces t.jsonl sha256:"), "{}", ran.out);
}

#[test]
fn after_all_phases_it_holds_the_whole_story() {
    let room = walked();
    let all = format!("{CLOSING} --review r.yaml --proven proven.json --runs-in build.yml");
    let ran = room.run(&all);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for wanted in [
        "Past traces: breaks the policy in 1 of 3 traces; top rules: cap 1\n",
        "Review: done: 1 marked real, 0 rule to fix still found, 1 cleared, 0 unmarked\n",
        "Rules fixed after review: 1\n  only_listed, 1 finding cleared: forgotten\n",
        "  build.yml:2 calls: run: lawbook check fresh.jsonl --policy p.yaml\n",
        "Guard: only_listed, cap, proven on 3 labelled traces\n",
        "Notes on traces that the policy passed: 1, 0 unsorted, 0 found by now\n",
        "  during an outage (trace b): an instruction to the agent: ask_about_outages\n",
        "Files read: 5\n",
    ] {
        assert!(ran.out.contains(wanted), "{wanted}\n{}", ran.out);
    }
    let before = room.read("r.yaml");
    let ran = room.run(&format!("{all} --format json"));
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["schema"], "lawbook.closing/1");
    assert_eq!(report["traces"]["broken"], 1);
    assert_eq!(report["review"]["fixed"][0]["rule"], "only_listed");
    assert_eq!(report["guard"]["of_this_policy"], true);
    assert_eq!(report["read"].as_array().unwrap().len(), 5);
    assert_eq!(room.read("r.yaml"), before, "nothing is written but the report");
}

#[test]
fn the_review_is_told_as_it_stands_on_these_traces() {
    let room = walked();
    room.write("p.yaml", POLICY.as_bytes());
    let ran = room.run(&format!("{CLOSING} --review r.yaml --proven proven.json"));
    assert!(ran.out.contains("Review: not done: 1 marked real, 1 rule to fix still found"));
    assert!(ran.out.contains("Rules fixed after review: none\n"), "{}", ran.out);
    assert!(ran.out.contains("  proven of another version of the policy"), "{}", ran.out);
}

#[test]
fn a_project_says_which_check_runs_on_every_change() {
    let room = room();
    let project = r#"{"format": "pmstack.project/1",
 "modes": [{"id": "fm-1", "name": "Breaks a tool policy"}],
 "checks": [{"id": "ck-tool-policy", "type": "policy", "modeId": "fm-1", "ci": true,
             "policy": {"format": "pmstack.policy/1"}},
            {"id": "ck-other", "type": "code", "modeId": "fm-1", "ci": true}]}"#;
    room.write("project.json", project.as_bytes());
    room.write("none.yml", b"# lawbook check t.jsonl\nsteps: []\n");
    room.write("calls.yml", b"- run: sh ./check.sh t.jsonl\n");
    room.write("check.sh", b"\"$LAWBOOK\" check \"$1\"\n");
    let ran = room.run(&format!("{CLOSING} --runs-in calls.yml"));
    let wanted = "  calls.yml:1 runs ./check.sh; name it with `--runs-in` too\n";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    let ran = room.run(&format!("{CLOSING} --runs-in calls.yml --runs-in check.sh"));
    assert!(ran.out.contains("  check.sh:1 calls: \"$LAWBOOK\" check"), "{}", ran.out);
    assert!(!ran.out.contains("name it with"), "{}", ran.out);
    let ran = room.run(&format!("{CLOSING} --runs-in project.json --runs-in none.yml"));
    let wanted = "\
  ck-tool-policy on \"Breaks a tool policy\" in project.json, runs on every change: yes; \
the policy in it is not the text of this policy
  none.yml calls no check
";
    assert!(ran.out.contains(wanted), "{}", ran.out);
}

#[test]
fn a_page_holds_words_of_others_as_words() {
    let room = room();
    let policy = POLICY.replace("tone: a person", "**tone** <b>: a [person](x)\\n# ");
    room.write("p.yaml", policy.as_bytes());
    let ran = room.run(&format!("{CLOSING} --format markdown --output report.md"));
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let page = room.read("report.md");
    assert!(page.starts_with("# Closing report\n\n## Policy\n\np.yaml, 2 rules"), "{page}");
    assert!(page.contains("- \\*\\*tone\\*\\* \\<b\\>: a \\[person\\](x)"), "{page}");
}

#[test]
fn what_cannot_be_used_is_two_and_nothing_is_replaced() {
    let room = walked();
    for words in [
        "--review nowhere.yaml",
        "--proven p.yaml",
        "--proven l.csv",
        "--runs-in nowhere.yml",
        "--output p.yaml",
        "--review r.yaml --output r.yaml",
    ] {
        let before = (room.read("p.yaml"), room.read("r.yaml"));
        let ran = room.run(&format!("{CLOSING} {words}"));
        assert_eq!(ran.code, 2, "{words}\n{}", ran.out);
        assert_eq!((room.read("p.yaml"), room.read("r.yaml")), before);
    }
}
