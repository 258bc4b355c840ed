//! What a run leaves out, and that it says so: in the report, and on standard error beside JSON.

use serde_json::{Value, json};

use crate::room::{CAP, FAULTGATE, Room, line};

fn room() -> Room {
    let room = Room::new(&[("cap.yaml", CAP), ("fg.json", FAULTGATE)]);
    let deny = line("s", "pay", r#"{"amount": 99}"#);
    room.write("t.jsonl", format!("{deny}{}", line("a", "send", "{}")).as_bytes());
    room
}

#[test]
fn the_header_says_what_was_chosen() {
    let room = room();
    let whole = json!({"rules": [], "ignore": [], "sample": null, "known": []});
    let ran = room.run("check t.jsonl --policy cap.yaml --format json --output known.json");
    assert_eq!(ran.code, 1);
    let report: Value = serde_json::from_str(&room.read("known.json")).unwrap();
    assert_eq!(report["selection"], whole);
    room.run("check t.jsonl --policy cap.yaml --rules ask-first --format json --output more.json");
    let ran = room.run(
        "check t.jsonl --policy cap.yaml --rules cap,ask-first --ignore ask-first --sample 7 \
         --known known.json --known more.json --format jsonl",
    );
    let header: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    let wanted = json!({"rules": ["cap", "ask-first"], "ignore": ["ask-first"], "sample": 7,
                        "known": ["known.json", "more.json"]});
    assert_eq!(header["selection"], wanted);
    assert!(ran.err.contains("note rules left out: denied_patterns, ask-first"), "{}", ran.err);
    assert!(ran.err.contains("note 1 known finding is left out"), "{}", ran.err);
}

#[test]
fn several_reports_may_be_known() {
    let room = room();
    for (rule, file) in [("cap", "a.json"), ("ask-first", "b.json")] {
        room.run(&format!(
            "check t.jsonl --policy cap.yaml --rules {rule} --format json --output {file}"
        ));
    }
    let line = "check t.jsonl --policy cap.yaml --fail-on ask --known b.json";
    assert_eq!(room.run(line).code, 1);
    let ran = room.run(&format!("{line} --known a.json"));
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("note 2 known findings are left out"), "{}", ran.out);
}

#[test]
fn notes_stand_on_standard_error_beside_json() {
    let room = room();
    for format in ["json", "jsonl"] {
        let ran = room.run(&format!("check t.jsonl --format {format}"));
        assert!(ran.err.contains("faultgate's default denied patterns alone"), "{}", ran.err);
        let ran = room.run(&format!("check t.jsonl --policy fg.json --ignore x --format {format}"));
        assert!(ran.err.contains("note no policy has a rule `x`"), "{}", ran.err);
    }
    room.write("lawbook.yaml", b"lawbook: 1\n");
    let ran = room.run("check t.jsonl --format json");
    assert!(ran.err.contains("note policy found at lawbook.yaml"), "{}", ran.err);
    assert!(ran.err.contains("note `lawbook.yaml` has no `default`"), "{}", ran.err);
    let ran = room.run("check t.jsonl");
    assert!(ran.out.contains("note `lawbook.yaml` has no `default`"), "{}", ran.out);
    assert!(!room.run("check t.jsonl --policy cap.yaml").out.contains("no `default`"));
}

#[test]
fn a_selection_that_leaves_no_rule_is_an_error() {
    let room = room();
    for words in [
        "cap.yaml --ignore denied_patterns,cap,ask-first",
        "fg.json --rules none",
        "fg.json --rules cap",
    ] {
        let ran = room.run(&format!("check t.jsonl --policy {words}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words}");
        assert!(ran.err.contains("this leaves no rule to judge by"), "{words}\n{}", ran.err);
    }
    room.write("empty.yaml", b"lawbook: 1\ndefault: allow\ndenied_patterns: []\n");
    assert_eq!(room.run("check t.jsonl --policy empty.yaml").code, 0);
}

#[test]
fn the_flag_is_named_that_is_wrong() {
    let ran = room().run("check t.jsonl --policy cap.yaml --ignore nope --rules cup");
    assert!(ran.err.contains("error --ignore: no policy has a rule `nope`"), "{}", ran.err);
    assert!(ran.err.contains("error --rules: no policy has a rule `cup`"), "{}", ran.err);
}

#[test]
fn the_engines_own_rules_can_be_left_out() {
    let room = room();
    let waivers = "waivers:\n  - {rule: cap, why: a test, by: lead, until: 2020-01-01}\n";
    room.write("waived.yaml", format!("{CAP}{waivers}").as_bytes());
    let of = |words: &str| {
        let ran = room.run(&format!("check t.jsonl --policy waived.yaml --format json {words}"));
        let report: Value = serde_json::from_str(&ran.out).unwrap();
        report["summary"]["by_rule"].clone()
    };
    assert!(of("")["waiver"].is_number(), "{}", of(""));
    assert!(of("--ignore waiver")["waiver"].is_null());
    assert!(of("--rules cap")["waiver"].is_null());
    assert!(of("--rules cap,waiver")["waiver"].is_number());
    for kind in ["waiver", "ran_anyway"] {
        assert!(room.run(&format!("rule {kind}")).out.starts_with(&format!("# {kind}")));
        assert!(room.run("rule").out.contains(&format!("\n{kind} ")));
    }
}

#[test]
fn sessions_are_grouped_by_metadata() {
    let room = room();
    let with = line("s", "pay", "{}").replacen('{', "{\"metadata\":{\"channel\":\"sms\"},", 1);
    room.write("m.jsonl", with.repeat(2).as_bytes());
    for name in ["channel", "metadata.channel", "session.metadata.channel"] {
        let ran = room.run(&format!("check m.jsonl --policy fg.json --group-by {name}"));
        assert!(ran.out.contains("\n  group sms "), "{name}\n{}", ran.out);
        assert!(!ran.out.contains("no session has"), "{}", ran.out);
    }
    let ran = room.run("check m.jsonl --policy fg.json --group-by metadata.none");
    assert!(ran.out.contains("note no session has the attribute `metadata.none`"), "{}", ran.out);
}

#[test]
fn files_that_are_not_there_are_problems_beside_the_rest() {
    let room = room();
    std::fs::create_dir(room.folder.join("folder")).unwrap();
    for word in ["gone.jsonl", "folder", "none/*.jsonl"] {
        for (flag, code) in [("", 2), ("--allow-unreadable", 1)] {
            let words = format!("check {word} t.jsonl --policy cap.yaml --format json {flag}");
            let ran = room.run(&words);
            assert_eq!(ran.code, code, "{words}\n{}", ran.err);
            let report: Value = serde_json::from_str(&ran.out).unwrap();
            assert_eq!(report["problems"][0]["source"], word);
            assert_eq!(report["summary"]["sessions"], 2);
            assert!(ran.err.contains(&format!("error {word}")), "{}", ran.err);
        }
    }
    let ran = room.run("check gone.jsonl --policy cap.yaml --allow-unreadable");
    assert_eq!(ran.code, 3);
    assert!(ran.out.contains("problem gone.jsonl: there is no such file"), "{}", ran.out);
    for command in ["tools", "precheck"] {
        let ran = room.run(&format!("{command} gone.jsonl t.jsonl --policy cap.yaml"));
        assert_eq!(ran.code, 2);
        assert!(ran.out.contains("2 calls"), "{command}\n{}", ran.out);
    }
}

#[test]
fn one_of_a_thing_has_no_plural() {
    let room = room();
    room.write("one.json", line("s", "pay", "{}").as_bytes());
    let ran = room.run("tools one.json");
    assert!(ran.out.contains("1 tool, 1 call in 1 of 1 trace\n"), "{}", ran.out);
    let ran = room.run("precheck one.json --policy cap.yaml");
    assert!(ran.out.contains("1 of 1 session looked at, 1 call read"), "{}", ran.out);
}

#[test]
fn unreadable_policy_tests_are_counted() {
    let room = room();
    room.write("tests/bad.yaml", b"abuot: x\n");
    let ran = room.run("policy test tests");
    assert_eq!((ran.code, ran.out.as_str()), (2, "0 passed, 0 failed, 1 unreadable\n"));
}
