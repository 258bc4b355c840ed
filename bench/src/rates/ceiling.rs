//! How much a test of two numbers can tell at most, if it is to keep its rate of false alarms.

use super::{CLEAN, Model, Suite};

/// How often a multiplier is searched; more changes no digit that is printed.
const STEPS: u32 = 50;

/// A bound on what any test tells of a release that is worse by `drop`, if it sees how many runs
/// failed before and how many now, fails `rate` of the releases of this suite that are as good as
/// their baseline, and never more than `alpha` of such releases of any suite, whatever the number
/// of scenarios and their chance. None where scenarios differ, since these two numbers are not all
/// that is to know of them.
///
/// It is the dual of a linear program, whose unknowns are the chances with which the test fails
/// each pair of numbers, so it holds for whatever multipliers the search finds.
#[must_use]
pub fn ceiling(suite: &Suite, drop: f64, rate: f64, alpha: f64) -> Option<f64> {
    if suite.model != Model::Alike {
        return None;
    }
    let (scenarios, runs) = (suite.scenarios, suite.runs);
    let pairs = |before: &[f64], now: &[f64]| -> Vec<f64> {
        before.iter().flat_map(|it| now.iter().map(move |other| it * other)).collect()
    };
    let before = binomial(scenarios * runs, 1.0 - CLEAN);
    let same = pairs(&before, &binomial(scenarios, 1.0 - CLEAN));
    let worse = pairs(&before, &binomial(scenarios, 1.0 - CLEAN + drop));
    // Of ever more scenarios that fail ever more seldom.
    let many = |mean: f64| {
        pairs(&poisson(scenarios * runs, mean * runs as f64), &poisson(scenarios, mean))
    };
    let bound = |mean: u32| {
        let many = many(f64::from(mean) / 4.0);
        let all = |one: f64, other: f64| -> f64 {
            let told = worse.iter().zip(&same).zip(&many);
            let rest: f64 = told
                .map(|((worse, same), many)| (worse - one * same - other * many).max(0.0))
                .sum();
            one * rate + other * alpha + rest
        };
        least(|one| least(|other| all(one, other)))
    };
    (2..=40).map(bound).reduce(f64::min)
}

/// The least value of a convex function of a multiplier.
fn least(of: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 60.0);
    for _ in 0..STEPS {
        let third = (high - low) / 3.0;
        if of(low + third) <= of(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    of(0.5 * (low + high))
}

/// The chances of 0 to `number`.
fn binomial(number: usize, chance: f64) -> Vec<f64> {
    let odds = chance / (1.0 - chance);
    let first = (1.0 - chance).powf(number as f64);
    (0..=number)
        .scan(first, |it, place| {
            let own = *it;
            *it *= odds * (number - place) as f64 / (place + 1) as f64;
            Some(own)
        })
        .collect()
}

/// The chances of 0 to `most`.
fn poisson(most: usize, mean: f64) -> Vec<f64> {
    (0..=most)
        .scan((-mean).exp(), |it, place| {
            let own = *it;
            *it *= mean / (place + 1) as f64;
            Some(own)
        })
        .collect()
}
