//! Variables in place of flags, standard input in place of files, and policies that are not there.

use serde_json::Value;

use crate::room::{CAP, FAULTGATE, Ran, Room, finish, line};

fn room() -> Room {
    let room = Room::new(&[("cap.yaml", CAP), ("fg.json", FAULTGATE)]);
    room.write("t.jsonl", line("s", "pay", r#"{"amount": 99}"#).repeat(2).as_bytes());
    room
}

fn with(room: &Room, line: &str, variables: &[(&str, &str)]) -> Ran {
    let mut command = room.command(line);
    command.envs(variables.iter().copied());
    finish(command, "")
}

#[test]
fn an_empty_variable_is_unset() {
    let room = room();
    let names = ["POLICY", "FORMAT", "OUTPUT", "RULES", "SAMPLE", "KNOWN", "EXIT_ZERO", "JOBS"];
    let names: Vec<String> = names.iter().map(|it| format!("LAWBOOK_{it}")).collect();
    let empty: Vec<(&str, &str)> = names.iter().map(|it| (it.as_str(), "")).collect();
    room.write("lawbook.yaml", CAP.as_bytes());
    let ran = with(&room, "check t.jsonl", &empty);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("policy lawbook.yaml"), "{}", ran.out);
}

#[test]
fn several_policies_stand_in_one_variable() {
    let room = room();
    let both = std::env::join_paths(["cap.yaml", "fg.json"]).unwrap();
    let ran = with(&room, "check t.jsonl", &[("LAWBOOK_POLICY", both.to_str().unwrap())]);
    assert!(ran.out.contains("policy 2 fg.json"), "{}{}", ran.out, ran.err);
}

#[test]
fn switches_take_true_and_false_alone() {
    let room = room();
    let line = "check t.jsonl --policy cap.yaml";
    for (word, code) in [("true", 0), ("1", 0), ("false", 1), ("0", 1), ("yes", 2), ("True", 2)] {
        let ran = with(&room, line, &[("LAWBOOK_EXIT_ZERO", word)]);
        assert_eq!(ran.code, code, "{word}\n{}", ran.err);
    }
}

#[test]
fn a_format_that_another_command_knows_is_ignored() {
    let room = room();
    let ran = with(&room, "tools t.jsonl", &[("LAWBOOK_FORMAT", "jsonl")]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("tool "), "{}", ran.out);
    let ran = with(&room, "check t.jsonl --policy cap.yaml", &[("LAWBOOK_FORMAT", "jsonl")]);
    assert!(ran.out.starts_with("{\"schema\""), "{}", ran.out);
    assert_eq!(with(&room, "tools t.jsonl", &[("LAWBOOK_FORMAT", "jsno")]).code, 2);
}

#[test]
fn a_policy_may_come_from_standard_input() {
    let room = room();
    let ran = room.run_with("check t.jsonl --policy -", CAP);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.starts_with("policy - `caps`"), "{}", ran.out);
    let ran = room.run_with("policy lint -", CAP);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for words in ["check -", "tools -", "precheck -"] {
        let ran = room.run_with(&format!("{words} --policy -"), CAP);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("standard input can be read once"), "{}", ran.err);
    }
}

#[test]
fn only_check_falls_back_to_the_built_in_policy() {
    let room = room();
    for words in ["policy lint", "policy fmt"] {
        let ran = room.run(words);
        assert_eq!(ran.code, 2, "{words}");
        assert!(ran.err.contains("no `lawbook.yaml` here or above"), "{words}\n{}", ran.err);
    }
    let ran = room.run("precheck t.jsonl");
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains(", no rules, 2 of 2 sessions looked at, 2 calls read"), "{}", ran.out);
    assert!(ran.err.contains("no rules are looked at"), "{}", ran.err);
    room.write("lawbook.yaml", CAP.as_bytes());
    for words in ["policy lint", "policy fmt --check", "precheck t.jsonl", "tools t.jsonl"] {
        let ran = room.run(words);
        assert!(ran.err.contains("note policy found at lawbook.yaml"), "{words}\n{}", ran.err);
    }
    let ran = room.run("precheck t.jsonl");
    assert!(ran.out.contains("rules from lawbook.yaml"), "{}", ran.out);
}

#[test]
fn a_missing_policy_is_told_with_what_might_have_been_meant() {
    let room = room();
    let ran = room.run("check t.jsonl --policy cpa.yaml");
    assert!(ran.err.contains("help: did you mean `cap.yaml`?"), "{}", ran.err);
    let ran = room.run("check t.jsonl --policy elsewhere/x");
    assert!(ran.err.contains("help: name a policy file that is there"), "{}", ran.err);
}

#[test]
fn fmt_leaves_policies_of_other_systems_alone() {
    let room = room();
    room.write("later.json", b"{\"permissions\":   {\"allow\": []}}");
    for (file, text) in [("fg.json", FAULTGATE), ("later.json", &room.read("later.json"))] {
        for words in ["policy fmt", "policy fmt --check"] {
            let ran = room.run(&format!("{words} {file}"));
            assert_eq!(ran.code, 0, "{file}: {}", ran.err);
            assert!(ran.err.contains("is left alone"), "{}", ran.err);
            assert_eq!(room.read(file), text);
        }
    }
    let ran = room.run_with("policy fmt -", FAULTGATE);
    assert_eq!((ran.code, ran.out.as_str()), (0, FAULTGATE));
}

#[test]
fn a_sample_is_the_same_to_check_and_precheck() {
    let room = room();
    let text: String = (0..40).map(|it| line(&format!("s{it}"), "pay", "{}")).collect();
    let silent = "{\"id\":\"quiet-N\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n";
    let quiet: String = (0..40).map(|it| silent.replace('N', &it.to_string())).collect();
    room.write("many.jsonl", format!("{text}{quiet}").as_bytes());
    let ran = room.run("check many.jsonl --policy cap.yaml --sample 9 --format json");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let sessions = report["sessions"].as_array().unwrap();
    let wanted: Vec<&Value> =
        sessions.iter().filter(|it| it["calls"] == 0).map(|it| &it["id"]).collect();
    let ran = room.run("precheck many.jsonl --policy cap.yaml --sample 9 --format json");
    let seen: Value = serde_json::from_str(&ran.out).unwrap();
    let remarks = seen["remarks"].as_array().unwrap();
    let got: Vec<&Value> = remarks
        .iter()
        .filter(|it| it["message"] == "the session holds no call")
        .map(|it| &it["about"])
        .collect();
    assert_eq!((seen["summary"]["looked_at"].as_u64(), got), (Some(9), wanted));
    assert_eq!(room.run("precheck many.jsonl --sample 0").code, 2);
    assert_eq!(room.run("check many.jsonl --sample 0").code, 2);
}
