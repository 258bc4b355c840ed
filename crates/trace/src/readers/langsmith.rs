//! LangSmith: lists and lines of runs.

mod full;
mod strict;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use super::export;
use crate::reader::document_notes;
use crate::tell::Earlier;
use crate::{Part, Reader, Reading, Session, Shape, Source};

/// The reader.
pub struct Langsmith;

impl Reader for Langsmith {
    fn name(&self) -> &'static str {
        "langsmith"
    }

    fn page(&self) -> &'static str {
        include_str!("langsmith.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        export::first_record(root).is_some_and(|it| it.get("run_type").is_some())
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
        let (items, problems) = export::items(parts, source, |run| run.get("run_type").is_some());
        let strict = export::wants_faultgate(parts, reading)
            .then(|| strict::load(&export::faultgate_items(parts)));
        let mut strict = strict.flatten().unwrap_or_default();
        let notes = document_notes(parts);
        let mut earlier = Earlier::default();
        for (id, runs) in export::grouped(items, |item| trace_id(item.value)) {
            let place = runs.first().map_or_else(|| source.name.clone(), |it| it.source(source));
            let run = full::run(id, &runs, &place);
            let model = (reading, strict.remove(id));
            let mut session = export::session(run, place, self.name(), model, &mut earlier);
            session.notes.extend(notes.iter().cloned());
            out(session);
        }
        problems
    }
}

/// The trace of a run: named, or the run itself.
fn trace_id(run: Value<'_>) -> &str {
    export::id(run, &["trace_id"]).or_else(|| export::id(run, &["id"])).unwrap_or("")
}

#[cfg(test)]
mod tests;
