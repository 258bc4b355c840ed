use std::borrow::Cow;

use super::{Answer, Approval, Reading, State};
use crate::json::{Document, Grammar, Limits};

fn answer(text: &str) -> Answer<'_> {
    Answer { text: Cow::Borrowed(text), recorded: true, ..Answer::default() }
}

#[test]
fn structural_errors_in_faultgates_words() {
    let long = format!(r#"{{"error": "{}"}}"#, "é".repeat(100));
    let long_said = format!("JSON top-level error: {}", "é".repeat(80));
    let cases = [
        (r#"{"error": "no such order"}"#, Some("JSON top-level error: no such order")),
        (
            r#" {"error": {"code": 5, "why": null}} "#,
            Some("JSON top-level error: {'code': 5, 'why': None}"),
        ),
        (r#"{"error": ""}"#, None),
        (r#"{"error": 0, "exit_code": 0}"#, None),
        (r#"{"error": null, "returncode": "3"}"#, Some("Non-zero returncode: 3")),
        (r#"{"exit_code": 2.7}"#, Some("Non-zero exit_code: 2.7")),
        (r#"{"exit_code": 0.7}"#, None),
        (r#"{"exit_code": true}"#, Some("Non-zero exit_code: True")),
        (r#"{"exit_code": " 1_0 "}"#, Some("Non-zero exit_code:  1_0 ")),
        (r#"{"exit_code": "x", "exit_status": 1}"#, Some("Non-zero exit_status: 1")),
        (r#"{"exit_code": 1e999}"#, Some("Non-zero exit_code: inf")),
        (r#"{"exit_code": NaN}"#, None),
        (r#"{"exit_code": [1]}"#, None),
        (r#"{"error": 1, "error": 0}"#, None),
        (r#"[{"type": "text", "text": " {\"error\": \"x\"} "}]"#, Some("JSON top-level error: x")),
        (r#"[{"text": "fine"}, {"text": "{\"exit_code\": 1}"}]"#, Some("Non-zero exit_code: 1")),
        (r#"[{"text": 5}, 7]"#, None),
        (r#"{"isError": true}"#, None),
        ("Error: no", Some("Response starts with 'Error:'")),
        ("  ERROR: no", Some("Response starts with 'ERROR:'")),
        ("error: no", None),
        ("Errors", None),
        (
            "Traceback (most recent call last):\n x",
            Some("Response starts with 'Traceback (most recent call last)'"),
        ),
        ("x <tool_use_error>y</tool_use_error>", Some("<tool_use_error> tag present")),
        ("<tool_use_error>", None),
        (r#"{"error": "x""#, None),
        ("", None),
        (&long, Some(&*long_said)),
    ];
    for (text, error) in cases {
        assert_eq!(answer(text).structural_error().as_deref(), error, "{text}");
        let state = if error.is_some() { State::Failed } else { State::Ok };
        assert_eq!(answer(text).state(Reading::Structural), state);
    }
    let span = Answer { span_error: Some(Cow::Borrowed("Span error: Timeout")), ..answer("ok") };
    assert_eq!(span.state(Reading::Structural), State::Failed);
    let empty = Answer { span_error: Some(Cow::Borrowed("")), ..answer("ok") };
    assert_eq!(empty.state(Reading::Structural), State::Ok);
}

#[test]
fn declared_states() {
    use State::{Failed, Ok, Pending, Unknown};
    let cases = [
        (r#"{"status": "<redacted>"}"#, Unknown),
        (r#"{"status": "<redacted>", "error": "x"}"#, Failed),
        (r#"{"token": "<redacted>"}"#, Ok),
        ("done", Ok),
        ("", Ok),
        ("Error", Failed),
        ("Error: x", Failed),
        ("An error occurred while running it", Failed),
        ("An error occurredly", Ok),
        ("Errors were not found", Ok),
        ("error: x", Failed),
        ("error:x", Failed),
        ("an error: x", Ok),
        ("Exception: x", Failed),
        ("Traceback (most recent call last):", Failed),
        ("<tool_use_error>no</tool_use_error>", Failed),
        (r#"{"isError": true, "content": []}"#, Failed),
        (r#"{"isError": false}"#, Ok),
        (r#"{"error": null}"#, Ok),
        (r#"{"error": {}}"#, Ok),
        (r#"{"error": {"code": 1}}"#, Failed),
        (r#"{"errors": []}"#, Ok),
        (r#"{"errors": ["x"]}"#, Failed),
        (r#"{"exitCode": 1}"#, Failed),
        (r#"{"exit_code": 1e999}"#, Failed),
        (r#"{"exit_code": 0}"#, Ok),
        (r#"{"status": 404}"#, Failed),
        (r#"{"statusCode": "503"}"#, Failed),
        (r#"{"status": 200}"#, Ok),
        (r#"{"success": false}"#, Failed),
        (r#"{"ok": false}"#, Failed),
        (r#"{"ok": true, "status": "Queued"}"#, Pending),
        (r#"{"state": "pending"}"#, Pending),
        (r#"{"status": "failed"}"#, Failed),
        (r#"{"status": "shipped"}"#, Ok),
        (r#"{"content": [{"type": "text", "text": "Error: x"}]}"#, Failed),
        (r#"{"content": [{"type": "text", "text": "{\"ok\": false}"}]}"#, Failed),
        (r#"[{"type": "text", "text": "{\"status\": \"pending\"}"}, {"text": "fine"}]"#, Pending),
        (r#"{"content": "Error: x"}"#, Ok),
        ("ValueError: x", Failed),
        ("valueerror: x", Failed),
        ("requests.exceptions.HTTPError: 404", Failed),
        ("java.lang.IllegalStateException: x", Failed),
        ("Uncaught TypeError: x", Failed),
        ("FAILED: x", Failed),
        ("failure: x", Failed),
        ("Failed orders are listed below", Ok),
        ("last_error: none", Ok),
        ("404 Not Found", Failed),
        ("404: not found", Failed),
        ("HTTP/1.1 403 Forbidden", Failed),
        ("http 500", Failed),
        ("HTTP/2 200 OK", Ok),
        ("450 units are left", Ok),
        ("4040 Not Found", Ok),
        (r#"{"code": 500}"#, Failed),
        (r#"{"code": 200}"#, Ok),
        (r#"{"code": 90210}"#, Ok),
        (r#"{"code": "500-B"}"#, Ok),
        (r#"{"status": "denied"}"#, Failed),
        (r#"{"status": "Rejected"}"#, Failed),
        (r#"{"status": "forbidden"}"#, Failed),
        (r#"{"status": "UNAUTHORIZED"}"#, Failed),
        (r#"{"status": "cancelled"}"#, Ok),
        (r#"{"result": {"isError": true}}"#, Failed),
        (r#"{"response": {"result": {"status": 404}}}"#, Failed),
        (r#"{"result": "Error: x"}"#, Failed),
        (r#"{"result": {"status": "pending"}}"#, Pending),
        (r#"{"result": {"isError": false}}"#, Ok),
        (r#""{\"ok\": false}""#, Failed),
        (r#""Error: x""#, Failed),
        ("[1, 2]", Ok),
        ("[Error] x", Ok),
    ];
    for (text, state) in cases {
        assert_eq!(answer(text).state(Reading::Declared), state, "{text}");
    }
}

#[test]
fn flags_go_before_texts() {
    let declared = |answer: Answer<'_>| answer.state(Reading::Declared);
    assert_eq!(declared(Answer { error: Some(true), ..answer("fine") }), State::Failed);
    assert_eq!(declared(Answer { error: Some(false), ..answer("Error: x") }), State::Ok);
    assert_eq!(declared(Answer { pending: true, ..answer("fine") }), State::Pending);
    assert_eq!(declared(Answer { recorded: false, ..answer("") }), State::Unknown);
    let span = Some(Cow::Borrowed("Span error: x"));
    assert_eq!(declared(Answer { span_error: span, ..answer("fine") }), State::Failed);
}

#[test]
fn a_status_word_says_how_a_call_went() {
    let table = include_str!("../../../../conformance/dialects/pmstack/states.json");
    let table = Document::parse(table, Grammar::Strict, &Limits::DEFAULT).unwrap();
    let rows: Vec<_> = table.root().get("rows").unwrap().items().collect();
    assert!(rows.len() > 60);
    for row in rows {
        let cell = |place| row.item(place).unwrap().as_str().unwrap();
        let state = match cell(1) {
            "ok" => State::Ok,
            "pending" => State::Pending,
            _ => State::Failed,
        };
        assert_eq!(answer(cell(0)).state(Reading::State), state, "{}", row.raw());
    }
}

#[test]
fn a_status_of_the_step_itself_goes_before_the_result() {
    let ok = answer(r#"{"status": "ok"}"#);
    let failed = Answer { error: Some(true), ..ok.clone() };
    assert_eq!(failed.state(Reading::State), State::Failed);
    assert_eq!(Answer { pending: true, ..ok.clone() }.state(Reading::State), State::Pending);
    assert_eq!(
        Answer { error: Some(false), ..answer("failed") }.state(Reading::State),
        State::Failed
    );
}

#[test]
fn only_words_that_say_yes_approve() {
    for text in [
        "approved",
        "Approved.",
        r#""granted""#,
        r#"{"status": "Approved"}"#,
        r#"{"approved": true}"#,
        r#"{"status": "ok", "decision": "accepted"}"#,
        r#"{"status": "approved", "approved_by": "desk 2", "amount": 80}"#,
        r#"{"result": {"authorized": true}}"#,
        r#"[{"type": "text", "text": "{\"decision\": \"authorised\"}"}]"#,
        r#"{"content": [{"type": "text", "text": "approved"}], "isError": false}"#,
    ] {
        assert_eq!(answer(text).approval(), Approval::Granted, "{text}");
    }
    for text in [
        r#"{"status": "ok", "decision": "denied"}"#,
        r#"{"approved": false}"#,
        r#"{"status": "approved", "limits": 3, "decision": "revoked"}"#,
        r#"{"status": "approved", "approved": false}"#,
        r#"{"status": "disapproved"}"#,
        r#"{"status": "expired"}"#,
        r#"{"status": "cancelled"}"#,
        r#"{"approved": true, "approved": false}"#,
        "Denied.",
        "not approved",
        r#"{"status": "approved", "error": "queue is down"}"#,
        "Error: desk is closed",
    ] {
        assert_eq!(answer(text).approval(), Approval::Refused, "{text}");
    }
    for text in [
        "",
        "ok",
        "approved by nobody",
        "approved up to 50",
        r#"{"status": "submitted"}"#,
        r#"{"status": "under_review"}"#,
        r#"{"status": "pending", "approved": true}"#,
        r#"{"status": "approved", "decision": "pending"}"#,
        r#"{"approved": "true"}"#,
        r#"{"ticket": "A-1"}"#,
    ] {
        assert_eq!(answer(text).approval(), Approval::Neither, "{text}");
    }
    let hidden = Answer { recorded: false, ..Answer::default() };
    assert_eq!(hidden.approval(), Approval::Unknown);
    let failed = Answer { error: Some(true), ..answer("approved") };
    assert_eq!(failed.approval(), Approval::Refused);
}
