//! Claude Code: session logs, subagents' logs, and what `--output-format stream-json` prints.

mod sessions;
mod sniff;
mod tell;
mod words;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use crate::entries::{entries, text};
use crate::reader::document_notes;
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct ClaudeCode;

impl Reader for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude_code"
    }

    fn page(&self) -> &'static str {
        include_str!("claude_code.md")
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
        let all = entries(parts, &["messages"]);
        let is_record = |value: Value<'d>| text(value, "type").is_some();
        let (records, mut odd): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|it| is_record(it.value));
        let found = sessions::sessions(records.iter().copied());
        // Files that hold nothing but summaries are common, and no fault.
        if found.is_empty() && !records.iter().any(|it| sniff::marked(it.value)) {
            odd.extend(records);
        }
        let notes = document_notes(parts);
        for found in found {
            let mut session = tell::session(&found, source);
            session.notes.extend(notes.iter().cloned());
            out(session.into());
        }
        odd.into_iter().map(|it| it.odd(source, self.name())).collect()
    }
}

#[cfg(test)]
mod tests;
