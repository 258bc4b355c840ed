//! Langfuse: traces with their observations, or rows of observations.

mod full;
mod strict;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use super::export::{self, Records};
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct Langfuse;

/// Types of observations.
const TYPES: [&str; 10] = [
    "SPAN",
    "GENERATION",
    "EVENT",
    "TOOL",
    "AGENT",
    "CHAIN",
    "RETRIEVER",
    "EVALUATOR",
    "EMBEDDING",
    "GUARDRAIL",
];

fn is_row(record: Value<'_>) -> bool {
    let kind = record.get("type").and_then(Value::as_str).unwrap_or("SPAN").to_uppercase();
    let typed = record.get("type").is_some() && TYPES.contains(&kind.as_str());
    export::id(record, &["traceId", "trace_id"]).is_some()
        && typed
        && record.get("run_type").is_none()
}

/// Whether a record is an observation, or a trace with or without them.
fn is_record(record: Value<'_>) -> bool {
    let trace =
        ["observations", "trace", "timestamp", "sessionId", "session_id", "userId", "user_id"];
    is_row(record) || trace.iter().any(|key| record.get(key).is_some())
}

const RECORDS: Records =
    Records { fits: is_record, trace_id, run: full::run, ended: full::ended, strict: strict::load };

impl Reader for Langfuse {
    fn name(&self) -> &'static str {
        "langfuse"
    }

    fn page(&self) -> &'static str {
        include_str!("langfuse.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        export::first_record(root).is_some_and(|it| it.get("observations").is_some() || is_row(it))
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

/// The trace that a record belongs to.
fn trace_id(record: Value<'_>) -> &str {
    let inner = record.get("trace").filter(|it| it.is_object()).unwrap_or(record);
    let keys: &[&str] =
        if inner.get("observations").is_some() || record.get("observations").is_some() {
            &["id", "traceId", "trace_id"]
        } else {
            &["traceId", "trace_id", "id"]
        };
    export::id(inner, keys).unwrap_or("")
}

#[cfg(test)]
mod tests;
