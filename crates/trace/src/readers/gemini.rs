//! Gemini: contents of its API, alone, in requests, and with the response to them.

mod part;
mod shape;

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::json::{Value, Writer};
use lawbook_event::{End, Start, Time};

use crate::chat::{Chat, Request};
use crate::entries::{object, text, time};
use crate::reader::document_notes;
use crate::{Part, Reader, Readings, Session, Shape, Source, Untold, content, ids, measures};

pub use part::answer_text;

/// The reader.
pub struct Gemini;

impl Reader for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn page(&self) -> &'static str {
        include_str!("gemini.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        shape::sniff(root)
    }

    fn shape(&self) -> Shape {
        Shape::Independent
    }

    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        _wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        for part in parts {
            let mut found = false;
            shape::sessions(part.document.root(), &mut |one, pointer| {
                found = true;
                let mut session = session(one, source.place(part.line, pointer));
                session.notes.extend(document_notes(std::slice::from_ref(part)));
                out(session.into());
            });
            if !found {
                let problem = Problem::new(
                    source.name.clone(),
                    "no_messages",
                    "there is no list of contents here",
                )
                .help("give a list of contents, or an object with `contents`");
                problems.push(problem.on_line(part.line));
            }
        }
        problems
    }
}

/// One session as it was found: its contents, what the model answered to all of them, and what
/// stands around.
#[derive(Clone, Copy, Debug)]
struct Found<'d> {
    contents: Value<'d>,
    response: Option<Value<'d>>,
    around: Option<Value<'d>>,
}

/// The keys under which a session's own id may stand, best first.
const ID_KEYS: [&str; 7] =
    ["id", "session_id", "sessionId", "conversation_id", "conversationId", "key", "responseId"];

fn session<'d>(found: Found<'d>, place: String) -> Session<'d> {
    let around = found.around;
    let id = around.and_then(|around| {
        let value = ID_KEYS.iter().find_map(|key| around.get(key));
        value.and_then(|it| it.as_str().or_else(|| it.number_text())).filter(|it| !it.is_empty())
    });
    let id = id.map_or_else(|| Cow::Owned(place.clone()), Cow::Borrowed);
    let metadata = around.and_then(|it| object(it, "metadata").or_else(|| object(it, "labels")));
    let start = Start {
        id: id.clone(),
        metadata: metadata.map_or(Cow::Borrowed(""), |it| Cow::Borrowed(it.raw())),
        attributes: around.map_or(Cow::Borrowed(""), attributes),
        ..Start::default()
    };
    let mut chat = Chat::new(start, found.contents.len());
    let candidate = found.response.and_then(|it| it.get("candidates")?.item(0));
    let last = candidate.and_then(|it| it.get("content"));
    for (at, content) in found.contents.items().chain(last).enumerate() {
        tell(&mut chat, at, content);
    }
    let termination = candidate
        .and_then(|it| it.get("finishReason").or_else(|| it.get("finish_reason")))
        .and_then(Value::as_str)
        .unwrap_or("");
    let usage =
        found.response.and_then(|it| it.get("usageMetadata").or_else(|| it.get("usage_metadata")));
    let usage = measures::used(usage);
    let end = End { termination: Cow::Borrowed(termination), usage, ..End::default() };
    let (events, calls, notes) = chat.finish(end);
    Session { id, source: place, format: "gemini", calls, events, own: None, notes }
}

fn attributes<'d>(around: Value<'d>) -> Cow<'d, str> {
    let given = object(around, "attributes");
    let Some(user) = text(around, "user_id").or_else(|| text(around, "userId")) else {
        return given.map_or(Cow::Borrowed(""), |it| Cow::Borrowed(it.raw()));
    };
    let mut writer = Writer::new();
    writer.object();
    for (key, value) in given.into_iter().flat_map(Value::entries) {
        writer.key(key).raw(value.raw());
    }
    if given.and_then(|it| it.get("enduser.id")).is_none() {
        writer.key("enduser.id").string(user);
    }
    writer.end_object();
    Cow::Owned(writer.finish())
}

/// Tells one content, which stands at `at` of its list.
fn tell<'d>(chat: &mut Chat<'d>, at: usize, message: Value<'d>) {
    chat.message(at);
    let before = chat.len();
    let time = time(message, "timestamp").or_else(|| time(message, "createTime"));
    let role = text(message, "role").unwrap_or("user");
    let parts = message.get("parts").or_else(|| message.get("content"));
    let list = || {
        let alone = parts.filter(|it| it.is_object());
        parts.into_iter().flat_map(Value::items).chain(alone)
    };
    for returned in list().filter_map(part::returned) {
        chat.returned(time, returned);
    }
    if let Some(parts) = parts {
        let words = content::joined(parts, part::words);
        match role {
            "user" => chat.user(time, ids::message(at), words),
            "model" => chat.agent(time, ids::message(at), words),
            _ => {}
        }
    }
    calls(chat, at, time, list());
    if chat.len() == before {
        chat.other(time);
    }
}

fn calls<'d>(
    chat: &mut Chat<'d>,
    at: usize,
    time: Option<Time>,
    parts: impl Iterator<Item = Value<'d>>,
) {
    // The provider runs code inside the message, so what it returned follows the call there.
    let mut newest = None;
    let mut nth = 0;
    for part in parts {
        if let Some(request) = part::asked(part) {
            let request = Request { step_id: ids::call(at, nth), ..request };
            newest = Some(chat.call(time, request));
            nth = nth.saturating_add(1);
        } else if let (Some(step), Some(answer)) = (newest, part::code_answer(part)) {
            chat.returned_to(time, step, answer, false);
            newest = None;
        }
    }
}

#[cfg(test)]
mod tests;
