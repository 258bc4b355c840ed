//! Which lines of a log belong to one session.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::Value;

use crate::entries::{Entry, text};

/// A session: its lines in the order of the file.
#[derive(Debug)]
pub struct Found<'d> {
    /// Its id, where the lines name one.
    pub id: Option<Cow<'d, str>>,
    /// Its lines. Each stands here once.
    pub lines: Vec<Entry<'d>>,
    /// Whether all of it was done by a subagent, as its own log holds it.
    pub subagent: bool,
}

/// The sessions of a log, in the order in which they begin.
///
/// A session that was resumed goes on under another id with copies of its lines, or with a line
/// that follows one of its own: then both ids are one session. A copied line counts once.
pub fn sessions<'d>(records: impl Iterator<Item = Entry<'d>>) -> Vec<Found<'d>> {
    let mut groups = Groups::default();
    let mut lines: Vec<(usize, Entry<'d>)> = Vec::new();
    for entry in records {
        if let Some(group) = groups.of(&entry) {
            lines.push((group, entry));
        }
    }
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    let mut found: Vec<Found<'d>> = Vec::new();
    for (group, entry) in lines {
        let root = groups.root(group);
        let place = *places.entry(root).or_insert(found.len());
        match found.get_mut(place) {
            Some(session) => session.lines.push(entry),
            None => found.push(Found { id: None, lines: vec![entry], subagent: false }),
        }
    }
    for session in &mut found {
        name(session);
    }
    found
}

/// The id under which a line stands.
pub fn session_id(record: Value<'_>) -> Option<&str> {
    text(record, "sessionId").or_else(|| text(record, "session_id"))
}

/// Whether a subagent did what a line says.
pub fn is_subagents(record: Value<'_>) -> bool {
    record.get("isSidechain").and_then(Value::as_bool) == Some(true)
        || text(record, "parent_tool_use_id").is_some()
}

/// A session goes by the id under which it went on last; one of a subagent by that agent too.
fn name(session: &mut Found<'_>) {
    let last = session.lines.iter().rev().find_map(|line| session_id(line.value));
    session.id = last.map(Cow::Borrowed);
    session.subagent =
        !session.lines.is_empty() && session.lines.iter().all(|line| is_subagents(line.value));
    let agent = session.lines.iter().find_map(|line| text(line.value, "agentId"));
    if let (true, Some(last), Some(agent)) = (session.subagent, last, agent) {
        session.id = Some(Cow::Owned(format!("{last}/agent-{agent}")));
    }
}

/// Ids of sessions, and which of them are one.
#[derive(Debug, Default)]
struct Groups<'d> {
    /// By id; lines without an id belong to the others of their document.
    by_id: BTreeMap<(Option<usize>, &'d str), usize>,
    /// The line of a uuid: its group, and what it says.
    by_uuid: BTreeMap<&'d str, (usize, &'d str)>,
    above: Vec<usize>,
}

impl<'d> Groups<'d> {
    /// The group of a line; nothing for a copy, and for a line that is of no session.
    fn of(&mut self, entry: &Entry<'d>) -> Option<usize> {
        let record = entry.value;
        let key = match session_id(record) {
            Some(id) => (None, id),
            // Summaries and snapshots stand beside the sessions.
            None => record.get("message").map(|_| (Some(entry.part), ""))?,
        };
        let fresh = self.above.len();
        let group = *self.by_id.entry(key).or_insert(fresh);
        if group == fresh {
            self.above.push(fresh);
        }
        if let Some((other, _)) = text(record, "parentUuid").and_then(|it| self.by_uuid.get(it)) {
            self.join(*other, group);
        }
        let Some(uuid) = text(record, "uuid") else { return Some(group) };
        let says = record.get("message").map_or("", Value::raw);
        match self.by_uuid.get(uuid) {
            Some((other, said)) => {
                let copy = *said == says;
                self.join(*other, group);
                (!copy).then_some(group)
            }
            None => {
                self.by_uuid.insert(uuid, (group, says));
                Some(group)
            }
        }
    }

    fn root(&mut self, group: usize) -> usize {
        let mut at = group;
        while let Some(above) = self.above.get(at).copied().filter(|above| *above != at) {
            // Every second step is skipped from now on, which keeps all paths short.
            let next = self.above.get(above).copied().unwrap_or(above);
            if let Some(slot) = self.above.get_mut(at) {
                *slot = next;
            }
            at = next;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if let Some(slot) = self.above.get_mut(one.max(other)) {
            *slot = one.min(other);
        }
    }
}
