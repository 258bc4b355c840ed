//! The default test of a release: run by run within each scenario, exact where it can be.

use std::collections::BTreeMap;

use crate::count::{Number, Sum, drawn, tried, variance};
use crate::grid::Grid;
use crate::normal::POINT_OF_5;
use crate::{Rate, Verdict, normal_point};

mod chances;

pub use chances::{Chances, chances};

/// How often a bound is halved; more changes no digit that is printed.
const HALVINGS: u32 = 16;

/// Above this variance in runs a scenario's losses that are no whole steps are taken as normal.
const SMOOTH: f64 = 25.0;

/// One scenario: the runs of the baseline, in their order, and those of the candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// Clean ones among the runs of each run of the baseline.
    pub before: Vec<Rate>,
    /// Clean ones among the candidate's runs. One that was not run counts as run and not clean.
    pub now: Rate,
}

/// What is asked of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// The chance of a false alarm that is accepted.
    pub alpha: f64,
    /// The chance of telling a true drop that is asked for.
    pub power: f64,
    /// The drop that must be told, from 0 to 1.
    pub drop: f64,
}

impl Default for Asked {
    fn default() -> Self {
        Asked { alpha: crate::ALPHA, power: crate::POWER, drop: 0.10 }
    }
}

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// The verdict, the policy left aside.
    pub verdict: Verdict,
    /// The mean share of clean runs over the scenarios of the baseline.
    pub baseline_mean: f64,
    /// The candidate's share.
    pub clean_rate: f64,
    /// The first less the second.
    pub drop: f64,
    /// The chance of so few clean runs if nothing got worse, of which a part counts where counts
    /// are coarse; see [`Chances`].
    pub p_value: f64,
    /// The drop that is not excluded: a true one of this size or more would have shown itself with
    /// the chance that is asked for.
    pub upper: f64,
    /// Scenarios that the drop needs to be told from noise, where the verdict is open.
    pub required_n: Option<u64>,
}

/// Weighs a candidate against its baseline; none without scenarios or without runs before.
#[must_use]
pub fn weigh(scenarios: &[Scenario], asked: &Asked) -> Option<Weighed> {
    let rows: Vec<Row> = scenarios.iter().filter_map(Row::of).collect();
    if rows.is_empty() {
        return None;
    }
    let (baseline_mean, clean_rate) = (mean(&rows, |it| it.share), mean(&rows, Row::clean_now));
    let cut = cut(&rows);
    let noise = Noise::of(scenarios, &cut);
    let chances = Chances::of(&rows, &noise);
    let Chances { p_value, drop, .. } = chances;
    // What was seen is never excluded.
    let upper = baseline_mean * largest(&cut, noise.of_bound, 1.0 - asked.power);
    let upper = upper.max(drop);
    let verdict = if chances.fails(asked.alpha) {
        Verdict::Fail
    } else if upper < asked.drop && baseline_mean > asked.drop {
        Verdict::Pass
    } else {
        Verdict::Inconclusive
    };
    let required_n = (verdict == Verdict::Inconclusive)
        .then(|| required(&rows, baseline_mean, drop, asked))
        .flatten();
    Some(Weighed { verdict, baseline_mean, clean_rate, drop, p_value, upper, required_n })
}

fn mean(rows: &[Row], of: impl Fn(&Row) -> f64) -> f64 {
    rows.iter().map(of).sum::<f64>() / rows.len() as f64
}

/// A scenario in numbers.
struct Row {
    /// All runs of the baseline together.
    before: Rate,
    now: Rate,
    /// The mean share over the runs of the baseline.
    share: f64,
}

impl Row {
    fn of(scenario: &Scenario) -> Option<Row> {
        let sum =
            |of: fn(&Rate) -> u64| scenario.before.iter().map(of).fold(0_u64, u64::saturating_add);
        let before = Rate { count: sum(|it| it.count), total: sum(|it| it.total) };
        let share = before.share()?;
        let now = match scenario.now.total {
            0 => Rate { count: 0, total: 1 },
            _ => scenario.now,
        };
        Some(Row { before, now, share })
    }

    /// All runs, before and now.
    fn all(&self) -> Rate {
        Rate {
            count: self.before.count.saturating_add(self.now.count),
            total: self.before.total.saturating_add(self.now.total),
        }
    }

    /// Whether some of its runs were clean and others not.
    fn varies(&self) -> bool {
        let all = self.all();
        all.count > 0 && all.count < all.total
    }

    /// The share of the candidate's runs that are clean.
    fn clean_now(&self) -> f64 {
        self.now.share().unwrap_or(0.0)
    }

    /// The candidate's share of all runs.
    fn share_now(&self) -> f64 {
        self.now.total as f64 / self.all().total as f64
    }

    /// The runs before, and the one more that counts as clean.
    fn tried(&self) -> u64 {
        self.before.total.saturating_add(1)
    }

    /// What a run that fails now weighs, on average.
    fn weight(&self) -> f64 {
        (self.share * self.before.total as f64 + 1.0) / self.tried() as f64
    }

    /// The variance of one run, without bias where there is more than one; the textbook's is too
    /// small for few runs.
    fn variance(&self) -> f64 {
        let runs = self.before.total as f64;
        let plain = self.share * (1.0 - self.share);
        if runs > 1.0 { plain * runs / (runs - 1.0) } else { plain }
    }
}

/// The scenarios with as many runs now as the one that has the fewest, clean ones rounded down:
/// more runs of one scenario must not turn what is open into a PASS.
fn cut(rows: &[Row]) -> Vec<Row> {
    let total = rows.iter().map(|it| it.now.total).min().unwrap_or(1);
    let count = |now: Rate| {
        let clean = u128::from(now.count).saturating_mul(u128::from(total));
        let clean = clean.checked_div(u128::from(now.total)).unwrap_or(0);
        u64::try_from(clean).unwrap_or(total)
    };
    let row = |it: &Row| Row {
        before: it.before,
        now: Rate { count: count(it.now), total },
        share: it.share,
    };
    rows.iter().map(row).collect()
}

/// The losses if nothing had changed, those that are seen, and the steps they are counted in. A
/// loss is a pair of a clean run before and one now that is not, as if one run more had been clean
/// before: what fails where it never failed weighs more than what fails where it often did, and
/// that weighs something too. Without a change the runs now are drawn from all runs of their
/// scenario. The pairs of a scenario are a part of all its pairs, so that no scenario weighs more
/// for having more runs. Where a part is no whole number of steps it is rounded, in what is seen as
/// in what is expected, so that the chance of an alarm stays what it is.
fn unchanged(rows: &[&Row]) -> (Sum, f64, Grid) {
    let alone = rows.len() == 1;
    // In one scenario alone every weight gives the same order.
    let size = |it: &Row| it.now.total.saturating_mul(if alone { 1 } else { it.tried() });
    let sizes: Vec<u64> = rows.iter().map(|it| size(it)).collect();
    let grid = Grid::of(&sizes);
    let (mut sum, mut seen) = (Sum::new(rows.len()), 0.0);
    for (row, size) in rows.iter().zip(sizes) {
        let all = row.all();
        let number = drawn(all.total, all.count, row.now.total);
        let (clean, runs) = (all.count as f64, row.now.total as f64);
        let pairs = if alone { runs } else { runs * row.tried() as f64 };
        let step = grid.whole() / pairs;
        let before = |now: f64| if alone { 1.0 } else { clean - now + 1.0 };
        let losses = |now: f64| before(now) * (runs - now) * step;
        let own = losses(row.now.count as f64);
        match number {
            Number::Normal { mean, variance } => {
                // A product of two lines, in the distance from the mean.
                let square = if alone { 0.0 } else { variance };
                let slope = if alone { 1.0 } else { clean + 1.0 + runs - 2.0 * mean };
                let spread = slope * slope * variance + 2.0 * square * square;
                sum.add_normal(losses(mean) + square * step, spread * step * step);
                seen += own;
            }
            Number::Listed { first, chances } => {
                let is_smooth = grid.part(size).is_none() && variance(&chances) > SMOOTH;
                let values = valued(first, chances, losses);
                if is_smooth {
                    sum.add_moments(&values);
                    seen += own;
                } else {
                    sum.add(&rounded(values), 1);
                    seen += own.round();
                }
            }
        }
    }
    (sum, seen, grid)
}

/// Each number's value with its chance.
fn valued(first: f64, chances: Vec<f64>, value: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    chances.into_iter().enumerate().map(|(place, it)| (value(first + place as f64), it)).collect()
}

fn rounded(mut values: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    values.iter_mut().for_each(|it| it.0 = it.0.round());
    values
}

/// The largest loss, as a part of what was clean, under which so high a share of clean runs is at
/// least as likely as `chance`.
fn largest(rows: &[Row], noise: f64, chance: f64) -> f64 {
    let sizes: Vec<u64> = rows.iter().map(|it| it.now.total).collect();
    let grid = Grid::of(&sizes);
    let whole = grid.whole();
    // Runs with the same chance and the same weight are one number, and few shares differ.
    let mut alike: BTreeMap<(u64, u64, u64), (f64, u64)> = BTreeMap::new();
    let mut seen = 0.0;
    for row in rows {
        let key = (row.before.count, row.before.total, row.now.total);
        let members = alike.entry(key).or_insert((row.share, 0));
        members.1 = members.1.saturating_add(1);
        let own = row.now.count as f64 * whole / row.now.total as f64;
        seen += if grid.tells(row.now.total) { own.round() } else { own };
    }
    let likely = |loss: f64| {
        let mut sum = Sum::new(rows.len());
        for ((_, _, runs), (share, members)) in &alike {
            add_alike(&mut sum, grid, *runs, *members, share * (1.0 - loss));
        }
        sum.at_least(seen, noise * whole * whole) >= chance
    };
    let (mut low, mut high) = (0.0, 1.0);
    if likely(high) {
        return high;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if likely(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Adds the clean share of scenarios that have the same chance and the same number of runs.
fn add_alike(sum: &mut Sum, grid: Grid, runs: u64, members: u64, chance: f64) {
    let step = grid.whole() / runs as f64;
    if !grid.tells(runs) {
        let all = runs as f64 * members as f64;
        let variance = all * chance * (1.0 - chance);
        return sum.add_normal(all * chance * step, variance * step * step);
    }
    let (together, times) = if grid.part(runs).is_some() { (members, 1) } else { (1, members) };
    match tried(runs.saturating_mul(together), chance) {
        Number::Normal { mean, variance } => {
            let times = times as f64;
            sum.add_normal(times * mean * step, times * variance * step * step);
        }
        Number::Listed { first, chances } => {
            let values = rounded(valued(first, chances, |it| it * step));
            sum.add(&values, times);
        }
    }
}

/// What runs vary in beyond what their scenarios explain, on the scale of whole scenarios: a bad
/// day of a provider moves all scenarios of a run together.
struct Noise {
    of_test: f64,
    of_bound: f64,
}

impl Noise {
    fn of(scenarios: &[Scenario], rows: &[Row]) -> Noise {
        let runs = scenarios.iter().map(|it| it.before.len()).max().unwrap_or(0);
        let k = runs as f64;
        let (seen, own) = spreads(scenarios, runs).unwrap_or_default();
        // The baseline's share is not known but estimated from its runs.
        let estimated = |it: &Row| {
            let runs = it.before.total as f64;
            let (now, error) = (it.now.total as f64, it.variance() / runs);
            // The plain variance that `largest` takes is too small by the same amount.
            error + (it.variance() - it.share * (1.0 - it.share)) / now
        };
        let estimated: f64 = rows.iter().map(estimated).sum();
        // A share that is moved moves as much of the losses as its runs weigh.
        let weight = match rows.len() {
            1 => 1.0,
            number => rows.iter().map(Row::weight).sum::<f64>() / number as f64,
        };
        // What chance explains at its worst is no reason to tell less; but whoever asks for a PASS
        // has to exclude all of it.
        let beyond = if runs > 1 { (seen - own * evident(k - 1.0)).max(0.0) } else { 0.0 };
        let excess = if beyond > 0.0 { seen - own } else { 0.0 };
        Noise {
            of_test: if k > 0.0 { beyond * weight * weight * k / (k + 1.0) } else { 0.0 },
            of_bound: if k > 0.0 { excess * (k + 1.0) / k + estimated } else { 0.0 },
        }
    }
}

/// The variance of the runs' sums, and the sum of the scenarios' own; none of less than two runs.
fn spreads(scenarios: &[Scenario], runs: usize) -> Option<(f64, f64)> {
    if runs < 2 {
        return None;
    }
    let mut sums = vec![0.0; runs];
    let mut own = 0.0;
    for scenario in scenarios {
        let shares: Vec<f64> = scenario.before.iter().filter_map(|it| it.share()).collect();
        if shares.len() == runs {
            sums.iter_mut().zip(&shares).for_each(|(sum, it)| *sum += it);
            own += sample_variance(&shares);
        }
    }
    Some((sample_variance(&sums), own))
}

/// How many times its true size the variance of a sample is in one case of twenty: what is less is
/// no evidence that runs move together. E. B. Wilson and M. M. Hilferty, "The distribution of
/// chi-square", Proceedings of the National Academy of Sciences 17 (1931) 684–688.
fn evident(freedom: f64) -> f64 {
    let part = 2.0 / (9.0 * freedom);
    (1.0 - part + POINT_OF_5 * part.sqrt()).powi(3)
}

fn sample_variance(values: &[f64]) -> f64 {
    let number = values.len() as f64;
    let mean = values.iter().sum::<f64>() / number;
    values.iter().map(|it| (it - mean) * (it - mean)).sum::<f64>() / (number - 1.0)
}

/// Scenarios like these that tell the drop from noise: the one that is asked for, or the one that
/// was seen where there are enough for that.
fn required(rows: &[Row], mean: f64, seen: f64, asked: &Asked) -> Option<u64> {
    let there = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let wanted = |drop: f64| needed(rows, mean, drop, asked);
    let asked_for = wanted(asked.drop.min(mean))?;
    if asked_for > there || seen <= 0.0 {
        return Some(asked_for);
    }
    wanted(seen).map(|it| it.max(asked_for))
}

/// The usual sum of two points of the normal distribution, over a mean scenario.
fn needed(rows: &[Row], mean: f64, drop: f64, asked: &Asked) -> Option<u64> {
    if drop <= 0.0 || mean <= 0.0 {
        return None;
    }
    let loss = (drop / mean).min(1.0);
    let number = rows.len() as f64;
    let (mut same, mut worse, mut shift) = (0.0, 0.0, 0.0);
    for row in rows {
        let (k, was) = (row.before.total as f64, row.share);
        let now = was * (1.0 - loss);
        // The chance that the one is clean and another is not, over all pairs of k + 1 runs.
        let pairs = k * (k - 1.0) * row.variance() + k * (was * (1.0 - now) + now * (1.0 - was));
        same += pairs / ((k + 1.0) * (k + 1.0)) / number;
        let part = k / (k + 1.0);
        worse += part * part * (now * (1.0 - now) + row.variance() / k) / number;
        shift += part * (was - now) / number;
    }
    if shift <= 0.0 {
        return None;
    }
    let apart =
        normal_point(asked.alpha) * same.sqrt() + normal_point(1.0 - asked.power) * worse.sqrt();
    let times = apart / shift;
    Some((times * times).ceil().max(1.0) as u64)
}

#[cfg(test)]
mod tests;
