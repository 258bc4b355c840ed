//! One message after another, told as events.

use std::borrow::Cow;

use lawbook_event::Time;
use lawbook_event::json::Value;

use super::content::{all_text, answer, by_status, human_text, request};
use super::stream::Stream;
use super::teller::{Shape, Teller};
use super::{blocks, items};
use crate::chat::{Request, Returned};
use crate::content::args;
use crate::{ids, measures, parse_time};

/// The fields of a message that matter, found in one pass over its keys.
#[derive(Debug, Default)]
pub struct Fields<'d> {
    pub role: Option<&'d str>,
    pub kind: Option<&'d str>,
    pub content: Option<Value<'d>>,
    pub name: Option<&'d str>,
    pub error: Option<Value<'d>>,
    pub status: Option<&'d str>,
    pub at: Option<Time>,
    usage: Option<Value<'d>>,
    refusal: Option<&'d str>,
    tool_calls: Option<Value<'d>>,
    function_call: Option<Value<'d>>,
    tool_call_id: Option<Value<'d>>,
    /// Other keys under which a role or a text may stand.
    speaker: Option<&'d str>,
    text: Option<Value<'d>>,
    is_fragment: bool,
}

impl<'d> Fields<'d> {
    fn read(message: Value<'d>) -> Self {
        let mut fields = Fields::default();
        for (key, value) in message.entries() {
            match key {
                "role" => fields.role = value.as_str(),
                "content" => fields.content = Some(value),
                "refusal" => fields.refusal = value.as_str(),
                "tool_calls" | "toolCalls" => fields.tool_calls = Some(value),
                "function_call" => fields.function_call = Some(value).filter(|it| it.is_object()),
                "tool_call_id" => fields.tool_call_id = Some(value),
                "name" => fields.name = value.as_str(),
                "type" => fields.kind = value.as_str(),
                "error" | "is_error" => fields.error = Some(value).filter(|it| !it.is_null()),
                "usage" => fields.usage = Some(value),
                "status" => fields.status = value.as_str(),
                "timestamp" | "created_at" | "time" => {
                    fields.at = value.as_str().or(value.number_text()).and_then(parse_time);
                }
                "speaker" | "author" => fields.speaker = value.as_str(),
                "text" | "message" | "transcript" => {
                    fields.text = Some(value).filter(|it| it.as_str().is_some());
                }
                "choices" | "delta" => fields.is_fragment = true,
                _ => {}
            }
        }
        fields.role = fields.role.or(fields.speaker);
        fields.content = fields.content.or(fields.text);
        fields
    }
}

/// Tells one message, which stands at `at` of its list.
pub fn tell<'d>(teller: &mut Teller<'d>, at: usize, message: Value<'d>) {
    let fields = Fields::read(message);
    if fields.is_fragment || fields.kind.is_some_and(Stream::knows) {
        return Stream::take(teller, at, message);
    }
    Stream::flush(teller);
    told(teller, at, &fields, message);
}

/// Tells a message that is no fragment.
pub fn whole<'d>(teller: &mut Teller<'d>, at: usize, message: Value<'d>) {
    told(teller, at, &Fields::read(message), message);
}

fn told<'d>(teller: &mut Teller<'d>, at: usize, fields: &Fields<'d>, message: Value<'d>) {
    let before = teller.chat.len();
    teller.chat.used(measures::used(fields.usage));
    let item = fields.kind.filter(|it| fields.role.is_none() && items::knows(it));
    match item {
        Some(kind) => items::tell(teller, at, kind, message, fields),
        None => spoken(teller, at, fields),
    }
    if teller.chat.len() == before {
        teller.chat.message(at);
        teller.chat.other(fields.at);
    }
}

fn spoken<'d>(teller: &mut Teller<'d>, at: usize, fields: &Fields<'d>) {
    let is_agent = matches!(fields.role, Some("assistant" | "agent" | "bot" | "ai" | "model"));
    let number = items::number(teller, at, is_agent, fields.kind == Some("message"));
    teller.chat.message(number);
    let content = fields.content.filter(|it| it.is_array());
    let has_blocks = content.is_some_and(|it| it.items().any(blocks::is_tool));
    match (has_blocks, fields.role) {
        (true, _) => blocks::tell(teller, at, fields, is_agent),
        (_, Some("user" | "human" | "customer" | "caller")) => {
            teller.saw(Shape::Chat);
            match fields.content.filter(|it| !it.is_null()) {
                Some(content) => {
                    teller.chat.user(fields.at, ids::message(at), human_text(content));
                }
                // Nobody says nothing: what was said is not recorded.
                None => teller.chat.unheard_user(fields.at, ids::message(at)),
            }
        }
        (_, Some("tool" | "function" | "ipython")) => result(teller, fields),
        _ if is_agent => agent(teller, at, fields),
        _ => {}
    }
    requests(teller, at, fields);
}

fn agent<'d>(teller: &mut Teller<'d>, at: usize, fields: &Fields<'d>) {
    teller.saw(Shape::Chat);
    let text = fields.content.map_or(Cow::Borrowed(""), all_text);
    let text = if text.is_empty() { Cow::Borrowed(fields.refusal.unwrap_or("")) } else { text };
    teller.chat.agent(fields.at, ids::message(at), text);
}

fn requests<'d>(teller: &mut Teller<'d>, at: usize, fields: &Fields<'d>) {
    let mut nth = blocks::calls(fields.content);
    // A single call may stand without its list.
    let single = fields.tool_calls.filter(|it| it.is_object());
    for call in single.into_iter().chain(fields.tool_calls.into_iter().flat_map(Value::items)) {
        teller.saw(Shape::OpenAiChat);
        if !call.is_null() {
            let request = Request { step_id: ids::call(at, nth), ..asked(call) };
            teller.chat.call(fields.at, request);
        }
        nth = nth.saturating_add(1);
    }
    if let Some(call) = fields.function_call {
        teller.saw(Shape::OpenAiChat);
        let request = Request { step_id: ids::call(at, nth), ..function(call, None) };
        teller.chat.call(fields.at, request);
    }
}

fn result<'d>(teller: &mut Teller<'d>, fields: &Fields<'d>) {
    teller.saw(Shape::OpenAiChat);
    let (by_status, pending, stopped) = by_status(fields.status);
    let flag = fields.error.map(|it| it.as_bool().unwrap_or(true));
    let mut answer = answer(&mut teller.chat, fields.content);
    answer.error = flag.or(by_status);
    answer.pending = pending;
    let id = fields.tool_call_id.and_then(Value::as_str).map(Cow::Borrowed);
    let tool = fields.name.map(Cow::Borrowed);
    teller.chat.returned(fields.at, Returned { id, tool, answer, stopped });
}

/// A call among `tool_calls`.
pub fn asked<'d>(call: Value<'d>) -> Request<'d> {
    let (mut id, mut body, mut custom) = (None, None, None);
    for (key, value) in call.entries() {
        match key {
            "id" => id = value.as_str(),
            "function" => body = Some(value),
            "custom" => custom = Some(value),
            _ => {}
        }
    }
    match (body, custom) {
        (Some(body), _) => function(body, id),
        (None, Some(custom)) => {
            let tool = custom.get("name").and_then(Value::as_str).unwrap_or("");
            request(id, tool, args(custom.get("input")))
        }
        // Some exports leave the wrapper out.
        (None, None) => function(call, id),
    }
}

fn function<'d>(body: Value<'d>, id: Option<&'d str>) -> Request<'d> {
    let (mut tool, mut given, mut input) = ("", None, None);
    for (key, value) in body.entries() {
        match key {
            "name" => tool = value.as_str().unwrap_or(""),
            "arguments" => given = Some(value),
            "input" => input = Some(value),
            _ => {}
        }
    }
    request(id, tool, args(given.or(input)))
}
