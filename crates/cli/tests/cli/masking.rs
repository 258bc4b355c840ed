//! What leaves is masked, at every door that prints words of traces.

use crate::room::{CAP, Room, line};

const SECRET: &str = "amy@example.com";
const POLICY: &str = "lawbook: 1\ndefault: allow\nrules:\n  - {id: to, arg_in: {tools: [send], \
                      arg: to, values: [us]}}\n";

fn room() -> Room {
    let room = Room::new(&[("p.yaml", POLICY), ("cap.yaml", CAP)]);
    let sent = format!("{{\"to\": \"{SECRET}\"}}");
    let id = format!("order of {SECRET}");
    room.write("t.jsonl", line(&id, "send", &sent).as_bytes());
    room.write("tool.jsonl", line("s", SECRET, "{}").as_bytes());
    room
}

#[test]
fn a_report_shows_no_secret_in_any_format() {
    let room = room();
    for format in ["text", "json", "jsonl", "text --all"] {
        let ran = room.run(&format!("check t.jsonl --policy p.yaml --format {format}"));
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        assert!(!format!("{}{}", ran.out, ran.err).contains(SECRET), "{format}: {}", ran.out);
        assert!(ran.out.contains("<EMAIL>"), "{format}: {}", ran.out);
    }
    let ran = room.run("check t.jsonl --policy p.yaml --format json --redact off");
    assert!(ran.out.contains(SECRET), "{}", ran.out);
}

#[test]
fn known_findings_and_marks_fit_under_masking() {
    let room = room();
    for redact in ["builtin", "off"] {
        let line = format!("check t.jsonl --policy p.yaml --format json --redact {redact}");
        assert_eq!(room.run(&format!("{line} --output known.json")).code, 1);
        let again = room.run("check t.jsonl --policy p.yaml --known known.json");
        assert_eq!(again.code, 0, "{redact}: {}{}", again.out, again.err);
    }
    let keep = "check t.jsonl --policy p.yaml --review review.yaml";
    assert_eq!(room.run(keep).code, 1);
    let review = room.read("review.yaml");
    assert!(!review.contains(SECRET), "{review}");
    assert_eq!(room.run(keep).code, 1);
    assert_eq!(room.read("review.yaml"), review, "the same finding is found again");
}

#[test]
fn an_answer_and_its_log_show_no_secret() {
    let room = room();
    let question = format!(
        "{{\"history\": \"complete\", \"call\": {{\"tool\": \"send\", \"args\": {{\"to\": \"{SECRET}\"}}}}}}"
    );
    room.write("q.json", question.as_bytes());
    let ran = room.run("decide --policy p.yaml --question q.json --log d.jsonl");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("<EMAIL>") && !ran.out.contains(SECRET), "{}", ran.out);
    assert!(!room.read("d.jsonl").contains(SECRET));
}

#[test]
fn tools_show_no_secret() {
    let room = room();
    for format in ["text", "json"] {
        let ran = room.run(&format!("tools tool.jsonl --format {format}"));
        assert!(ran.out.contains("<EMAIL>") && !ran.out.contains(SECRET), "{}", ran.out);
    }
}

/// Two sessions of two people whose addresses stand wherever a trace may choose a text.
fn people() -> Room {
    let policy = format!(
        "{POLICY}  - {{id: first, require_before: {{tools: [send], first: [look], success: true}}}}\n"
    );
    let room = Room::new(&[("p.yaml", &policy), ("old.yaml", "lawbook: 1\ndefault: allow\n")]);
    let one = |name: &str| {
        let id = format!("{name}@example.com");
        let tool = "send";
        line(&id, tool, &format!("{{\"to\": \"{id}\"}}"))
    };
    room.write("t.jsonl", [one("amy"), one("bob")].concat().as_bytes());
    room
}

#[test]
fn a_gate_and_its_band_show_no_secret_in_any_format() {
    let room = people();
    let made = room.run("baseline t.jsonl t.jsonl --policy p.yaml --out band.json");
    assert_eq!(made.code, 0, "{}", made.err);
    for text in [&made.out, &made.err, &room.read("band.json")] {
        assert!(!text.contains("@example.com"), "{text}");
    }
    for format in
        ["text", "json", "jsonl", "junit", "sarif", "github", "gitlab", "markdown", "html"]
    {
        let ran =
            room.run(&format!("gate t.jsonl --policy p.yaml --band band.json --format {format}"));
        assert_eq!(ran.code, 1, "{format}: {}{}", ran.out, ran.err);
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains("@example.com"), "{format}: {text}");
            assert!(!text.contains("@\\u") && !text.contains("\\u{40}example"), "{format}: {text}");
        }
    }
    let ran = room.run("gate t.jsonl --policy p.yaml --band band.json --format json");
    let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_ne!(told["sessions"][0]["id"], told["sessions"][1]["id"], "two people stay two");
}

#[test]
fn a_diff_of_policies_shows_no_secret() {
    let room = people();
    for format in ["text", "json", "markdown"] {
        let line = format!("policy diff old.yaml p.yaml --traces t.jsonl --format {format}");
        let ran = room.run(&line);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        assert!(!ran.out.contains("@example.com"), "{format}: {}", ran.out);
    }
}

#[test]
fn no_policy_proposes_what_masking_would_change() {
    let room = Room::new(&[]);
    let many = |it: usize| line(&format!("s{it}"), "send", &format!("{{\"to\": \"{SECRET}\"}}"));
    room.write("t.jsonl", (0..12).map(many).collect::<String>().as_bytes());
    let ran = room.run("policy init t.jsonl --print-questions");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.out.contains(SECRET), "{}", ran.out);
}

#[test]
fn a_summary_of_decisions_shows_no_secret() {
    let room = room();
    let question = format!(
        "{{\"session\": {{\"id\": \"of {SECRET}\"}}, \"history\": \"complete\", \"call\": {{\"tool\": \"send\", \"args\": {{\"to\": \"{SECRET}\"}}}}}}"
    );
    room.write("q.json", question.as_bytes());
    let logged = room.run("decide --policy p.yaml --question q.json --log d.jsonl --redact off");
    assert_eq!(logged.code, 1, "{}{}", logged.out, logged.err);
    for format in ["text", "json"] {
        let ran = room.run(&format!("decisions d.jsonl --format {format}"));
        assert!(!ran.out.contains(SECRET), "{}", ran.out);
    }
}
