//! What the default test says of small releases.

use super::{Asked, Scenario, weigh};
use crate::{Rate, Verdict};

fn scenario(before: &[u64], now: u64) -> Scenario {
    let one = |count: u64| Rate { count, total: 1 };
    Scenario { before: before.iter().map(|it| one(*it)).collect(), now: one(now) }
}

/// `misses` of `number` scenarios that were clean in every run of the baseline.
fn tight(number: usize, runs: usize, misses: usize) -> Vec<Scenario> {
    (0..number).map(|it| scenario(&vec![1; runs], u64::from(it >= misses))).collect()
}

#[test]
fn misses_of_clean_scenarios_have_the_chance_of_a_draw() {
    for (runs, misses) in [(2, 1), (2, 3), (3, 2), (5, 2)] {
        let it = weigh(&tight(30, runs, misses), &Asked::default()).unwrap();
        let wanted = (1.0 / (runs as f64 + 1.0)).powi(i32::try_from(misses).unwrap());
        assert!((it.p_value - wanted).abs() < 1e-12, "{runs} {misses}: {}", it.p_value);
    }
}

#[test]
fn thirty_scenarios_and_two_runs_tell_three_misses() {
    let verdicts: Vec<Verdict> = (0..5)
        .map(|misses| weigh(&tight(30, 2, misses), &Asked::default()).unwrap().verdict)
        .collect();
    use Verdict::{Fail, Inconclusive, Pass};
    assert_eq!(verdicts, [Pass, Pass, Inconclusive, Fail, Fail]);
}

#[test]
fn a_tiny_band_never_passes() {
    for number in 1..16 {
        let it = weigh(&tight(number, 5, 0), &Asked::default()).unwrap();
        assert_eq!(it.verdict, Verdict::Inconclusive, "{number}");
        assert!(it.required_n.unwrap() > u64::try_from(number).unwrap(), "{number}: {it:?}");
    }
    assert_eq!(weigh(&tight(16, 2, 0), &Asked::default()).unwrap().verdict, Verdict::Pass);
}

#[test]
fn a_scenario_that_was_not_run_is_not_clean() {
    let mut scenarios = tight(30, 2, 3);
    let with_misses = weigh(&scenarios, &Asked::default()).unwrap();
    scenarios.iter_mut().take(3).for_each(|it| it.now = Rate { count: 0, total: 0 });
    assert_eq!(weigh(&scenarios, &Asked::default()).unwrap(), with_misses);
}

#[test]
fn runs_of_one_scenario_do_not_hide_each_other() {
    let mut scenarios = tight(30, 2, 0);
    scenarios.iter_mut().take(6).for_each(|it| it.now = Rate { count: 1, total: 2 });
    let it = weigh(&scenarios, &Asked::default()).unwrap();
    assert!((it.clean_rate - 0.9).abs() < 1e-12 && it.verdict != Verdict::Pass, "{it:?}");
}

#[test]
fn runs_that_move_together_widen_the_test() {
    // Both baselines miss five scenarios: once always the same run, once in turn.
    let row = |it: usize, together: bool| {
        let first = u64::from(it >= 10);
        let (one, other) = if together || it % 2 == 0 { (first, 1) } else { (1, first) };
        scenario(&[one, other], u64::from(it >= 8))
    };
    let of = |together: bool| {
        let rows: Vec<Scenario> = (0..40).map(|it| row(it, together)).collect();
        weigh(&rows, &Asked::default()).unwrap()
    };
    let (together, apart) = (of(true), of(false));
    assert!(together.p_value > apart.p_value, "{together:?} {apart:?}");
    assert!(together.upper > apart.upper, "{together:?} {apart:?}");
}

#[test]
fn the_order_of_scenarios_and_a_better_release_change_nothing_for_the_worse() {
    let mut scenarios: Vec<Scenario> =
        (0..40).map(|it| scenario(&[u64::from(it % 3 > 0), 1], u64::from(it % 5 > 0))).collect();
    let first = weigh(&scenarios, &Asked::default()).unwrap();
    scenarios.reverse();
    let second = weigh(&scenarios, &Asked::default()).unwrap();
    assert!((first.p_value - second.p_value).abs() < 1e-12);
    assert_eq!((first.verdict, first.required_n), (second.verdict, second.required_n));
    scenarios.iter_mut().for_each(|it| it.now = Rate { count: 1, total: 1 });
    let better = weigh(&scenarios, &Asked::default()).unwrap();
    assert!(better.p_value >= second.p_value && better.upper <= second.upper);
    assert_eq!(better.verdict, Verdict::Pass);
}

#[test]
fn what_fails_where_it_never_failed_weighs_more() {
    let rows = |first: u64, second: u64| {
        let mut out = vec![scenario(&[1, 1, 1], first), scenario(&[0, 0, 1], second)];
        out.extend(vec![scenario(&[1, 1, 1], 1); 20]);
        weigh(&out, &Asked::default()).unwrap()
    };
    let (sure, seldom) = (rows(0, 1), rows(1, 0));
    assert!(sure.p_value < seldom.p_value, "{sure:?} {seldom:?}");
    assert!((sure.clean_rate - seldom.clean_rate).abs() < 1e-12);
}

#[test]
fn one_stratum_is_fishers_test() {
    // Fisher's tea: 3 of 4 and 1 of 4 have a one-sided chance of 17 in 70.
    let before = vec![Rate { count: 3, total: 4 }];
    let it = weigh(&[Scenario { before, now: Rate { count: 1, total: 4 } }], &Asked::default());
    assert!((it.unwrap().p_value - 17.0 / 70.0).abs() < 1e-12);
}

#[test]
fn a_baseline_that_is_never_clean_proves_nothing() {
    let scenarios = vec![scenario(&[0, 0], 0); 100];
    let it = weigh(&scenarios, &Asked::default()).unwrap();
    assert_eq!((it.verdict, it.required_n), (Verdict::Inconclusive, None));
    assert_eq!(weigh(&[], &Asked::default()), None);
}
