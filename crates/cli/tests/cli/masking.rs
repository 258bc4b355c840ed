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
