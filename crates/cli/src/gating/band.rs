//! The band of a baseline, as its file holds it.

use std::collections::BTreeMap;

use lawbook_stats::Rate;

use super::TestName;
use super::expected::Stated;

/// The name and version of the file.
pub const BAND_SCHEMA: &str = "lawbook.band/1";

/// The key of the only row where all sessions are pooled.
pub const POOLED: &str = "(all)";

/// A policy that a baseline was judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyMark {
    /// Its dialect.
    pub dialect: String,
    /// The digest of its file.
    pub digest: String,
    /// Which reading of the dialect was meant.
    pub profile: String,
}

/// The band of a baseline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BandFile {
    /// The checks that were asked.
    pub checks: Vec<String>,
    /// The judge, or `none`.
    pub judge: String,
    /// The scenarios that every run has.
    pub scenarios: Vec<String>,
    /// The share of clean scenarios in each run.
    pub per_run: Vec<f64>,
    /// The least of them, as stated.
    pub low: f64,
    /// The greatest of them, as stated.
    pub high: f64,
    /// The scenarios that were clean in every run.
    pub clean_in_all_runs: Vec<String>,
    /// The mean of each measure over all sessions.
    pub usage: [Option<f64>; 3],
    /// What faultgate's files don't hold.
    pub own: Option<Own>,
}

impl BandFile {
    /// Whether it holds what a test compares with.
    #[must_use]
    pub fn is_comparable(&self, test: TestName) -> bool {
        match test {
            TestName::Band => !self.scenarios.is_empty() && !self.per_run.is_empty(),
            TestName::Paired | TestName::Pooled => {
                self.own.as_ref().is_some_and(|it| !it.counts.is_empty())
            }
        }
    }
}

/// What our bands hold beside faultgate's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Own {
    /// The policies; none where nobody named one.
    pub policies: Vec<PolicyMark>,
    /// The rules that alone were judged.
    pub rules: Vec<String>,
    /// The rules that were left out.
    pub ignore: Vec<String>,
    /// How scenarios are compared: `paired`, `pooled` or `band`.
    pub test: String,
    /// What was stated of its scenarios; bands of before don't say.
    pub expected: Option<Stated>,
    /// The digest of what the judge was asked, where there was one.
    pub judge_question: Option<String>,
    /// For each scenario, clean ones among the sessions of each run.
    pub counts: BTreeMap<String, Vec<Rate>>,
}
