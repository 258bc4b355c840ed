//! faultgate's gate to the digit: the band of a baseline, its two bars, and the test between them.

use crate::normal::{POINT_OF_5, POINT_OF_20};
use crate::{Verdict, normal_tail};

/// The false alarms that faultgate accepts.
pub const ALPHA: f64 = 0.05;

/// The chance of telling a true drop that it asks for.
pub const POWER: f64 = 0.80;

/// What keeps rounding from deciding.
const EDGE: f64 = 1e-9;

/// The shares of clean scenarios in the runs of a baseline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// Scenarios that every run has.
    pub scenarios: u64,
    /// The least share, as it is stated.
    pub low: f64,
    /// The greatest share, as it is stated.
    pub high: f64,
    /// The share of each run.
    pub per_run: Vec<f64>,
}

/// What a candidate comes to against a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Banded {
    /// The verdict, the policy left aside.
    pub verdict: Verdict,
    /// The candidate's share of clean scenarios.
    pub clean_rate: f64,
    /// At or above it the candidate passes without a test.
    pub pass_threshold: f64,
    /// Below it the candidate fails without a test.
    pub fail_threshold: f64,
    /// The mean share of the baseline.
    pub baseline_mean: f64,
    /// The baseline's mean less the candidate's share.
    pub drop: f64,
    /// The chance of such a drop if nothing got worse.
    pub p_value: f64,
    /// Scenarios that tell such a drop from noise, where there is a drop.
    pub required_n: Option<u64>,
}

impl Banded {
    /// How many scenarios are missing.
    #[must_use]
    pub fn additional_n(&self, scenarios: u64) -> Option<u64> {
        self.required_n.map(|it| it.saturating_sub(scenarios))
    }
}

/// The band of the shares of runs over so many scenarios; none without runs.
#[must_use]
pub fn band(scenarios: u64, per_run: Vec<f64>) -> Option<Band> {
    let low = per_run.iter().copied().reduce(f64::min)?;
    let high = per_run.iter().copied().reduce(f64::max)?;
    Some(Band { scenarios, low, high, per_run })
}

/// Holds `clean` scenarios of a candidate against a band; none where the band has no scenarios or
/// no runs.
#[must_use]
pub fn against(band: &Band, clean: u64) -> Option<Banded> {
    let runs = match band.per_run.as_slice() {
        [] => return None,
        runs => runs,
    };
    if band.scenarios == 0 {
        return None;
    }
    let n = band.scenarios as f64;
    let rate = clean as f64 / n;
    let mean = runs.iter().sum::<f64>() / runs.len() as f64;
    let drop = mean - rate;
    let spread = mean * (1.0 - mean) / (runs.len() as f64 * n) + rate * (1.0 - rate) / n;
    let error = (spread + variance(runs, mean)).sqrt();
    let p_value = match (error > 0.0, drop > 0.0) {
        (true, _) => normal_tail(drop / error),
        (false, true) => 0.0,
        (false, false) => 1.0,
    };
    let (pass_threshold, fail_threshold) = (band.low - 1.0 / n, band.low - 3.0 / n);
    let verdict = if rate < fail_threshold - EDGE {
        Verdict::Fail
    } else if rate >= pass_threshold - EDGE {
        Verdict::Pass
    } else if p_value < ALPHA {
        Verdict::Fail
    } else {
        Verdict::Inconclusive
    };
    let required_n = (drop > 0.0).then(|| required(mean, rate));
    Some(Banded {
        verdict,
        clean_rate: rate,
        pass_threshold,
        fail_threshold,
        baseline_mean: mean,
        drop,
        p_value,
        required_n,
    })
}

/// The variance between runs, as a sample; none of one run.
fn variance(runs: &[f64], mean: f64) -> f64 {
    if runs.len() < 2 {
        return 0.0;
    }
    let sum: f64 = runs.iter().map(|it| (it - mean) * (it - mean)).sum();
    sum / runs.len().saturating_sub(1) as f64
}

/// Scenarios that tell one share from another with the errors that are accepted.
fn required(before: f64, now: f64) -> u64 {
    let middle = (before + now) / 2.0;
    let apart = POINT_OF_5 * (2.0 * middle * (1.0 - middle)).sqrt()
        + POINT_OF_20 * (before * (1.0 - before) + now * (1.0 - now)).sqrt();
    let times = apart / (before - now);
    // A number of scenarios; what is too large for one stands at the end of the range.
    (times * times - EDGE).ceil().max(0.0) as u64
}
