//! Contents of Gemini's API.

use crate::detect;
use crate::testing::told;
use lawbook_event::json::{Document, Grammar, Limits};

const CONTENTS: &str = r#"{"contents": [
    {"role": "user", "parts": [{"text": "weather in two places"}]},
    {"role": "model", "parts": [{"thought": true, "text": "hm"}, {"text": "looking"},
        {"functionCall": {"name": "weather", "args": {"place": "A"}}},
        {"functionCall": {"name": "weather", "args": {"place": "B"}, "id": "b"}},
        {"functionCall": {"name": "time"}}]},
    {"role": "user", "parts": [
        {"functionResponse": {"name": "time", "response": {"output": "noon"}}},
        {"functionResponse": {"name": "weather", "response": {"error": "no such place"}}},
        {"functionResponse": {"id": "b", "name": "weather", "response": {"result": {"sky": "grey"}}}}]},
    {"parts": [{"text": "thanks"}]},
    {"role": "model", "parts": [{"text": "you're welcome"}]}
]}"#;

#[test]
fn calls_with_and_without_ids() {
    let all = told("", CONTENTS);
    assert_eq!(
        all[0].lines(),
        [
            "start",
            "0 user m0 weather in two places",
            "1 agent m1 looking",
            r#"1 call 1 m1.c0 - weather {"place": "A"} -> {"error": "no such place"}"#,
            r#"1 call 2 m1.c1 b weather {"place": "B"} -> {"sky": "grey"}"#,
            "1 call 3 m1.c2 - time (unrecorded) -> noon",
            "2 answer 3 noon",
            r#"2 answer 1 {"error": "no such place"}"#,
            r#"2 answer 2 {"sky": "grey"}"#,
            "3 user m3 thanks",
            "4 agent m4 you're welcome",
            "4 end you're welcome",
        ]
    );
}

#[test]
fn snake_case_says_the_same() {
    let snake = CONTENTS
        .replace("functionCall", "function_call")
        .replace("functionResponse", "function_response");
    assert_eq!(told("", &snake)[0].lines(), told("", CONTENTS)[0].lines());
}

#[test]
fn requests_with_their_responses_one_on_each_line() {
    let pair = |key: &str| {
        format!(
            r#"{{"key": "{key}", "request": {{"contents": [{{"parts": [{{"text": "hi"}}]}}]}}, "response": {{"candidates": [{{"content": {{"role": "model", "parts": [{{"functionCall": {{"name": "x", "args": {{}}}}}}]}}, "finishReason": "STOP"}}, {{"content": {{"parts": [{{"functionCall": {{"name": "y"}}}}]}}}}]}}}}"#
        )
    };
    let all = told("", &format!("{}\n{}", pair("a"), pair("b")));
    let ids: Vec<_> = all.iter().map(|it| (it.id.as_str(), it.source.as_str())).collect();
    assert_eq!(ids, [("a", "t:1"), ("b", "t:2")]);
    assert_eq!(all[0].of("call"), ["1 call 1 m1.c0 - x {} -> nothing"]);
    assert_eq!(all[0].lines().last().unwrap(), "1 end  !STOP");
}

#[test]
fn code_that_the_provider_runs() {
    let text = r#"[{"role": "user", "parts": [{"text": "add"}]}, {"role": "model", "parts": [
        {"executableCode": {"language": "PYTHON", "code": "1+1"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "no"}}, {"text": "sorry"}]}]"#;
    let all = told("", text);
    assert_eq!(
        all[0].of("call"),
        [r#"1 call 1 m1.c0 - code_execution {"language": "PYTHON", "code": "1+1"} -> no (error)"#]
    );
    assert_eq!(all[0].of("agent"), ["1 agent m1 sorry"]);
}

#[test]
fn other_formats_are_not_taken() {
    for text in [
        r#"{"contents": []}"#,
        r#"{"messages": [{"role": "user", "content": "x"}]}"#,
        r#"{"messages": [{"role": "user", "parts": [{"type": "text", "text": "x"}]}]}"#,
        r#"[{"role": "user", "parts": [{"kind": "text", "text": "x"}]}]"#,
        r#"[{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "x"}]}]"#,
        r#"{"appName": "a", "events": [{"content": {"role": "user", "parts": [{"text": "x"}]}}]}"#,
        r#"{"candidates": [{"content": {"role": "model", "parts": [{"text": "x"}]}}]}"#,
        r#"[{"role": "assistant", "parts": [{"text": "x"}]}]"#,
    ] {
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let found = detect(document.root()).map(crate::Reader::name);
        assert_ne!(found, Some("gemini"), "{text}");
    }
}
