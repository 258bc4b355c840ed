//! `policy init`: what it asks, what it takes for an answer, and what it writes.

use serde_json::Value;

use crate::room::{Ran, Room};

/// A session of an invented bank: a call and its result for each triple, after words of both sides.
fn session(id: &str, channel: &str, calls: &[(&str, &str, &str)]) -> String {
    let mut messages = vec![
        serde_json::json!({"role": "user", "content": "please help"}),
        serde_json::json!({"role": "assistant", "content": "I will do that. Shall I?"}),
        serde_json::json!({"role": "user", "content": "yes"}),
    ];
    for (at, (tool, args, result)) in calls.iter().enumerate() {
        let id = format!("c{at}");
        messages.push(serde_json::json!({"role": "assistant", "tool_calls": [
            {"id": id, "type": "function", "function": {"name": tool, "arguments": args}}]}));
        messages.push(serde_json::json!({"role": "tool", "tool_call_id": id, "content": result}));
    }
    let session = serde_json::json!({"id": id, "metadata": {"channel": channel},
        "attributes": {"enduser.id": "C-1"}, "messages": messages});
    format!("{session}\n")
}

fn room() -> Room {
    let room = Room::new(&[]);
    let verify = ("verify_identity", r#"{"customer_id": "C-1"}"#, r#"{"verified": true}"#);
    let refund =
        |amount: u32| format!(r#"{{"customer_id": "C-1", "amount": {amount}, "reason": "late"}}"#);
    let (small, large) = (refund(40), refund(900));
    let note = r#"{"customer_id": "C-1", "text": "card 4111 1111 1111 1111"}"#;
    let text = [
        session("a", "chat", &[verify, ("pay_refund", &small, "ok")]),
        session("b", "sms", &[verify, ("pay_refund", &large, "ok"), ("write_note", note, "ok")]),
        session("c", "chat", &[("pay_refund", &small, "ok")]),
        session("d", "chat", &[verify, ("close_account", r#"{"customer_id": "C-1"}"#, "ok")]),
    ];
    room.write("t.jsonl", text.concat().as_bytes());
    room
}

fn questions(room: &Room, line: &str) -> Vec<Value> {
    let ran = room.run(line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let all: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(all["schema"], "lawbook.questions/1");
    all["questions"].as_array().unwrap().clone()
}

fn init(room: &Room, answers: &str) -> Ran {
    room.write("answers.yaml", answers.as_bytes());
    room.run("policy init t.jsonl --answers answers.yaml --user-word customer --force")
}

/// The policy that was written loads, says nothing that is probably not meant, and is laid out.
fn clean(room: &Room) -> String {
    let ran = room.run("policy lint lawbook.yaml");
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, room.read("lawbook.yaml"));
    assert_eq!(room.run("policy fmt --check lawbook.yaml").code, 0);
    room.read("lawbook.yaml")
}

#[test]
fn every_question_has_two_to_five_options_and_recommends_the_first() {
    let room = room();
    for line in ["policy init t.jsonl --print-questions", "policy init --print-questions"] {
        let all = questions(&room, line);
        assert!(all.len() > 15, "{line}: {}", all.len());
        for question in &all {
            let options = question["options"].as_array().unwrap();
            assert!((2..=5).contains(&options.len()), "{question}");
            let recommended: Vec<bool> =
                options.iter().map(|it| it["recommended"].as_bool().unwrap()).collect();
            assert!(
                recommended[0] && recommended.iter().filter(|it| **it).count() == 1,
                "{question}"
            );
            assert!(options[0]["reason"].as_str().is_some_and(|it| !it.is_empty()), "{question}");
        }
    }
}

#[test]
fn recommendations_are_drawn_from_the_traces() {
    let all = questions(&room(), "policy init t.jsonl --print-questions --user-word customer");
    let reason = |id: &str| {
        let found = all.iter().find(|it| it["id"] == id).unwrap_or_else(|| panic!("{id}"));
        format!("{} {}", found["question"], found["options"][0])
    };
    for (id, part) in [
        (
            "tools",
            "Only the 4 that the traces call: close_account, pay_refund, verify_identity, write_note",
        ),
        ("access", "These: close_account, pay_refund, write_note"),
        ("consent", "a clear yes stands before "),
        ("amounts.pay_refund.amount", "seen: 40 to 900 in 3 calls"),
        ("identity", "`verify_identity` was called in 3 of 4 sessions"),
        ("own_record.customer_id", "It equals `enduser.id` of the session"),
        ("sensitive", "1 call of write_note holds one already"),
        ("channels", "on sms it is hard to know who writes"),
        ("call_limits.pay_refund", "At most 1, the most that was seen"),
        ("recorded_args", "pay_refund: amount, customer_id, reason"),
        ("irreversible.close_account", "After the customer's yes, every time"),
        ("logging", "8 of 8 calls have arguments, 8 a result"),
    ] {
        assert!(reason(id).contains(part), "{id}: {}", reason(id));
    }
}

/// A room in which so many sessions pay a refund for the same reason.
fn reasons(sessions: usize) -> Room {
    let room = Room::new(&[]);
    let refund = r#"{"amount": 40, "reason": "late"}"#;
    let one = |it: usize| {
        // Two calls each, so that calls are not taken for sessions.
        let call = ("pay_refund", refund, "ok");
        session(&format!("s{it}"), "chat", &[call, call])
    };
    room.write("t.jsonl", (0..sessions).map(one).collect::<String>().as_bytes());
    room
}

#[test]
fn a_value_is_proposed_once_five_sessions_show_it() {
    let asks = |sessions: usize| {
        let all = questions(&reasons(sessions), "policy init t.jsonl --print-questions");
        all.iter()
            .find(|it| it["id"] == "values.pay_refund.reason")
            .map(|it| it["options"][0].to_string())
    };
    assert_eq!(asks(4), None);
    assert!(asks(5).is_some_and(|it| it.contains("Only what was seen: late")));
    let room = reasons(5);
    let answers = "answers:\n  tools: A\n  access: A\n  values.pay_refund.reason: ";
    let ran = init(&room, &format!("{answers}B\n"));
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("`values` is missing: the values"), "{}", ran.err);
    assert!(ran.err.contains("`why` is missing"), "{}", ran.err);
    assert!(ran.err.contains("answers.yaml:4:"), "{}", ran.err);
    let list = "{choose: B, values: [late, lost], why: these are refunded}";
    let ran = init(&room, &format!("{answers}{list}\n"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = clean(&room);
    assert!(
        text.contains("arg_in: {tools: [pay_refund], arg: reason, values: [late, lost]}"),
        "{text}"
    );
}

#[test]
fn answers_become_rules_with_the_words_of_the_owner() {
    let room = room();
    let ran = init(
        &room,
        "\
answers:
  owner: {choose: A, name: head of payments}
  tools: A
  access: A
  consent: {choose: B, tools: [pay_refund], why: money does not come back}
  consent.words: {choose: B, patterns: ['\\byes\\b']}
  approvals.pay_refund.amount: A
  amounts.pay_refund.amount: {choose: A, max: 500, why: \"more than $500 is decided by a person\"}
  channels: A
  call_limits.write_note: C
  irreversible.close_account: B
  uncovered.tone: {choose: A, by: the tone judge}
",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("breaks the policy in 3 of 4 traces: read them next with `lawbook check t.jsonl --policy lawbook.yaml`"), "{}", ran.out);
    let text = clean(&room);
    for part in [
        "owner: head of payments",
        "default: deny",
        "consent: ['\\byes\\b']",
        "  - id: ask-first\n    why: money does not come back\n    confirm: {tools: [pay_refund]}",
        "    why: more than $500 is decided by a person\n    arg_range: {tools: [pay_refund], arg: amount, max: 500}",
        "    when: session.metadata.channel in [\"sms\"]\n    never: {access: write}",
        "  - id: close_account.never",
        "whether the agent refuses in a decent tone: the tone judge",
        "# - call_limits.write_note: does not apply",
        "# - call_limits.pay_refund: How often may `pay_refund`",
        "To confirm with head of payments.",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let ran = room.run("check t.jsonl --policy lawbook.yaml");
    assert!(ran.out.contains("more than $500 is decided by a person"), "{}", ran.out);
}

#[test]
fn without_traces_and_without_an_owner_a_starter_is_written() {
    let room = room();
    room.write("answers.json", br#"{"answers": {"owner": "C"}}"#);
    let ran = room.run("policy init --answers answers.json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = clean(&room);
    assert!(text.contains("as a start") && text.contains("no-card-numbers"), "{text}");
    assert!(text.contains("whether the agent refuses in a decent tone: nobody yet"), "{text}");
    let ran = room.run("policy init t.jsonl --answers answers.json --out from_traces.yaml");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = room.read("from_traces.yaml");
    for id in ["ask-first", "verify-first", "no-card-numbers"] {
        assert!(text.contains(&format!("- id: {id}")), "{text}");
    }
    assert_eq!(text.matches("- id: ").count(), 3, "{text}");
    assert_eq!(text.matches("To confirm with the owner.").count(), 3, "{text}");
}

#[test]
fn somebody_can_answer_line_by_line() {
    let room = room();
    let lines = "x\nb\n\na\na\nno number\n5\n\nmoney\n";
    let ran = room.run_with("policy init t.jsonl --ask", lines);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("one letter, please: A, B, C"), "{}", ran.err);
    assert!(ran.err.contains("nothing is written"), "{}", ran.err);
    assert!(!room.names().contains(&"lawbook.yaml".to_owned()));
    let all = questions(&room, "policy init t.jsonl --print-questions");
    // The letter of the option that the owner says it later, or that it does not apply.
    let later = |it: &Value| {
        let options = it["options"].as_array().unwrap();
        let last = options.last().unwrap()["letter"].as_str().unwrap().to_owned();
        if it["id"] == "owner" { "B".to_owned() } else { last }
    };
    let mut lines: Vec<String> = all.iter().map(later).collect();
    let place = all.iter().position(|it| it["id"] == "amounts.pay_refund.amount").unwrap();
    lines[place] = "a\nnine\n$500\n\nmore is decided by a person".to_owned();
    let ran = room.run_with("policy init t.jsonl --ask", &format!("{}\n", lines.join("\n")));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("it must be a number"), "{}", ran.err);
    let text = clean(&room);
    assert!(text.contains("why: more is decided by a person"), "{text}");
    assert!(text.contains("max: 500"), "{text}");
}

#[test]
fn nobody_to_ask_is_told_the_questions() {
    let ran = room().run("policy init t.jsonl");
    assert_eq!(ran.code, 2);
    assert!(ran.out.starts_with("Who decides what the agent may do"), "{}", ran.out);
    assert!(ran.out.contains("  A. ") && ran.out.contains("(recommended: "), "{}", ran.out);
    assert!(ran.err.contains("--print-questions"), "{}", ran.err);
}

#[test]
fn a_file_that_is_there_is_kept() {
    let room = room();
    room.write("lawbook.yaml", b"lawbook: 1\ndefault: deny\n");
    room.write("answers.yaml", b"answers: {owner: C}\n");
    let ran = room.run("policy init --answers answers.yaml");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--force"), "{}", ran.err);
    assert_eq!(room.read("lawbook.yaml"), "lawbook: 1\ndefault: deny\n");
    assert_eq!(room.run("policy init --answers answers.yaml --force").code, 0);
    let ran = room.run("policy init --answers answers.yaml --out -");
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("# What the agent may do"), "{}", ran.out);
}

#[test]
fn answers_that_fit_no_question_are_told() {
    let room = room();
    for (answers, wanted) in [
        ("answers: {ownr: C}\n", "did you mean `owner`?"),
        ("answers: {owner: Z}\n", "`Z` is none of A, B, C"),
        ("answers: {owner: {choose: A, nam: x}}\n", "option A takes no `nam`"),
        ("answers: {owner: {choose: A}}\n", "`name` is missing"),
        (
            "answers: {consent.words: {choose: B, patterns: ['(']}, owner: B}\n",
            "pattern `(` is refused",
        ),
        (
            "answers: {call_limits.pay_refund: {choose: B, max: -1, why: x}}\n",
            "it must be a whole number",
        ),
    ] {
        let ran = init(&room, answers);
        assert_eq!(ran.code, 2, "{answers}");
        assert!(ran.err.contains(wanted), "{answers}\n{}", ran.err);
        assert!(!room.names().contains(&"lawbook.yaml".to_owned()), "{answers}");
    }
}

#[test]
fn answers_can_come_from_standard_input() {
    let ran = room().run_with("policy init t.jsonl --answers -", "answers: {owner: B}\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn an_approval_is_bound_to_what_both_calls_name() {
    let room = Room::new(&[]);
    let ask =
        ("request_approval", r#"{"customer_id": "C-1", "amount": 90}"#, r#"{"approved": true}"#);
    let pay = ("pay_refund", r#"{"customer_id": "C-1", "amount": 90}"#, "ok");
    let text = [session("a", "chat", &[ask, pay]), session("b", "chat", &[pay])];
    room.write("t.jsonl", text.concat().as_bytes());
    let ran = init(
        &room,
        "\
answers:
  owner: B
  access: {choose: B, writes: [pay_refund]}
  consent: C
  approvals.pay_refund.amount: {choose: A, max: 50, why: more is approved by a person}
",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = clean(&room);
    for part in ["by: request_approval", "bind: [customer_id]", "max: 50"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let ran = room.run("check t.jsonl --policy lawbook.yaml --format json");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let id = "pay_refund.amount.approved";
    assert_eq!(report["summary"]["by_rule"][id], 1, "{text}\n{}", ran.out);
    assert_eq!(report["sessions"][1]["findings"][0]["rule"], id);
}
