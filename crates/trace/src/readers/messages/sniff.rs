//! Whether a document holds messages that this reader knows, and not another system's.

use lawbook_event::json::Value;

use super::project::{self, FieldMap};
use super::shape::{self, Thing};

/// How many messages are looked at.
const LOOK_MAX: usize = 64;
/// Keys of documents that belong to other formats although they hold messages.
const FOREIGN_KEYS: [&str; 9] = [
    "user_task_id",
    "simulations",
    "eval",
    "history",
    "observations",
    "appName",
    "projectHash",
    "run_type",
    "jsonrpc",
];
/// Types of content blocks that other systems use.
const FOREIGN_BLOCKS: [&str; 2] = ["tool-call", "tool-result"];

/// Whether the first session in a document is written as messages that this reader knows.
pub fn sniff(root: Value<'_>) -> bool {
    if project::other(root).is_some() || project::is_project(root) {
        return true;
    }
    if root.is_array() && !shape::is_messages(root) {
        let first = root.items().find(|item| item.is_array() || item.is_object());
        return first.is_some_and(sniff_one);
    }
    sniff_one(root)
}

fn sniff_one(root: Value<'_>) -> bool {
    if FOREIGN_KEYS.iter().any(|key| root.get(key).is_some()) {
        return false;
    }
    let mut first = None;
    shape::things(root, &FieldMap::default(), false, &mut |thing, _| {
        first.get_or_insert(thing);
    });
    let lists = match first {
        None | Some(Thing::Unknown) => return false,
        Some(Thing::Message(message)) => return !foreign(message),
        Some(Thing::Exchange(exchange)) => exchange.messages(),
        Some(Thing::Session(found)) if found.steps.is_some() => return true,
        Some(Thing::Session(found)) => found.messages,
    };
    let one = |list: &Value<'_>| {
        let mut messages = list.items().take(LOOK_MAX).peekable();
        !list.is_array() && !foreign(*list)
            || messages.peek().is_some() && messages.all(|message| !foreign(message))
    };
    lists.iter().any(one)
}

fn foreign(message: Value<'_>) -> bool {
    if message.get("parts").is_some() || message.get("requestor").is_some() {
        return true;
    }
    let foreign_block = |block: Value<'_>| {
        let kind = block.get("type").and_then(Value::as_str);
        block.get("toolUse").is_some()
            || block.get("toolResult").is_some()
            || kind.is_some_and(|it| FOREIGN_BLOCKS.contains(&it))
    };
    let blocks = message.get("content").into_iter().flat_map(Value::items);
    if blocks.take(LOOK_MAX).any(foreign_block) {
        return true;
    }
    let first = message.get("tool_calls").and_then(|calls| calls.items().next());
    first.is_some_and(|call| {
        let function_is_text = call.get("function").is_some_and(|it| it.as_str().is_some());
        call.get("args").is_some() || function_is_text
    })
}
