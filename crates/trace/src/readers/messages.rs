//! Lists of messages in any shape: OpenAI, Anthropic, Responses items, plain chat, logs of steps.

mod message;
mod pmstack;
mod shape;
mod sniff;

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::json::{Value, Writer};
use lawbook_event::{End, Start};

use crate::chat::Chat;
use crate::reader::document_notes;
use crate::{Part, Reader, Reading, Readings, Session, Shape, Source};
use pmstack::{Form, Ids, Trace};
use shape::Found;

/// The reader.
pub struct Messages;

impl Reader for Messages {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn names(&self) -> &'static [&'static str] {
        FORMATS
    }

    fn page(&self) -> &'static str {
        include_str!("messages.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        sniff::sniff(root)
    }

    fn shape(&self) -> Shape {
        Shape::Independent
    }

    fn read<'d>(
        &self,
        parts: &'d [Part<'d>],
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Session<'d>),
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut ids = Ids::default();
        let lenient = wanted.has(Reading::Pmstack);
        for part in parts {
            let mut found = 0_u32;
            shape::sessions(part.document.root(), lenient, &mut |one, pointer| {
                found = found.saturating_add(1);
                let place = source.place(part.line, pointer);
                let mut session = session(one, place, wanted, &mut ids);
                session.notes.extend(document_notes(std::slice::from_ref(part)));
                out(session);
            });
            if found == 0 {
                let problem = Problem::new(
                    source.name.clone(),
                    "no_messages",
                    "there is no list of chat messages here",
                )
                .help("give a list of messages, or an object with `messages`");
                problems.push(match part.line {
                    Some(line) => problem.at(line, 1),
                    None => problem,
                });
            }
        }
        problems
    }
}

fn session<'d>(found: Found<'d>, place: String, wanted: Readings, ids: &mut Ids) -> Session<'d> {
    let (mut start, termination) = start(found.object, &place);
    let trace = Trace { object: found.object, messages: found.messages };
    if wanted.has(Reading::Pmstack) {
        start.id = ids.give(found.object.map_or(start.id, pmstack::own_id));
    }
    let id = start.id.clone();
    let messages = trace.get("messages").filter(|it| it.is_array());
    let mut chat = Chat::new(start, messages.map_or(0, Value::len));
    for (at, message) in messages.into_iter().flat_map(Value::items).enumerate() {
        message::tell(&mut chat, at, message);
    }
    let (events, calls, notes) = chat.finish(End { termination, ..End::default() });
    let mut session =
        Session { id, source: place, format: format(&trace), calls, events, own: None, notes };
    if wanted.has(Reading::Pmstack) {
        let events = pmstack::events(&trace, &session.id);
        session.add_own(Reading::Pmstack, wanted, events);
    }
    session
}

/// The shapes of message lists, as reports name them.
const FORMATS: &[&str] =
    &["openai_chat", "openai_responses", "anthropic_messages", "chat", "steps", "pmstack_project"];

fn format(trace: &Trace<'_>) -> &'static str {
    match trace.form(trace.lists().1) {
        Form::Responses => "openai_responses",
        Form::Anthropic => "anthropic_messages",
        Form::OpenAi => "openai_chat",
        Form::Steps => "steps",
        Form::Chat | Form::InputOutput | Form::Text | Form::Unknown => "chat",
    }
}

/// The keys under which a session's own id may stand, best first.
const ID_KEYS: [&str; 7] =
    ["id", "session_id", "sessionId", "conversation_id", "thread_id", "trace_id", "task_id"];

fn start<'d>(around: Option<Value<'d>>, place: &str) -> (Start<'d>, Cow<'d, str>) {
    let mut start = Start::default();
    let mut termination = Cow::Borrowed("");
    let Some(around) = around else {
        start.id = Cow::Owned(place.to_owned());
        return (start, termination);
    };
    let text = |key: &str| around.get(key).and_then(Value::as_str).map(Cow::Borrowed);
    start.id = id(around).unwrap_or_else(|| Cow::Owned(place.to_owned()));
    start.cwd = text("cwd");
    start.workspace = text("workspace");
    if let Some(metadata) = around.get("metadata").filter(|it| it.is_object()) {
        start.metadata = Cow::Borrowed(metadata.raw());
    }
    start.attributes = attributes(around);
    if let Some(said) = text("termination_reason").or_else(|| text("termination")) {
        termination = said;
    }
    (start, termination)
}

fn id<'d>(around: Value<'d>) -> Option<Cow<'d, str>> {
    let (key, own) = ID_KEYS.iter().find_map(|key| {
        let value = around.get(key)?;
        let text = value.as_str().or_else(|| value.number_text())?;
        (!text.is_empty()).then_some((*key, text))
    })?;
    // Benchmark results repeat a task in several trials under one task id.
    match around.get("trial").and_then(Value::number_text) {
        Some(trial) if key == "task_id" => Some(Cow::Owned(format!("{own}.{trial}"))),
        _ => Some(Cow::Borrowed(own)),
    }
}

/// The session's attributes; a top-level `user` names the end user of the request.
fn attributes<'d>(around: Value<'d>) -> Cow<'d, str> {
    let given = around.get("attributes").filter(|it| it.is_object());
    let Some(user) = around.get("user").and_then(Value::as_str) else {
        return given.map_or(Cow::Borrowed(""), |it| Cow::Borrowed(it.raw()));
    };
    let mut writer = Writer::new();
    writer.object();
    for (key, value) in given.into_iter().flat_map(Value::entries) {
        writer.key(key).raw(value.raw());
    }
    for key in ["user", "enduser.id"] {
        if given.and_then(|it| it.get(key)).is_none() {
            writer.key(key).string(user);
        }
    }
    writer.end_object();
    Cow::Owned(writer.finish())
}

#[cfg(test)]
mod tests;
