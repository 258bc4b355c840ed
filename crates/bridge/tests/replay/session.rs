//! What the hooks of Claude Code would have been sent over a session that it recorded.

use serde_json::{Value, json};

/// What hooks are sent over a session, in order, and the ids of the calls that wait for an answer.
pub fn inputs(lines: &str) -> Vec<(Option<String>, Value)> {
    let mut out = Vec::new();
    let event = |name: &str, more: Value| {
        let mut input = json!({
            "hook_event_name": name,
            "session_id": "replayed",
            "permission_mode": "default",
        });
        if let (Some(input), Some(more)) = (input.as_object_mut(), more.as_object()) {
            input.extend(more.clone());
        }
        input
    };
    out.push((None, event("SessionStart", json!({"source": "startup"}))));
    let mut calls: Vec<(String, Value)> = Vec::new();
    let mut said = String::new();
    for record in lines.lines().filter_map(|it| serde_json::from_str::<Value>(it).ok()) {
        let content = &record["message"]["content"];
        let aside = record["isSidechain"] == json!(true) || record["isMeta"] == json!(true);
        if let (Some("user"), Some(words)) = (record["type"].as_str(), content.as_str())
            && !aside
        {
            out.push((None, event("Stop", json!({"last_assistant_message": said}))));
            out.push((None, event("UserPromptSubmit", json!({"prompt": words}))));
        }
        for block in content.as_array().into_iter().flatten() {
            match block["type"].as_str() {
                Some("text") if record["type"] == "assistant" && !aside => {
                    said = block["text"].as_str().unwrap_or_default().to_owned();
                }
                Some("tool_use") => {
                    let id = block["id"].as_str().unwrap_or_default().to_owned();
                    if calls.iter().any(|it| it.0 == id) {
                        continue;
                    }
                    let call = json!({
                        "tool_name": block["name"],
                        "tool_input": block["input"],
                        "tool_use_id": id,
                    });
                    out.push((Some(id.clone()), event("PreToolUse", call.clone())));
                    calls.push((id, call));
                }
                Some("tool_result") => {
                    let id = block["tool_use_id"].as_str().unwrap_or_default();
                    let Some((_, call)) = calls.iter().find(|it| it.0 == id) else { continue };
                    let failed = block["is_error"] == json!(true);
                    let (name, key) = match failed {
                        true => ("PostToolUseFailure", "error"),
                        false => ("PostToolUse", "tool_response"),
                    };
                    let mut more = call.clone();
                    more[key] = block["content"].clone();
                    out.push((None, event(name, more)));
                }
                _ => {}
            }
        }
    }
    out
}

/// The verdict in an answer of `PreToolUse`.
pub fn verdict(stdout: &str) -> &'static str {
    let answer: Value = serde_json::from_str(stdout).unwrap_or(Value::Null);
    match answer["hookSpecificOutput"]["permissionDecision"].as_str() {
        Some("ask") => "ask",
        Some("deny") => "deny",
        _ => "allow",
    }
}
