//! Where a review stands: how many findings are marked, cleared and left.

use std::collections::BTreeMap;

use super::{Disposition, Entry, Mark, Review, State};

/// Findings by what was said of them and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Marked real and still found.
    pub real: u64,
    /// Marked as a rule to fix and still found.
    pub to_fix: u64,
    /// Marked as a rule to fix and found no more.
    pub fixed: u64,
    /// Marked real and found no more, so that the policy lets a real problem pass.
    pub lost: u64,
    /// Not marked and found no more.
    pub gone: u64,
    /// Still found and not marked.
    pub open: u64,
    /// Could not be judged when it was last looked at.
    pub unknown: u64,
}

impl Standing {
    /// Takes in a finding.
    pub fn add(&mut self, entry: &Entry) {
        let cell = match (entry.state, entry.mark) {
            (State::Unknown, _) => &mut self.unknown,
            (State::Found, Mark::Real) => &mut self.real,
            (State::Found, Mark::RuleToFix) => &mut self.to_fix,
            (State::Found, Mark::Open) => &mut self.open,
            (State::Cleared, Mark::Real) => &mut self.lost,
            (State::Cleared, Mark::RuleToFix) => &mut self.fixed,
            (State::Cleared, Mark::Open) => &mut self.gone,
        };
        *cell = cell.saturating_add(1);
    }

    /// Whether nothing is left to do: every finding is real and marked so.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.to_fix == 0 && self.open == 0 && self.lost == 0 && self.unknown == 0
    }

    /// Found no more, whatever was said.
    #[must_use]
    pub fn cleared(&self) -> u64 {
        self.fixed.saturating_add(self.gone).saturating_add(self.lost)
    }

    /// The same in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let mut out = format!(
            "{} marked real, {} rule to fix still found, {} cleared, {} unmarked",
            self.real,
            self.to_fix,
            self.cleared(),
            self.open
        );
        if self.unknown > 0 {
            out.push_str(&format!(", {} unknown", self.unknown));
        }
        if self.lost > 0 {
            let them =
                if self.lost == 1 { "1 that is" } else { &format!("{} that are", self.lost) };
            out.push_str(&format!("; {them} marked real pass now"));
        }
        out
    }
}

/// Notes by whether they are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoteCounts {
    /// All of them.
    pub all: u64,
    /// Those without a disposition on traces that still pass.
    pub unsorted: u64,
    /// Those on traces in which the policy finds something by now.
    pub found: u64,
}

impl Review {
    /// Where the whole review stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let mut all = Standing::default();
        self.findings.iter().for_each(|it| all.add(it));
        all
    }

    /// Where it stands rule by rule, in the order of the file.
    #[must_use]
    pub fn by_rule_standing(&self) -> Vec<(&str, Standing)> {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut out: Vec<(&str, Standing)> = Vec::new();
        for entry in &self.findings {
            let place = *places.entry(&entry.key.rule).or_insert(out.len());
            if place == out.len() {
                out.push((&entry.key.rule, Standing::default()));
            }
            if let Some((_, standing)) = out.get_mut(place) {
                standing.add(entry);
            }
        }
        out
    }

    /// How far the notes are sorted.
    #[must_use]
    pub fn note_counts(&self) -> NoteCounts {
        let count = |it: usize| u64::try_from(it).unwrap_or(u64::MAX);
        let unsorted = |it: &&super::Noted| it.disposition == Disposition::Unsorted && !it.found;
        NoteCounts {
            all: count(self.notes.len()),
            unsorted: count(self.notes.iter().filter(unsorted).count()),
            found: count(self.notes.iter().filter(|it| it.found).count()),
        }
    }
}
