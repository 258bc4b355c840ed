//! One message after another, told as events.

use std::borrow::Cow;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Answer, Args, ArgsState, Call, Event, Hindsight, Ran, Text, Time, What};

use super::pairing::Open;
use crate::ids;
use crate::said::Said;
use crate::{Note, parse_time};

/// Turns the messages of one session into events.
#[derive(Debug)]
pub struct Teller<'d> {
    events: Vec<Event<'d>>,
    open: Open<'d>,
    results: Said<'d>,
    message: u64,
    calls: u32,
    final_text: &'d str,
    unnamed: u32,
    stray: u32,
}

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

impl<'d> Teller<'d> {
    /// A teller for a list of this many messages.
    pub fn new(messages: usize) -> Self {
        Teller {
            events: Vec::with_capacity(messages.saturating_add(messages / 2).saturating_add(2)),
            open: Open::default(),
            results: Said::default(),
            message: 0,
            calls: 0,
            final_text: "",
            unnamed: 0,
            stray: 0,
        }
    }

    /// Adds one event.
    pub fn push(&mut self, at: Option<Time>, what: What<'d>) {
        let place = self.events.len() as u64;
        self.events.push(Event { at, place, message: self.message, what });
    }

    /// How many calls there were so far.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// The last message's text, when the agent said it and asked for no tool.
    pub fn final_text(&self) -> &'d str {
        self.final_text
    }

    /// The events, and notes on what was odd.
    pub fn finish(self, notes: &mut Vec<Note>) -> Vec<Event<'d>> {
        if self.unnamed > 0 {
            notes.push(Note::error(format!("{} call(s) without a tool name", self.unnamed)));
        }
        if self.stray > 0 {
            notes.push(Note::warning(format!("{} result(s) belong to no call", self.stray)));
        }
        repeated_ids(&self.open, notes);
        notes.extend(self.results.note());
        self.events
    }

    /// Tells one message, which stands at `at` of its list.
    pub fn message(&mut self, at: usize, message: Value<'d>) {
        self.message = at as u64;
        let before = self.events.len();
        let fields = Fields::read(message);
        match fields.role {
            Some("user") => self.user(at, &fields),
            Some("assistant") => self.agent(at, &fields),
            Some("tool" | "function") => self.result(&fields),
            _ => {}
        }
        self.asked(at, &fields);
        if self.events.len() == before {
            self.push(fields.at, What::Other);
        }
    }

    fn user(&mut self, at: usize, fields: &Fields<'d>) {
        let text = fields.content.map_or(Cow::Borrowed(""), human_text);
        // A text that a tool returned before is the tool's, whoever is said to have said it.
        if !text.trim().is_empty() && !self.results.contains(&text) {
            self.push(fields.at, What::User(Text { id: ids::message(at), text }));
        }
    }

    fn agent(&mut self, at: usize, fields: &Fields<'d>) {
        let text = fields.content.map_or(Cow::Borrowed(""), all_text);
        let text = if text.is_empty() { Cow::Borrowed(fields.refusal.unwrap_or("")) } else { text };
        self.final_text = "";
        if let (Cow::Borrowed(said), None) = (&text, fields.function_call)
            && fields.tool_calls.is_none_or(Value::is_empty)
        {
            self.final_text = said;
        }
        if !text.is_empty() {
            self.push(fields.at, What::Agent(Text { id: ids::message(at), text }));
        }
    }

    fn asked(&mut self, at: usize, fields: &Fields<'d>) {
        let mut nth = 0;
        for call in fields.tool_calls.into_iter().flat_map(Value::items) {
            if !call.is_null() {
                self.call(ids::call(at, nth), asked(call), fields.at);
            }
            nth = nth.saturating_add(1);
        }
        if let Some(call) = fields.function_call {
            self.call(ids::call(at, nth), function(call, None), fields.at);
        }
    }

    fn call(&mut self, step_id: Cow<'d, str>, asked: Asked<'d>, at: Option<Time>) {
        self.calls = self.calls.saturating_add(1);
        if asked.tool.is_empty() {
            self.unnamed = self.unnamed.saturating_add(1);
        }
        self.open.call(self.events.len(), self.message, asked.id, asked.tool);
        let call = Call {
            step: self.calls,
            step_id,
            id: asked.id.map(Cow::Borrowed),
            server: None,
            tool: Cow::Borrowed(asked.tool),
            args: asked.args,
            hindsight: Some(Hindsight::Unanswered),
            ran: Ran::Yes,
            confirmed: false,
        };
        self.push(at, What::Call(call));
    }

    fn result(&mut self, fields: &Fields<'d>) {
        let id = fields.tool_call_id.and_then(Value::as_str).filter(|id| !ids::placeholder(id));
        let text = fields.content.map_or(Cow::Borrowed(""), all_text);
        if let (Cow::Owned(_), Some(parts)) = (&text, fields.content) {
            parts.items().filter_map(part_text).for_each(|it| self.results.add(it.into()));
        }
        self.results.add(text.clone());
        let Some(event) = self.open.answer(id, fields.name) else {
            self.stray = self.stray.saturating_add(1);
            return;
        };
        let answer = Answer {
            text,
            recorded: fields.content.is_some_and(|it| !it.is_null()),
            error: error(fields),
            span_error: None,
            pending: false,
        };
        if let Some(What::Call(call)) = self.events.get_mut(event).map(|it| &mut it.what) {
            call.hindsight = Some(Hindsight::Answered(answer.clone()));
            if fields.status.is_some_and(ids::did_not_run) {
                call.ran = Ran::No;
            }
            let step = call.step;
            self.push(fields.at, What::Answer { step, answer });
        }
    }
}

/// How many call ids that stand on several calls are named.
const IDS_NAMED_MAX: usize = 4;

/// Notes the ids that name more than one call. Each of them stays a call of its own.
fn repeated_ids(open: &Open<'_>, notes: &mut Vec<Note>) {
    let ids = open.repeated_ids();
    for (id, calls) in ids.iter().take(IDS_NAMED_MAX) {
        notes.push(Note::warning(format!("call id `{id}` stands on {calls} calls")));
    }
    let others = ids.len().saturating_sub(IDS_NAMED_MAX);
    if others > 0 {
        notes.push(Note::warning(format!("{others} more call id(s) stand on several calls")));
    }
}

/// What a message says of one call.
#[derive(Debug)]
struct Asked<'d> {
    id: Option<&'d str>,
    tool: &'d str,
    args: Args<'d>,
}

fn asked<'d>(call: Value<'d>) -> Asked<'d> {
    let (mut id, mut body, mut custom) = (None, None, None);
    for (key, value) in call.entries() {
        match key {
            "id" => id = value.as_str().filter(|id| !ids::placeholder(id)),
            "function" => body = Some(value),
            "custom" => custom = Some(value),
            _ => {}
        }
    }
    match (body, custom) {
        (Some(body), _) => function(body, id),
        (None, Some(custom)) => {
            let tool = custom.get("name").and_then(Value::as_str).unwrap_or("");
            Asked { id, tool, args: args(custom.get("input")) }
        }
        // Some exports leave the wrapper out.
        (None, None) => function(call, id),
    }
}

fn function<'d>(body: Value<'d>, id: Option<&'d str>) -> Asked<'d> {
    let (mut tool, mut given) = ("", None);
    for (key, value) in body.entries() {
        match key {
            "name" => tool = value.as_str().unwrap_or(""),
            "arguments" => given = Some(value),
            _ => {}
        }
    }
    Asked { id, tool, args: args(given) }
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
