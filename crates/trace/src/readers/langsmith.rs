//! LangSmith: lists and lines of runs.

mod full;
mod strict;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use super::export::{self, Records};
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct Langsmith;

const RECORDS: Records =
    Records { fits: marked, trace_id, run: full::run, ended: full::ended, strict: strict::load };

impl Reader for Langsmith {
    fn name(&self) -> &'static str {
        "langsmith"
    }

    fn page(&self) -> &'static str {
        include_str!("langsmith.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        export::first_record(root).is_some_and(marked)
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
        RECORDS.find(self.name(), parts, wanted, source, out)
    }
}

/// Whether a record is a run.
fn marked(record: Value<'_>) -> bool {
    record.get("run_type").is_some()
}

/// The trace of a run: named, or the run itself.
fn trace_id(run: Value<'_>) -> &str {
    export::id(run, &["trace_id"]).or_else(|| export::id(run, &["id"])).unwrap_or("")
}

#[cfg(test)]
mod tests;
