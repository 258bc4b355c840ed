//! Codex: what `codex exec --json` prints.

mod item;

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_event::json::Value;
use lawbook_event::{End, Start};

use crate::chat::{Chat, Request};
use crate::entries::{Entry, LOOKED_AT, entries, list, object, text};
use crate::reader::document_notes;
use crate::{Note, Part, Reader, Readings, Session, Shape, Source, Untold, ids, measures};

/// The reader.
pub struct CodexExec;

impl Reader for CodexExec {
    fn name(&self) -> &'static str {
        "codex_exec"
    }

    fn page(&self) -> &'static str {
        include_str!("codex_exec.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        let events = list(root, "events").or_else(|| root.is_array().then_some(root));
        match events {
            Some(events) => !events.is_empty() && events.items().take(LOOKED_AT).all(marked),
            None => marked(root),
        }
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
        let all = entries(parts, &["events"]);
        let known = |it: &Entry<'d>| text(it.value, "type").is_some();
        let (records, odd): (Vec<_>, Vec<_>) = all.into_iter().partition(known);
        let notes = document_notes(parts);
        for lines in split(records) {
            let mut session = session(&lines, source);
            session.notes.extend(notes.iter().cloned());
            out(session.into());
        }
        odd.into_iter().map(|it| it.odd(source, self.name())).collect()
    }
}

/// Whether this is a line of the stream.
fn marked(record: Value<'_>) -> bool {
    match text(record, "type") {
        Some("thread.started") => text(record, "thread_id").is_some(),
        Some("turn.started") => record.len() == 1,
        Some("turn.completed") => object(record, "usage").is_some(),
        Some("turn.failed") => object(record, "error").is_some(),
        Some("item.started" | "item.updated" | "item.completed") => {
            let item = object(record, "item");
            item.is_some_and(|it| text(it, "id").is_some() && text(it, "type").is_some())
        }
        _ => false,
    }
}

/// The lines of each session: a thread starts one, and goes on where it starts again.
fn split(records: Vec<Entry<'_>>) -> Vec<Vec<Entry<'_>>> {
    let mut sessions: Vec<Vec<Entry<'_>>> = Vec::new();
    let mut id = None;
    for entry in records {
        let named = text(entry.value, "thread_id");
        let another = id.is_some() && named.is_some() && named != id;
        match sessions.last_mut() {
            Some(session) if !another => session.push(entry),
            _ => sessions.push(vec![entry]),
        }
        id = named.or(id);
    }
    sessions
}

fn session<'d>(lines: &[Entry<'d>], source: &Source) -> Session<'d> {
    let place = lines.first().map_or_else(|| source.name.clone(), |it| it.source(source));
    let id = lines.iter().find_map(|line| text(line.value, "thread_id"));
    let id = id.map_or_else(|| Cow::Owned(place.clone()), Cow::Borrowed);
    let start = Start { id: id.clone(), ..Start::default() };
    let mut chat = Chat::new(start, lines.len());
    chat.note(Note::warning("the stream does not hold what the user asked"));
    let mut steps = BTreeMap::new();
    let mut end = End::default();
    for (at, line) in lines.iter().enumerate() {
        let before = chat.len();
        chat.message(at);
        match (text(line.value, "type"), object(line.value, "item")) {
            (Some("turn.started"), _) => {
                // Ids count from the start of each turn's run.
                steps.clear();
                end.termination = Cow::Borrowed("");
            }
            (Some("turn.completed"), _) => {
                // A thread counts up over its turns.
                end.usage = measures::or(measures::used(line.value.get("usage")), end.usage);
            }
            (Some("turn.failed"), _) => end.termination = Cow::Borrowed("turn.failed"),
            (Some(kind), Some(item)) => tell(&mut chat, at, kind, item, &mut steps),
            _ => {}
        }
        if chat.len() == before {
            chat.other(None);
        }
    }
    let (events, calls, notes) = chat.finish(end);
    Session { id, source: place, format: "codex_exec", calls, events, own: None, notes }
}

/// What an item says. One id stands on its start and on its end, which are one call.
fn tell<'d>(
    chat: &mut Chat<'d>,
    at: usize,
    kind: &str,
    item: Value<'d>,
    steps: &mut BTreeMap<&'d str, u32>,
) {
    let completed = kind == "item.completed";
    if text(item, "type") == Some("agent_message") {
        if completed {
            let words = text(item, "text").unwrap_or("");
            chat.agent(None, ids::message(at), Cow::Borrowed(words));
        }
        return;
    }
    let Some(asked) = item::asked(item) else { return };
    let id = text(item, "id").unwrap_or("");
    let known = steps.get(id).copied().filter(|_| kind != "item.started");
    let step = known.unwrap_or_else(|| {
        let request = Request { step_id: ids::call(at, 0), ..asked };
        chat.call(None, request)
    });
    if completed {
        let (answer, stopped) = item::answer(item);
        chat.returned_to(None, step, answer, stopped);
        steps.remove(id);
    } else {
        steps.insert(id, step);
    }
}

#[cfg(test)]
mod tests;
