//! Logs of requests and responses, where each request repeats the conversation so far.

use std::collections::BTreeMap;

use lawbook_event::Usage;
use lawbook_event::json::Value;

use super::content::all_text;
use super::project::Mapped;
use super::shape::{Found, is_messages};
use crate::measures;

/// A request and what came back.
#[derive(Clone, Debug)]
pub struct Exchange<'d> {
    /// The object that holds both.
    object: Value<'d>,
    /// The request itself, which says who the user is.
    request: Value<'d>,
    /// What the request says, where it is a mere text.
    input: Option<&'d str>,
    asked: Option<Value<'d>>,
    answered: Vec<Value<'d>>,
    /// What the response says that it used, and whether its message says so too.
    usage: Usage,
    is_own_message: bool,
}

/// The exchange that an object is: `{request, response}`, a line of a batch file, or a response
/// alone.
pub fn of(object: Value<'_>) -> Option<Exchange<'_>> {
    let part = |key: &str| object.get(key).filter(|it| it.is_object());
    let (asking, answering) = (part("request"), part("response"));
    let is_one = asking.is_some() || answering.is_some() || part("body").is_some();
    if !is_one && object.get("choices").is_none() && object.get("stop_reason").is_none() {
        return None;
    }
    let request = asking.map(body).or_else(|| part("body")).unwrap_or(object);
    let response = answering.map_or(object, body);
    let input = request.get("input");
    let list = |it: &Value<'_>| it.is_array() && is_messages(*it);
    let asked = request.get("messages").or(input).filter(list);
    let input = input.and_then(Value::as_str);
    let answered = answered(response);
    let usage = measures::used(response.get("usage").or_else(|| response.get("usageMetadata")));
    let own = |it: &Value<'_>| it.offset() == response.offset();
    let is_own_message = answered.iter().any(own);
    let is_known = asked.is_some() || !answered.is_empty();
    is_known.then_some(Exchange { object, request, input, asked, answered, usage, is_own_message })
}

/// What a request or a response holds, where the log wraps it.
fn body(wrapped: Value<'_>) -> Value<'_> {
    wrapped.get("body").filter(|it| it.is_object()).unwrap_or(wrapped)
}

/// The messages of a response: the first choice, since the others were not taken; the items of a
/// response; or a message that is the response itself.
fn answered(response: Value<'_>) -> Vec<Value<'_>> {
    let choice = response.get("choices").and_then(|it| it.items().next());
    if let Some(message) = choice.and_then(|it| it.get("message")) {
        return vec![message];
    }
    if let Some(output) = response.get("output").filter(|it| is_messages(*it)) {
        return output.items().collect();
    }
    let is_message = response.get("stop_reason").is_some()
        && response.get("content").is_some_and(|it| it.is_array());
    if is_message { vec![response] } else { Vec::new() }
}

/// The conversations of a log. A request that repeats an earlier one, with its response after it,
/// goes on with the same conversation.
#[derive(Debug, Default)]
pub struct Conversations<'d> {
    all: Vec<Conversation<'d>>,
    /// Conversations by the length and the fingerprint of their last request.
    open: BTreeMap<(usize, u64), Vec<usize>>,
}

/// A conversation: its last exchange, the object and the place of its first, and what those before
/// the last used.
#[derive(Debug)]
struct Conversation<'d> {
    last: Exchange<'d>,
    object: Value<'d>,
    place: String,
    before: Usage,
}

/// How many conversations that began alike are compared.
const ALIKE_MAX: usize = 16;

impl<'d> Conversations<'d> {
    /// Adds an exchange that stands at a place.
    pub fn add(&mut self, exchange: Exchange<'d>, place: String) {
        let prints = prints(&exchange);
        let earlier = prints.iter().enumerate().rev().find_map(|(at, print)| {
            let length = at.saturating_add(1);
            let alike = self.open.get(&(length, *print))?;
            let goes_on = |it: &&usize| self.goes_on(**it, &exchange, length);
            alike.iter().rev().take(ALIKE_MAX).find(goes_on).copied()
        });
        let at = earlier.unwrap_or(self.all.len());
        let last = prints.last().map(|print| (prints.len(), *print));
        match self.all.get_mut(at) {
            Some(conversation) => {
                measures::add(&mut conversation.before, conversation.last.usage);
                conversation.last = exchange;
            }
            None => {
                let (object, before) = (exchange.object, Usage::default());
                self.all.push(Conversation { last: exchange, object, place, before });
            }
        }
        if let Some(key) = last {
            self.open.entry(key).or_default().push(at);
        }
    }

    /// The sessions that the conversations are, with their places.
    pub fn close(self) -> impl Iterator<Item = (Found<'d>, String)> {
        self.all.into_iter().map(|it| (it.last.session(it.object, it.before), it.place))
    }

    /// Whether an exchange starts with all of a conversation, its last response included.
    fn goes_on(&self, conversation: usize, exchange: &Exchange<'d>, length: usize) -> bool {
        let Some(before) = self.all.get(conversation).map(|it| &it.last) else { return false };
        let is_current = before.asked.map_or(0, Value::len) == length;
        let mut repeated = exchange.asked.into_iter().flat_map(Value::items).skip(length);
        is_current
            && !before.answered.is_empty()
            && before.answered.iter().all(|it| repeated.next().is_some_and(|next| same(*it, next)))
    }
}

impl<'d> Exchange<'d> {
    /// Its messages: lists, and single ones.
    pub fn messages(self) -> Vec<Value<'d>> {
        self.asked.into_iter().chain(self.answered).collect()
    }

    /// The session that it is. `object` is that of the first exchange of its conversation.
    fn session(self, object: Value<'d>, before: Usage) -> Found<'d> {
        let mut usage = before;
        if !self.is_own_message {
            measures::add(&mut usage, self.usage);
        }
        let (input, request) = (self.input, self.request);
        // Ids of requests name no conversation.
        let id = ["session_id", "conversation_id", "thread_id"];
        let id = id.iter().find_map(|key| object.get(key));
        let mapped = Mapped { id, ..Mapped::default() };
        let object = if object.get("request").is_some() { request } else { object };
        let (object, messages) = (Some(object), self.messages());
        Found { object, mapped, input, messages, usage, ..Found::default() }
    }
}

/// Whether a response and a message of a later request are the same: they ask for the same calls,
/// or say the same.
fn same(response: Value<'_>, message: Value<'_>) -> bool {
    let said = |it: Value<'_>| it.get("content").map(|it| all_text(it).into_owned());
    match (calls(response), calls(message)) {
        (ours, theirs) if ours.is_empty() && theirs.is_empty() => {
            said(response).unwrap_or_default() == said(message).unwrap_or_default()
        }
        (ours, theirs) => ours == theirs,
    }
}

/// The ids of the calls that a message asks for.
fn calls(message: Value<'_>) -> Vec<&str> {
    let list = |key: &str| message.get(key).into_iter().flat_map(Value::items);
    let blocks = list("content").filter(|it| it.get("input").is_some());
    let ids = list("tool_calls").chain(blocks).filter_map(|it| it.get("id"));
    ids.chain(message.get("call_id")).filter_map(Value::as_str).collect()
}

/// The fingerprint of each beginning of a request.
fn prints(exchange: &Exchange<'_>) -> Vec<u64> {
    let mut print = 0xCBF2_9CE4_8422_2325_u64;
    let messages = exchange.asked.into_iter().flat_map(Value::items);
    messages
        .map(|message| {
            for byte in message.raw().bytes() {
                print = (print ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
            }
            print
        })
        .collect()
}
