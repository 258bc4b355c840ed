//! `check --format` in every format, and the audit that is kept beside a report.

use serde_json::Value;

use crate::room::{CAP, Room, line};
use crate::schema::complaints;

fn room() -> Room {
    let text = [line("a", "pay", r#"{"amount": 99}"#), line("b", "send", "{}")].concat();
    Room::new(&[("cap.yaml", CAP), ("t.jsonl", &text)])
}

#[test]
fn every_format_is_written_with_the_same_exit_code() {
    let room = room();
    for (format, wanted) in [
        ("junit", "<failure type=\"deny\""),
        ("sarif", "\"uri\":\"cap.yaml\"},\"region\":{\"startLine\":5}"),
        ("github", "::error file=cap.yaml,line=5,title=rule cap::1 finding in 1 session"),
        ("gitlab", "\"location\":{\"path\":\"cap.yaml\",\"lines\":{\"begin\":5}}"),
        ("markdown", "- **deny** `cap`: 1 finding in 1 session"),
        ("html", "<h1 class=\"deny\">Breaks the policy in 2 of 2 traces</h1>"),
    ] {
        let ran = room.run(&format!("check t.jsonl --policy cap.yaml --format {format}"));
        assert_eq!(ran.code, 1, "{format}: {}", ran.err);
        assert!(ran.out.contains(wanted), "{format}: {}", ran.out);
    }
}

#[test]
fn an_audit_holds_every_format_with_digests_and_can_be_done_again() {
    let room = room();
    let ran = room.run("check t.jsonl --policy cap.yaml --audit kept");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let record: Value = serde_json::from_str(&room.read("kept/audit.json")).unwrap();
    let schema = include_str!("../../../../docs/schema/audit-1.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let wrong = complaints(&schema, &schema, &record, "");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names = |list: &str, key: &str| -> Vec<String> {
        let items = record[list].as_array().unwrap().iter();
        items.map(|it| it[key].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(names("inputs", "name"), ["cap.yaml", "t.jsonl"]);
    assert!(names("inputs", "digest").iter().all(|it| it.starts_with("sha256:")), "{record}");
    assert_eq!(names("inputs", "kept"), ["policies/1-cap.yaml", ""]);
    assert_eq!(room.read("kept/policies/1-cap.yaml"), CAP);
    assert_eq!(names("outputs", "name").len(), 6);
    assert_eq!(record["exit"], 1);
    let alone = room.run("check t.jsonl --policy cap.yaml --format json");
    assert_eq!(room.read("kept/report.json"), alone.out);
    let html = room.run("check t.jsonl --policy cap.yaml --format html");
    assert_eq!(room.read("kept/report.html"), html.out);
}

#[cfg(unix)]
#[test]
fn the_script_of_an_audit_judges_again_and_stops_where_an_input_changed() {
    let room = Room::new(&[("it's $(cap).yaml", CAP)]);
    room.write("t 1.jsonl", line("a", "pay", r#"{"amount": 99}"#).as_bytes());
    let mut first = room.command("check --audit kept --policy");
    first.args(["it's $(cap).yaml", "t 1.jsonl"]);
    assert_eq!(first.output().unwrap().status.code(), Some(1));
    let again = || {
        let mut script = std::process::Command::new("sh");
        script.arg("kept/reproduce.sh").current_dir(&room.folder);
        script.env("LAWBOOK", env!("CARGO_BIN_EXE_lawbook")).output().unwrap()
    };
    let ran = again();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert!(said.contains("breaks the policy in 1 of 1 trace"), "{said}");
    room.write("t 1.jsonl", line("a", "pay", r#"{"amount": 9}"#).as_bytes());
    assert_eq!(again().status.code(), Some(2));
}

#[test]
fn an_audit_replaces_nothing_and_refuses_names_that_no_script_can_hold() {
    let room = room();
    room.write("kept/mine.txt", b"mine");
    let ran = room.run("check t.jsonl --policy cap.yaml --audit kept");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the folder of an audit must be new or empty"), "{}", ran.err);
    let mut command = room.command("check t.jsonl --policy cap.yaml --audit new --group-by");
    let ran = command.arg("a\n::error::b").output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(said.contains("can't stand in the script of an audit"), "{said}");
    assert!(!room.names().contains(&"new".to_owned()));
}
