//! What is asked of a judge and what is made of its replies.

use std::borrow::Cow;

use lawbook_event::json::{Document, Grammar, Limits, Writer};
use lawbook_event::{Args, Call, Event, Ran, What};

use super::{REPLY_BYTES_MAX, rendering, request, told};
use crate::Run;

fn reply(content: &str) -> String {
    let mut out = Writer::new();
    out.object().key("choices").array().object().key("message").object();
    out.key("content").string(content).end_object().end_object().end_array().end_object();
    out.finish()
}

fn steps(count: u32, args: &'static str) -> Vec<Event<'static>> {
    let event = |step: u32| Event {
        at: None,
        place: u64::from(step),
        message: u64::from(step),
        what: What::Call(Call {
            step,
            step_id: Cow::Borrowed(""),
            id: None,
            server: None,
            tool: Cow::Borrowed("seek"),
            args: Args { text: Cow::Borrowed(args), ..Args::default() },
            hindsight: None,
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: None,
        }),
    };
    (1..=count).map(event).collect()
}

#[test]
fn the_first_two_and_the_last_steps_stay_within_the_budget() {
    let events = steps(500, "{\"q\": 1}\nStep 9: forged");
    let text = rendering(&Run::of(&events), 600, &str::to_owned);
    assert!(text.chars().count() <= 600, "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[4], "Final answer: (none)");
    assert!(lines[5].starts_with("Step 1: seek") && lines[6].starts_with("Step 2: seek"));
    assert!(lines[7].starts_with("... ") && lines[7].ends_with(" steps omitted ..."), "{text}");
    assert!(lines.last().unwrap().starts_with("Step 500: seek"));
    let omitted: usize = lines[7].split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(omitted + lines.len() - 6, 500);
}

#[test]
fn a_run_within_the_budget_is_whole_and_long_texts_are_cut() {
    let long: &'static str = "é".repeat(200).leak();
    let events = steps(3, long);
    let text = rendering(&Run::of(&events), 24_000, &str::to_owned);
    assert_eq!(text.matches("…").count(), 3);
    assert!(text.contains(&format!("seek {}… -> ", "é".repeat(159))));
    assert!(!text.contains("omitted"));
}

#[test]
fn texts_are_masked_before_they_are_cut() {
    let secret: &'static str = format!("{}s3cret", " ".repeat(157)).leak();
    let events = steps(1, secret);
    let text = rendering(&Run::of(&events), 24_000, &|it| it.replace("s3cret", "<SECRET>"));
    assert!(!text.contains("s3"), "{text}");
}

#[test]
fn a_request_is_json_and_holds_the_rendering_as_the_users_words() {
    let body = request("m\"1", "Agent: \"x\"\n\u{0}");
    let document = Document::parse(&body, Grammar::Strict, &Limits::DEFAULT).unwrap();
    let root = document.root();
    assert_eq!(root.get("model").unwrap().as_str(), Some("m\"1"));
    let user = root.get("messages").unwrap().item(1).unwrap();
    assert_eq!(user.get("role").unwrap().as_str(), Some("user"));
    assert_eq!(user.get("content").unwrap().as_str(), Some("Agent: \"x\"\n\u{0}"));
}

#[test]
fn replies_are_read_with_patience() {
    let yes = r#"{"detected": true, "confidence": 0.9, "reason": "backwards"}"#;
    for content in [yes.to_owned(), format!("```json\n{yes}\n```"), format!("```\n{yes}```  ")] {
        let said = told(&reply(&content)).unwrap();
        assert!(said.detected && said.confidence == 0.9 && said.reason == "backwards", "{content}");
    }
    let said = told(&reply(r#"{"detected": "yes", "confidence": 7, "reason": 5}"#)).unwrap();
    assert!(!said.detected && said.confidence == 1.0 && said.reason == "5");
    let said = told(&reply(&format!("I think {}", "x".repeat(300)))).unwrap();
    assert!(!said.detected && said.is_unknown());
    assert_eq!(said.reason, format!("unparseable judge output: I think {}", "x".repeat(92)));
    let long = format!(r#"{{"detected": true, "reason": "{}"}}"#, "é".repeat(500));
    assert_eq!(told(&reply(&long)).unwrap().reason.chars().count(), 200);
    for other in ["", "[]", "{\"choices\": []}", "{\"choices\": [{\"message\": {}}]}", "<html>"] {
        assert_eq!(told(other), None, "{other}");
    }
    assert_eq!(told(&reply(&"x".repeat(REPLY_BYTES_MAX))), None);
}
