//! Jaeger: traces as its query service and its page give them.

mod span;

use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use super::export::{id, text};
use super::otlp::{self, Trace};
use super::whole::missing;
use crate::reader::document_notes;
use crate::tell::Earlier;
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct Jaeger;

impl Reader for Jaeger {
    fn name(&self) -> &'static str {
        "jaeger"
    }

    fn page(&self) -> &'static str {
        include_str!("jaeger.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        traces(root).any(|(_, trace)| spans(trace).any(is_span))
    }

    fn shape(&self) -> Shape {
        Shape::Gathered
    }

    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        let notes = document_notes(parts);
        let earlier = Arc::new(Earlier::default());
        for part in parts {
            let mut found = false;
            for (pointer, trace) in traces(part.document.root()) {
                let processes =
                    trace.get("processes").into_iter().flat_map(Value::entries).collect();
                let own = spans(trace).filter(|it| is_span(*it));
                let records: Vec<_> = own.map(|it| span::read(it, &processes)).collect();
                if records.is_empty() {
                    continue;
                }
                found = true;
                let place = source.place(part.line, &pointer);
                let first = spans(trace).find_map(|it| id(it, &["traceID"]));
                let id = id(trace, &["traceID"]).or(first).unwrap_or("");
                let told = Trace { id, place, records, said: Vec::new(), wanted };
                out(otlp::untold(told, self.name(), notes.clone(), earlier.next()));
            }
            if !found {
                problems.push(missing(source, part, "there is no trace of Jaeger here"));
            }
        }
        problems
    }
}

/// The traces of a document with their pointers: in `data`, in a list, or the document itself.
fn traces<'d>(root: Value<'d>) -> impl Iterator<Item = (String, Value<'d>)> {
    let data = root.get("data").filter(|it| it.is_array());
    let base = if data.is_some() { "/data" } else { "" };
    let alone = root.get("spans").is_some().then(|| (String::new(), root));
    let listed = data.unwrap_or(root).items().enumerate();
    alone.into_iter().chain(listed.map(move |(at, trace)| (format!("{base}/{at}"), trace)))
}

fn spans<'d>(trace: Value<'d>) -> impl Iterator<Item = Value<'d>> {
    trace.get("spans").into_iter().flat_map(Value::items)
}

fn is_span(span: Value<'_>) -> bool {
    text(span, &["operationName"]).is_some() && span.get("spanID").is_some()
}

#[cfg(test)]
mod tests;
