//! A candidate against a band: the verdict, and what a person should know with it.

use std::collections::BTreeMap;

use lawbook_report::{Gate, GateTest, GateVerdict, UsageLine};
use lawbook_stats::{self as stats, Asked, Band, Rate, Scenario, Verdict, against};

use super::band::BandFile;
use super::run::MEASURES;
use super::{Runs, TestName};

/// A candidate and what it is asked.
pub struct Weighing<'w> {
    /// The band.
    pub band: &'w BandFile,
    /// The candidate.
    pub now: &'w Runs,
    /// How they are compared.
    pub test: TestName,
    /// What the test is asked.
    pub asked: Asked,
    /// Whether everything is as faultgate has it.
    pub compatible: bool,
    /// Sessions that break the policy.
    pub policy_violations: Vec<String>,
    /// Sessions of which something is not known, each with what.
    pub unknown: Vec<String>,
    /// What is known before.
    pub warnings: Vec<String>,
    /// The checks that were asked.
    pub checks: Vec<String>,
    /// Sessions in which each of them found something.
    pub fired: BTreeMap<&'static str, u64>,
}

/// Whether the band was made under a policy.
fn has_policy(band: &BandFile) -> bool {
    band.own.as_ref().is_some_and(|it| !it.policies.is_empty())
}

/// What a test alone says.
struct Tested {
    verdict: Verdict,
    clean_rate: f64,
    test: GateTest,
    thresholds: Option<(f64, f64)>,
}

/// Weighs a candidate. Nothing where the band holds nothing to compare with.
#[must_use]
pub fn weigh(it: Weighing<'_>) -> Option<Gate> {
    let tested = match it.test {
        TestName::Band => banded(&it)?,
        TestName::Paired | TestName::Pooled => exact(&it)?,
    };
    let lists = Lists::of(&it);
    let (verdict, because) = verdict(&it, &tested, &lists);
    let warnings = it.warnings.iter().cloned().chain(lists.warnings(&it)).collect();
    let open = verdict == GateVerdict::Inconclusive;
    let blank = |number: Option<u64>| number.filter(|_| open);
    let test = GateTest {
        required_n: blank(tested.test.required_n),
        additional_n: blank(tested.test.additional_n),
        ..tested.test
    };
    let against = Against::of(&it);
    Some(Gate {
        verdict,
        because,
        clean_rate: tested.clean_rate,
        scenarios: u64::try_from(against.scenarios).unwrap_or(u64::MAX),
        band: against.band,
        per_run: against.per_run,
        pass_threshold: tested.thresholds.map(|it| it.0),
        fail_threshold: tested.thresholds.map(|it| it.1),
        test,
        regressions: lists.regressions,
        improvements: lists.improvements,
        missing: lists.missing,
        added: lists.added,
        policy_violations: it.policy_violations,
        usage: usage(it.band, it.now),
        checks: it.checks,
        fired: it.fired,
        warnings,
    })
}

/// As faultgate does.
fn banded(it: &Weighing<'_>) -> Option<Tested> {
    let n = u64::try_from(it.band.scenarios.len()).ok()?;
    let band = Band {
        scenarios: n,
        low: it.band.low,
        high: it.band.high,
        per_run: it.band.per_run.clone(),
    };
    let clean =
        |key: &&String| it.now.scenarios.get(*key).is_some_and(|tally| tally.clean(it.compatible));
    let clean = it.band.scenarios.iter().filter(clean).count();
    let said = against(&band, u64::try_from(clean).ok()?)?;
    Some(Tested {
        verdict: said.verdict,
        clean_rate: said.clean_rate,
        thresholds: Some((said.pass_threshold, said.fail_threshold)),
        test: GateTest {
            name: TestName::Band.word(),
            baseline_mean: said.baseline_mean,
            drop: said.drop,
            p_value: said.p_value,
            alpha: stats::ALPHA,
            power: stats::POWER,
            required_n: said.required_n,
            additional_n: said.additional_n(n),
            drop_wanted: None,
            drop_upper: None,
        },
    })
}

/// Run by run within each scenario, or all sessions together.
fn exact(it: &Weighing<'_>) -> Option<Tested> {
    let rows = rows(it)?;
    let said = stats::weigh(&rows, &it.asked)?;
    // How many scenarios are missing says nothing of sessions that are not told apart by scenario.
    let required_n = said.required_n.filter(|_| it.test != TestName::Pooled);
    let there = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    Some(Tested {
        verdict: said.verdict,
        clean_rate: said.clean_rate,
        thresholds: None,
        test: GateTest {
            name: it.test.word(),
            baseline_mean: said.baseline_mean,
            drop: said.drop,
            p_value: said.p_value,
            alpha: it.asked.alpha,
            power: it.asked.power,
            required_n,
            additional_n: required_n.map(|it| it.saturating_sub(there)),
            drop_wanted: Some(it.asked.drop),
            drop_upper: Some(said.upper),
        },
    })
}

/// What is compared: each scenario with itself, or all sessions with all.
fn rows(it: &Weighing<'_>) -> Option<Vec<Scenario>> {
    let own = it.band.own.as_ref()?;
    if it.test == TestName::Pooled {
        return Some(vec![Scenario { before: pooled(&own.counts), now: it.now.pooled() }]);
    }
    let now = |key: &String| it.now.scenarios.get(key).map_or(Rate::default(), |it| it.rate);
    let row =
        |(key, before): (&String, &Vec<Rate>)| Scenario { before: before.clone(), now: now(key) };
    Some(own.counts.iter().map(row).collect())
}

/// The runs of a baseline, each with the sessions of all scenarios.
fn pooled(counts: &BTreeMap<String, Vec<Rate>>) -> Vec<Rate> {
    let runs = counts.values().map(Vec::len).max().unwrap_or(0);
    let of = |run: usize| {
        counts.values().filter_map(|it| it.get(run)).fold(Rate::default(), |sum, it| Rate {
            count: sum.count.saturating_add(it.count),
            total: sum.total.saturating_add(it.total),
        })
    };
    (0..runs).map(of).collect()
}

/// What a report says the candidate is held against: scenarios, and the share of each run.
struct Against {
    scenarios: usize,
    band: (f64, f64),
    per_run: Vec<f64>,
}

impl Against {
    fn of(it: &Weighing<'_>) -> Against {
        let stated = Against {
            scenarios: it.band.scenarios.len(),
            band: (it.band.low, it.band.high),
            per_run: it.band.per_run.clone(),
        };
        let Some(own) = it.band.own.as_ref().filter(|_| it.test == TestName::Pooled) else {
            return stated;
        };
        let per_run: Vec<f64> =
            pooled(&own.counts).into_iter().filter_map(|it| it.share()).collect();
        let low = per_run.iter().copied().fold(f64::INFINITY, f64::min);
        let high = per_run.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // A pooled band names no scenario, so those are told that ran.
        Against { scenarios: it.now.scenarios.len(), band: (low, high), per_run }
    }
}

/// Scenarios by what became of them.
#[derive(Default)]
struct Lists {
    regressions: Vec<String>,
    improvements: Vec<String>,
    missing: Vec<String>,
    added: Vec<String>,
}

impl Lists {
    fn of(it: &Weighing<'_>) -> Lists {
        if it.test == TestName::Pooled {
            return Lists::default();
        }
        let now = &it.now.scenarios;
        let clean = |key: &String| now.get(key).is_some_and(|tally| tally.clean(it.compatible));
        let always: BTreeMap<&String, ()> =
            it.band.clean_in_all_runs.iter().map(|it| (it, ())).collect();
        let known: BTreeMap<&String, ()> = it.band.scenarios.iter().map(|it| (it, ())).collect();
        let list = |wanted: &dyn Fn(&String) -> bool| -> Vec<String> {
            it.band.scenarios.iter().filter(|key| wanted(key)).cloned().collect()
        };
        Lists {
            regressions: it
                .band
                .clean_in_all_runs
                .iter()
                .filter(|it| !clean(it))
                .cloned()
                .collect(),
            improvements: list(&|key| !always.contains_key(key) && clean(key)),
            missing: list(&|key| !now.contains_key(key)),
            added: now.keys().filter(|it| !known.contains_key(it) && !clean(it)).cloned().collect(),
        }
    }

    fn warnings(&self, it: &Weighing<'_>) -> Vec<String> {
        let mut out = Vec::new();
        if !self.missing.is_empty() {
            out.push(format!(
                "{} of {} scenarios of the band were not run, and count as not clean",
                self.missing.len(),
                it.band.scenarios.len()
            ));
        }
        if it.band.per_run.len() < 3 {
            out.push(format!(
                "{} runs of the baseline measure noise poorly; use three or more",
                it.band.per_run.len()
            ));
        }
        if !it.unknown.is_empty() {
            out.push(format!(
                "of {} sessions something is not known, as {}",
                it.unknown.len(),
                it.unknown.first().map_or("", String::as_str)
            ));
        }
        out
    }
}

/// The verdict, and why in one sentence.
fn verdict(it: &Weighing<'_>, tested: &Tested, lists: &Lists) -> (GateVerdict, String) {
    let broken = it.policy_violations.len();
    if broken > 0 {
        let sessions = if broken == 1 { "session breaks" } else { "sessions break" };
        let because = format!("{broken} {sessions} the policy, which blocks the release");
        return (GateVerdict::Fail, because);
    }
    let points = |share: f64| format!("{:.1} points", share * 100.0);
    let (drop, p) = (points(tested.test.drop), tested.test.p_value);
    match tested.verdict {
        Verdict::Fail => (
            GateVerdict::Fail,
            format!("clean runs dropped by {drop}, which is no noise (p = {p:.4})"),
        ),
        // Chats that call nothing are a suite too, where no policy waits for calls.
        _ if it.now.calls == 0 && !it.compatible && has_policy(it.band) => {
            let because = "no call was recorded, so the policy was never put to the test";
            (GateVerdict::Inconclusive, because.to_owned())
        }
        Verdict::Inconclusive => (GateVerdict::Inconclusive, open(it, tested)),
        Verdict::Pass if it.compatible => {
            (GateVerdict::Pass, "the clean rate lies in the band".to_owned())
        }
        Verdict::Pass if !it.unknown.is_empty() => {
            let because = format!("of {} sessions something is not known", it.unknown.len());
            (GateVerdict::Inconclusive, because)
        }
        Verdict::Pass if !lists.added.is_empty() => {
            let because = format!(
                "{} scenarios that the band does not know are not clean, and can't be compared",
                lists.added.len()
            );
            (GateVerdict::Inconclusive, because)
        }
        Verdict::Pass => match tested.test.drop_upper {
            Some(upper) => {
                let because = format!("a drop of more than {} is excluded", points(upper));
                (GateVerdict::Pass, because)
            }
            None => (GateVerdict::Pass, "the clean rate lies in the band".to_owned()),
        },
    }
}

/// Why nothing can be said.
fn open(it: &Weighing<'_>, tested: &Tested) -> String {
    let needs = match (tested.test.required_n, tested.test.additional_n) {
        (Some(needed), Some(more)) if more > 0 => {
            format!(": telling it from noise takes about {needed} scenarios, {more} more")
        }
        _ => String::new(),
    };
    let drop = tested.test.drop;
    match tested.test.drop_upper {
        Some(_) if tested.test.baseline_mean <= it.asked.drop => {
            "the baseline is so seldom clean that no such drop can show itself".to_owned()
        }
        Some(upper) if drop <= 0.0 || tested.test.additional_n > Some(0) => format!(
            "a drop of {:.1} points is not excluded (up to {:.1} could hide){needs}",
            it.asked.drop * 100.0,
            upper * 100.0
        ),
        _ => format!("a drop of {:.1} points may be noise{needs}", drop * 100.0),
    }
}

/// What runs use, against the baseline: the measures that both sides have.
fn usage(band: &BandFile, now: &Runs) -> Vec<UsageLine> {
    let mut out = Vec::new();
    for ((measure, before), now) in MEASURES.into_iter().zip(band.usage).zip(now.means()) {
        if let (Some(baseline), Some(candidate)) = (before.filter(|it| *it != 0.0), now) {
            let delta = (candidate / baseline - 1.0) * 100.0;
            let delta_percent = (delta * 10.0).round_ties_even() / 10.0;
            out.push(UsageLine { measure, baseline, candidate, delta_percent });
        }
    }
    out
}

#[cfg(test)]
mod tests;
