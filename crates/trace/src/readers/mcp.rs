//! MCP: logs of JSON-RPC messages between a client and servers, bare or in a logger's envelopes.

mod envelope;
mod method;
mod tell;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use crate::entries::{Entry, LOOKED_AT, entries, list};
use crate::reader::document_notes;
use crate::{Part, Reader, Readings, Shape, Source, Untold};
use envelope::Frame;

/// The reader.
pub struct Mcp;

/// Keys of an object that hold its messages.
const LIST_KEYS: [&str; 5] = ["messages", "entries", "events", "logs", "frames"];

impl Reader for Mcp {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn page(&self) -> &'static str {
        include_str!("mcp.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        let keyed = LIST_KEYS.iter().find_map(|key| list(root, key));
        match keyed.or_else(|| root.is_array().then_some(root)) {
            Some(all) => all.items().take(LOOKED_AT).any(marked),
            None => marked(root),
        }
    }

    fn accepts(&self, _root: Value<'_>) -> bool {
        true
    }

    fn shape(&self) -> Shape {
        Shape::Gathered
    }

    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        _wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let mut frames = Vec::new();
        let mut problems = Vec::new();
        // A list on a line of its own was sent as a list; one alone is the log.
        let all = match parts {
            [_] => entries(parts, &LIST_KEYS),
            _ => parts.iter().enumerate().map(Entry::whole).collect(),
        };
        for entry in all {
            let before = frames.len();
            envelope::open(&entry, &mut frames);
            if frames.len() == before {
                problems.push(entry.odd(source, self.name()));
            }
        }
        let notes = document_notes(parts);
        for group in tell::sessions(&frames) {
            let mut session = tell::session(&group, &frames, source);
            session.notes.extend(notes.iter().cloned());
            out(session.into());
        }
        problems
    }
}

/// Whether a record holds a message that only MCP knows.
fn marked(record: Value<'_>) -> bool {
    envelope::messages(record).any(|message| {
        message.get("jsonrpc").is_some()
            && match Frame::method_of(message) {
                Some(method) => method::is_mcp(method, message),
                None => method::is_result(message),
            }
    })
}

#[cfg(test)]
mod tests;
