//! Whether a document is of Codex.

use lawbook_event::json::Value;

use crate::entries::{LOOKED_AT, list, object, text};

/// The types of lines.
const LINE_TYPES: [&str; 5] =
    ["session_meta", "turn_context", "response_item", "event_msg", "compacted"];

/// A key that only Codex writes into the items of its API.
const PASSTHROUGH: &str = "internal_chat_message_metadata_passthrough";

/// Whether a line, or a record near the start of a list, is one that only Codex writes.
pub fn sniff(root: Value<'_>) -> bool {
    let items = list(root, "items").or_else(|| root.is_array().then_some(root));
    match items {
        Some(items) => items.items().take(LOOKED_AT).any(|it| marked(it) || passed_through(it)),
        None => marked(root) || is_head(root),
    }
}

fn marked(record: Value<'_>) -> bool {
    let kind = text(record, "type");
    kind.is_some_and(|it| LINE_TYPES.contains(&it)) && object(record, "payload").is_some()
}

fn passed_through(record: Value<'_>) -> bool {
    text(record, "type").is_some() && record.get(PASSTHROUGH).is_some()
}

/// Whether this is the first line of an old file, which has no envelope around its lines.
pub fn is_head(record: Value<'_>) -> bool {
    let known = |key: &str| matches!(key, "id" | "timestamp" | "instructions" | "git");
    text(record, "id").is_some()
        && text(record, "timestamp").is_some()
        && record.get("instructions").is_some()
        && record.entries().all(|(key, _)| known(key))
}
