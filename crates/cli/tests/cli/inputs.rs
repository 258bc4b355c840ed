//! What a command reads: files, globs, standard input, gzip, and everything that is broken.

use std::io::Write;

use crate::room::{CAP, Room, line};

fn packed(text: &str) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap()
}

#[test]
fn every_way_in_reads_the_same_sessions() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    let lines = [
        line("a", "pay", r#"{"amount": 99}"#),
        line("b", "pay", r#"{"amount": 1}"#),
        line("c", "pay", r#"{"amount": 98}"#),
    ];
    let text = lines.concat();
    room.write("t.jsonl", text.as_bytes());
    room.write("crlf.jsonl", text.replace('\n', "\r\n").as_bytes());
    room.write("mark.jsonl", format!("\u{feff}{text}").as_bytes());
    room.write("open.jsonl", text.trim_end().as_bytes());
    room.write("gaps.jsonl", format!("\n\n{}\n", text.replace('\n', "\n\n")).as_bytes());
    room.write("t.jsonl.gz", &packed(&text));
    let array = format!("[\n{}\n]", lines.map(|it| it.trim_end().to_owned()).join(",\n"));
    room.write("array.json", array.as_bytes());
    room.write("parts/1.jsonl", lines_of(&text, 0..2).as_bytes());
    room.write("parts/2.jsonl", lines_of(&text, 2..3).as_bytes());
    let table = [
        "t.jsonl",
        "crlf.jsonl",
        "mark.jsonl",
        "open.jsonl",
        "gaps.jsonl",
        "t.jsonl.gz",
        "array.json",
        "parts/1.jsonl parts/2.jsonl",
        "parts/*.jsonl",
        "-",
    ];
    for words in table {
        let ran = room.run_with(&format!("check {words} --policy cap.yaml"), &text);
        assert_eq!(ran.code, 1, "{words}\n{}{}", ran.out, ran.err);
        let sum = "3 sessions, 3 calls: 2 findings in 2 sessions\n";
        assert!(ran.out.contains(sum), "{words}\n{}", ran.out);
        assert!(ran.out.find("session a").unwrap() < ran.out.find("session c").unwrap());
    }
    let ran = room.run_with("check - --policy cap.yaml --all", &text);
    assert!(ran.out.contains("session c (-:3): deny"), "{}", ran.out);
}

fn lines_of(text: &str, range: std::ops::Range<usize>) -> String {
    text.lines().skip(range.start).take(range.len()).map(|it| format!("{it}\n")).collect()
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    let good = line("s", "pay", r#"{"amount": 1}"#);
    let deep = "[".repeat(100_000);
    let table: [(&str, Vec<u8>, &str); 13] = [
        ("an empty file", b"".to_vec(), "t.json: the input is empty"),
        ("white space alone", b" \n\n".to_vec(), "t.json: the input is empty"),
        ("no JSON", b"hello\n".to_vec(), "t.json:1:"),
        ("a cut document", b"{\"messages\": [".to_vec(), "t.json:1:"),
        ("a broken line", format!("{good}{{\"a\n{good}").into_bytes(), "t.json:2:"),
        ("a broken first line", format!("{{\"a\n{good}{good}").into_bytes(), "t.json:1:"),
        ("an unknown format", b"{\"a\": 1}".to_vec(), "t.json: this is no trace of a known format"),
        ("a list of numbers", b"[1, 2]".to_vec(), "t.json: this is no trace of a known format"),
        ("null spans", b"{\"resourceSpans\": null}".to_vec(), "t.json"),
        ("no UTF-8", [good.as_bytes(), b"\xff\xfe\n", good.as_bytes()].concat(), "t.json:2:"),
        ("deep nesting", deep.into_bytes(), "t.json:1:"),
        ("a deep line", format!("{good}{}\n{good}", "[".repeat(100_000)).into_bytes(), "t.json:2:"),
        ("broken gzip", packed(&good)[..20].to_vec(), "t.json: the gzip input does not unpack"),
    ];
    for (what, bytes, place) in table {
        let room = Room::new(&[("cap.yaml", CAP)]);
        room.write("t.json", &bytes);
        let ran = room.run("check t.json --policy cap.yaml");
        assert_eq!(ran.code, 2, "{what}\n{}{}", ran.out, ran.err);
        let told = ran.out.lines().any(|it| it.starts_with(&format!("problem {place}")));
        assert!(told, "{what}: {place}\n{}", ran.out);
        let ran = room.run("check t.json --policy cap.yaml --format json");
        assert_eq!(ran.code, 2, "{what}");
        assert!(ran.err.starts_with("error t.json"), "{what}\n{}", ran.err);
    }
}

#[test]
fn a_gzip_bomb_is_refused() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    room.write("bomb.gz", &packed(&" ".repeat(50_000_000)));
    let ran = room.run("check bomb.gz --policy cap.yaml");
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("unpacks to more than 200 times its size"), "{}", ran.out);
}

#[test]
fn words_that_mean_no_file_stop_the_run_before_anything_is_written() {
    let room = Room::new(&[("cap.yaml", CAP), ("traces.jsonl", "{}"), ("dir/a.jsonl", "{}")]);
    let table = [
        (
            "trace.jsonl",
            "error trace.jsonl: there is no such file\n  help: did you mean `traces.jsonl`?",
        ),
        ("dir", "error dir: this is a folder\n  help: name its files, or a glob as `dir/*.jsonl`"),
        ("none/*.jsonl", "error none/*.jsonl: no file fits this glob"),
        ("- -", "error -: standard input can be read once"),
    ];
    for (words, wanted) in table {
        let ran = room.run(&format!("check {words} --policy cap.yaml --output out.txt"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words}");
        assert!(ran.err.contains(wanted), "{words}\n{}", ran.err);
        assert!(!room.names().contains(&"out.txt".to_owned()));
    }
}

#[test]
fn unknown_names_of_formats_are_taught() {
    let room = Room::new(&[("cap.yaml", CAP), ("t.jsonl", "{}")]);
    let table = [
        ("--trace-format mesages", "did you mean `messages`?"),
        ("--format jsno", "did you mean `json`?"),
        ("--format sarf", "there is no report format `sarf`"),
        ("--dialect lawbok", "did you mean `lawbook`?"),
        ("--policy caps.yaml", "the policy can't be read"),
    ];
    for (words, wanted) in table {
        let policy = if words.contains("--policy") { "" } else { "--policy cap.yaml" };
        let ran = room.run(&format!("check t.jsonl {words} {policy}"));
        assert_eq!(ran.code, 2, "{words}");
        assert!(ran.err.contains(wanted), "{words}\n{}", ran.err);
    }
}

#[test]
fn a_forced_format_reads_what_detection_would_not() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    room.write("t.json", line("s", "pay", r#"{"amount": 99}"#).as_bytes());
    let ran = room.run("check t.json --policy cap.yaml --trace-format openai_chat");
    assert_eq!(ran.code, 1, "{}", ran.out);
    let ran = room.run("check t.json --policy cap.yaml --trace-format otlp");
    assert_eq!(ran.code, 2, "{}", ran.out);
}

#[test]
fn a_project_is_read_with_the_file_of_its_traces() {
    let traces = [line("a", "pay", r#"{"amount": 99}"#), "{broken\n".to_owned()].concat();
    let room = Room::new(&[("cap.yaml", CAP), ("p/data/t.jsonl", &traces)]);
    let project = r#"{"format": "pmstack.project/1", "tracesFile": "data/t.jsonl", "traces": []}"#;
    room.write("p/project.json", project.as_bytes());
    let ran = room.run("check p/project.json --policy cap.yaml --format json");
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(
        ran.out
            .contains(r##""source":"p/project.json#/traces/0","trace_format":"pmstack_project""##)
    );
    assert!(ran.out.contains(r#""source":"p/data/t.jsonl","line":2"#), "{}", ran.out);
    room.write("p/project.json", project.replace("t.jsonl", "gone").as_bytes());
    let ran = room.run("check p/project.json --policy cap.yaml");
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("p/data/gone: it can't be read"), "{}", ran.out);
}

#[test]
fn lines_of_single_messages_are_one_session_however_they_come() {
    let lines = [
        r#"{"role": "user", "content": "pay"}"#,
        r#"{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "pay", "arguments": "{\"amount\": 99}"}}]}"#,
    ];
    let room = Room::new(&[("cap.yaml", CAP), ("t.jsonl", &lines.join("\n"))]);
    for words in ["check t.jsonl", "check t.jsonl --trace-format messages"] {
        let ran = room.run(&format!("{words} --policy cap.yaml"));
        assert_eq!(ran.code, 1, "{}", ran.out);
        assert!(ran.out.contains("1 session, 1 call"), "{}", ran.out);
    }
}
