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

use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use crate::reader::document_notes;
use crate::tell::Earlier;
use crate::{Part, Reader, Reading, Readings, Shape, Source, Untold, faultgate};

pub use any::attributes;
pub use collect::{RawSpan, any_span, is_otlp};
pub use logs::Said;
pub use record::{Record, left_out};
pub use session::{Trace, untold};

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

    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        find(parts, wanted, source, self.name(), |trace| trace, out)
    }
}

/// Finds the traces of spans; `map` brings faultgate's model of a trace into its final form.
pub fn find<'d>(
    parts: &'d [Part<'d>],
    wanted: Readings,
    source: &Source,
    format: &'static str,
    map: for<'t> fn(faultgate::Trace<'t>) -> faultgate::Trace<'t>,
    out: &mut dyn FnMut(Untold<'d>),
) -> Vec<Problem> {
    let root = match parts {
        [part] if part.plain && wanted.has(Reading::Faultgate) => Some(part.document.root()),
        _ => None,
    };
    let mut loads = root.map_or(strict::Loads::Told(false), strict::Loads::of);
    let mut beside = root.map(strict::beside).unwrap_or_default();
    let (traces, problems) = collect::collect(parts, source, &mut loads);
    let loads = loads.told(&problems);
    let notes = document_notes(parts);
    let (source, earlier) = (Arc::new(source.clone()), Arc::new(Earlier::default()));
    for trace in traces {
        let (source, notes, before) = (source.clone(), notes.clone(), earlier.next());
        let beside = beside.remove(trace.raw_id);
        out(Untold::new(move || {
            let place = session::place(&trace, &source);
            let mut session = session::session(&trace, place, format, wanted, before);
            let model = beside.or_else(|| loads.then(|| strict::trace(&trace)).flatten());
            if let Some(model) = model {
                session.id = model.id.clone();
                session.add_own(Reading::Faultgate, wanted, faultgate::tell(&map(model), wanted));
            }
            session.notes.extend(notes);
            session
        }));
    }
    problems
}

#[cfg(test)]
mod tests;
