//! The words of many systems.

use super::*;
use crate::attr::parse;

fn told(json: &str) -> String {
    let document = parse(json).unwrap();
    let mut out = Vec::new();
    for message in messages(document.root(), Role::Agent) {
        for item in message.items {
            out.push(match item {
                Item::Text(text) => format!("{:?}: {text}", message.role),
                Item::Unheard(left) => format!("{:?}: {left} (cut)", message.role),
                Item::Call(call) => {
                    format!("{} {} {}", call.id.unwrap_or("-".into()), call.tool, call.args.text)
                }
                Item::Answer(answer) => format!(
                    "{} = {}{}",
                    answer.id.unwrap_or("-".into()),
                    answer.text.unwrap_or("?".into()),
                    answer.error.map_or("", |it| if it { " error" } else { " fine" })
                ),
            });
        }
    }
    out.join("; ")
}

#[test]
fn one_call_in_many_words() {
    for json in [
        r#"[{"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "t", "arguments": {"a":1}}]}]"#,
        r#"[{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "t", "arguments": "{\"a\":1}"}}]}]"#,
        r#"{"messages": [[{"lc": 1, "type": "constructor", "id": ["x", "AIMessage"], "kwargs": {"content": "", "type": "ai", "tool_calls": [{"name": "t", "args": {"a":1}, "id": "1", "type": "tool_call"}]}}]]}"#,
        r#"{"generations": [[{"text": "", "message": {"lc": 1, "kwargs": {"content": "", "tool_calls": [{"name": "t", "args": {"a":1}, "id": "1"}]}}}]]}"#,
        r#"{"choices": [{"message": {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "t", "arguments": "{\"a\":1}"}}]}}]}"#,
        r#"{"id": "resp", "output": [{"type": "function_call", "id": "fc", "call_id": "1", "name": "t", "arguments": "{\"a\":1}"}]}"#,
        r#"{"content": [{"type": "tool_use", "id": "1", "name": "t", "input": {"a":1}}], "role": "assistant"}"#,
        r#"[{"toolUse": {"toolUseId": "1", "name": "t", "input": {"a":1}}}]"#,
        r#"{"content": {"parts": [{"function_call": {"id": "1", "name": "t", "args": {"a":1}}}], "role": "model"}}"#,
        r#"{"contents": [{"role": "model", "parts": [{"functionCall": {"id": "1", "name": "t", "args": {"a":1}}}]}]}"#,
        r#"{"type": "ai", "data": {"content": "", "tool_calls": [{"name": "t", "args": {"a":1}, "id": "1"}]}}"#,
        r#""[{\"role\": \"assistant\", \"parts\": [{\"type\": \"tool_call\", \"id\": \"1\", \"name\": \"t\", \"arguments\": {\"a\":1}}]}]""#,
    ] {
        assert_eq!(told(json), "1 t {\"a\":1}", "{json}");
    }
}

#[test]
fn one_answer_in_many_words() {
    for json in [
        r#"[{"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "r"}]}]"#,
        r#"[{"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "result": "r"}]}]"#,
        r#"[{"role": "tool", "tool_call_id": "1", "content": "r"}]"#,
        r#"[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "r"}]}]}]"#,
        r#"[{"type": "function_call_output", "call_id": "1", "output": "r"}]"#,
        r#"[{"type": "tool", "content": "r", "name": "t", "tool_call_id": "1"}]"#,
    ] {
        assert_eq!(told(json), "1 = r", "{json}");
    }
    let strands =
        r#"[{"toolResult": {"toolUseId": "1", "status": "error", "content": [{"text": "r"}]}}]"#;
    assert_eq!(told(strands), "1 = r error");
    let gemini = r#"[{"role": "user", "parts": [{"functionResponse": {"name": "t", "response": {"x": 1}}}]}]"#;
    assert_eq!(told(gemini), "- = {\"x\": 1}");
}

#[test]
fn words_and_who_said_them() {
    assert_eq!(
        told(r#"[["user", "hi"], {"role": "human", "content": "ho"}]"#),
        "User: hi; User: ho"
    );
    assert_eq!(
        told(
            r#"[{"role": "assistant", "parts": [{"type": "reasoning", "content": "x"}, {"type": "text", "content": "y"}]}]"#
        ),
        "Agent: y"
    );
    assert_eq!(told(r#"[{"role": "user", "parts": [{"text": "q"}]}]"#), "User: q");
    assert_eq!(told(r#"[{"text": "done"}]"#), "Agent: done");
    assert_eq!(told(r#"{"role": "developer", "content": "rules"}"#), "Other: rules");
    assert_eq!(told(r#""plain""#), "Agent: plain");
    assert_eq!(told("5"), "");
}
