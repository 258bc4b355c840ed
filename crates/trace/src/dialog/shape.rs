//! Where messages stand in a payload, and how one message is laid out.

use lawbook_event::json::{Kind, Value};

use super::{Item, Message, Role, block};
use crate::attr;

/// How many wrappers around the messages are taken off.
const WRAPPERS_MAX: usize = 6;

/// The messages in a payload. Text that is no JSON is one message of `speaker`.
pub fn messages(payload: Value<'_>, speaker: Role) -> Vec<Message> {
    let mut out = Vec::new();
    read(payload, speaker, &mut out, WRAPPERS_MAX);
    out
}

/// Whether a payload is an object or a list that says something and holds no messages.
pub fn is_bare(payload: Value<'_>) -> bool {
    let thought = |it: Value<'_>| {
        let kind = it.get("type").and_then(Value::as_str);
        matches!(kind, Some("thinking" | "redacted_thinking" | "reasoning"))
    };
    let blocks = payload.is_array() && blocks_only(payload);
    let silent = |message: &Message| blocks && message.items.is_empty();
    matches!(payload.kind(), Kind::Array | Kind::Object)
        && !payload.is_empty()
        && !thought(payload)
        && !payload.items().any(thought)
        && messages(payload, Role::Agent).iter().all(silent)
}

fn read(payload: Value<'_>, speaker: Role, out: &mut Vec<Message>, left: usize) {
    let Some(left) = left.checked_sub(1) else { return };
    match payload.kind() {
        Kind::String => text(payload.as_str().unwrap_or(""), speaker, out, left),
        Kind::Array if blocks_only(payload) => out.extend(message(payload, payload, speaker)),
        Kind::Array => payload.items().for_each(|item| read_item(item, speaker, out, left)),
        Kind::Object => object(payload, speaker, out, left),
        _ => {}
    }
}

fn text(words: &str, speaker: Role, out: &mut Vec<Message>, left: usize) {
    match attr::parse_container(words) {
        Some(document) => read(document.root(), speaker, out, left),
        None if !words.is_empty() => out.push(Message::of_attribute(speaker, words)),
        None => {}
    }
}

/// Whether a list holds blocks of one message and no messages.
fn blocks_only(list: Value<'_>) -> bool {
    let block = |item: Value<'_>| {
        let wraps = ["role", "kwargs", "data", "message"].iter().any(|key| item.get(key).is_some());
        item.is_object() && !wraps && item.get("content").is_none_or(|_| item.get("type").is_some())
    };
    let speaks = |item: Value<'_>| {
        let kind = item.get("type").and_then(Value::as_str).unwrap_or("");
        matches!(kind, "message" | "function_call" | "function_call_output" | "reasoning")
            || Role::of(kind) != Role::Other
    };
    !list.is_empty() && list.items().all(|item| block(item) && !speaks(item))
}

fn read_item(item: Value<'_>, speaker: Role, out: &mut Vec<Message>, left: usize) {
    // LangChain writes a message also as a pair of role and text.
    if let (2, Some(role), Some(words)) = (
        item.len(),
        item.item(0).and_then(Value::as_str).map(Role::of),
        item.item(1).and_then(Value::as_str),
    ) && role != Role::Other
    {
        out.push(Message::text(role, words));
        return;
    }
    match item.kind() {
        Kind::Object | Kind::Array => read(item, speaker, out, left),
        Kind::String => out.extend(item.as_str().map(|words| Message::text(speaker, words))),
        _ => {}
    }
}

/// Keys that hold messages, best first.
const INNER_KEYS: [&str; 11] = [
    "messages",
    "contents",
    "choices",
    "generations",
    "kwargs",
    "data",
    "update",
    "message",
    "output",
    "input",
    "candidates",
];

fn object(object: Value<'_>, speaker: Role, out: &mut Vec<Message>, left: usize) {
    if speaks(object) {
        out.extend(message(
            object,
            object.get("parts").or_else(|| object.get("content")).unwrap_or(object),
            speaker,
        ));
        return;
    }
    let inner = INNER_KEYS.iter().find_map(|key| {
        object.get(key).filter(|it| it.is_object() || it.is_array() || it.as_str().is_some())
    });
    if let Some(inner) = inner {
        // A wrapped message that names its role outside keeps it.
        let outside = object.get("type").and_then(Value::as_str).map(Role::of);
        let speaker = outside.filter(|role| *role != Role::Other).unwrap_or(speaker);
        read(inner, speaker, out, left);
    } else if let Some(content) = object.get("content").or_else(|| object.get("response")) {
        read(content, speaker, out, left);
    } else {
        out.extend(block::item(object).map(|item| Message { role: speaker, items: vec![item] }));
    }
}

/// Whether an object is a message and not a wrapper.
fn speaks(object: Value<'_>) -> bool {
    let wraps = object.get("message").is_some() || object.get("kwargs").is_some();
    let has = |keys: &[&str]| keys.iter().any(|key| object.get(key).is_some());
    if wraps || object.get("data").is_some_and(Value::is_object) {
        return false;
    }
    if has(&["role"]) && has(&["content", "parts", "tool_calls", "function_call"]) {
        return true;
    }
    let kind = object.get("type").and_then(Value::as_str).unwrap_or("");
    let typed = matches!(
        kind,
        "message"
            | "function_call"
            | "function_call_output"
            | "mcp_call"
            | "custom_tool_call"
            | "custom_tool_call_output"
    );
    typed || (has(&["content"]) && Role::of(kind) != Role::Other) || has(&["tool_calls", "parts"])
}

/// One message whose words stand in `content`.
fn message(object: Value<'_>, content: Value<'_>, speaker: Role) -> Option<Message> {
    let word = object.get("role").or_else(|| object.get("type")).and_then(Value::as_str);
    let role = match word.map(Role::of) {
        Some(role) if role != Role::Other || object.get("role").is_some() => role,
        _ => speaker,
    };
    let mut items = Vec::new();
    if let Some(item) = block::item(object).filter(|it| !matches!(it, Item::Text(_))) {
        items.push(item);
    } else if role == Role::Tool && !has_answers(content) {
        items.push(Item::Answer(block::answer(object)));
    } else {
        contents(content, &mut items);
    }
    calls(object, &mut items);
    Some(Message { role, items })
}

fn has_answers(content: Value<'_>) -> bool {
    content.items().any(|part| matches!(block::item(part), Some(Item::Answer(_))))
}

fn contents(content: Value<'_>, items: &mut Vec<Item>) {
    match content.kind() {
        Kind::String => {
            let words = content.as_str().unwrap_or("");
            if !words.is_empty() {
                items.push(Item::Text(words.to_owned()));
            }
        }
        Kind::Array => items.extend(content.items().filter_map(block::item)),
        // Gemini's content is an object with parts.
        Kind::Object => match content.get("parts").filter(|it| it.is_array()) {
            Some(parts) => items.extend(parts.items().filter_map(block::item)),
            None => items.extend(block::item(content)),
        },
        _ => {}
    }
}

/// Calls that stand beside the content. Those that stand in it too are the same.
fn calls(object: Value<'_>, items: &mut Vec<Item>) {
    let in_content = items.iter().any(|item| matches!(item, Item::Call(_)));
    if in_content {
        return;
    }
    let beside = |key: &str| object.get(key).filter(|it| !it.is_empty());
    let extra = || object.get("additional_kwargs")?.get("tool_calls").filter(|it| !it.is_empty());
    let list = beside("tool_calls").or_else(extra);
    for call in list.into_iter().flat_map(Value::items).filter(|it| !it.is_null()) {
        items.push(Item::Call(block::call(call)));
    }
    for call in beside("invalid_tool_calls").into_iter().flat_map(Value::items) {
        items.push(Item::Call(block::call(call)));
    }
    if let Some(call) = object.get("function_call").filter(|it| it.is_object()) {
        items.push(Item::Call(block::call(call)));
    }
}
