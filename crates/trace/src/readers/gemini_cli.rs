//! Gemini CLI: the sessions that it keeps, as one document or as lines, and single messages of
//! them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_event::json::{Value, Writer};
use lawbook_event::{Answer, End, Start, Time};

use super::gemini::answer_text;
use crate::chat::{Chat, Request};
use crate::entries::{Entry, LOOKED_AT, entries, list, object, text, time};
use crate::reader::document_notes;
use crate::{
    Part, Reader, Readings, Session, Shape, Source, Untold, content, ids, measures, names,
};

/// The reader.
pub struct GeminiCli;

impl Reader for GeminiCli {
    fn name(&self) -> &'static str {
        "gemini_cli"
    }

    fn page(&self) -> &'static str {
        include_str!("gemini_cli.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        let first = if root.is_array() {
            root.items().take(LOOKED_AT).find(|it| it.is_object())
        } else {
            Some(root)
        };
        first.is_some_and(|it| is_session(it) || is_marked_message(it))
    }

    fn accepts(&self, _root: Value<'_>) -> bool {
        true
    }

    fn shape(&self) -> Shape {
        Shape::Gathered
    }

    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        _wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let mut found: Vec<Found<'d>> = Vec::new();
        let mut problems = Vec::new();
        for entry in entries(parts, &[]) {
            if !gather(entry, source, &mut found) {
                problems.push(entry.odd(source, self.name()));
            }
        }
        let notes = document_notes(parts);
        for one in found {
            let mut session = session(one);
            session.notes.extend(notes.iter().cloned());
            out(session.into());
        }
        problems
    }
}

/// A session: what stands around its messages, and the messages.
struct Found<'d> {
    around: Option<Value<'d>>,
    place: String,
    messages: Vec<Value<'d>>,
}

/// Whether this is a session, or the first line of one.
fn is_session(record: Value<'_>) -> bool {
    text(record, "sessionId").is_some() && text(record, "projectHash").is_some()
}

fn is_message(record: Value<'_>) -> bool {
    let kind = text(record, "type");
    kind.is_some() && text(record, "id").is_some() && record.get("timestamp").is_some()
}

/// Whether this is a message that no other system writes.
fn is_marked_message(record: Value<'_>) -> bool {
    is_message(record)
        && match text(record, "type") {
            Some("gemini") => true,
            Some("user" | "info" | "error" | "warning") => {
                let mut keys = record.entries().map(|it| it.0);
                record.get("content").is_some()
                    && keys.all(|key| {
                        matches!(key, "id" | "timestamp" | "type" | "content" | "displayContent")
                    })
            }
            _ => false,
        }
}

/// Puts a record into the session that it is of. A record that is none comes back as `false`.
fn gather<'d>(entry: Entry<'d>, source: &Source, found: &mut Vec<Found<'d>>) -> bool {
    let record = entry.value;
    if is_session(record) {
        let messages = list(record, "messages").into_iter().flat_map(Value::items).collect();
        found.push(Found { around: Some(record), place: entry.source(source), messages });
        return true;
    }
    // A line that sets a value of the session names the value under this key.
    if record.get("$set").is_some() {
        return true;
    }
    if !is_message(record) {
        return false;
    }
    match found.last_mut() {
        Some(session) => session.messages.push(record),
        None => {
            let place = entry.source(source);
            found.push(Found { around: None, place, messages: vec![record] });
        }
    }
    true
}

fn session(found: Found<'_>) -> Session<'_> {
    let id = found.around.and_then(|it| text(it, "sessionId"));
    let id = id.map_or_else(|| Cow::Owned(found.place.clone()), Cow::Borrowed);
    let start = Start { id: id.clone(), metadata: metadata(&found), ..Start::default() };
    let mut chat = Chat::new(start, found.messages.len());
    for (at, message) in newest(&found.messages).into_iter().enumerate() {
        tell(&mut chat, at, message);
    }
    let (events, calls, notes) = chat.finish(End::default());
    Session { id, source: found.place, format: "gemini_cli", calls, events, own: None, notes }
}

fn metadata<'d>(found: &Found<'d>) -> Cow<'d, str> {
    let model = found.messages.iter().find_map(|it| text(*it, "model"));
    let of_session = |key: &'static str| Some((key, text(found.around?, key)?));
    let named = ["projectHash", "kind"].into_iter().filter_map(of_session);
    let mut all = named.chain(model.map(|it| ("model", it))).peekable();
    if all.peek().is_none() {
        return Cow::Borrowed("");
    }
    let mut writer = Writer::new();
    writer.object();
    for (key, value) in all {
        writer.key(key).string(value);
    }
    writer.end_object();
    Cow::Owned(writer.finish())
}

/// Every message as it was last written, at the place where it was written first.
fn newest<'d>(messages: &[Value<'d>]) -> Vec<Value<'d>> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all: Vec<Value<'d>> = Vec::with_capacity(messages.len());
    for message in messages {
        let known = text(*message, "id").map(|id| *places.entry(id).or_insert(all.len()));
        match known.and_then(|place| all.get_mut(place)) {
            Some(earlier) => *earlier = *message,
            None => all.push(*message),
        }
    }
    all
}

/// Where the contents of files begin that a prompt names; they are no words of the user.
const FILES_MARK: &str = "--- Content from referenced files ---";

fn tell<'d>(chat: &mut Chat<'d>, at: usize, message: Value<'d>) {
    chat.message(at);
    let before = chat.len();
    let time = time(message, "timestamp");
    let words = message
        .get("content")
        .map_or(Cow::Borrowed(""), |it| content::joined(it, content::text_part));
    match text(message, "type") {
        Some("user") => chat.person(time, ids::message(at), typed(words)),
        Some("gemini") => {
            chat.used(measures::used(message.get("tokens")));
            chat.agent(time, ids::message(at), words);
            calls(chat, at, time, message);
        }
        _ => {}
    }
    if chat.len() == before {
        chat.other(time);
    }
}

/// What the user typed of a prompt.
fn typed(words: Cow<'_, str>) -> Cow<'_, str> {
    match words.split_once(FILES_MARK) {
        Some((typed, _)) => Cow::Owned(typed.to_owned()),
        None => words,
    }
}

/// The calls of a message, then what they returned.
fn calls<'d>(chat: &mut Chat<'d>, at: usize, time: Option<Time>, message: Value<'d>) {
    let all = || message.get("toolCalls").into_iter().flat_map(Value::items);
    let mut steps = Vec::new();
    for (nth, call) in all().enumerate() {
        let tool = text(call, "name").unwrap_or("");
        let request = Request {
            step_id: ids::call(at, nth),
            id: text(call, "id").map(Cow::Borrowed),
            server: names::server(tool).map(Cow::Borrowed),
            tool: Cow::Borrowed(tool),
            args: content::args(call.get("args")),
            stopped: false,
        };
        steps.push((chat.call(time, request), call));
    }
    for (step, call) in steps {
        let at = self::time(call, "timestamp").or(time);
        if let Some((answer, stopped)) = answer(call) {
            chat.returned_to(at, step, answer, stopped);
        }
    }
}

/// What became of a call, if it ended, and whether it did not run.
fn answer(call: Value<'_>) -> Option<(Answer<'_>, bool)> {
    let status = text(call, "status").unwrap_or("");
    let stopped = ids::did_not_run(status);
    let returned = call.get("result").filter(|it| !it.is_null() && !it.is_empty());
    let ended = stopped || matches!(status, "success" | "error");
    if returned.is_none() && !ended {
        return None;
    }
    let said = returned.and_then(|list| match list.items().find_map(response_of) {
        Some(response) => answer_text(Some(response)),
        None => content::result(Some(list)),
    });
    let error = match status {
        "success" => Some(said.as_deref().is_some_and(|it| shell_failed(call, it))),
        "error" => Some(true),
        _ if stopped => Some(true),
        _ => None,
    };
    let (recorded, text) = (said.is_some(), said.unwrap_or_default());
    Some((Answer { recorded, text, error, ..Answer::default() }, stopped))
}

/// Whether the report on a command ends with an exit code other than zero.
fn shell_failed(call: Value<'_>, said: &str) -> bool {
    let code = || said.lines().rev().find_map(|line| line.strip_prefix("Exit Code: "));
    text(call, "name") == Some("run_shell_command")
        && code().is_some_and(|it| it.trim().parse::<i64>().is_ok_and(|it| it != 0))
}

fn response_of(part: Value<'_>) -> Option<Value<'_>> {
    object(part, "functionResponse").and_then(|it| it.get("response"))
}

#[cfg(test)]
mod tests;
