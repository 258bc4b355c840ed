//! The other commands: precheck, tools, policy and rule.

use serde_json::Value;

use crate::room::{CAP, FAULTGATE, Room, line};

fn room() -> Room {
    let room = Room::new(&[("cap.yaml", CAP), ("fg.json", FAULTGATE)]);
    let text = [
        line("a", "pay", r#"{"amount": 99}"#),
        line("b", "get_order", "{}"),
        line("c", "pay", "{}"),
    ];
    room.write("t.jsonl", text.concat().as_bytes());
    room.write(
        "silent.jsonl",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n".repeat(2).as_bytes(),
    );
    room
}

#[test]
fn tools_are_counted_guessed_and_compared_with_the_policy() {
    let room = room();
    room.write(
        "table.yaml",
        b"lawbook: 1\ndefault: deny\ntools:\n  pay: {access: write}\n  look: {access: read}\n",
    );
    let ran = room.run("tools t.jsonl --policy table.yaml");
    let wanted = "\
tool       calls  traces  access  policy
pay            2       2  write   listed
get_order      1       1  read?   not listed
look           0       0  read    listed, never called

2 tools, 3 calls in 3 of 3 traces
";
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with(wanted), "{}", ran.out);
    let ran = room.run("tools t.jsonl --format json");
    let tools: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(tools["summary"]["calls"], 3);
    assert_eq!(tools["summary"]["with_calls"], 3);
    assert_eq!(tools["tools"][0]["tool"], "pay");
    assert_eq!(tools["tools"][1]["guessed"], true);
    assert_eq!(tools["tools"][0]["listed"], Value::Null);
}

#[test]
fn tools_says_when_traces_hold_no_calls() {
    let ran = room().run("tools silent.jsonl");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("these traces hold no calls"), "{}", ran.out);
}

#[test]
fn precheck_says_what_a_policy_would_miss() {
    let room = room();
    let ran = room.run("precheck t.jsonl --policy cap.yaml");
    assert_eq!(ran.code, 0, "{}", ran.out);
    let wanted = "warning rule ask-first: no recorded call is of its tools\n";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    assert!(
        ran.out
            .contains("precheck: OK, format openai_chat, rules from cap.yaml, 3 of 3 sessions looked at, 3 calls read"),
        "{}",
        ran.out
    );
    let ran = room.run("precheck silent.jsonl --policy cap.yaml");
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("error   input: the traces hold no calls"), "{}", ran.out);
    let ran = room.run("precheck t.jsonl --policy cap.yaml --sample 1 --format json");
    let seen: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(seen["summary"]["looked_at"], 1);
    assert_eq!(seen["summary"]["sessions"], 3);
}

#[test]
fn precheck_tells_what_cannot_be_read() {
    let room = room();
    room.write("broken.jsonl", format!("{}nonsense\n", line("a", "pay", "{}")).as_bytes());
    let ran = room.run("precheck broken.jsonl --policy cap.yaml");
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("error   broken.jsonl:2:"), "{}", ran.out);
    assert!(ran.out.contains("precheck: FAILED"), "{}", ran.out);
}

#[test]
fn rule_prints_pages_and_lists_kinds() {
    let room = room();
    let ran = room.run("rule");
    assert_eq!(ran.code, 0);
    assert!(ran.out.lines().any(|it| it.starts_with("arg_range ")), "{}", ran.out);
    let ran = room.run("rule arg_range");
    assert!(ran.out.starts_with("# arg_range\n"), "{}", ran.out);
    let ran = room.run("rule arg_rnge");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `arg_range`?"), "{}", ran.err);
    let ran = room.run("rule --format json");
    let kinds: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(kinds["kinds"].as_array().unwrap().len() > 10);
}

#[test]
fn lint_tells_all_problems_of_a_policy_at_once() {
    let room = room();
    room.write("bad.yaml", b"lawbook: 1\nnane: x\nrules:\n  - {id: a, arg_rnge: {tools: [pay]}}\n");
    let ran = room.run("policy lint bad.yaml");
    assert_eq!(ran.code, 2, "{}", ran.out);
    for part in ["error bad.yaml:2:", "error bad.yaml:4:", "did you mean `name`?", "2 errors"] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    let ran = room.run("policy lint bad.yaml --format json");
    let remarks: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(remarks["remarks"][0]["level"], "error");
    assert_eq!(remarks["remarks"][0]["line"], 2);
    assert_eq!(room.run("policy lint fg.json").code, 0);
}

#[test]
fn the_schema_of_policies_is_json() {
    let ran = room().run("policy schema");
    assert_eq!(ran.code, 0);
    let schema: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(schema["properties"]["rules"].is_object());
}

#[test]
fn fmt_lays_out_in_place_and_checks() {
    let room = room();
    assert_eq!(room.run("policy fmt cap.yaml").code, 0);
    let laid_out = room.read("cap.yaml");
    assert_eq!(room.run("policy fmt --check cap.yaml").code, 0);
    let ran = room.run_with("policy fmt -", &laid_out);
    assert_eq!((ran.code, ran.out), (0, laid_out));
    room.write("bad.yaml", b"lawbook: [1\n");
    let ran = room.run("policy fmt bad.yaml");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(room.read("bad.yaml"), "lawbook: [1\n");
}

const CASE: &str = "\
about: A payment above the cap is refused.
policy: ../cap.yaml
events:
  - {call: pay, args: {amount: 1}}
  - {call: pay, args: {amount: 99}, expect: {verdict: deny, rules: [cap]}}
";

#[test]
fn policy_tests_pass_fail_and_break() {
    let room = room();
    room.write("tests/good.yaml", CASE.as_bytes());
    let ran = room.run("policy test tests");
    assert_eq!((ran.code, ran.out.as_str()), (0, "1 passed, 0 failed\n"));
    room.write("tests/wrong.yaml", CASE.replace("amount: 1}", "amount: 11}").as_bytes());
    let ran = room.run("policy test tests");
    assert_eq!(ran.code, 1);
    let wanted = "\
failed tests/wrong.yaml: A payment above the cap is refused.
  at line 4, call `pay`: verdict: expected allow, got deny
  at line 4, call `pay`: rules: expected [], got [cap] (pay.amount 11 > max 10)
1 passed, 1 failed
";
    assert_eq!(ran.out, wanted);
    let ran = room.run("policy test tests --format json");
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        told["summary"],
        serde_json::json!({"passed": 1, "failed": 1, "skipped": 0, "unreadable": 0})
    );
}

#[test]
fn a_policy_test_that_cannot_be_read_says_why() {
    let table = [
        ("", "the file holds no case"),
        ("# nothing\n", "the file holds no case"),
        ("about: A.\nabuot: B.\n", "unknown field `abuot`"),
        ("about: A.\nabout: B.\n", "duplicate"),
        ("about: A.\npolicy: ../cap.yaml\nevents:\n  - {cal: x}\n", "unknown field `cal`"),
        (
            "about: A.\npolicy: ../cap.yaml\nevents:\n  - {user: hi, args: {}}\n",
            "`args` means nothing beside `user`",
        ),
        ("about: A.\npolicy: ../cap.yaml\nevents:\n  - {call: x, at: soon}\n", "`soon` is no time"),
        (
            "about: A.\npolicy: ../cap.yaml\nevents:\n  - {call: x, expect: maybe}\n",
            "`maybe` is no verdict",
        ),
        ("about: A.\npolicy: nowhere.yaml\nevents:\n  - {call: x}\n", "nowhere.yaml"),
        ("about: A.\npolicy: ../cap.yaml\n", "a case needs `events`, `trace` or `cases`"),
        (
            "about: A.\npolicy: ../cap.yaml\nevents:\n  - {result: c1}\n",
            "no call before has the id `c1`",
        ),
    ];
    for (text, wanted) in table {
        let room = room();
        room.write("tests/case.yaml", text.as_bytes());
        let ran = room.run("policy test tests/case.yaml");
        assert_eq!(ran.code, 2, "{text}\n{}{}", ran.out, ran.err);
        assert!(ran.err.contains(wanted), "{wanted}\n{}", ran.err);
    }
}

#[test]
fn what_a_door_cannot_carry_is_skipped_by_name() {
    let room = room();
    let text = format!("{CASE}  - {{fact: stock, value: 3}}\n");
    room.write("tests/case.yaml", text.as_bytes());
    let ran = room.run("policy test tests");
    assert_eq!(ran.out, "0 passed, 0 failed, 1 skipped (facts need a rule that reads them)\n");
    assert_eq!(ran.code, 3);
}

#[test]
fn every_command_has_help_with_examples() {
    let room = room();
    let table = [
        "check",
        "precheck",
        "tools",
        "review",
        "agreement",
        "closing",
        "rule",
        "policy",
        "policy lint",
        "policy schema",
        "policy fmt",
        "policy test",
        "policy convert",
        "policy init",
        "project",
        "project add",
        "project check",
        "project export",
    ];
    for command in table {
        let ran = room.run(&format!("{command} --help"));
        assert_eq!(ran.code, 0, "{command}");
        assert!(ran.out.contains(&format!("lawbook {command}")), "{command}\n{}", ran.out);
        assert!(ran.out.contains("Example"), "{command}");
    }
}
