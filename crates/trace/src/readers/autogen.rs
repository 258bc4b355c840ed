//! AutoGen: the result of a task, the saved state of agents and teams, and the log of its core.

mod log;
mod message;
mod state;

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::Start;
use lawbook_event::json::Value;

use super::export::{id, text};
use super::whole::{self, Documents, Found, Take, Told};
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct Autogen;

/// Documents that hold whole sessions; the rest is gathered from many.
const DOCUMENTS: Documents = Documents {
    name: "autogen",
    page: include_str!("autogen.md"),
    fits: |root| log::is_event(root) || state::is_state(root) || whole::first_fits(root, is_result),
    missing: "there are no messages of AutoGen here",
    find,
    tell: session,
};

impl Reader for Autogen {
    fn name(&self) -> &'static str {
        DOCUMENTS.name
    }

    fn page(&self) -> &'static str {
        DOCUMENTS.page
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        (DOCUMENTS.fits)(root)
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
        if parts.iter().any(|part| log::is_event(part.document.root())) {
            return log::read(self.name(), parts, source, out);
        }
        DOCUMENTS.find(parts, wanted, source, out)
    }
}

fn find<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    if state::is_state(root) {
        state::each(root, out);
    } else {
        whole::each(root, is_result, out);
    }
}

/// A task's result, or the list of its messages.
fn is_result(value: Value<'_>) -> bool {
    message::is_list(value) || value.get("messages").is_some_and(message::is_list)
}

fn session<'d>(found: Found<'d>, place: &str) -> Told<'d> {
    let around = found.value;
    let own = id(around, &["id", "session_id", "task_id"]).map(Cow::Borrowed);
    let start =
        Start { id: own.unwrap_or_else(|| Cow::Owned(place.to_owned())), ..Start::default() };
    let list = around.get("messages").unwrap_or(around);
    let mut told = Told::new(start, list.len());
    message::tell(&mut told.chat, list);
    if let Some(reason) = text(around, &["stop_reason"]) {
        told.end.termination = Cow::Borrowed(reason);
    }
    told
}

#[cfg(test)]
mod tests;
