//! OpenTelemetry traces as OTLP/JSON, with the GenAI conventions old and new.

mod any;
mod collect;
mod ended;
mod indexed;
mod kind;
mod logs;
mod notes;
mod record;
mod session;
mod strict;
mod turn;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use crate::reader::document_notes;
use crate::tell::Earlier;
use crate::{Part, Reader, Reading, Readings, Session, Shape, Source, faultgate};

pub use any::attributes;
pub use collect::{RawSpan, any_span, is_otlp};
pub use logs::Said;
pub use record::{Record, left_out};
pub use session::{Trace, tell};

/// The reader.
pub struct Otlp;

impl Reader for Otlp {
    fn name(&self) -> &'static str {
        "otlp"
    }

    fn page(&self) -> &'static str {
        include_str!("otlp.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        is_otlp(root)
    }

    fn shape(&self) -> Shape {
        Shape::Gathered
    }

    fn read<'d>(
        &self,
        parts: &'d [Part<'d>],
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Session<'d>),
    ) -> Vec<Problem> {
        read(parts, wanted, source, self.name(), &|trace| trace, out)
    }
}

/// Reads spans; `map` brings faultgate's model of a trace into its final form.
pub fn read<'d>(
    parts: &'d [Part<'d>],
    wanted: Readings,
    source: &Source,
    format: &'static str,
    map: &dyn Fn(faultgate::Trace<'d>) -> faultgate::Trace<'d>,
    out: &mut dyn FnMut(Session<'d>),
) -> Vec<Problem> {
    let (traces, problems) = collect::collect(parts, source);
    let strict = match parts {
        [part] if part.plain && wanted.has(Reading::Faultgate) => {
            strict::load(part.document.root())
        }
        _ => None,
    };
    let mut strict = strict.unwrap_or_default();
    let notes = document_notes(parts);
    let mut earlier = Earlier::default();
    for trace in traces {
        let mut session = session::session(&trace, source, format, wanted, &mut earlier);
        if let Some(model) = strict.remove(trace.raw_id) {
            session.id = model.id.clone();
            session.add_own(Reading::Faultgate, wanted, faultgate::tell(&map(model), wanted));
        }
        session.notes.extend(notes.iter().cloned());
        out(session);
    }
    problems
}

#[cfg(test)]
mod tests;
