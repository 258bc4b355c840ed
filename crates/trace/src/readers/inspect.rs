//! Inspect: eval logs, as JSON or taken out of an `.eval` archive.

mod approval;
mod attached;
mod events;
mod messages;
mod person;

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::json::Value;
use lawbook_event::{Start, Usage};

use super::export::{self, id, text};
use super::whole::{Told, missing};
use crate::reader::document_notes;
use crate::{Part, Reader, Readings, Session, Shape, Source, Untold, measures};
use attached::Attached;
use person::Person;

/// The reader.
pub struct Inspect;

impl Reader for Inspect {
    fn name(&self) -> &'static str {
        "inspect"
    }

    fn page(&self) -> &'static str {
        include_str!("inspect.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        is_log(root) || is_sample(root)
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
        let mut problems = Vec::new();
        let mut eval = None;
        let mut found = false;
        for part in parts {
            let root = part.document.root();
            if is_log(root) {
                eval = root.get("eval");
            } else if !is_sample(root) {
                problems.push(missing(source, part, "this is no log of Inspect"));
            }
            let alone = is_sample(root).then_some((None, root));
            let listed = root.get("samples").into_iter().flat_map(Value::items).enumerate();
            for (at, sample) in alone.into_iter().chain(listed.map(|(at, it)| (Some(at), it))) {
                found = true;
                let pointer = at.map_or_else(String::new, |at| format!("/samples/{at}"));
                let place = source.place(part.line, &pointer);
                let mut session = session(sample, eval, place).finish_as(self.name());
                session.notes.extend(document_notes(std::slice::from_ref(part)));
                out(session.into());
            }
        }
        if let (false, Some(part)) = (found, parts.first()) {
            problems.push(missing(source, part, "the log holds no samples"));
        }
        problems
    }
}

/// A log, with its samples or as the head of an archive.
fn is_log(root: Value<'_>) -> bool {
    let eval = root.get("eval").filter(|it| it.is_object());
    let marks = ["samples", "plan", "status"].iter().any(|key| root.get(key).is_some());
    marks && eval.is_some_and(|it| it.get("task").is_some() || it.get("run_id").is_some())
}

fn is_sample(root: Value<'_>) -> bool {
    let has = |key: &str| root.get(key).is_some();
    has("epoch") && has("id") && has("input") && has("target") && has("messages")
}

/// A session and where it stands.
struct Placed<'d> {
    told: Told<'d>,
    place: String,
}

impl<'d> Placed<'d> {
    fn finish_as(self, format: &'static str) -> Session<'d> {
        self.told.finish(format, self.place)
    }
}

fn session<'d>(sample: Value<'d>, eval: Option<Value<'d>>, place: String) -> Placed<'d> {
    let messages = sample.get("messages");
    let all = sample.get("events").filter(|it| it.items().any(events::acts));
    let attached = Attached::of(sample);
    let mut person = Person::of(sample);
    let length = all.or(messages).map_or(0, Value::len);
    let mut told = Told::new(start(sample, eval, &place), length);
    person.asks(&mut told.chat, sample, &attached);
    match (all, messages) {
        (Some(events), _) => events::tell(&mut told.chat, (sample, events), person, attached),
        (None, Some(messages)) => messages::tell(&mut told.chat, messages, person, attached),
        (None, None) => {}
    }
    told.end.usage = usage(sample);
    if let Some(end) = termination(sample) {
        told.end.termination = Cow::Borrowed(end);
    }
    Placed { told, place }
}

/// What all models of a sample used, and how long it took.
fn usage(sample: Value<'_>) -> Usage {
    let mut all = Usage::default();
    for (_, model) in sample.get("model_usage").into_iter().flat_map(Value::entries) {
        let cost_usd = measures::number(model.get("total_cost"));
        measures::add(&mut all, Usage { cost_usd, ..measures::used(Some(model)) });
    }
    let latency_ms = measures::number(sample.get("total_time")).map(|secs| secs * 1e3);
    Usage { latency_ms, ..all }
}

/// A sample is named as its own file in an archive is.
fn start<'d>(sample: Value<'d>, eval: Option<Value<'d>>, place: &str) -> Start<'d> {
    let own = id(sample, &["id"]);
    let epoch = id(sample, &["epoch"]).unwrap_or("1");
    let keys = ["task", "model", "run_id"];
    let mut list: Vec<_> = keys.iter().map(|key| (*key, eval.and_then(|it| it.get(key)))).collect();
    list.push(("sample_id", sample.get("id")));
    list.push(("epoch", sample.get("epoch")));
    let metadata = sample.get("metadata").filter(|it| it.is_object());
    Start {
        id: Cow::Owned(own.map_or_else(|| place.to_owned(), |own| format!("{own}_epoch_{epoch}"))),
        attributes: Cow::Owned(export::attributes(None, None, &list)),
        metadata: Cow::Borrowed(metadata.map_or("", Value::raw)),
        ..Start::default()
    }
}

fn termination<'d>(sample: Value<'d>) -> Option<&'d str> {
    let limit = sample.get("limit").and_then(|it| text(it, &["type"]));
    let failed = sample.get("error").filter(|it| !it.is_null());
    limit.or(failed.map(|_| "error"))
}

#[cfg(test)]
mod tests;
