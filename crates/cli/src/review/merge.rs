//! What a run saw, merged into a review file: marks stay, states are told anew, what is new is
//! added.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_diag::{Finding, Unknown, Verdict};

use crate::masking;

use super::{Entry, Key, Noted, Proposal, REVIEW_ENTRIES_MAX, Review, State};

/// A finding of a run.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Which one.
    pub key: Key,
    /// What is wrong.
    pub message: String,
    /// Why the rule is there.
    pub why: String,
    /// An edit that clears it.
    pub edit: Option<Proposal>,
}

/// What a run, or a part of it, saw.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The findings, in the order of the input.
    pub found: Vec<Found>,
    /// Findings beyond [`REVIEW_ENTRIES_MAX`].
    pub beyond: u64,
    /// The sessions that were judged, of those that the file holds.
    pub judged: BTreeSet<String>,
    /// The rules that could not be judged in them: session, step, rule.
    pub untold: BTreeSet<[String; 3]>,
}

impl Found {
    /// A finding of a session.
    #[must_use]
    pub fn new(session: &str, it: &Finding, edit: Option<Proposal>) -> Self {
        // An edit that holds what must not leave is not proposed.
        let edit = edit.filter(|it| !masking::mask().changes(&it.write));
        Found {
            key: key(session, it),
            message: lawbook_report::cut(&masking::text(&it.message)),
            why: it.why.as_deref().unwrap_or_default().to_owned(),
            edit,
        }
    }
}

/// What tells a finding of a session from others.
#[must_use]
pub fn key(session: &str, it: &Finding) -> Key {
    let key = Key {
        rule: it.rule.to_string(),
        session: session.to_owned(),
        step_id: it.step_id.clone().unwrap_or_default(),
        tool: it.tool.clone().unwrap_or_default(),
    };
    key.masked()
}

/// Whether a finding is to be reviewed: it says that something is wrong and nobody has waived it.
#[must_use]
pub fn is_open(it: &Finding) -> bool {
    it.verdict != Verdict::Allow && it.waived.is_none()
}

impl Gathered {
    /// Takes in what could not be told in a session that the file holds.
    pub fn unknown(&mut self, session: &str, unknown: &[Unknown]) {
        for it in unknown {
            let step = masking::text(it.step_id.as_deref().unwrap_or_default()).into_owned();
            let session = masking::key(session).into_owned();
            self.untold.insert([session, step, it.rule.to_string()]);
        }
    }

    /// Takes in what a later part saw.
    pub fn add(&mut self, later: Gathered) {
        let room = REVIEW_ENTRIES_MAX.saturating_sub(self.found.len());
        let beyond = later.found.len().saturating_sub(room);
        self.found.extend(later.found.into_iter().take(room));
        self.beyond = self.beyond.saturating_add(u64::try_from(beyond).unwrap_or(u64::MAX));
        self.beyond = self.beyond.saturating_add(later.beyond);
        self.judged.extend(later.judged);
        self.untold.extend(later.untold);
    }
}

impl Review {
    /// The sessions that the file holds.
    #[must_use]
    pub fn sessions(&self) -> BTreeSet<String> {
        self.findings.iter().map(|it| it.key.session.clone()).collect()
    }

    /// Takes in what a run saw. `looked_at` says whether the run judged by a rule at all; a rule
    /// that stands in no policy any more was looked at and found nothing. Gives back how many
    /// findings there was no room for.
    pub fn merge(&mut self, run: Gathered, looked_at: impl Fn(&str) -> bool) -> u64 {
        let mut beyond = run.beyond;
        let mut found: BTreeMap<Key, Found> = BTreeMap::new();
        let mut order = Vec::new();
        for it in run.found {
            if !found.contains_key(&it.key) {
                order.push(it.key.clone());
                found.insert(it.key.clone(), it);
            }
        }
        for entry in &mut self.findings {
            if let Some(it) = found.remove(&entry.key) {
                entry.state = State::Found;
                (entry.message, entry.why, entry.edit) = (it.message, it.why, it.edit);
            } else if run.judged.contains(&entry.key.session) && looked_at(&entry.key.rule) {
                let Key { session, step_id, rule, .. } = entry.key.clone();
                let untold = run.untold.contains(&[session, step_id, rule]);
                entry.state = if untold { State::Unknown } else { State::Cleared };
                entry.edit = None;
            }
        }
        for it in order.iter().filter_map(|it| found.remove(it)) {
            if self.findings.len() >= REVIEW_ENTRIES_MAX {
                beyond = beyond.saturating_add(1);
                continue;
            }
            let Found { key, message, why, edit } = it;
            self.findings.push(Entry { key, message, why, edit, ..Entry::default() });
        }
        self.by_rule();
        beyond
    }

    /// Puts the findings of a rule together, in the order in which rules first stand.
    fn by_rule(&mut self) {
        let mut ranks: BTreeMap<String, usize> = BTreeMap::new();
        for entry in &self.findings {
            let next = ranks.len();
            ranks.entry(entry.key.rule.clone()).or_insert(next);
        }
        self.findings.sort_by_key(|it| ranks.get(&it.key.rule).copied());
    }

    /// Takes in the notes of this time: what was said of the same trace before stays. A trace that
    /// the policy finds something in by now keeps its note, and none is added for it.
    pub fn merge_notes(&mut self, notes: Vec<Noted>, found: &BTreeSet<String>) {
        for old in &mut self.notes {
            old.found = found.contains(&old.trace);
        }
        for note in notes {
            match self.notes.iter_mut().find(|it| it.trace == note.trace) {
                Some(old) => (old.said, old.modes) = (note.said, note.modes),
                None if found.contains(&note.trace) => {}
                None => self.notes.push(note),
            }
        }
    }
}
