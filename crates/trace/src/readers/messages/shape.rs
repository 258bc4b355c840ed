//! Where sessions stand in a document, and where their messages stand in them.

use lawbook_event::Usage;
use lawbook_event::json::{Kind, Value};

use super::exchange::{self, Exchange};
use super::project::{FieldMap, Mapped};
use super::stream::Stream;
use super::{items, log};
use crate::readers::whole::LIST_KEYS;

/// One session as it was found.
#[derive(Clone, Debug, Default)]
pub struct Found<'d> {
    /// The object that is the session; none where a bare list of messages stands for it.
    pub object: Option<Value<'d>>,
    /// What stands under other names, or is read in the place of what the object has.
    pub mapped: Mapped<'d>,
    /// What it was asked for, where that is no message.
    pub input: Option<&'d str>,
    /// Its messages: whole lists, or single messages, one after another.
    pub messages: Vec<Value<'d>>,
    /// Its log of steps.
    pub steps: Option<Value<'d>>,
    /// Its last words, where they are no message.
    pub output: Option<&'d str>,
    /// What the responses say was used, beside what messages say themselves.
    pub usage: Usage,
    /// Whether pmstack can read the same.
    pub is_pmstacks: bool,
}

/// Something in a document.
#[derive(Debug)]
pub enum Thing<'d> {
    /// A session.
    Session(Found<'d>),
    /// A request and its response, which may be a part of a session.
    Exchange(Exchange<'d>),
    /// A message or a fragment of one, on a line of its own.
    Message(Value<'d>),
    /// An entry of a list of sessions that is none.
    Unknown,
}

/// Keys of an object that hold its messages beside `messages`, best first.
const MESSAGE_KEYS: [&str; 3] = ["traj", "trajectory", "conversation"];
/// Keys of an object that hold Responses items, in the order in which they are one list.
const ITEM_KEYS: [&str; 4] = ["items", "messages", "input", "output"];

/// Hands on all that a document holds, each with its JSON pointer. With `lenient`, as pmstack
/// reads, every object is a session, and so is a text in a list.
pub fn things<'d>(
    root: Value<'d>,
    map: &FieldMap,
    lenient: bool,
    out: &mut dyn FnMut(Thing<'d>, &str),
) {
    if root.is_array() {
        if is_messages(root) {
            out(Thing::Session(of_list(root, None)), "");
        } else {
            list(root, "", map, lenient, out);
        }
        return;
    }
    if let Some(thing) = of_object(root, map) {
        out(thing, "");
        return;
    }
    for key in LIST_KEYS {
        if let Some(many) = root.get(key).filter(|it| it.is_array())
            && (!lenient || key == "traces" || holds_any(many, map))
        {
            list(many, &format!("/{key}"), map, lenient, out);
            return;
        }
    }
    if is_message(root) {
        out(Thing::Message(root), "");
    } else if lenient && root.is_object() {
        out(Thing::Session(of_anything(root, map)), "");
    }
}

/// Whether a list holds something that is known.
fn holds_any(many: Value<'_>, map: &FieldMap) -> bool {
    many.items().take(LOOK_MAX).any(|it| is_messages(it) || of_object(it, map).is_some())
}

/// Hands on all that a list of sessions holds.
pub fn list<'d>(
    many: Value<'d>,
    base: &str,
    map: &FieldMap,
    lenient: bool,
    out: &mut dyn FnMut(Thing<'d>, &str),
) {
    for (at, one) in many.items().enumerate() {
        let any = || lenient.then(|| Thing::Session(of_anything(one, map)));
        let thing = match one.kind() {
            Kind::Array => Some(Thing::Session(of_list(one, None))),
            Kind::Object => of_object(one, map).or_else(any),
            Kind::String => any(),
            Kind::Null => continue,
            _ => None,
        };
        out(thing.unwrap_or(Thing::Unknown), &format!("{base}/{at}"));
    }
}

/// How many items are looked at.
const LOOK_MAX: usize = 64;

/// Whether a list is one list of messages: an item near its start is one.
pub fn is_messages(list: Value<'_>) -> bool {
    list.items().take(LOOK_MAX).any(is_message)
}

/// Whether an object is a message: it has a role, is an item of the Responses API, or a fragment.
pub fn is_message(item: Value<'_>) -> bool {
    item.entries().any(|(key, value)| match key {
        "role" | "speaker" | "author" => value.as_str().is_some(),
        "type" => value.as_str().is_some_and(|it| items::knows(it) || Stream::knows(it)),
        "choices" => value.items().next().is_some_and(|it| it.get("delta").is_some()),
        _ => false,
    })
}

/// The session that a bare list of messages is, or a list inside an object under a key of its own.
fn of_list<'d>(list: Value<'d>, object: Option<Value<'d>>) -> Found<'d> {
    let mapped = Mapped { messages: Some(list), ..Mapped::default() };
    Found { object, mapped, messages: vec![list], is_pmstacks: true, ..Found::default() }
}

/// What an object is, if it is known.
pub fn of_object<'d>(object: Value<'d>, map: &FieldMap) -> Option<Thing<'d>> {
    let mapped = map.of(object);
    let get = |key: &str| mapped.get(key).or_else(|| object.get(key));
    let lists = |key: &str| get(key).filter(|it| it.is_array());
    let fits = |it: &Value<'_>| it.is_empty() || is_messages(*it);
    let steps = lists("steps").filter(|it| log::is_log(*it));
    let output = ["output", "answer", "completion"].iter().find_map(|key| get(key)?.as_str());
    let found = Found {
        object: Some(object),
        mapped,
        steps,
        output,
        is_pmstacks: true,
        ..Found::default()
    };
    if let Some(exchange) = exchange::of(object) {
        return Some(Thing::Exchange(exchange));
    }
    let has_items = |it: &Value<'_>| it.items().take(LOOK_MAX).any(items::is_item);
    let item_lists = || ITEM_KEYS.iter().filter_map(|key| lists(key));
    if let Some(messages) = lists("messages").filter(fits)
        && !item_lists().any(|it| has_items(&it))
    {
        return Some(Thing::Session(Found { messages: vec![messages], ..found }));
    }
    if item_lists().any(|it| has_items(&it)) {
        let input = get("input").and_then(Value::as_str);
        let messages = item_lists().collect();
        return Some(Thing::Session(Found { input, messages, ..found }));
    }
    if steps.is_some() {
        let input = ["input", "question", "prompt"].iter().find_map(|key| get(key)?.as_str());
        return Some(Thing::Session(Found { input, ..found }));
    }
    let list = MESSAGE_KEYS.iter().find_map(|key| lists(key).filter(fits))?;
    Some(Thing::Session(of_list(list, Some(object))))
}

/// An object, or a text, that pmstack takes for a trace, although it holds nothing to judge.
fn of_anything<'d>(any: Value<'d>, map: &FieldMap) -> Found<'d> {
    let mapped = map.of(any);
    Found { object: Some(any), mapped, is_pmstacks: true, ..Found::default() }
}
