//! One message after another, told as events.

use std::borrow::Cow;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Answer, Args, ArgsState, Time};

use crate::chat::{Chat, Request, Returned};
use crate::{ids, parse_time};

/// The fields of a message that matter, found in one pass over its keys.
#[derive(Debug, Default)]
struct Fields<'d> {
    role: Option<&'d str>,
    content: Option<Value<'d>>,
    refusal: Option<&'d str>,
    tool_calls: Option<Value<'d>>,
    function_call: Option<Value<'d>>,
    tool_call_id: Option<Value<'d>>,
    name: Option<&'d str>,
    error: Option<Value<'d>>,
    status: Option<&'d str>,
    at: Option<Time>,
}

impl<'d> Fields<'d> {
    fn read(message: Value<'d>) -> Self {
        let mut fields = Fields::default();
        for (key, value) in message.entries() {
            match key {
                "role" => fields.role = value.as_str(),
                "content" => fields.content = Some(value),
                "refusal" => fields.refusal = value.as_str(),
                "tool_calls" => fields.tool_calls = Some(value),
                "function_call" => fields.function_call = Some(value).filter(|it| it.is_object()),
                "tool_call_id" => fields.tool_call_id = Some(value),
                "name" => fields.name = value.as_str(),
                "error" | "is_error" => fields.error = Some(value).filter(|it| !it.is_null()),
                "status" => fields.status = value.as_str(),
                "timestamp" | "created_at" => {
                    fields.at = value.as_str().or(value.number_text()).and_then(parse_time);
                }
                _ => {}
            }
        }
        fields
    }
}

/// Tells one message, which stands at `at` of its list.
pub fn tell<'d>(chat: &mut Chat<'d>, at: usize, message: Value<'d>) {
    chat.message(at);
    let before = chat.len();
    let fields = Fields::read(message);
    match fields.role {
        Some("user") => {
            let text = fields.content.map_or(Cow::Borrowed(""), human_text);
            chat.user(fields.at, ids::message(at), text);
        }
        Some("assistant") => agent(chat, at, &fields),
        Some("tool" | "function") => result(chat, &fields),
        _ => {}
    }
    requests(chat, at, &fields);
    if chat.len() == before {
        chat.other(fields.at);
    }
}

fn agent<'d>(chat: &mut Chat<'d>, at: usize, fields: &Fields<'d>) {
    let text = fields.content.map_or(Cow::Borrowed(""), all_text);
    let text = if text.is_empty() { Cow::Borrowed(fields.refusal.unwrap_or("")) } else { text };
    chat.agent(fields.at, ids::message(at), text);
}

fn requests<'d>(chat: &mut Chat<'d>, at: usize, fields: &Fields<'d>) {
    let mut nth = 0;
    for call in fields.tool_calls.into_iter().flat_map(Value::items) {
        if !call.is_null() {
            let request = Request { step_id: ids::call(at, nth), ..asked(call) };
            chat.call(fields.at, request);
        }
        nth = nth.saturating_add(1);
    }
    if let Some(call) = fields.function_call {
        let request = Request { step_id: ids::call(at, nth), ..function(call, None) };
        chat.call(fields.at, request);
    }
}

fn result<'d>(chat: &mut Chat<'d>, fields: &Fields<'d>) {
    let text = fields.content.map_or(Cow::Borrowed(""), all_text);
    if let (Cow::Owned(_), Some(parts)) = (&text, fields.content) {
        parts.items().filter_map(part_text).for_each(|it| chat.heard(it.into()));
    }
    let answer = Answer {
        text,
        recorded: fields.content.is_some_and(|it| !it.is_null()),
        error: error(fields),
        span_error: None,
        pending: false,
    };
    let id = fields.tool_call_id.and_then(Value::as_str).map(Cow::Borrowed);
    let tool = fields.name.map(Cow::Borrowed);
    let stopped = fields.status.is_some_and(ids::did_not_run);
    chat.returned(fields.at, Returned { id, tool, answer, stopped });
}

fn asked<'d>(call: Value<'d>) -> Request<'d> {
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
    let (mut tool, mut given) = ("", None);
    for (key, value) in body.entries() {
        match key {
            "name" => tool = value.as_str().unwrap_or(""),
            "arguments" => given = Some(value),
            _ => {}
        }
    }
    request(id, tool, args(given))
}

fn request<'d>(id: Option<&'d str>, tool: &'d str, args: Args<'d>) -> Request<'d> {
    let (id, tool) = (id.map(Cow::Borrowed), Cow::Borrowed(tool));
    Request { id, tool, args, ..Request::default() }
}

/// Arguments as the tool received them: the text, or the JSON text of anything else.
fn args<'d>(given: Option<Value<'d>>) -> Args<'d> {
    let whole = |text| Args { text: Cow::Borrowed(text), state: ArgsState::Whole };
    match given.map(|it| (it, it.kind())) {
        None => Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded },
        Some((_, Kind::Null)) => whole(""),
        Some((text, Kind::String)) => {
            let text = text.as_str().unwrap_or("");
            Args { text: Cow::Borrowed(text), state: crate::cut::of_message(text) }
        }
        Some((value, _)) => whole(value.raw()),
    }
}

fn error(fields: &Fields<'_>) -> Option<bool> {
    let flag = fields.error.map(|it| it.as_bool().unwrap_or(true));
    flag.or(match fields.status {
        Some("error" | "failed" | "failure") => Some(true),
        Some("success" | "ok") => Some(false),
        _ => None,
    })
}

/// The text parts of a content that a person wrote.
fn human_text(content: Value<'_>) -> Cow<'_, str> {
    joined(content, |part| match part.kind() {
        Kind::String => part.as_str(),
        _ => match part.get("type").and_then(Value::as_str) {
            Some("text" | "input_text") => part.get("text").and_then(Value::as_str),
            _ => None,
        },
    })
}

/// All that a content says: its texts, and the JSON of parts that are none.
fn all_text(content: Value<'_>) -> Cow<'_, str> {
    joined(content, part_text)
}

fn part_text(part: Value<'_>) -> Option<&str> {
    let text = || part.get("text").or_else(|| part.get("refusal"));
    match part.kind() {
        Kind::String => part.as_str(),
        Kind::Object => Some(text().and_then(Value::as_str).unwrap_or_else(|| part.raw())),
        _ => Some(part.raw()),
    }
}

fn joined<'d>(content: Value<'d>, text_of: impl Fn(Value<'d>) -> Option<&'d str>) -> Cow<'d, str> {
    match content.kind() {
        Kind::String => Cow::Borrowed(content.as_str().unwrap_or("")),
        Kind::Null => Cow::Borrowed(""),
        Kind::Array => {
            let mut whole = Cow::Borrowed("");
            for text in content.items().filter_map(text_of) {
                if whole.is_empty() {
                    whole = Cow::Borrowed(text);
                } else {
                    let whole = whole.to_mut();
                    whole.push('\n');
                    whole.push_str(text);
                }
            }
            whole
        }
        _ => text_of(content).map_or(Cow::Borrowed(""), Cow::Borrowed),
    }
}
