//! `policy diff`: which calls of the past flip between two policies, and why.

use serde_json::{Value, json};

use crate::room::{FAULTGATE, Ran, Room, line};

const OLD: &str = "\
lawbook: 1
default: allow
rules:
  - {id: cap, arg_range: {tools: [pay], arg: amount, max: 100}}
  - {id: paid-first, require_before: {tools: [ship], first: [pay], success: true}}
";

/// A session of several calls, each in a message of its own and answered.
fn session(id: &str, calls: &[(&str, Value)]) -> String {
    let mut messages = vec![json!({"role": "user", "content": "go"})];
    for (place, (tool, args)) in calls.iter().enumerate() {
        let function = json!({"name": tool, "arguments": args.to_string()});
        let call = json!({"id": format!("c{place}"), "type": "function", "function": function});
        messages.push(json!({"role": "assistant", "tool_calls": [call]}));
        let answer = json!({"role": "tool", "tool_call_id": format!("c{place}"), "content": "ok"});
        messages.push(answer);
    }
    format!("{}\n", json!({"id": id, "messages": messages}))
}

fn room(new: &str) -> Room {
    let room = Room::new(&[("old.yaml", OLD), ("new.yaml", new)]);
    let text = [
        session("s-1", &[("pay", json!({"amount": 50})), ("ship", json!({}))]),
        session("s-2", &[("pay", json!({"amount": 5})), ("ship", json!({}))]),
    ];
    room.write("t.jsonl", text.concat().as_bytes());
    room
}

fn diff(room: &Room, words: &str) -> Ran {
    room.run(&format!("policy diff old.yaml new.yaml --traces t.jsonl {words}"))
}

fn parsed(room: &Room, words: &str) -> Value {
    serde_json::from_str(&diff(room, &format!("{words} --format json")).out).unwrap()
}

#[test]
fn first_causes_stand_apart_from_what_follows_from_them() {
    let room = room(&OLD.replace("max: 100", "max: 10"));
    let ran = diff(&room, "");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let wanted = "
allow -> deny: 1 call by cap
  s-1 step 1 (m1.c0) pay: pay.amount 50 > max 10

knock-on, allow -> deny: 1 call by paid-first
  s-1 step 2 (m3.c0) ship: ship before a successful pay
    because step 1 no longer happens

edits
  changed  cap (arg_range): flips 1 call

2 flips of 4 calls in 1 of 2 sessions: 1 first cause, 1 knock-on
what this does not say: ";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    let value = parsed(&room, "");
    let second = &value["flips"][1];
    assert_eq!(second["cause"], "knock_on");
    assert_eq!(second["caused_by"], json!([{"step": 1, "step_id": "m1.c0"}]));
    assert_eq!(second["old"], json!({"verdict": "allow", "rules": []}));
    assert_eq!(second["new"], json!({"verdict": "deny", "rules": ["paid-first"]}));
}

#[test]
fn a_policy_beside_itself_flips_nothing() {
    let room = room(OLD);
    let ran = diff(&room, "");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("nothing flips: 4 calls in 2 sessions\n"), "{}", ran.out);
    assert!(ran.out.contains("none: both policies hold the same rules"), "{}", ran.out);
}

#[test]
fn an_edit_that_does_nothing_says_whether_it_was_put_to_the_test() {
    let more = "  - {id: no-wire, never: {tools: [wire]}}\n";
    let room = room(&format!("{}{more}", OLD.replace("max: 100", "max: 90")));
    let ran = diff(&room, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let wanted = "\
  changed  cap (arg_range): changes nothing in these traces
  added    no-wire (never): changes nothing in these traces, and nothing in them puts it to the test
";
    assert!(ran.out.contains(wanted), "{}", ran.out);
}

#[test]
fn a_denial_that_goes_is_a_flip_and_fails_unless_only_denials_do() {
    let room = room(OLD);
    room.write("t.jsonl", line("s", "pay", r#"{"amount": 500}"#).as_bytes());
    room.write("new.yaml", OLD.replace("max: 100", "max: 1000").as_bytes());
    let ran = diff(&room, "");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("deny -> allow: 1 call by cap\n"), "{}", ran.out);
    assert_eq!(diff(&room, "--fail-on deny").code, 0);
    assert_eq!(parsed(&room, "")["summary"]["to_allow"], 1);
}

#[test]
fn flips_to_ask_and_to_unknown_are_told() {
    let asks = "lawbook: 1\ndefault: allow\nrules:\n  \
        - {id: ask, verdict: ask, never: {tools: [pay]}}\n";
    let room = room(asks);
    let value = parsed(&room, "");
    assert_eq!(value["summary"]["to_ask"], 2);
    // A call that is asked about happened as recorded, so nothing follows from it.
    assert_eq!(value["summary"]["knock_on"], 0);
    let owner = "  - {id: own, arg_equals: {tools: [ship], arg: who, session: enduser.id}}\n";
    room.write("new.yaml", format!("{OLD}{owner}").as_bytes());
    room.write("t.jsonl", line("s", "ship", r#"{"who": "me"}"#).as_bytes());
    room.write("old.yaml", b"lawbook: 1\ndefault: allow\n");
    room.write("new.yaml", format!("lawbook: 1\ndefault: allow\nrules:\n{owner}").as_bytes());
    let value = parsed(&room, "");
    assert_eq!(value["summary"]["to_unknown"], 1, "{value}");
    assert_eq!(value["flips"][0]["rules"], json!(["own"]));
}

#[test]
fn an_edit_that_could_not_be_judged_ends_with_3() {
    let rule = |max: u32| {
        format!(
            "lawbook: 1\ndefault: allow\nrules:\n  - {{id: own, when: 'session.metadata.n > {max}', \
             never: {{tools: [pay]}}}}\n"
        )
    };
    let room = room(&rule(2));
    room.write("old.yaml", rule(1).as_bytes());
    let ran = diff(&room, "");
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("it could not be judged in 2 calls"), "{}", ran.out);
    assert_eq!(diff(&room, "--allow-unknown").code, 0);
    // Whatever an unedited rule would say, it says in both.
    room.write("new.yaml", rule(1).as_bytes());
    assert_eq!(diff(&room, "").code, 0);
}

#[test]
fn a_policy_and_its_conversion_part_only_where_their_readings_do() {
    let room = room(OLD);
    room.write("old.yaml", FAULTGATE.as_bytes());
    let ran = room.run("policy convert old.yaml --to lawbook --out new.yaml --force");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let value = parsed(&room, "");
    assert_eq!(value["summary"]["flips"], 0, "{value}");
    assert_eq!(value["summary"]["unpaired"], 0);
    assert_eq!(value["summary"]["calls"], 4);
    assert_eq!(value["old"]["dialect"], "faultgate");
    assert_eq!(value["new"]["dialect"], "lawbook");
    assert!(value["notes"][0].as_str().unwrap().contains("faultgate itself reads"), "{value}");
}

#[test]
fn what_can_not_be_read_ends_with_2_and_nothing_to_judge_with_3() {
    let room = room(OLD);
    room.write("bad.jsonl", b"not json\n");
    room.write("silent.jsonl", b"{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n");
    for (words, code, said) in [
        ("old.yaml nowhere.yaml --traces t.jsonl", 2, "nowhere.yaml"),
        ("old.yaml new.yaml --traces nowhere.jsonl", 2, "nowhere.jsonl"),
        ("old.yaml new.yaml --traces t.jsonl bad.jsonl", 2, "bad.jsonl"),
        ("old.yaml new.yaml --traces t.jsonl bad.jsonl --allow-unreadable", 0, "bad.jsonl"),
        ("old.yaml new.yaml --traces silent.jsonl", 3, ""),
        ("- new.yaml --traces -", 2, "standard input can be read once"),
        ("old.yaml new.yaml", 2, "--traces"),
    ] {
        let ran = room.run(&format!("policy diff {words}"));
        assert_eq!(ran.code, code, "{words}\n{}{}", ran.out, ran.err);
        assert!(ran.err.contains(said), "{words}\n{}", ran.err);
    }
}

#[test]
fn markdown_holds_no_words_of_others_outside_of_code() {
    let room = room("lawbook: 1\ndefault: deny\n");
    let id = "@admin `x` ![p](http://evil.example)\n::error::x";
    let tool = "<img src=x>|`` # t";
    room.write("t.jsonl", session(id, &[(tool, json!({}))]).as_bytes());
    let ran = diff(&room, "--format markdown");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("### Policy change: "), "{}", ran.out);
    let outside: String = ran.out.lines().map(outside_of_code).collect();
    for part in ["admin", "![p]", "evil", "<img", "::error"] {
        assert!(ran.out.contains(part), "{part} is not even shown\n{}", ran.out);
        assert!(!outside.contains(part), "{part}\n{}", ran.out);
    }
}

/// A line without its code spans.
fn outside_of_code(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(start) = rest.find('`') {
        let fence = rest[start..].chars().take_while(|it| *it == '`').count();
        let after = &rest[start + fence..];
        let runs = after.match_indices('`').map(|it| it.0);
        let end = runs.into_iter().find(|at| {
            let here = after[*at..].chars().take_while(|it| *it == '`').count();
            here == fence && !after[..*at].ends_with('`')
        });
        out.push_str(&rest[..start]);
        rest = end.map_or("", |end| &after[end + fence..]);
    }
    out + rest + "\n"
}

#[test]
fn personal_data_is_masked() {
    let room = room(&OLD.replace("max: 100", "max: 10"));
    let id = "of ann.miller@example.com";
    room.write("t.jsonl", session(id, &[("pay", json!({"amount": 50}))]).as_bytes());
    for format in ["text", "json", "markdown"] {
        let ran = diff(&room, &format!("--format {format}"));
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(!ran.out.contains("ann.miller"), "{}", ran.out);
    }
}
