//! Whether a document is of Claude Code.

use lawbook_event::json::Value;

use crate::entries::{LOOKED_AT, list, object, text};

/// Whether a line, or a record near the start of a list, is one that only Claude Code writes.
pub fn sniff(root: Value<'_>) -> bool {
    match list(root, "messages") {
        Some(messages) => enveloped(messages),
        None if root.is_array() => root.items().take(LOOKED_AT).any(marked),
        None => marked(root),
    }
}

/// Whether this is a line that only Claude Code writes.
pub fn marked(record: Value<'_>) -> bool {
    let Some(kind) = text(record, "type") else { return false };
    let has = |key: &str| record.get(key).is_some();
    match kind {
        "summary" => text(record, "leafUuid").is_some() && text(record, "summary").is_some(),
        "file-history-snapshot" => has("snapshot") && has("messageId"),
        _ if text(record, "sessionId").is_some() => {
            text(record, "uuid").is_some() || (kind == "queue-operation" && has("operation"))
        }
        _ if text(record, "session_id").is_none() => false,
        "system" => text(record, "subtype").is_some(),
        "assistant" | "user" => object(record, "message").is_some() && has("parent_tool_use_id"),
        "result" => text(record, "subtype").is_some() && has("num_turns"),
        _ => false,
    }
}

/// Whether messages stand in the envelopes of a session log, without what surrounds them there.
fn enveloped(messages: Value<'_>) -> bool {
    let fits = |record: Value<'_>| {
        let speaks = matches!(text(record, "type"), Some("user" | "assistant" | "system"));
        let inner = object(record, "message").and_then(|it| text(it, "role"));
        speaks && (inner.is_some() || text(record, "uuid").is_some())
    };
    let inner = |record: Value<'_>| object(record, "message").is_some();
    messages.items().take(LOOKED_AT).all(fits) && messages.items().take(LOOKED_AT).any(inner)
}
