//! SWE-agent trajectories, and those of mini-swe-agent.

mod action;
mod mini;
mod trajectory;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use super::whole::{self, Documents, Found, Take, Told};
use crate::{Part, Reader, Readings, Session, Shape, Source};

/// The reader.
pub struct SweAgent;

const DOCUMENTS: Documents =
    Documents { missing: "there is no trajectory of SWE-agent here", find, tell: session };

impl Reader for SweAgent {
    fn name(&self) -> &'static str {
        "swe_agent"
    }

    fn page(&self) -> &'static str {
        include_str!("swe_agent.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        whole::first_fits(root, is_session)
    }

    fn shape(&self) -> Shape {
        Shape::Independent
    }

    fn read<'d>(
        &self,
        parts: &'d [Part<'d>],
        _wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Session<'d>),
    ) -> Vec<Problem> {
        DOCUMENTS.read(self.name(), parts, source, out)
    }
}

fn find<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    whole::each(root, is_session, out);
}

fn is_session(value: Value<'_>) -> bool {
    trajectory::is_trajectory(value) || mini::is_trajectory(value)
}

fn session<'d>(found: Found<'d>, place: &str) -> Told<'d> {
    if trajectory::is_trajectory(found.value) {
        trajectory::session(found.value, place)
    } else {
        mini::session(found.value, place)
    }
}

#[cfg(test)]
mod tests;
