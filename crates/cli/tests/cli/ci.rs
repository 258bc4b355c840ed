//! The script of `examples/ci` stops a build when it should.

use std::path::Path;
use std::process::Command;

use crate::room::{CAP, Room, line};

/// The script, run in a folder as a build would run it. Gives the exit code and what was said.
fn run(room: &Room, variables: &[(&str, &str)]) -> (i32, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ci/check.sh");
    let mut command = Command::new("sh");
    command.arg(script).current_dir(&room.folder).env("LAWBOOK", env!("CARGO_BIN_EXE_lawbook"));
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8(said).unwrap())
}

#[cfg(unix)]
#[test]
fn the_script_of_the_example_ends_as_a_build_should() {
    let room = Room::new(&[("lawbook.yaml", CAP)]);
    room.write("fresh.jsonl", line("a", "pay", r#"{"amount": 5}"#).as_bytes());
    let (code, said) = run(&room, &[]);
    assert_eq!(code, 0, "{said}");
    room.write("fresh.jsonl", line("a", "pay", r#"{"amount": 99}"#).as_bytes());
    assert_eq!(run(&room, &[]).0, 1);
    assert_eq!(run(&room, &[("TRACES", "nowhere.jsonl")]).0, 2);
    let silent = "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n";
    room.write("silent.jsonl", silent.as_bytes());
    assert_eq!(run(&room, &[("TRACES", "silent.jsonl")]).0, 3);
    room.write("lawbook.yaml", CAP.replace("default: allow", "defualt: allow").as_bytes());
    assert_eq!(run(&room, &[]).0, 2);
}

#[cfg(unix)]
#[test]
fn policy_tests_and_exported_checks_run_where_they_are() {
    let room = Room::new(&[("lawbook.yaml", CAP)]);
    room.write("fresh.jsonl", line("a", "pay", r#"{"amount": 5}"#).as_bytes());
    let case = "about: A.\npolicy: ../lawbook.yaml\nevents:\n  - {call: pay, args: {amount: 99}}\n";
    room.write("tests/wrong.yaml", case.as_bytes());
    assert_eq!(run(&room, &[]).0, 1);
    std::fs::remove_dir_all(room.folder.join("tests")).unwrap();
    let policy = r#"{"format": "pmstack.policy/1", "onlyListedTools": true, "tools": {}}"#;
    let checks = format!(
        r#"{{"format": "pmstack.checks/1", "checks": [{{"id": "ck", "modeId": "m", "type": "policy", "ci": true, "policy": {policy}}}]}}"#
    );
    room.write("checks.json", checks.as_bytes());
    let (code, said) = run(&room, &[("CHECKS", "checks.json")]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("ck fails: a"), "{said}");
}
