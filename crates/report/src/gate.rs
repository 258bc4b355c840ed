//! What a gate adds to a report: what checks say of each session, and the verdict on the release.

use std::collections::BTreeMap;

/// The check that stands for the rules of the policy.
const POLICY: &str = "policy";

/// What one check says of one session.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckLine {
    /// The check's name; `policy` for the rules.
    pub check: &'static str,
    /// Whether something is wrong.
    pub detected: bool,
    /// How sure the check is, from 0 to 1.
    pub confidence: f64,
    /// What was seen, in words.
    pub reason: String,
}

impl CheckLine {
    /// Whether it stands for the rules of the policy.
    #[must_use]
    pub fn is_policy(&self) -> bool {
        self.check == POLICY
    }

    /// Whether the check could not tell, which is no pass.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        !self.detected && self.confidence <= 0.0
    }
}

/// The verdict on a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateVerdict {
    /// Nothing speaks against it.
    Pass,
    /// The runs don't tell a drop from noise.
    Inconclusive,
    /// It is worse than its baseline, or breaks its policy.
    Fail,
}

impl GateVerdict {
    /// The word that reports print.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            GateVerdict::Pass => "PASS",
            GateVerdict::Inconclusive => "INCONCLUSIVE",
            GateVerdict::Fail => "FAIL",
        }
    }
}

/// What was measured against a band, and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// The verdict.
    pub verdict: GateVerdict,
    /// Why, in one sentence for people.
    pub because: String,
    /// The share of scenarios without a finding, from 0 to 1.
    pub clean_rate: f64,
    /// Scenarios of the band.
    pub scenarios: u64,
    /// The lowest and the highest share among the baseline's runs.
    pub band: (f64, f64),
    /// The share of each run of the baseline.
    pub per_run: Vec<f64>,
    /// At or above this share the release passes without a test, where there is such a bar.
    pub pass_threshold: Option<f64>,
    /// Below this share it fails without a test, where there is such a bar.
    pub fail_threshold: Option<f64>,
    /// The test of the drop.
    pub test: GateTest,
    /// Scenarios that were clean in every run of the baseline and are not now.
    pub regressions: Vec<String>,
    /// Scenarios that were not clean in every run of the baseline and are now.
    pub improvements: Vec<String>,
    /// Scenarios of the band that were not run.
    pub missing: Vec<String>,
    /// Scenarios with findings that the band does not know.
    pub added: Vec<String>,
    /// Sessions that break the policy, which block the release whatever the rest says.
    pub policy_violations: Vec<String>,
    /// What runs use, against the baseline.
    pub usage: Vec<UsageLine>,
    /// The names of the checks that ran.
    pub checks: Vec<String>,
    /// Sessions in which each check found something.
    pub fired: BTreeMap<&'static str, u64>,
    /// What the reader should know before trusting the verdict.
    pub warnings: Vec<String>,
}

impl Gate {
    /// The checks beside the policy that found something, with the number of sessions; those of the
    /// most sessions first.
    #[must_use]
    pub fn fired(&self) -> Vec<(&'static str, u64)> {
        let all = self.fired.iter().map(|(check, sessions)| (*check, *sessions));
        let mut all: Vec<_> = all.filter(|it| it.0 != POLICY && it.1 > 0).collect();
        all.sort_by_key(|it| std::cmp::Reverse(it.1));
        all
    }
}

/// A test of the drop.
#[derive(Clone, Debug, PartialEq)]
pub struct GateTest {
    /// Its name, as docs/design.md explains it.
    pub name: &'static str,
    /// The mean share over the baseline.
    pub baseline_mean: f64,
    /// The baseline's mean less the share now.
    pub drop: f64,
    /// The chance of such a drop if nothing got worse.
    pub p_value: f64,
    /// The chance of a false alarm that is accepted.
    pub alpha: f64,
    /// The chance of telling a true drop that is asked for.
    pub power: f64,
    /// Scenarios that such a drop needs to be told from noise.
    pub required_n: Option<u64>,
    /// How many of them are missing.
    pub additional_n: Option<u64>,
    /// The drop that must be told, where the test asks for one.
    pub drop_wanted: Option<f64>,
    /// The drop that is not excluded, where the test says.
    pub drop_upper: Option<f64>,
}

/// What runs use, against the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsageLine {
    /// The measure: `tokens`, `latency_ms` or `cost_usd`.
    pub measure: &'static str,
    /// The baseline's mean over its runs.
    pub baseline: f64,
    /// The mean now.
    pub candidate: f64,
    /// The change in percent, with one decimal.
    pub delta_percent: f64,
}
