//! OpenInference: OTLP whose spans carry `openinference.span.kind`.

mod strict;

use lawbook_diag::Problem;
use lawbook_event::json::Value;
use memchr::memmem;

use super::otlp;
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct Openinference;

const MARK: &str = "openinference.span.kind";

impl Reader for Openinference {
    fn name(&self) -> &'static str {
        "openinference"
    }

    fn page(&self) -> &'static str {
        include_str!("openinference.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        // Most documents without the mark do not hold its letters either.
        memmem::find(root.raw().as_bytes(), MARK.as_bytes()).is_some()
            && otlp::is_otlp(root)
            && otlp::any_span(root, marked)
    }

    fn accepts(&self, root: Value<'_>) -> bool {
        otlp::is_otlp(root)
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
        otlp::find(parts, wanted, source, self.name(), strict::mapped, out)
    }
}

fn marked(span: Value<'_>) -> bool {
    let attributes = span.get("attributes");
    let listed = attributes.into_iter().flat_map(Value::items);
    listed.into_iter().any(|it| it.get("key").and_then(Value::as_str) == Some(MARK))
}

#[cfg(test)]
mod tests;
