//! Properties of the verdict: what has nothing to do with the band never changes it.

use std::collections::BTreeMap;

use lawbook_event::Usage;
use lawbook_report::{CheckLine, Gate, GateVerdict};
use lawbook_stats::{Asked, Rate};

use super::{TestName, Weighing, weigh};
use crate::gating::band::{BandFile, Own, PolicyMark};
use crate::gating::{Line, Runs};

fn line(scenario: &str, clean: bool) -> Line {
    Line {
        id: scenario.to_owned(),
        source: String::new(),
        format: "otlp",
        calls: 1,
        expected: crate::gating::Expected::default(),
        scenario: scenario.to_owned(),
        lines: vec![CheckLine {
            check: "abstention",
            detected: !clean,
            confidence: 1.0,
            reason: String::new(),
        }],
        findings: Vec::new(),
        unknown: Vec::new(),
        verdict: lawbook_diag::Verdict::Allow,
        usage: Usage::default(),
        begins: None,
        breaks: false,
        untold: None,
        clean,
    }
}

fn runs(lines: &[Line]) -> Runs {
    let mut out = Runs::default();
    lines.iter().for_each(|it| out.add(it));
    out
}

/// A band of `number` scenarios that were clean in both runs.
fn band(number: usize) -> BandFile {
    let scenarios: Vec<String> = (0..number).map(|it| format!("s{it:03}")).collect();
    let one = Rate { count: 1, total: 1 };
    let counts: BTreeMap<String, Vec<Rate>> =
        scenarios.iter().map(|it| (it.clone(), vec![one; 2])).collect();
    BandFile {
        checks: vec!["abstention".to_owned()],
        judge: "none".to_owned(),
        clean_in_all_runs: scenarios.clone(),
        scenarios,
        per_run: vec![1.0, 1.0],
        low: 1.0,
        high: 1.0,
        usage: [None; 3],
        own: Some(Own { counts, ..Own::default() }),
    }
}

fn candidate(number: usize, misses: usize) -> Vec<Line> {
    (0..number).map(|it| line(&format!("s{it:03}"), it >= misses)).collect()
}

fn weighed(band: &BandFile, lines: &[Line], test: TestName) -> Gate {
    let weighing = Weighing {
        band,
        now: &runs(lines),
        test,
        asked: Asked::default(),
        compatible: false,
        policy_violations: Vec::new(),
        unknown: Vec::new(),
        warnings: Vec::new(),
        checks: Vec::new(),
        fired: BTreeMap::new(),
    };
    weigh(weighing).unwrap()
}

#[test]
fn clean_scenarios_that_the_band_does_not_know_change_nothing() {
    let band = band(40);
    for misses in 0..6 {
        let lines = candidate(40, misses);
        for test in [TestName::Paired, TestName::Band] {
            let plain = weighed(&band, &lines, test);
            let mut more = lines.clone();
            more.insert(3, line("unrelated", true));
            more.push(line("another", true));
            let with = weighed(&band, &more, test);
            assert_eq!(plain, with, "{misses} {test:?}");
        }
    }
}

#[test]
fn the_order_of_sessions_changes_nothing() {
    let band = band(40);
    for misses in 0..6 {
        let mut lines = candidate(40, misses);
        lines.push(line("s001", false));
        lines.push(line("s002", true));
        let first = weighed(&band, &lines, TestName::Paired);
        lines.reverse();
        assert_eq!(first, weighed(&band, &lines, TestName::Paired));
        lines.rotate_left(7);
        assert_eq!(first, weighed(&band, &lines, TestName::Paired));
    }
}

#[test]
fn a_failing_run_is_not_hidden_by_a_later_one() {
    let band = band(40);
    let mut lines = candidate(40, 0);
    lines.insert(0, line("s007", false));
    assert_eq!(weighed(&band, &lines, TestName::Paired).regressions, ["s007"]);
}

#[test]
fn a_failing_scenario_that_the_band_does_not_know_is_no_pass() {
    let band = band(40);
    let mut lines = candidate(40, 0);
    assert_eq!(weighed(&band, &lines, TestName::Paired).verdict, GateVerdict::Pass);
    lines.push(line("new", false));
    let it = weighed(&band, &lines, TestName::Paired);
    assert_eq!((it.verdict, it.added), (GateVerdict::Inconclusive, vec!["new".to_owned()]));
}

#[test]
fn unknown_evidence_is_no_pass_and_a_broken_policy_is_a_failure() {
    let band = band(40);
    let now = runs(&candidate(40, 0));
    let of = |broken: &[&str], unknown: &[&str]| {
        let list = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect();
        let weighing = Weighing {
            band: &band,
            now: &now,
            test: TestName::Paired,
            asked: Asked::default(),
            compatible: false,
            policy_violations: list(broken),
            unknown: list(unknown),
            warnings: Vec::new(),
            checks: Vec::new(),
            fired: BTreeMap::new(),
        };
        weigh(weighing).unwrap().verdict
    };
    assert_eq!(of(&[], &[]), GateVerdict::Pass);
    assert_eq!(of(&[], &["a: cut"]), GateVerdict::Inconclusive);
    assert_eq!(of(&["a"], &[]), GateVerdict::Fail);
}

#[test]
fn missing_scenarios_are_not_clean_and_are_named() {
    let band = band(40);
    let lines = &candidate(40, 0)[5..];
    let it = weighed(&band, lines, TestName::Paired);
    assert_eq!((it.verdict, it.missing.len()), (GateVerdict::Fail, 5));
    assert_eq!(it.regressions.len(), 5);
}

#[test]
fn pooled_sessions_are_held_against_all_sessions_of_each_run() {
    // Half of the scenarios were never clean, so no scenario looks like the whole candidate.
    let (one, none) = (Rate { count: 1, total: 1 }, Rate { count: 0, total: 1 });
    let mut band = band(60);
    if let Some(own) = band.own.as_mut() {
        own.counts.values_mut().take(30).for_each(|it| *it = vec![none, none]);
        assert_eq!(own.counts.values().filter(|it| **it == [one, one]).count(), 30);
    }
    let it = weighed(&band, &candidate(60, 30), TestName::Pooled);
    assert!((it.test.p_value - 0.5).abs() < 0.1, "{:?}", it.test);
    assert_eq!((it.test.baseline_mean, it.test.drop), (0.5, 0.0));
    assert_eq!((it.scenarios, it.band, it.per_run), (60, (0.5, 0.5), vec![0.5, 0.5]));
    let worse = weighed(&band, &candidate(60, 50), TestName::Pooled);
    assert_eq!(worse.verdict, GateVerdict::Fail);
}

#[test]
fn a_pooled_verdict_that_is_open_asks_for_no_number_of_scenarios() {
    let it = weighed(&band(10), &candidate(10, 1), TestName::Pooled);
    assert_eq!(it.verdict, GateVerdict::Inconclusive);
    assert_eq!((it.test.required_n, it.test.additional_n, it.scenarios), (None, None, 10));
}

#[test]
fn a_release_without_a_call_puts_no_policy_to_the_test() {
    let mut band = band(40);
    let quiet = |band: &BandFile, misses| {
        let mut lines = candidate(40, misses);
        lines.iter_mut().for_each(|it| it.calls = 0);
        weighed(band, &lines, TestName::Paired)
    };
    assert_eq!(quiet(&band, 0).verdict, GateVerdict::Pass, "chats have a gate too");
    band.own.as_mut().unwrap().policies.push(PolicyMark::default());
    let silent = |misses| quiet(&band, misses);
    let it = silent(0);
    assert_eq!(it.verdict, GateVerdict::Inconclusive);
    assert_eq!(it.because, "no call was recorded, so the policy was never put to the test");
    assert_eq!(silent(20).verdict, GateVerdict::Fail);
}

#[test]
fn more_clean_sessions_of_one_scenario_hide_no_miss() {
    let band = band(30);
    let mut lines = candidate(30, 2);
    assert_eq!(weighed(&band, &lines, TestName::Paired).verdict, GateVerdict::Inconclusive);
    lines.extend((0..300).map(|_| line("s029", true)));
    assert_eq!(weighed(&band, &lines, TestName::Paired).verdict, GateVerdict::Inconclusive);
}
