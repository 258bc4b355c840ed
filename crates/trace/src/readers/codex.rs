//! Codex: the rollout files in which it keeps its sessions.

mod items;
mod output;
mod sniff;
mod tell;
mod words;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use crate::entries::{Entry, entries, object, text};
use crate::reader::document_notes;
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct Codex;

impl Reader for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn page(&self) -> &'static str {
        include_str!("codex.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        sniff::sniff(root)
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
        let all = entries(parts, &["items"]);
        let (records, odd): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.value.is_object());
        let notes = document_notes(parts);
        for lines in split(records) {
            let mut session = tell::session(&lines, source);
            session.notes.extend(notes.iter().cloned());
            out(session.into());
        }
        odd.into_iter().map(|it| it.odd(source, self.name())).collect()
    }
}

/// The lines of each session. One begins where a line names another id after something was done;
/// a fork names the session that it came from before that.
fn split(records: Vec<Entry<'_>>) -> Vec<Vec<Entry<'_>>> {
    let mut sessions: Vec<Vec<Entry<'_>>> = Vec::new();
    let (mut id, mut begun) = (None, false);
    for entry in records {
        let named = started(entry.value);
        let another = begun && id.is_some() && named.is_some() && named != id;
        match sessions.last_mut() {
            Some(session) if !another => session.push(entry),
            _ => sessions.push(vec![entry]),
        }
        id = if another { named } else { id.or(named) };
        begun = named.is_none() || (begun && !another);
    }
    sessions
}

/// The id of the session that a line begins.
fn started(record: Value<'_>) -> Option<&str> {
    match text(record, "type") {
        Some("session_meta") => text(object(record, "payload")?, "id"),
        None if sniff::is_head(record) => text(record, "id"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
