//! Where message lists stand in a document.

use lawbook_event::json::Value;

use super::Found;

/// Keys of an object that hold its messages, best first.
const MESSAGE_KEYS: [&str; 4] = ["messages", "traj", "trajectory", "conversation"];
/// Keys of an object that hold a list of sessions.
const LIST_KEYS: [&str; 6] = ["sessions", "conversations", "traces", "results", "data", "items"];

/// Hands on every session of a document with its JSON pointer.
pub fn sessions<'d>(root: Value<'d>, out: &mut dyn FnMut(Found<'d>, &str)) {
    if root.is_array() {
        if is_messages(root) {
            out(Found { messages: root, around: None }, "");
        } else {
            list(root, "", out);
        }
        return;
    }
    if let Some(messages) = messages_of(root) {
        out(Found { messages, around: Some(root) }, "");
        return;
    }
    for key in LIST_KEYS {
        if let Some(many) = root.get(key).filter(|it| it.is_array()) {
            list(many, &format!("/{key}"), out);
            return;
        }
    }
}

fn list<'d>(many: Value<'d>, base: &str, out: &mut dyn FnMut(Found<'d>, &str)) {
    for (at, one) in many.items().enumerate() {
        let found = if one.is_array() {
            Some(Found { messages: one, around: None })
        } else {
            messages_of(one).map(|messages| Found { messages, around: Some(one) })
        };
        if let Some(found) = found {
            out(found, &format!("{base}/{at}"));
        }
    }
}

/// How many items are looked at for a role.
const LOOK_MAX: usize = 64;

/// Whether a list is one list of messages: an object near its start has a role.
pub fn is_messages(list: Value<'_>) -> bool {
    list.items().take(LOOK_MAX).any(|item| item.get("role").is_some())
}

/// The messages that an object holds.
pub fn messages_of(object: Value<'_>) -> Option<Value<'_>> {
    MESSAGE_KEYS.into_iter().find_map(|key| {
        let list = object.get(key).filter(|it| it.is_array())?;
        (list.is_empty() || is_messages(list)).then_some(list)
    })
}
