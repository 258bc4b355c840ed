//! What must hold of both gates on simulated releases, few enough for a test.

use super::{Model, Release, Runs, Suite, Unchanged, ceiling, passes, rate_of};
use crate::Dice;

/// A suite, and by how many points ours may be behind faultgate at the same false alarms, beside
/// the error of what is simulated: two runs of a baseline measure noise too poorly for a test that
/// keeps its rate whatever the scenarios are.
const SUITES: &[(Model, usize, usize, f64)] = &[
    (Model::Differ, 10, 3, 0.0),
    (Model::Differ, 30, 2, 0.04),
    (Model::Differ, 30, 3, 0.0),
    (Model::Differ, 30, 5, 0.0),
    (Model::Alike, 10, 5, 0.0),
    (Model::Alike, 30, 2, 0.05),
    (Model::Alike, 30, 3, 0.0),
    (Model::Alike, 30, 5, 0.0),
];

#[test]
fn the_default_test_keeps_its_rate_and_tells_as_much_as_faultgate_at_the_same() {
    for &(model, scenarios, runs, behind) in SUITES {
        let (suite, mut dice) = (Suite { model, scenarios, runs }, Dice::new(11));
        let none = suite.judged(0.0, 3_000, &mut dice);
        let false_alarms = none.fails().ours;
        assert!(false_alarms <= 0.05, "{suite:?}: {false_alarms}");
        for drop in [0.1, 0.2] {
            let it = suite.judged(drop, 1_000, &mut dice).at_their_rate(&none);
            let apart = it.ours - it.theirs + behind;
            assert!(apart > -2.0 * it.error, "{suite:?} {drop}: {it:?}");
            assert!(it.error < 0.05, "{suite:?} {drop}: {it:?}");
        }
    }
}

#[test]
fn where_scenarios_differ_pairing_them_tells_more() {
    let (suite, mut dice) =
        (Suite { model: Model::Differ, scenarios: 100, runs: 5 }, Dice::new(12));
    let none = suite.judged(0.0, 1_500, &mut dice);
    let worse = suite.judged(0.1, 500, &mut dice);
    for it in [worse.at_their_rate(&none), worse.at_rate(&none, 0.05)] {
        assert!(it.ours - it.theirs > it.error, "{it:?}");
    }
}

#[test]
fn what_is_worse_passes_seldom() {
    for model in [Model::Differ, Model::Alike] {
        let suite = Suite { model, scenarios: 30, runs: 3 };
        let it = passes(&suite.releases(0.2, 300, &mut Dice::new(13)));
        assert!(it.ours < it.theirs && it.ours < 0.05, "{model:?}: {it:?}");
    }
}

#[test]
fn with_two_runs_no_test_that_keeps_its_rate_tells_more_than_faultgate() {
    let (suite, mut dice) = (Suite { model: Model::Alike, scenarios: 30, runs: 2 }, Dice::new(14));
    let none = suite.judged(0.0, 20_000, &mut dice).fails();
    let worse = suite.judged(0.2, 5_000, &mut dice).fails();
    let most = ceiling(&suite, 0.2, none.theirs, 0.05).unwrap();
    assert!(most - worse.theirs < 0.015, "{most} {worse:?}");
    // A rate of its own is the only bound where the other allows everything.
    let free = ceiling(&suite, 0.2, none.theirs, 1.0).unwrap();
    assert!(free > most + 0.1, "{free} {most}");
    assert_eq!(ceiling(&Suite { model: Model::Differ, ..suite }, 0.2, 0.05, 0.05), None);
}

#[test]
fn a_size_that_is_counted_is_what_a_simulation_finds_there() {
    let suite = Suite { model: Model::Alike, scenarios: 10, runs: 2 };
    let mut dice = Dice::new(15);
    let [size, ours] = Unchanged::of((10, 2), 20_000, 0.01, &mut dice).sizes(Model::Alike);
    // By enumerating three binomials apart from this.
    assert!((size.rate - 0.0444).abs() < 1e-4 && size.error == 0.0, "{size:?}");
    assert!((size.mean - 0.48).abs() < 0.02, "{size:?}");
    assert!(ours.rate < 0.05 && ours.error > 0.0, "{ours:?}");
    let number = 20_000;
    let fails = (0..number)
        .filter(|_| Release::of(&suite.unchanged(size.mean, &mut dice)).theirs_fails)
        .count();
    let (found, error) = (fails as f64 / f64::from(number), (0.0444 / f64::from(number)).sqrt());
    assert!((found - size.rate).abs() < 3.0 * error, "{found} {size:?}");
}

#[test]
fn at_the_same_size_the_default_tells_as_much() {
    for (scenarios, runs, number) in
        [(10, 2, 20_000), (10, 3, 20_000), (30, 2, 10_000), (100, 2, 3_000)]
    {
        let mut dice = Dice::new(16);
        let unchanged = Unchanged::of((scenarios, runs), number, 0.01, &mut dice);
        for size in [0.05, unchanged.sizes(Model::Alike)[0].rate] {
            let moved = unchanged.at(size);
            for model in [Model::Differ, Model::Alike] {
                let suite = Suite { model, scenarios, runs };
                for drop in [0.1, 0.2] {
                    let it = moved.told(&suite.judged(drop, 500, &mut dice));
                    let apart = it.ours - it.theirs;
                    assert!(apart >= -2.0 * it.error, "{suite:?} {size} {drop}: {it:?}");
                }
            }
        }
    }
}

#[test]
fn the_default_keeps_its_rate_whatever_number_of_runs_there_is() {
    // The rates in percent of three scenarios and of very many, by enumerating them apart from this.
    let runs = |before, now| Runs { before, now };
    for (runs, few, many) in [
        (runs(1, 1), 0.0, 3.88),
        (runs(2, 1), 1.51, 3.88),
        (runs(3, 1), 2.87, 3.87),
        (runs(8, 1), 3.82, 3.59),
        (runs(10, 1), 2.96, 3.48),
        (runs(3, 3), 3.27, 3.88),
        (runs(7, 3), 3.80, 3.96),
        (runs(1, 5), 2.26, 3.37),
    ] {
        let (found, limit) = (runs.of_few(3, 0.05) * 100.0, runs.of_many(0.05) * 100.0);
        assert!((found - few).abs() < 0.02, "{runs:?}: {found}");
        assert!((limit - many).abs() < 0.01, "{runs:?}: {limit}");
    }
    for (before, now) in [(1, 5), (1, 20), (2, 5), (4, 2), (6, 1), (20, 1)] {
        let runs = runs(before, now);
        let few = [1, 2, 3].map(|it| runs.of_few(it, 0.05));
        let many = runs.of_many(0.05);
        assert!(few.iter().all(|it| *it < 0.05), "{runs:?}: {few:?}");
        assert!((0.02..0.05).contains(&many), "{runs:?}: {many}");
    }
}

#[test]
fn scenarios_whose_runs_differ_alarm_no_more_often() {
    let suite = |rows: &[(u64, u64, f64)]| -> Vec<(Runs, f64)> {
        rows.iter().map(|&(before, now, chance)| (Runs { before, now }, chance)).collect()
    };
    // Chances that were looked for by ascent, where the mean of the shares decided alone.
    for rows in [
        suite(&[(40, 1, 0.31), (1, 15, 0.29), (40, 1, 0.29)]),
        suite(&[(100, 1, 0.09), (1, 20, 0.25)]),
        suite(&[(100, 1, 0.55), (1, 100, 0.88)]),
        suite(&[(8, 1, 0.4), (1, 20, 0.25), (8, 1, 0.3)]),
        suite(&[(8, 1, 0.2), (2, 5, 0.2), (1, 3, 0.3)]),
    ] {
        let rate = rate_of(&rows, 0.05);
        assert!(rate > 0.001 && rate < 0.05, "{rows:?}: {rate}");
    }
    // The same as of alike scenarios, by another way.
    for (number, chance, wanted) in [(2, 0.24, 0.0111), (3, 0.415, 0.0287)] {
        let rate = rate_of(&suite(&vec![(3, 1, chance); number]), 0.05);
        assert!((rate - wanted).abs() < 2e-4, "{number}: {rate}");
    }
}
