//! Dumps of spans whose attributes are a plain object: what many tools write of OpenTelemetry's
//! `ReadableSpan`, and the pages of Phoenix.

mod flat;
mod span;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use super::otlp::{self, Trace};
use super::whole::missing;
use crate::reader::document_notes;
use crate::tell::Earlier;
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct Spans;

/// Keys of an object that hold its spans, best first.
const LIST_KEYS: [&str; 2] = ["spans", "data"];

impl Reader for Spans {
    fn name(&self) -> &'static str {
        "spans"
    }

    fn page(&self) -> &'static str {
        include_str!("spans.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        let (_, list) = list(root);
        let first = list.items().find(|it| it.is_object());
        if list.is_array() { first.is_some_and(span::is_span) } else { span::is_span(list) }
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
        let (traces, problems) = collect(parts, source);
        let notes = document_notes(parts);
        let earlier = Arc::new(Earlier::default());
        for trace in traces {
            let trace = Trace { wanted, ..trace };
            out(otlp::untold(trace, self.name(), notes.clone(), earlier.next()));
        }
        problems
    }
}

/// The spans of a document and where they stand: a list, the list in an object, or one span.
fn list(root: Value<'_>) -> (&'static str, Value<'_>) {
    if root.get("attributes").is_some() {
        return ("", root);
    }
    let keyed =
        LIST_KEYS.iter().find_map(|key| Some((*key, root.get(key).filter(|it| it.is_array())?)));
    keyed.unwrap_or(("", root))
}

/// The spans of all documents by trace, in the order of their first start.
fn collect<'d>(parts: &'d [Part<'d>], source: &Source) -> (Vec<Trace<'d>>, Vec<Problem>) {
    let (mut traces, mut problems) = (Vec::<Trace<'d>>::new(), Vec::new());
    let mut places = BTreeMap::<&str, usize>::new();
    for part in parts {
        let (key, list) = list(part.document.root());
        let alone = (!list.is_array()).then_some((None, list));
        let listed = list.items().enumerate().map(|(at, span)| (Some(at), span));
        let mut odd = 0_usize;
        for (at, value) in alone.into_iter().chain(listed) {
            if !span::is_span(value) {
                odd = odd.saturating_add(1);
                continue;
            }
            let id = span::trace_id(value);
            let next = traces.len();
            let place = *places.entry(id).or_insert(next);
            if place == next {
                let place = source.place(part.line, &pointer(key, at));
                traces.push(Trace {
                    id,
                    place,
                    records: Vec::new(),
                    said: Vec::new(),
                    wanted: Readings::default(),
                });
            }
            if let Some(trace) = traces.get_mut(place) {
                let nth = trace.records.len();
                let (record, said) = span::read(value, nth);
                trace.records.push(record);
                trace.said.extend(said);
            }
        }
        if odd > 0 || list.is_empty() {
            problems.push(missing(source, part, &format!("{odd} record(s) here are no spans")));
        }
    }
    traces.sort_by_key(|trace| trace.records.iter().map(|it| it.start).min());
    (traces, problems)
}

fn pointer(key: &str, at: Option<usize>) -> Cow<'static, str> {
    match (key, at) {
        (_, None) => Cow::Borrowed(""),
        ("", Some(at)) => Cow::Owned(format!("/{at}")),
        (key, Some(at)) => Cow::Owned(format!("/{key}/{at}")),
    }
}

#[cfg(test)]
mod tests;
