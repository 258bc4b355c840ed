//! The blocks that messages are made of, in the words of many systems.

use lawbook_event::json::{Kind, Value};

use super::{Answered, Asked, Item, args, id, result};

/// The text of a list of text parts; nothing when another part is among them.
pub fn joined(parts: Value<'_>) -> Option<String> {
    let mut whole: Option<String> = None;
    for part in parts.items() {
        let text = match part.kind() {
            Kind::String => part.as_str()?,
            _ => text_of(part)?,
        };
        match &mut whole {
            Some(whole) => {
                whole.push('\n');
                whole.push_str(text);
            }
            None => whole = Some(text.to_owned()),
        }
    }
    whole
}

/// The words of a text block.
fn text_of(block: Value<'_>) -> Option<&str> {
    let said = || block.get("text").or_else(|| block.get("content")).and_then(Value::as_str);
    match text(block, "type") {
        Some("text" | "input_text" | "output_text" | "refusal") => {
            said().or_else(|| block.get("refusal")?.as_str())
        }
        Some(_) => None,
        None if block.get("thought").and_then(Value::as_bool) == Some(true) => None,
        None => block.get("text").and_then(Value::as_str),
    }
}

fn text<'d>(value: Value<'d>, key: &str) -> Option<&'d str> {
    value.get(key).and_then(Value::as_str)
}

fn first<'d>(value: Value<'d>, keys: &[&str]) -> Option<Value<'d>> {
    keys.iter().find_map(|key| value.get(key))
}

/// What a block says, if it is words, a call or an answer.
pub fn item(block: Value<'_>) -> Option<Item> {
    if let Some(words) = block.as_str() {
        return Some(Item::Text(words.to_owned()));
    }
    if let Some(said) = by_type(block).or_else(|| by_key(block)) {
        return Some(said);
    }
    text_of(block).map(|words| Item::Text(words.to_owned()))
}

/// Blocks that name their type.
fn by_type(block: Value<'_>) -> Option<Item> {
    let said = match text(block, "type")? {
        "tool_call" | "tool-call" | "tool_use" | "mcp_tool_use" => Item::Call(call(block)),
        "function_call" | "custom_tool_call" | "function" | "custom" => Item::Call(call(block)),
        "mcp_call" => Item::Call(Asked {
            server: text(block, "server_label").map(str::to_owned),
            ..call(block)
        }),
        "tool_call_response" | "tool-result" | "tool_result" | "mcp_tool_result" => {
            Item::Answer(answer(block))
        }
        "function_call_output" | "custom_tool_call_output" => Item::Answer(answer(block)),
        _ => return None,
    };
    Some(said)
}

/// Blocks whose key names their type.
fn by_key(block: Value<'_>) -> Option<Item> {
    let object = |key: &str| block.get(key).filter(|it| it.is_object());
    let any = |keys: [&str; 2]| keys.into_iter().find_map(object);
    if let Some(call_block) =
        any(["toolUse", "toolCall"]).or_else(|| any(["functionCall", "function_call"]))
    {
        return Some(Item::Call(call(call_block)));
    }
    // Vercel's kit lists calls without their type.
    let has = |key: &str| block.get(key).is_some();
    if has("toolCallId") && has("toolName") && !has("output") && !has("result") {
        return Some(Item::Call(call(block)));
    }
    let block = any(["toolResult", "functionResponse"]).or_else(|| object("function_response"))?;
    Some(Item::Answer(answer(block)))
}

/// A call, in any system's words.
pub fn call(block: Value<'_>) -> Asked {
    let body = ["function", "custom"]
        .into_iter()
        .find_map(|key| block.get(key).filter(|it| it.is_object()));
    let inner = body.unwrap_or(block);
    let name = first(inner, &["name", "toolName", "tool_name"]).or_else(|| inner.get("function"));
    let server = first(inner, &["server_name", "server_label"]).and_then(Value::as_str);
    let given = first(inner, &["arguments", "args", "input", "parameters"]);
    Asked {
        id: id(first(block, &["call_id", "id", "toolUseId", "toolCallId", "tool_call_id"])),
        server: server.map(str::to_owned),
        tool: name.and_then(Value::as_str).unwrap_or("").to_owned(),
        args: args(given),
    }
}

/// An answer, in any system's words.
pub fn answer(block: Value<'_>) -> Answered {
    let given = first(block, &["response", "result", "content", "output"]);
    let (given, kind) = typed(given);
    let status = text(block, "status").unwrap_or("");
    let flag = first(block, &["is_error", "isError"]).and_then(Value::as_bool);
    let error =
        block.get("error").filter(|it| !it.is_null()).map(|it| it.as_bool().unwrap_or(true));
    let by_status = match status {
        "error" | "failed" => Some(true),
        "success" => Some(false),
        _ => kind.map(|kind| kind.starts_with("error")),
    };
    const ID_KEYS: [&str; 6] =
        ["tool_call_id", "tool_use_id", "toolUseId", "toolCallId", "call_id", "id"];
    Answered {
        id: id(first(block, &ID_KEYS)),
        tool: first(block, &["name", "toolName"]).and_then(Value::as_str).map(str::to_owned),
        text: result(given),
        error: flag.or(error).or(by_status),
        stopped: crate::ids::did_not_run(status) || kind == Some(DENIED),
    }
}

/// What Vercel's kit calls the output of a call that nobody ran.
const DENIED: &str = "execution-denied";

/// What stands in an output that names its own type, as Vercel's kit writes it, and that type.
fn typed<'d>(given: Option<Value<'d>>) -> (Option<Value<'d>>, Option<&'d str>) {
    const TYPES: [&str; 6] = ["text", "json", "content", "error-text", "error-json", DENIED];
    let kind = given.and_then(|it| text(it, "type")).filter(|it| TYPES.contains(it));
    let value = given.and_then(|it| it.get("value"));
    match kind {
        Some(DENIED) => (given.and_then(|it| it.get("reason")), kind),
        Some(_) if value.is_some() => (value, kind),
        _ => (given, None),
    }
}
