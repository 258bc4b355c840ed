//! Runtime events that ActiveGraph writes around a run of tau2-bench, one on each line.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lawbook_diag::Problem;
use lawbook_event::Start;
use lawbook_event::json::Value;

use super::export::text;
use super::tau2::message;
use super::whole::{self, Told, missing};
use crate::content;
use crate::reader::document_notes;
use crate::{Part, Reader, Readings, Shape, Source, Untold, ids};

/// The reader.
pub struct Activegraph;

impl Reader for Activegraph {
    fn name(&self) -> &'static str {
        "activegraph"
    }

    fn page(&self) -> &'static str {
        include_str!("activegraph.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        let has = |key: &str| root.get(key).is_some();
        has("event_id") && has("event_type") && has("run_id") && runtime(root).is_some()
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
        let mut open: Option<Run<'d>> = None;
        let mut problems = Vec::new();
        let mut end = |run: Option<Run<'d>>| {
            if let Some(run) = run {
                let mut session = run.told.finish(self.name(), run.place);
                session.notes.extend(document_notes(parts));
                out(session.into());
            }
        };
        for part in parts {
            let event = part.document.root();
            if !self.sniff(event) {
                problems.push(missing(source, part, "this is no runtime event"));
                continue;
            }
            match text(event, &["event_type"]) {
                Some("orchestrator_run_start") => {
                    end(open.take());
                    open = Some(Run::new(event, source.place(part.line, "")));
                }
                // What follows scores the run, and calls tools again to do so.
                Some("orchestrator_run_end") => {
                    if let Some(run) = &mut open {
                        run.ends(event);
                    }
                    end(open.take());
                }
                _ => {
                    if let Some(run) = &mut open {
                        run.event(event);
                    }
                }
            }
        }
        end(open);
        problems
    }
}

/// What an event says of its run.
fn runtime(event: Value<'_>) -> Option<Value<'_>> {
    event.get("payload")?.get("runtime_trace").filter(|it| it.is_object())
}

/// A run that is being told.
struct Run<'d> {
    told: Told<'d>,
    place: String,
    at: usize,
    /// Calls that a message asked for, by id; the dispatch names them again.
    asked: BTreeSet<&'d str>,
}

impl<'d> Run<'d> {
    fn new(event: Value<'d>, place: String) -> Self {
        let own = runtime(event).and_then(|it| text(it, &["simulation_id"]));
        let own = own.or_else(|| text(event, &["run_id"])).map(Cow::Borrowed);
        let start = Start {
            id: own.unwrap_or_else(|| Cow::Owned(place.clone())),
            attributes: whole::attributes(event, &["run_id", "task_id", "phase"]),
            ..Start::default()
        };
        Run { told: Told::new(start, 64), place, at: 0, asked: BTreeSet::new() }
    }

    fn event(&mut self, event: Value<'d>) {
        let Some(runtime) = runtime(event) else { return };
        let kind = text(event, &["event_type"]).unwrap_or("");
        let message = || runtime.get("message")?.get("raw").filter(|it| it.is_object());
        let spoken = match kind {
            "user_response" | "agent_response" | "message_observed" => message(),
            // The greeting stands nowhere else.
            "turn_start" if self.at == 0 => message(),
            _ => None,
        };
        if let Some(spoken) = spoken {
            self.told.chat.message(self.at);
            message::tell(&mut self.told.chat, self.at, spoken);
            let calls = spoken.get("tool_calls").into_iter().flat_map(Value::items);
            self.asked.extend(calls.filter_map(|it| text(it, &["id"])));
            self.at = self.at.saturating_add(1);
        } else if kind == "tool_call_requested"
            && let Some(call) = runtime.get("tool_call")
            && text(call, &["id"]).is_none_or(|id| !self.asked.contains(id))
        {
            self.told.chat.message(self.at);
            let time = content::time(event.get("timestamp"));
            message::call(&mut self.told.chat, ids::call(self.at, 0), call, time);
            self.at = self.at.saturating_add(1);
        }
    }

    fn ends(&mut self, event: Value<'d>) {
        if let Some(status) = runtime(event).and_then(|it| text(it, &["status"])) {
            self.told.end.termination = Cow::Borrowed(status);
        }
    }
}

#[cfg(test)]
mod tests;
