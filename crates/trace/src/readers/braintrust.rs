//! Braintrust: logged spans.

mod full;
mod strict;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use super::export::{self, Records};
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct Braintrust;

const RECORDS: Records = Records {
    fits: marked,
    trace_id: root_id,
    run: full::run,
    ended: full::ended,
    strict: strict::load,
};

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
