//! Braintrust: logged spans.

mod full;
mod strict;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use super::export;
use crate::reader::document_notes;
use crate::tell::Earlier;
use crate::{Part, Reader, Reading, Session, Shape, Source};

/// The reader.
pub struct Braintrust;

impl Reader for Braintrust {
    fn name(&self) -> &'static str {
        "braintrust"
    }

    fn page(&self) -> &'static str {
        include_str!("braintrust.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        export::first_record(root).is_some_and(marked)
    }

    fn shape(&self) -> Shape {
        Shape::Gathered
    }

    fn read<'d>(
        &self,
        parts: &'d [Part<'d>],
        reading: Reading,
        source: &Source,
        out: &mut dyn FnMut(Session<'d>),
    ) -> Vec<Problem> {
        let (items, problems) = export::items(parts, source, marked);
        let strict = export::wants_faultgate(parts, reading)
            .then(|| strict::load(&export::faultgate_items(parts)));
        let mut strict = strict.flatten().unwrap_or_default();
        let notes = document_notes(parts);
        let mut earlier = Earlier::default();
        for (id, spans) in export::grouped(items, |item| root_id(item.value)) {
            let place = spans.first().map_or_else(|| source.name.clone(), |it| it.source(source));
            let run = full::run(id, &spans, &place);
            let model = (reading, strict.remove(id));
            let mut session = export::session(run, place, self.name(), model, &mut earlier);
            session.notes.extend(notes.iter().cloned());
            out(session);
        }
        problems
    }
}

/// Whether a record has what only spans have.
fn marked(record: Value<'_>) -> bool {
    record.get("span_attributes").is_some() || record.get("root_span_id").is_some()
}

/// The span's own id.
fn span_id(span: Value<'_>) -> &str {
    export::id(span, &["span_id"]).or_else(|| export::id(span, &["id"])).unwrap_or("")
}

/// The id of the root of its trace.
fn root_id(span: Value<'_>) -> &str {
    export::id(span, &["root_span_id"]).unwrap_or_else(|| span_id(span))
}

#[cfg(test)]
mod tests;
