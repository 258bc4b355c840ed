//! `lawbook decide`: exit codes, the log, and what is printed when nothing can be decided.

use serde_json::{Value, json};

use crate::room::{CAP, FAULTGATE, Ran, Room};
use crate::schema::fits;

const ANSWER: &str = include_str!("../../../../docs/schema/answer-1.schema.json");
const DECISION: &str = include_str!("../../../../docs/schema/decision-1.schema.json");
const QUESTION: &str = include_str!("../../../../docs/schema/question-1.schema.json");

fn room() -> Room {
    Room::new(&[("cap.yaml", CAP), ("fg.json", FAULTGATE), ("empty.json", "{}")])
}

fn question(tool: &str, args: &str) -> String {
    format!(
        r#"{{"session": {{"id": "s-1"}}, "history": "complete", "messages": [], "call": {{"id": "c1", "tool": "{tool}", "args": {args}}}}}"#
    )
}

/// Asks, and reads what stands on standard output, which is always one answer.
fn ask(room: &Room, flags: &str, question: &str) -> (Ran, Value) {
    let ran = room.run_with(&format!("decide {flags}"), question);
    assert_eq!(ran.out.lines().count(), 1, "{}{}", ran.out, ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    fits(ANSWER, &answer);
    (ran, answer)
}

#[test]
fn the_exit_code_says_what_may_become_of_the_call() {
    let room = room();
    let unknown = r#"{"history": "complete", "call": {"tool": "pay"}}"#.to_owned();
    for (flags, question, code, verdict) in [
        ("--policy cap.yaml", question("pay", r#"{"amount": 9}"#), 0, "allow"),
        ("--policy cap.yaml", question("pay", r#"{"amount": 11}"#), 1, "deny"),
        ("--policy cap.yaml", question("send", "{}"), 4, "ask"),
        ("--policy cap.yaml --unattended", question("send", "{}"), 1, "deny"),
        ("--policy cap.yaml", unknown.clone(), 3, "deny"),
        // A finding beside the unknown: it is not for want of evidence alone.
        ("--policy cap.yaml --policy fg.json", question("pay", "{}"), 1, "deny"),
        ("--policy cap.yaml --rules ask-first", question("pay", r#"{"amount": 11}"#), 0, "allow"),
    ] {
        let (ran, answer) = ask(&room, flags, &question);
        assert_eq!(ran.code, code, "{flags} {question}\n{}{}", ran.out, ran.err);
        assert_eq!(answer["verdict"], verdict);
        fits(QUESTION, &serde_json::from_str(&question).unwrap());
    }
}

#[test]
fn what_can_not_be_used_never_ends_as_allowed() {
    let room = room();
    let fine = question("pay", r#"{"amount": 9}"#);
    for (flags, question) in [
        ("--policy nowhere.yaml", fine.as_str()),
        ("--policy empty.json", &fine),
        ("--policy cap.yaml --rules no-such-rule", &fine),
        ("--policy cap.yaml --proven nowhere.json", &fine),
        ("--policy cap.yaml --question nowhere.json", &fine),
        ("--policy cap.yaml --log nowhere/d.jsonl", &fine),
        ("--policy -", &fine),
        ("", &fine),
        ("--policy cap.yaml", ""),
        ("--policy cap.yaml", "{"),
        ("--policy cap.yaml", r#"{"call": {"tool": "pay", "args": {"amount": 9}}}"#),
    ] {
        let (ran, answer) = ask(&room, flags, question);
        assert_eq!(ran.code, 2, "{flags} {question}\n{}{}", ran.out, ran.err);
        assert_eq!((&answer["verdict"], &answer["policy"]), (&json!("deny"), &Value::Null));
        assert!(ran.err.contains("error "), "{flags}: {}", ran.err);
    }
    let ran = room.run_with("decide --no-such-flag", &fine);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
}

#[test]
fn the_log_holds_every_decision_and_no_argument() {
    let room = room();
    let secret = r#"{"amount": 11, "iban": "SECRET-VALUE", "SECRET-KEY": 1}"#;
    ask(&room, "--policy cap.yaml --log d.jsonl", &question("pay", secret));
    ask(&room, "--policy cap.yaml --log d.jsonl", &question("send", secret));
    ask(&room, "--policy cap.yaml --log d.jsonl", "{");
    let batch = json!({
        "history": "complete", "at": "2020-01-01T00:00:00Z",
        "calls": [{"tool": "pay", "args": {"amount": 1}}, {"tool": "pay", "args": "SECRET-VALUE"}],
    });
    ask(&room, "--policy cap.yaml --log d.jsonl", &batch.to_string());
    let log = room.read("d.jsonl");
    assert!(!log.contains("SECRET"), "{log}");
    let lines: Vec<Value> = log.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    lines.iter().for_each(|it| fits(DECISION, it));
    let said: Vec<(&str, &Value, &Value)> = lines
        .iter()
        .map(|it| (it["verdict"].as_str().unwrap(), &it["rules"], &it["error"]))
        .collect();
    let none = Value::Null;
    assert_eq!(
        said,
        [
            ("deny", &json!(["cap"]), &none),
            ("ask", &json!(["ask-first"]), &none),
            ("deny", &json!([]), &json!("not_json")),
            ("allow", &json!([]), &none),
            ("deny", &json!(["cap"]), &none),
        ]
    );
    assert_eq!(lines[3]["claimed_at"], "2020-01-01T00:00:00Z");
    assert!(!lines[3]["time"].as_str().unwrap().starts_with("2020"));
}

#[test]
fn the_log_holds_long_names_cut() {
    let room = room();
    ask(&room, "--policy cap.yaml --log d.jsonl", &question(&"x".repeat(10_000), "{}"));
    let line: Value = serde_json::from_str(&room.read("d.jsonl")).unwrap();
    assert_eq!(line["tool"], format!("{}…", "x".repeat(200)));
}

#[cfg(unix)]
#[test]
fn a_log_is_its_owners_alone_and_is_only_added_to() {
    use std::os::unix::fs::PermissionsExt;
    let room = room();
    let fine = question("pay", r#"{"amount": 9}"#);
    ask(&room, "--policy cap.yaml --log d.jsonl", &fine);
    let mode = std::fs::metadata(room.folder.join("d.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // A line that a stopped writer left behind spoils no other.
    room.write("d.jsonl", b"{\"schema\": \"lawbook.dec");
    ask(&room, "--policy cap.yaml --log d.jsonl", &fine);
    let log = room.read("d.jsonl");
    assert!(log.starts_with("{\"schema\": \"lawbook.dec\n{"), "{log}");
    assert_eq!(log.lines().count(), 2);
}

#[test]
fn proven_rules_alone_are_in_force_and_a_guard_says_so() {
    let room = room();
    let fine = question("pay", r#"{"amount": 9}"#);
    let digest = ask(&room, "--policy cap.yaml", &fine).1["policy"].clone();
    let proven = json!({"schema": "lawbook.proven/1", "policy": digest, "rules": ["cap"]});
    room.write("proven.json", proven.to_string().as_bytes());
    let flags = "--policy cap.yaml --proven proven.json";
    assert_eq!(ask(&room, flags, &question("send", "{}")).0.code, 0);
    let (ran, answer) = ask(&room, flags, &question("pay", r#"{"amount": 11}"#));
    assert_eq!(ran.code, 1);
    let note = "not in force: `denied_patterns`, `ask-first`";
    assert!(answer["notes"].as_array().unwrap().contains(&json!(note)), "{answer}");
    assert!(ran.err.contains(note), "{}", ran.err);
    let other = json!({"schema": "lawbook.proven/1", "policy": "sha256:0", "rules": ["cap"]});
    room.write("other.json", other.to_string().as_bytes());
    let (ran, answer) = ask(&room, "--policy cap.yaml --proven other.json", &fine);
    assert_eq!((ran.code, &answer["verdict"]), (2, &json!("deny")));
    assert!(ran.err.contains("proven on another text of the policy"), "{}", ran.err);
    let (ran, _) = ask(&room, &format!("{flags} --rules cap,ask-first"), &fine);
    assert!(ran.err.contains("in force, but never proven: `ask-first`"), "{}", ran.err);
    let (ran, _) = ask(&room, "--policy cap.yaml", &fine);
    assert!(ran.err.contains("no rule in force is proven"), "{}", ran.err);
}

#[test]
fn a_policy_of_another_system_is_read_strictly() {
    let room = room();
    let absent = question("pay", "{}");
    assert_eq!(ask(&room, "--policy fg.json", &absent).0.code, 1);
    assert_eq!(ask(&room, "--policy fg.json --profile compatible", &absent).0.code, 0);
}

#[test]
fn people_can_read_an_answer_too() {
    let room = room();
    room.write("q.json", question("pay", r#"{"amount": 11}"#).as_bytes());
    let ran = room.run("decide --policy cap.yaml --question q.json --format text");
    assert_eq!(ran.code, 1);
    for line in [
        "deny\n",
        "  deny pay: pay.amount 11 > max 10 [cap]\n",
        "    why: more needs a manager\n",
        "  for the model: blocked by policy: pay.amount 11 > max 10\n",
    ] {
        assert!(ran.out.contains(line), "{line}{}", ran.out);
    }
}

/// The folder of the example, and its page.
const GUARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/guard/");
const PAGE: &str = include_str!("../../../../examples/guard/README.md");

#[test]
fn the_example_of_a_guard_says_what_its_page_says() {
    let room = Room::new(&[]);
    let lines = PAGE.lines().filter(|it| it.contains("# exit "));
    let mut seen = 0;
    for line in lines {
        let (_, rest) = line.split_once("-- ").unwrap();
        let (command, exit) = rest.split_once("  # exit ").unwrap();
        let (command, file) = command.split_once(" < examples/guard/").unwrap();
        let command = command.replace("examples/guard/", GUARD);
        let text = std::fs::read_to_string(format!("{GUARD}{file}")).unwrap();
        fits(QUESTION, &serde_json::from_str(&text).unwrap());
        let ran = room.run_with(&command, &text);
        assert_eq!(ran.code.to_string(), exit, "{line}\n{}{}", ran.out, ran.err);
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        if let Some(reply) = answer["reply"].as_str() {
            assert!(PAGE.contains(reply), "the page must hold: {reply}");
        }
        seen += 1;
    }
    assert_eq!(seen, 4);
}
