//! Whether a document holds messages that this reader knows, and not another system's.

use lawbook_event::json::Value;

use super::shape::{self, Found};

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
    if root.is_array() && !shape::is_messages(root) {
        let first = root.items().find(|item| item.is_array() || item.is_object());
        return first.is_some_and(|first| sniff_one(first));
    }
    sniff_one(root)
}

fn sniff_one<'d>(root: Value<'d>) -> bool {
    if FOREIGN_KEYS.iter().any(|key| root.get(key).is_some()) {
        return false;
    }
    let mut first = None;
    shape::sessions(root, false, &mut |found, _| {
        first.get_or_insert(found);
    });
    let list = |found: Found<'d>, key: &str| found.object?.get(key).filter(|it| it.is_array());
    first.is_some_and(|found| {
        let keys = ["messages", "items", "input", "output", "steps"];
        let lists = found.messages.into_iter().chain(keys.iter().filter_map(|it| list(found, it)));
        let mut messages = lists.flat_map(|it| it.items().take(LOOK_MAX)).peekable();
        messages.peek().is_some() && messages.all(|message| !foreign(message))
    })
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
