//! What the default test says of small releases.

use super::{Asked, Scenario, chances, weigh};
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
        let it = chances(&tight(30, runs, misses)).unwrap();
        let wanted = (1.0 / (runs as f64 + 1.0)).powi(i32::try_from(misses).unwrap());
        assert!((it.as_much - wanted).abs() < 1e-12, "{runs} {misses}: {it:?}");
    }
}

#[test]
fn a_chance_has_the_chance_of_losing_more_below_it() {
    let it = chances(&tight(30, 2, 2)).unwrap();
    assert!((it.as_much - 1.0 / 9.0).abs() < 1e-12 && it.more < 1e-12, "{it:?}");
    // Fisher's tea: of the 17 in 70 one has no clean run at all.
    let it = chances(&[tea(3, 1)]).unwrap();
    assert!((it.as_much - 17.0 / 70.0).abs() < 1e-12, "{it:?}");
    assert!((it.more - 1.0 / 70.0).abs() < 1e-12, "{it:?}");
    assert_eq!(chances(&[]), None);
}

/// So many of four runs were clean before, and so many of four now.
fn tea(before: u64, now: u64) -> Scenario {
    Scenario { before: vec![Rate { count: before, total: 4 }], now: Rate { count: now, total: 4 } }
}

#[test]
fn a_part_of_a_chance_counts_where_it_is_nearly_all_that_of_what_was_seen() {
    // The chance of losing as much, that of more, and the p-value, counted by hand.
    let table = [
        // Both that ever failed did so now, and nothing is worse: 1 in 9 is lessened by as much as
        // it may be.
        (tight(10, 2, 2), 1.0 / 9.0, 0.0, 1.0 / 9.0 - 0.045),
        // Of 1 in 16 a twelfth of what lies above 0.045.
        (tight(10, 3, 2), 1.0 / 16.0, 0.0, 0.045 + (1.0 / 16.0 - 0.045) / 12.0),
        // 1 in 27 does not lie above it.
        (tight(10, 2, 3), 1.0 / 27.0, 0.0, 1.0 / 27.0),
        // All three of eight runs that failed did so now, which is 5 in 70.
        (vec![tea(4, 1)], 5.0 / 70.0, 0.0, 0.045 + (5.0 / 70.0 - 0.045) / 12.0),
        // Of eight that failed once in three runs five did so now: half of 577 in 6,561 counts, and
        // twice 129.
        (eight(5), 577.0 / 6_561.0, 129.0 / 6_561.0, 546.5 / 6_561.0),
        // 17 of 70, of which 1 is worse, are lessened by as much as they may be.
        (vec![tea(3, 1)], 17.0 / 70.0, 1.0 / 70.0, 17.0 / 70.0 - 0.045),
        // Where one ran ten times before, all of the chance counts for all of them.
        ([tight(1, 10, 1), vec![nine_of_ten()]].concat(), 10.0 / 121.0, 0.0, 10.0 / 121.0),
        // One run beside nine counts whole.
        (tight(10, 9, 1), 0.1, 0.0, 0.1),
        (tight(10, 8, 1), 1.0 / 9.0, 0.0, 1.0 / 9.0 - 0.045),
        // 53 of 70, of which 17 are worse: more than a quarter, so all of it counts.
        (vec![tea(2, 2)], 53.0 / 70.0, 17.0 / 70.0, 53.0 / 70.0),
        // Nine of ten runs are the candidate's, so nine tenths count.
        (vec![once_before(); 10], 0.9_f64.powi(10), 0.0, 0.9_f64.powi(11)),
    ];
    for (rows, as_much, more, p_value) in table {
        let it = chances(&rows).unwrap();
        for (found, wanted) in [(it.as_much, as_much), (it.more, more), (it.p_value, p_value)] {
            assert!((found - wanted).abs() < 1e-12, "{rows:?}: {it:?} {wanted}");
        }
        assert_eq!(weigh(&rows, &Asked::default()).unwrap().p_value, it.p_value);
    }
}

/// Eight scenarios that failed in one of three runs, so many of them now.
fn eight(now: usize) -> Vec<Scenario> {
    let row = |it: usize| Scenario {
        before: vec![Rate { count: if it < now { 2 } else { 1 }, total: 2 }],
        now: Rate { count: u64::from(it >= now), total: 1 },
    };
    (0..8).map(row).collect()
}

/// Clean in its only run before, and in nine of ten now.
fn nine_of_ten() -> Scenario {
    Scenario { before: vec![Rate { count: 1, total: 1 }], now: Rate { count: 9, total: 10 } }
}

/// Clean in its only run before, and in eight of nine now.
fn once_before() -> Scenario {
    Scenario { before: vec![Rate { count: 1, total: 1 }], now: Rate { count: 8, total: 9 } }
}

#[test]
fn a_p_value_keeps_the_order_of_chances_and_lies_a_little_below() {
    let mut dice = Dice(31);
    let mut moved = 0;
    for _ in 0..400 {
        let number = 1 + dice.below(6);
        let rows: Vec<Scenario> = (0..number).map(|_| dice.scenario(2, 3)).collect();
        let mut rows = together(&rows);
        let it = chances(&rows).unwrap();
        let least = (0.5 * it.as_much).max(it.as_much - 0.045);
        assert!(it.p_value <= it.as_much && it.p_value >= least, "{rows:?}: {it:?}");
        // Where a clean run now changes places with a failed one before, more is lost.
        let changes = |it: &Scenario| it.now.count > 0 && it.before[0].count < it.before[0].total;
        let Some(row) = rows.iter_mut().find(|it| changes(it)) else { continue };
        (row.now.count, row.before[0].count) = (row.now.count - 1, row.before[0].count + 1);
        let worse = chances(&rows).unwrap();
        assert!(worse.as_much <= it.more + 1e-12, "{rows:?}: {worse:?} {it:?}");
        assert!(worse.p_value <= it.p_value + 1e-12, "{rows:?}: {worse:?} {it:?}");
        moved += 1;
    }
    assert!(moved > 200, "{moved}");
}

#[test]
fn thirty_clean_scenarios_tell_three_misses_and_two_after_three_runs() {
    use Verdict::{Fail, Inconclusive, Pass};
    for (runs, wanted) in [
        (2, [Pass, Pass, Inconclusive, Fail, Fail]),
        (3, [Pass, Pass, Fail, Fail, Fail]),
        (10, [Pass, Pass, Fail, Fail, Fail]),
        (20, [Pass, Fail, Fail, Fail, Fail]),
    ] {
        let verdicts: Vec<Verdict> = (0..5)
            .map(|misses| weigh(&tight(30, runs, misses), &Asked::default()).unwrap().verdict)
            .collect();
        assert_eq!(verdicts, wanted, "{runs}");
    }
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
        let (one, other) = if together || it.is_multiple_of(2) { (first, 1) } else { (1, first) };
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
fn losses_weigh_by_the_clean_runs_before_and_one_more() {
    // Of three scenarios: whether both runs before and the one now were clean, and the chance in 27
    // of losing as much, counted by hand. One that fails and was clean twice, once or never loses
    // 3, 2 or 1 parts of 3.
    const TABLE: &[([[u64; 3]; 3], f64)] = &[
        ([[1, 1, 0], [1, 0, 0], [0, 1, 0]], 4.0),
        ([[1, 1, 0], [1, 0, 1], [0, 1, 1]], 19.0),
        ([[1, 1, 0], [0, 0, 1], [0, 0, 1]], 17.0),
        ([[0, 1, 1], [1, 0, 0], [0, 1, 0]], 16.0),
        ([[1, 1, 1], [1, 0, 0], [0, 1, 0]], 12.0),
    ];
    for (rows, wanted) in TABLE {
        let rows: Vec<Scenario> =
            rows.iter().map(|[one, other, now]| scenario(&[*one, *other], *now)).collect();
        let it = chances(&rows).unwrap().as_much * 27.0;
        assert!((it - wanted).abs() < 1e-12, "{rows:?}: {it}");
    }
}

#[test]
fn runs_that_differ_no_more_than_by_chance_widen_nothing() {
    let p = |early: usize, late: usize| {
        // So many of twenty scenarios miss in the first run, and so many others in the second.
        let before = |it: usize| [u64::from(it >= early), u64::from(it < 20 - late)];
        let rows: Vec<Scenario> =
            (0..20).map(|it| scenario(&before(it), u64::from(it < 10))).collect();
        let of = |rows: &[Scenario]| chances(rows).unwrap().as_much;
        (of(&rows), of(&together(&rows)))
    };
    for (early, late) in [(1, 0), (2, 2), (3, 1), (3, 0)] {
        let (found, exact) = p(early, late);
        assert!((found - exact).abs() < 1e-12, "{early} {late}: {found} {exact}");
    }
    let (found, exact) = p(9, 0);
    assert!(found > exact + 0.001, "{found} {exact}");
}

#[test]
fn noise_makes_no_alarm_likelier_than_the_exact_chance() {
    let mut dice = Dice(21);
    for _ in 0..200 {
        // Runs with a good or a bad day each.
        let days: Vec<u64> = (0..3).map(|_| 400 + dice.below(600)).collect();
        let one = |dice: &mut Dice, chance| u64::from(dice.below(1_000) < chance);
        let rows: Vec<Scenario> = (0..12)
            .map(|_| {
                let before: Vec<u64> = days.iter().map(|it| one(&mut dice, *it)).collect();
                scenario(&before, one(&mut dice, 500))
            })
            .collect();
        let (found, exact) = (chances(&rows).unwrap(), chances(&together(&rows)).unwrap());
        assert!(found.as_much >= exact.as_much - 1e-12, "{rows:?}: {found:?} {exact:?}");
        assert!(found.p_value >= exact.p_value - 1e-12, "{rows:?}: {found:?} {exact:?}");
    }
}

/// The same runs as one run of the baseline, of which no noise between runs can be seen.
fn together(rows: &[Scenario]) -> Vec<Scenario> {
    let one = |it: &Scenario| Scenario {
        before: vec![Rate {
            count: it.before.iter().map(|it| it.count).sum(),
            total: it.before.iter().map(|it| it.total).sum(),
        }],
        now: it.now,
    };
    rows.iter().map(one).collect()
}

#[test]
fn one_stratum_is_fishers_test() {
    // Fisher's tea: 3 of 4 and 1 of 4 have a one-sided chance of 17 in 70, all four 1 in 70.
    for (before, now, wanted) in [(3, 1, 17.0), (4, 0, 1.0), (2, 2, 53.0)] {
        let it = chances(&[tea(before, now)]).unwrap();
        assert!((it.as_much - wanted / 70.0).abs() < 1e-12, "{before} {now}: {it:?}");
    }
}

#[test]
fn a_baseline_that_is_never_clean_proves_nothing() {
    let scenarios = vec![scenario(&[0, 0], 0); 100];
    let it = weigh(&scenarios, &Asked::default()).unwrap();
    assert_eq!((it.verdict, it.required_n), (Verdict::Inconclusive, None));
    assert_eq!(weigh(&[], &Asked::default()), None);
}

#[test]
fn more_runs_of_one_scenario_weigh_no_more() {
    for extra in [0, 1, 7, 299, 300, 301, 100_000] {
        let mut scenarios = tight(30, 2, 2);
        scenarios[29].now = Rate { count: 1 + extra, total: 1 + extra };
        let it = weigh(&scenarios, &Asked::default()).unwrap();
        assert_eq!(it.verdict, Verdict::Inconclusive, "{extra}: {it:?}");
        assert!((it.p_value - (1.0 / 9.0 - 0.045)).abs() < 1e-12, "{extra}: {it:?}");
        // Nor do runs of a hard one hide what fails elsewhere.
        let mut scenarios = tight(30, 2, 4);
        let hard = Rate { count: 1 + extra / 2, total: 1 + extra };
        scenarios.push(Scenario { before: vec![Rate { count: 1, total: 2 }; 2], now: hard });
        let it = weigh(&scenarios, &Asked::default()).unwrap();
        assert_eq!(it.verdict, Verdict::Fail, "{extra}: {it:?}");
    }
}

#[test]
fn what_was_seen_is_never_excluded() {
    let mut dice = Dice(11);
    for _ in 0..60 {
        let scenarios: Vec<Scenario> = (0..20).map(|_| dice.scenario(3, 12)).collect();
        let it = weigh(&scenarios, &Asked::default()).unwrap();
        assert!(it.upper >= it.drop, "{it:?}");
        assert!(it.verdict != Verdict::Pass || it.drop < 0.1, "{it:?}");
    }
}

#[test]
fn many_sessions_of_a_scenario_raise_no_alarm() {
    let half = |total: u64, now: u64| Scenario {
        before: vec![Rate { count: total / 2, total }; 3],
        now: Rate { count: now, total },
    };
    for total in [2_000, 2_000_000] {
        let rows = vec![half(total, total / 2 - 1); 2];
        let it = weigh(&rows, &Asked::default()).unwrap();
        assert!((0.47..0.70).contains(&it.p_value), "{total}: {it:?}");
        assert_eq!(it.verdict, Verdict::Pass, "{total}");
        let it = weigh(&vec![half(total, total / 4); 2], &Asked::default()).unwrap();
        assert_eq!(it.verdict, Verdict::Fail, "{total}");
    }
}

#[test]
fn a_million_sessions_of_each_scenario_are_weighed() {
    let all = Rate { count: 1_000_000, total: 1_000_000 };
    let mut rows = vec![Scenario { before: vec![all], now: all }; 60];
    assert_eq!(weigh(&rows, &Asked::default()).unwrap().verdict, Verdict::Pass);
    rows.iter_mut().for_each(|it| it.now = Rate { count: 700_000, total: 1_000_000 });
    assert_eq!(weigh(&rows, &Asked::default()).unwrap().verdict, Verdict::Fail);
}

#[test]
fn false_alarms_stay_within_alpha_however_many_runs_scenarios_have() {
    // Sizes of every kind: on the steps, rounded to them, and normal.
    for (seed, scenarios, most) in [(1, 1, 40), (2, 3, 1), (3, 12, 1), (4, 8, 5), (5, 4, 60)] {
        let mut dice = Dice(seed);
        let (releases, asked) = (150, Asked::default());
        let mut alarms = 0;
        for _ in 0..releases {
            let rows: Vec<Scenario> = (0..scenarios).map(|_| dice.scenario(3, most)).collect();
            alarms += u32::from(weigh(&rows, &asked).unwrap().verdict == Verdict::Fail);
        }
        // Three standard errors of 150 releases at 5%.
        assert!(alarms <= 15, "{scenarios} scenarios of {most} runs: {alarms}");
    }
}

#[test]
fn how_runs_are_split_changes_nothing_where_they_agree() {
    let of = |before: &[(u64, u64)]| {
        let before: Vec<Rate> =
            before.iter().map(|&(count, total)| Rate { count, total }).collect();
        let row = |now| Scenario { before: before.clone(), now: Rate { count: now, total: 2 } };
        let rows: Vec<Scenario> = (0..12).map(|it| row(if it < 3 { 0 } else { 1 })).collect();
        weigh(&rows, &Asked::default()).unwrap()
    };
    let (whole, split) = (of(&[(2, 4)]), of(&[(1, 2), (1, 2)]));
    assert!((whole.p_value - split.p_value).abs() < 1e-12, "{whole:?} {split:?}");
}

#[test]
fn one_more_clean_scenario_changes_no_chance_of_a_drop() {
    let mut scenarios = tight(30, 2, 2);
    let before = weigh(&scenarios, &Asked::default()).unwrap();
    scenarios.extend(tight(10, 2, 0));
    let after = weigh(&scenarios, &Asked::default()).unwrap();
    assert!((before.p_value - after.p_value).abs() < 1e-12);
}

#[test]
fn a_scenario_that_never_varies_changes_no_chance_whatever_its_runs() {
    let row = |(before, of): (u64, u64), (now, of_now): (u64, u64)| Scenario {
        before: vec![Rate { count: before, total: of }],
        now: Rate { count: now, total: of_now },
    };
    let mut rows = vec![
        row((12, 40), (10, 10)),
        row((1, 2), (0, 2)),
        row((33, 40), (2, 5)),
        row((4, 8), (0, 3)),
        row((10, 10), (1, 1)),
    ];
    let of = |rows: &[Scenario]| {
        let it = chances(rows).unwrap();
        (it.as_much, it.more, it.p_value)
    };
    let before = of(&rows);
    rows.extend([row((40, 40), (10, 10)), row((0, 7), (0, 11)), row((1, 1), (1, 1))]);
    assert_eq!(of(&rows), before);
}

#[test]
fn the_order_of_scenarios_decides_nothing_where_a_chance_is_alpha() {
    // A chance of exactly 1 in 20.
    let row = |before: u64, of: u64, now: u64, of_now: u64| Scenario {
        before: vec![Rate { count: before, total: of }],
        now: Rate { count: now, total: of_now },
    };
    let mut rows = vec![row(1, 2, 10, 10), row(3, 3, 0, 3), row(1, 2, 5, 5), row(3, 3, 10, 10)];
    for _ in 0..2 {
        let it = weigh(&rows, &Asked::default()).unwrap();
        assert!((it.p_value - 0.05).abs() < 1e-12, "{it:?}");
        assert!(it.verdict != Verdict::Fail, "{it:?}");
        rows.reverse();
    }
}

/// A generator that gives the same releases every time: xorshift, after G. Marsaglia, "Xorshift
/// RNGs", Journal of Statistical Software 8 (2003) 14.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        for (left, by) in [(true, 13), (false, 7), (true, 17)] {
            self.0 ^= if left { self.0 << by } else { self.0 >> by };
        }
        (self.0 >> 11) % bound
    }

    fn rate(&mut self, chance: u64, most: u64) -> Rate {
        let total = 1 + self.below(most);
        let count = (0..total).filter(|_| self.below(1_000) < chance).count();
        Rate { count: u64::try_from(count).unwrap(), total }
    }

    /// A scenario with a chance of its own, and a release that is as good as its baseline.
    fn scenario(&mut self, runs: usize, most: u64) -> Scenario {
        let chance = 1_000 - self.below(1_000) * self.below(1_000) / 1_000;
        let before = (0..runs).map(|_| self.rate(chance, most)).collect();
        Scenario { before, now: self.rate(chance, most) }
    }
}
