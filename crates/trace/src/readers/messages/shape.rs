//! Where sessions stand in a document, and where their messages stand in them.

use lawbook_event::json::Value;

/// One session as it was found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'d> {
    /// The object that is the session; none where a bare list of messages stands for it.
    pub object: Option<Value<'d>>,
    /// Its messages, where they do not stand under `messages`.
    pub messages: Option<Value<'d>>,
}

/// Keys of an object that hold its messages beside `messages`, best first.
const MESSAGE_KEYS: [&str; 3] = ["traj", "trajectory", "conversation"];
/// Keys of an object that hold Responses items.
const ITEM_KEYS: [&str; 3] = ["items", "input", "output"];
/// Keys of an object that hold a list of sessions.
const LIST_KEYS: [&str; 6] = ["sessions", "conversations", "traces", "results", "data", "items"];

/// Hands on every session of a document with its JSON pointer. With `lenient`, as pmstack reads,
/// every object is a session, and so is a text in a list.
pub fn sessions<'d>(root: Value<'d>, lenient: bool, out: &mut dyn FnMut(Found<'d>, &str)) {
    if root.is_array() {
        if is_messages(root) {
            out(Found { object: None, messages: Some(root) }, "");
        } else {
            list(root, "", lenient, out);
        }
        return;
    }
    if let Some(found) = of_object(root) {
        out(found, "");
        return;
    }
    for key in LIST_KEYS {
        if let Some(many) = root.get(key).filter(|it| it.is_array()) {
            list(many, &format!("/{key}"), lenient, out);
            return;
        }
    }
    if lenient && root.is_object() {
        out(Found { object: Some(root), messages: None }, "");
    }
}

fn list<'d>(many: Value<'d>, base: &str, lenient: bool, out: &mut dyn FnMut(Found<'d>, &str)) {
    for (at, one) in many.items().enumerate() {
        let found = if one.is_array() {
            Some(Found { object: None, messages: Some(one) })
        } else {
            let any = || Found { object: Some(one), messages: None };
            of_object(one).or_else(|| (lenient && one.is_object()).then(any))
        };
        if let Some(found) = found {
            out(found, &format!("{base}/{at}"));
        }
    }
}

/// How many items are looked at.
const LOOK_MAX: usize = 64;

/// Whether a list is one list of messages: an object near its start has a role, or is an item of
/// the Responses API.
pub fn is_messages(list: Value<'_>) -> bool {
    list.items().take(LOOK_MAX).any(is_message)
}

fn is_message(item: Value<'_>) -> bool {
    item.entries().any(|(key, value)| match key {
        "role" | "speaker" | "author" => value.as_str().is_some(),
        "type" => matches!(
            value.as_str(),
            Some("function_call" | "function_call_output" | "custom_tool_call" | "reasoning")
        ),
        _ => false,
    })
}

/// Whether a list is a log of steps: an entry near its start names a tool or the kind of a step.
pub fn is_log(list: Value<'_>) -> bool {
    let is_step = |step: Value<'_>| {
        let text = |key: &str| step.get(key).is_some_and(|it| it.as_str().is_some());
        step.get("role").is_none() && (text("name") || text("type"))
    };
    list.items().take(LOOK_MAX).any(is_step)
}

/// The session that an object is, if it is one.
fn of_object(object: Value<'_>) -> Option<Found<'_>> {
    let found = |messages| Found { object: Some(object), messages };
    let list = |key: &str| object.get(key).filter(|it| it.is_array());
    let fits = |it: &Value<'_>| it.is_empty() || is_messages(*it);
    match () {
        () if list("messages").is_some_and(|it| fits(&it)) => Some(found(None)),
        () if ITEM_KEYS.iter().any(|key| list(key).is_some_and(is_messages)) => Some(found(None)),
        () if list("steps").is_some_and(is_log) => Some(found(None)),
        () => MESSAGE_KEYS.iter().find_map(|key| list(key).filter(fits)).map(|it| found(Some(it))),
    }
}
