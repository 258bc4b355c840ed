//! Strands Agents and Amazon Bedrock's Converse: lists of messages, and the files of a stored
//! session.

mod message;
mod stored;

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::Start;
use lawbook_event::json::Value;

use super::export::{get, id};
use super::whole::{self, Documents, Found, Take, Told};
use crate::{Part, Reader, Readings, Shape, Source, Untold, measures};

/// The reader.
pub struct Strands;

/// Documents that hold whole sessions; the rest is gathered from many.
const DOCUMENTS: Documents = Documents {
    name: "strands",
    page: include_str!("strands.md"),
    fits: |root| stored::is_file(root) || whole::first_fits(root, is_session),
    missing: "there are no messages of Strands or Converse here",
    find,
    tell: session,
};

impl Reader for Strands {
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
        if parts.iter().any(|part| stored::is_file(part.document.root())) {
            return stored::read(self.name(), parts, source, out);
        }
        DOCUMENTS.find(parts, wanted, source, out)
    }
}

fn find<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    whole::each(root, is_session, out);
}

/// A list of messages, or an object that holds one as a request does.
fn is_session(value: Value<'_>) -> bool {
    message::is_list(value) || value.get("messages").is_some_and(message::is_list)
}

fn session<'d>(found: Found<'d>, place: &str) -> Told<'d> {
    let around = found.value;
    let messages = around.get("messages").unwrap_or(around);
    let own = id(around, &["session_id", "sessionId", "id"]).map(Cow::Borrowed);
    let start = Start {
        id: own.unwrap_or_else(|| Cow::Owned(place.to_owned())),
        attributes: whole::attributes(around, &["session.id", "user.id", "agent_id"]),
        metadata: Cow::Borrowed(get(around, &["state"]).map_or("", Value::raw)),
        ..Start::default()
    };
    let mut told = Told::new(start, messages.len());
    // The answer to a request stands beside its messages.
    let reply = around.get("output").and_then(|it| it.get("message"));
    for (at, message) in messages.items().chain(reply).enumerate() {
        message::tell(&mut told.chat, at, message, None);
    }
    let whole = measures::used(around.get("usage"));
    told.end.usage = measures::or(told.chat.usage(), whole);
    told
}

#[cfg(test)]
mod tests;
