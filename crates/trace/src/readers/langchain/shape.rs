//! Where lists of messages stand in a document.

use lawbook_event::json::Value;

use super::message::{Kind, Message};
use crate::entries::{LOOKED_AT, list, object, text};

/// A list of messages and what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct List<'d> {
    /// The list, or a single message.
    pub messages: Value<'d>,
    /// The object around it.
    pub around: Option<Value<'d>>,
    /// Whether it is all that was said so far, and not what a step added.
    pub whole: bool,
    /// The place in a list of documents.
    at: Option<(&'static str, usize)>,
}

impl<'d> List<'d> {
    /// Its items.
    pub fn items(&self) -> impl Iterator<Item = Value<'d>> {
        let alone = (!self.messages.is_array()).then_some(self.messages);
        self.messages.items().chain(alone)
    }

    /// Where it stands in its document.
    pub fn pointer(&self) -> String {
        match self.at {
            Some(("", at)) => format!("/{at}"),
            Some((key, at)) => format!("/{key}/{at}"),
            None => String::new(),
        }
    }

    /// The thread that a state belongs to.
    pub fn thread(&self) -> Option<&'d str> {
        let around = self.around?;
        let configured = |it: Value<'d>| object(it, "configurable");
        let places = [
            Some(around),
            object(around, "config").and_then(configured),
            configured(around),
            object(around, "metadata"),
        ];
        places.into_iter().flatten().find_map(|it| text(it, "thread_id"))
    }
}

/// Keys of an object that lead to the values of a state, best first.
const STATE_KEYS: [&str; 6] =
    ["channel_values", "values", "checkpoint", "state", "output", "outputs"];
/// Keys of an object that hold a list of states or conversations.
const LIST_KEYS: [&str; 8] =
    ["data", "checkpoints", "states", "history", "threads", "conversations", "sessions", "items"];
/// Keys of documents that belong to other formats although they hold these messages.
const FOREIGN_KEYS: [&str; 5] = ["run_type", "observations", "span_attributes", "traceId", "eval"];

/// Whether a document holds messages that only LangChain writes.
pub fn sniff(root: Value<'_>) -> bool {
    if FOREIGN_KEYS.iter().any(|key| root.get(key).is_some()) {
        return false;
    }
    let mut fits = None;
    lists(root, &mut |found| {
        if fits.is_none() {
            fits = Some(is_own(found));
        }
    });
    fits == Some(true)
}

/// Whether the messages of a list are spelled as only LangChain does.
fn is_own(found: &List<'_>) -> bool {
    let mut looked = found.items().take(LOOKED_AT).peekable();
    looked.peek().is_some() && looked.all(|it| Message::own(it).is_some())
}

/// Hands on every list of messages of a document.
pub fn lists<'d>(root: Value<'d>, out: &mut dyn FnMut(&List<'d>)) {
    if document(root, None, out) {
        return;
    }
    let keyed = LIST_KEYS.iter().find_map(|key| Some((*key, list(root, key)?)));
    let many = root.is_array().then_some(("", root)).or(keyed);
    if let Some((key, many)) = many {
        for (at, one) in many.items().enumerate() {
            document(one, Some((key, at)), out);
        }
    }
}

/// The lists of one state, step or message. Whether there are any comes back.
fn document<'d>(
    value: Value<'d>,
    at: Option<(&'static str, usize)>,
    out: &mut dyn FnMut(&List<'d>),
) -> bool {
    let found = |messages, whole| List { messages, around: Some(value), whole, at };
    if value.is_array() {
        if is_messages(value) {
            out(&List { around: None, ..found(value, true) });
            return true;
        }
        return streamed(value, at, out);
    }
    if Message::own(value).is_some() {
        out(&List { around: None, ..found(value, false) });
        return true;
    }
    if let Some(messages) = messages_of(value) {
        out(&found(messages, true));
        return true;
    }
    steps(value, value, at, out)
}

/// What a stream of LangGraph hands out beside its mode: a state, what a step added, or a message
/// with where it comes from.
fn streamed<'d>(
    pair: Value<'d>,
    at: Option<(&'static str, usize)>,
    out: &mut dyn FnMut(&List<'d>),
) -> bool {
    const ITEMS_MAX: usize = 3;
    let Some(last) = pair.items().last().filter(|_| pair.len() <= ITEMS_MAX) else { return false };
    let list = |messages, around, whole| List { messages, around: Some(around), whole, at };
    let single = |pair: Value<'d>| {
        let message = pair.items().find(|it| Message::own(*it).is_some())?;
        Some(list(message, pair.items().last()?, false))
    };
    let found = match pair.items().find_map(Value::as_str) {
        Some("updates") => return last.is_object() && steps(last, last, at, out),
        Some("values") => messages_of(last).map(|it| list(it, last, true)),
        Some("messages") if last.is_array() => single(last),
        _ => single(pair),
    };
    if let Some(found) = &found {
        out(found);
    }
    found.is_some()
}

/// What the nodes of a step added.
fn steps<'d>(
    update: Value<'d>,
    around: Value<'d>,
    at: Option<(&'static str, usize)>,
    out: &mut dyn FnMut(&List<'d>),
) -> bool {
    let mut found = false;
    for (_, added) in update.entries().take(LOOKED_AT) {
        let messages = added.get("messages").filter(|it| added.is_object() && holds(*it));
        if let Some(messages) = messages {
            out(&List { messages, around: Some(around), whole: false, at });
            found = true;
        }
    }
    found
}

/// The messages of a state, however deep it stands in a checkpoint.
fn messages_of(state: Value<'_>) -> Option<Value<'_>> {
    let mut at = state;
    for _ in 0..STATE_KEYS.len() {
        if let Some(messages) = at.get("messages").filter(|it| it.is_array() && holds(*it)) {
            return Some(messages);
        }
        at = STATE_KEYS.iter().find_map(|key| object(at, key))?;
    }
    None
}

fn holds(messages: Value<'_>) -> bool {
    is_messages(messages) || Message::own(messages).is_some()
}

/// Whether a list is one of messages, at least one of them in LangChain's own spelling.
fn is_messages(list: Value<'_>) -> bool {
    let looked = || list.items().take(LOOKED_AT);
    let speaks = |it: Value<'_>| Message::own(it).is_some_and(|it| it.kind != Kind::Remove);
    looked().any(speaks) && looked().all(|it| Message::any(it).is_some())
}
