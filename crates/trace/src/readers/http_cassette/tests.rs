//! Recorded exchanges with the APIs of models.

use crate::testing::{told, told_as};
use crate::{Reading, detect};
use lawbook_event::json::{Document, Grammar, Limits, write_string};

/// A cassette in YAML; bodies are given as YAML values.
fn cassette(exchanges: &[(&str, &str)]) -> String {
    let mut text = "interactions:\n".to_owned();
    for (request, response) in exchanges {
        text.push_str(&format!(
            "- request:\n    body: {request}\n    method: POST\n    uri: https://api.example.com/v1\n  response:\n    body:\n      string: {response}\n    status:\n      code: 200\n"
        ));
    }
    text + "version: 1\n"
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_string(&mut out, text);
    out
}

const ASKED: &str =
    r#"{"model":"m","user":"U-1","messages":[{"role":"user","content":"refund it"}]}"#;

#[test]
fn histories_are_told_once() {
    let answer = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]}}]}"#;
    let second = r#"{"model":"m","messages":[{"role":"user","content":"refund it"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"found"}]}"#;
    let last = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"done"}}]}"#;
    let text = cassette(&[
        (&quoted(ASKED), &quoted(answer)),
        ("''", "''"),
        (&quoted(second), &quoted(last)),
    ]);
    let all = told("", &text);
    assert_eq!((all.len(), all[0].id.as_str()), (1, "t"));
    assert_eq!(
        all[0].lines(),
        [
            r#"start attributes={"enduser.id":"U-1"}"#,
            "1 user m1 refund it",
            "2 call 1 m0.c0 c1 find {} -> found",
            "3 answer 1 found",
            "4 agent m4 done",
            "5 end done",
        ]
    );
}

#[test]
fn streams_of_openai() {
    let chunk = |delta: &str| {
        format!(
            r#"data: {{"object":"chat.completion.chunk","choices":[{{"index":0,"delta":{delta}}}]}}"#
        )
    };
    let events = [
        chunk(r#"{"role":"assistant","content":"loo"}"#),
        chunk(r#"{"content":"king"}"#),
        chunk(
            r#"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"find","arguments":""}}]}"#,
        ),
        chunk(
            r#"{"tool_calls":[{"index":1,"id":"c2","function":{"name":"pay","arguments":"{\"n\":"}}]}"#,
        ),
        chunk(r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"n\":1}"}}]}"#),
        "data: [DONE]".to_owned(),
    ];
    let text = cassette(&[(&quoted(ASKED), &quoted(&events.join("\n\n")))]);
    let all = told("", &text);
    assert_eq!(
        all[0].lines()[1..5],
        [
            "1 user m1 refund it",
            "2 agent m2 looking",
            r#"2 call 1 m0.c0 c1 find {"n":1} -> nothing"#,
            r#"2 call 2 m0.c1 c2 pay (cut) {"n": -> nothing"#,
        ]
    );
}

#[test]
fn streams_of_anthropic_gemini_and_responses() {
    let anthropic = [
        r#"{"type":"message_start","message":{"role":"assistant","content":[]}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"looking"}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"find","input":{}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"n\":"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"1}"}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let gemini = [
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"looking"}]}}]}"#,
        r#"{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"find","args":{"n":1},"id":"c1"}}]}}]}"#,
    ];
    let responses = [
        r#"{"type":"response.output_text.delta","delta":"loo"}"#,
        r#"{"type":"response.completed","response":{"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"looking"}]},{"type":"function_call","call_id":"c1","name":"find","arguments":"{\"n\":1}"}]}}"#,
    ];
    for events in [anthropic.as_slice(), &gemini, &responses] {
        let body: String =
            events.iter().map(|it| format!("event: x\r\ndata: {it}\r\n\r\n")).collect();
        let all = told("", &cassette(&[(&quoted(ASKED), &quoted(&body))]));
        assert_eq!(all[0].of("call").len(), 1, "{body}");
        assert!(all[0].of("call")[0].ends_with(r#"c1 find {"n":1} -> nothing"#), "{body}");
        assert!(all[0].of("agent")[0].ends_with("looking"), "{body}");
    }
}

#[test]
fn packed_bodies() {
    // `{"role":"assistant","content":[{"type":"text","text":"hi"}]}`, packed by gzip.
    let packed = "!!binary |\n        H4sIAAAAAAACA6tWKsrPSVWyUkosLs4sLknMK1HSUUrOzytJBbKsoquVSioLQNIlqRUgGTBlpZSR\n        qVQbWwsAEAKJSTwAAAA=";
    let all = told("", &cassette(&[(&quoted(ASKED), packed)]));
    assert_eq!(all[0].of("agent").len(), 1, "{:?}", all[0].lines());
    let (all, problems) = told_as(
        "",
        cassette(&[(&quoted(ASKED), "!!binary |\n        H4sIAAAA")]).as_bytes(),
        Reading::Full,
    );
    assert_eq!((all.len(), problems.as_slice()), (1, &["body_unreadable"][..]));
    assert_eq!(all[0].notes, ["1 body/bodies could not be read"]);
}

#[test]
fn cassettes_in_json_and_archives() {
    let answer = r#"{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"find","input":{}}]}"#;
    let json = format!(
        r#"{{"version":1,"interactions":[{{"request":{{"uri":"u","body":{}}},"response":{{"body":{{"string":{}}}}}}}]}}"#,
        quoted(ASKED),
        quoted(answer)
    );
    let parsed = format!(
        r#"{{"interactions":[{{"request":{{"uri":"u","parsed_body":{ASKED}}},"response":{{"parsed_body":{answer}}}}}]}}"#
    );
    let archive = format!(
        r#"{{"log":{{"entries":[{{"request":{{"url":"u","postData":{{"text":{}}}}},"response":{{"content":{{"text":{}}}}}}}]}}}}"#,
        quoted(ASKED),
        quoted(answer)
    );
    for text in [json, parsed, archive] {
        let all = told("", &text);
        assert_eq!((all.len(), all[0].calls), (1, 1), "{text}");
    }
}

#[test]
fn what_holds_no_words_of_a_model_is_a_problem() {
    let text = cassette(&[("'a=1'", "'ok'")]);
    assert_eq!(told_as("", text.as_bytes(), Reading::Full).1, ["no_messages"]);
    for (text, code) in [
        ("interactions:\n- &a {b: *a}\n", "not_yaml"),
        ("interactions:\n- [}\n", "not_yaml"),
        ("interactions: []\n---\ninteractions: []\n", "not_json"),
    ] {
        assert_eq!(told_as("", text.as_bytes(), Reading::Full).1, [code], "{text}");
    }
    let deep = format!("interactions:\n- {}\n", "[".repeat(100_000));
    assert_eq!(told_as("", deep.as_bytes(), Reading::Full).1, ["not_yaml"]);
}

#[test]
fn other_documents_are_not_taken() {
    for text in [
        r#"{"interactions":[]}"#,
        r#"{"interactions":[{"id":1}]}"#,
        r#"{"log":{"entries":[]}}"#,
        r#"{"log":"x","entries":[{"request":{"url":"u"}}]}"#,
    ] {
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let found = detect(document.root()).map(crate::Reader::name);
        assert_ne!(found, Some("http_cassette"), "{text}");
    }
}
