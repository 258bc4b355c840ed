//! What is odd about the spans of a trace.

use std::collections::BTreeSet;

use super::record::Record;
use crate::Note;

/// How many names a note lists.
const NAMES_MAX: usize = 3;

/// What a check before use prints. `ids` are those of all records, sorted.
pub fn notes(records: &[Record<'_>], ids: &[&str]) -> Vec<Note> {
    let mut notes = Vec::new();
    let alike = ids.chunk_by(|a, b| a == b).filter(|alike| alike.len() > 1);
    let twice: Vec<&str> = alike.filter_map(|alike| alike.first().copied()).collect();
    if !twice.is_empty() {
        notes.push(Note::error(format!(
            "{} span id(s) stand twice ({})",
            twice.len(),
            names(&twice)
        )));
    }
    roots(records, ids, &mut notes);
    times(records, &mut notes);
    notes
}

fn names(list: &[&str]) -> String {
    let mut text = list.iter().take(NAMES_MAX).copied().collect::<Vec<_>>().join(", ");
    if list.len() > NAMES_MAX {
        text.push_str(", …");
    }
    text
}

fn roots(records: &[Record<'_>], ids: &[&str], notes: &mut Vec<Note>) {
    match records.iter().filter(|record| record.parent.is_none()).count() {
        0 if records.is_empty() => {}
        0 => notes.push(Note::warning("no span is without a parent, so the run has no root")),
        1 => {}
        many => notes.push(Note::warning(format!("{many} spans are without a parent"))),
    }
    let missing: BTreeSet<&str> = records
        .iter()
        .filter_map(|record| record.parent.as_deref())
        .filter(|id| ids.binary_search(id).is_err())
        .collect();
    if !missing.is_empty() {
        let list: Vec<&str> = missing.into_iter().collect();
        notes.push(Note::warning(format!(
            "{} parent span(s) are not in the input ({})",
            list.len(),
            names(&list)
        )));
    }
}

fn times(records: &[Record<'_>], notes: &mut Vec<Note>) {
    let mut say = |what: &str, fits: &dyn Fn(&&Record<'_>) -> bool| {
        let list: Vec<&str> =
            records.iter().filter(fits).map(|record| record.id.as_ref()).collect();
        if !list.is_empty() {
            notes.push(Note::error(format!("{} span(s) {what} ({})", list.len(), names(&list))));
        }
    };
    say("have no start time", &|record| record.start == 0);
    say("end before they start", &|record| record.end != 0 && record.end < record.start);
}
