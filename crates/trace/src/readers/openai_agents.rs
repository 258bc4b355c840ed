//! OpenAI Agents: the traces and spans that its SDK exports.

mod run;

use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use super::export::{self, Item, Records};
use crate::{Part, Reader, Readings, Shape, Source, Untold, faultgate};

/// The reader.
pub struct OpenaiAgents;

const RECORDS: Records =
    Records { fits: marked, trace_id, run: run::run, ended: run::ended, strict };

impl Reader for OpenaiAgents {
    fn name(&self) -> &'static str {
        "openai_agents"
    }

    fn page(&self) -> &'static str {
        include_str!("openai_agents.md")
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

/// Whether a record is a trace or a span of one.
fn marked(record: Value<'_>) -> bool {
    let has = |key: &str| record.get(key).is_some();
    match export::text(record, &["object"]) {
        Some("trace.span") => has("span_data"),
        Some("trace") => has("workflow_name"),
        _ => false,
    }
}

/// The trace of a span, or the trace itself.
fn trace_id(record: Value<'_>) -> &str {
    export::id(record, &["trace_id"]).or_else(|| export::id(record, &["id"])).unwrap_or("")
}

/// faultgate does not know this format.
fn strict<'d>(_records: &[Item<'d>]) -> Option<BTreeMap<&'d str, faultgate::Trace<'d>>> {
    None
}

#[cfg(test)]
mod tests;
