//! The sessions of one run of a suite, by scenario.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_event::Usage;
use lawbook_stats::Rate;

use super::Line;
use super::expected::Expected;

/// The measures of what runs use, in the order of reports.
pub const MEASURES: [&str; 3] = ["tokens", "latency_ms", "cost_usd"];

/// What came of one scenario in one run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Clean ones among its sessions.
    pub rate: Rate,
    /// What is stated of its sessions.
    pub expected: BTreeSet<Expected>,
    /// When the last of them began, and whether it was clean. faultgate keeps nothing else.
    last: Option<(Option<i64>, bool)>,
}

/// One run of a suite.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// The scenarios.
    pub scenarios: BTreeMap<String, Tally>,
    /// Its sessions.
    pub sessions: u64,
    /// The calls in them.
    pub calls: u64,
    /// Sum and number of each measure.
    pub usage: [(f64, u64); 3],
}

impl Runs {
    /// Takes in a session.
    pub fn add(&mut self, line: &Line) {
        let clean = line.clean;
        let tally = self.scenarios.entry(line.scenario.clone()).or_default();
        tally.rate.count = tally.rate.count.saturating_add(u64::from(clean));
        tally.rate.total = tally.rate.total.saturating_add(1);
        if !tally.expected.contains(&line.expected) {
            tally.expected.insert(line.expected.clone());
        }
        if tally.last.is_none_or(|(begins, _)| line.begins >= begins) {
            tally.last = Some((line.begins, clean));
        }
        self.sessions = self.sessions.saturating_add(1);
        self.calls = self.calls.saturating_add(line.calls);
        let Usage { tokens, latency_ms, cost_usd } = line.usage;
        for (sum, value) in self.usage.iter_mut().zip([tokens, latency_ms, cost_usd]) {
            if let Some(value) = value {
                sum.0 += value;
                sum.1 = sum.1.saturating_add(1);
            }
        }
    }

    /// The mean of each measure over the sessions that have it.
    #[must_use]
    pub fn means(&self) -> [Option<f64>; 3] {
        self.usage.map(|(sum, number)| (number > 0).then(|| sum / number as f64))
    }

    /// All sessions as one.
    #[must_use]
    pub fn pooled(&self) -> Rate {
        self.scenarios.values().fold(Rate::default(), |sum, it| Rate {
            count: sum.count.saturating_add(it.rate.count),
            total: sum.total.saturating_add(it.rate.total),
        })
    }
}

impl Tally {
    /// Whether the scenario is clean: in all of its sessions, or in the last alone as faultgate
    /// has it.
    #[must_use]
    pub fn clean(&self, compatible: bool) -> bool {
        match self.last {
            Some((_, clean)) if compatible => clean,
            _ => self.rate.count == self.rate.total,
        }
    }
}
