//! How a number of clean runs is distributed: of one scenario, and added up over all.

/// Above this many scenarios a sum is taken as normal: by then it is, and the exact one grows with
/// the square.
pub const EXACT_MAX: usize = 1_000;

/// The longest list that a sum may come to and still be exact.
pub const SUM_MAX: u64 = 10_000;

/// Above this variance a number of runs is taken as normal: clean runs and others are then counted
/// in hundreds of thousands, before and now.
const VARIANCE_MAX: f64 = 250_000.0;

/// The longest list of chances of one number, which is far more than the variance above allows.
const LIST_MAX: usize = 100_000;

/// Chances below this part of the largest one change no digit.
const CHANCE_MIN: f64 = 1e-20;

/// How a number of clean runs is distributed.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// The chances of `first`, `first + 1` and so on; all others have none.
    Listed {
        /// The least number that has a chance.
        first: f64,
        /// The chances.
        chances: Vec<f64>,
    },
    /// A normal distribution.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its variance.
        variance: f64,
    },
}

/// Clean runs among `drawn` that are drawn without putting back from `all`, of which `clean` are.
#[must_use]
pub fn drawn(all: u64, clean: u64, drawn: u64) -> Number {
    let (clean, drawn) = (clean.min(all) as f64, drawn.min(all) as f64);
    let all = all as f64;
    let mean = if all > 0.0 { drawn * (clean / all) } else { 0.0 };
    let left = if all > 1.0 { (all - drawn) / (all - 1.0) } else { 0.0 };
    let variance = mean * (1.0 - clean / all.max(1.0)) * left;
    if variance > VARIANCE_MAX {
        return Number::Normal { mean, variance };
    }
    let least = (drawn - (all - clean)).max(0.0);
    let likely = ((drawn + 1.0) * ((clean + 1.0) / (all + 2.0))).floor();
    // The chance of one more, from the chance of `it`.
    listed(likely, least, clean.min(drawn), |it| {
        (clean - it) * (drawn - it) / ((it + 1.0) * (all - clean - drawn + it + 1.0))
    })
}

/// Clean runs among `runs` that are each clean with this chance.
#[must_use]
pub fn tried(runs: u64, chance: f64) -> Number {
    let runs = runs as f64;
    let chance = chance.clamp(0.0, 1.0);
    let (mean, variance) = (runs * chance, runs * chance * (1.0 - chance));
    if variance > VARIANCE_MAX {
        return Number::Normal { mean, variance };
    }
    let least = if chance == 1.0 { runs } else { 0.0 };
    let most = if chance == 0.0 { 0.0 } else { runs };
    let odds = chance / (1.0 - chance);
    let likely = ((runs + 1.0) * chance).floor();
    listed(likely, least, most, |it| odds * (runs - it) / (it + 1.0))
}

/// Chances from the likeliest number to both sides, each from its neighbour by `next`, so that
/// nothing overflows, and only as far as they count.
fn listed(likely: f64, least: f64, most: f64, next: impl Fn(f64) -> f64) -> Number {
    let likely = likely.clamp(least.min(most), most);
    let (mut chances, mut first, mut one) = (Vec::new(), likely, 1.0);
    while first > least && chances.len() < LIST_MAX {
        one /= next(first - 1.0);
        if one.is_nan() || one < CHANCE_MIN {
            break;
        }
        chances.push(one);
        first -= 1.0;
    }
    chances.reverse();
    chances.push(1.0);
    let (mut place, mut one, mut above) = (likely, 1.0, 0_usize);
    while place < most && above < LIST_MAX {
        one *= next(place);
        if one.is_nan() || one < CHANCE_MIN {
            break;
        }
        chances.push(one);
        (place, above) = (place + 1.0, above.saturating_add(1));
    }
    let sum: f64 = chances.iter().sum();
    chances.iter_mut().for_each(|it| *it /= sum);
    Number::Listed { first, chances }
}

/// Values with their chances, by mean and variance.
fn moments(values: &[(f64, f64)]) -> (f64, f64) {
    let mean = values.iter().map(|(value, chance)| value * chance).sum::<f64>();
    let square = |value: f64| (value - mean) * (value - mean);
    (mean, values.iter().map(|(value, chance)| square(*value) * chance).sum())
}

/// The variance of a number, from the chances of its neighbours.
#[must_use]
pub fn variance(chances: &[f64]) -> f64 {
    let places: Vec<(f64, f64)> =
        chances.iter().enumerate().map(|(place, it)| (place as f64, *it)).collect();
    moments(&places).1
}

/// A sum over scenarios: exact in those that are listed, and by mean and variance in the others.
#[derive(Clone, Debug)]
pub struct Sum {
    exact: bool,
    /// The least number that the exact part comes to.
    first: f64,
    chances: Vec<f64>,
    mean: f64,
    variance: f64,
}

impl Sum {
    /// Nothing yet, of so many scenarios.
    #[must_use]
    pub fn new(scenarios: usize) -> Self {
        let exact = scenarios <= EXACT_MAX;
        Sum { exact, first: 0.0, chances: vec![1.0], mean: 0.0, variance: 0.0 }
    }

    /// Adds so many independent numbers that have these whole values, each with its chance.
    pub fn add(&mut self, values: &[(f64, f64)], times: u64) {
        let least = values.iter().map(|it| it.0).fold(f64::INFINITY, f64::min);
        let most = values.iter().map(|it| it.0).fold(f64::NEG_INFINITY, f64::max);
        if !self.exact || most - least > LIST_MAX as f64 {
            let (mean, variance) = moments(values);
            return self.add_normal(times as f64 * mean, times as f64 * variance);
        }
        let mut part = Vec::new();
        for (value, chance) in values {
            // A whole number from 0 to the bound above.
            let place = (value - least) as usize;
            if part.len() <= place {
                part.resize(place.saturating_add(1), 0.0);
            }
            if let Some(it) = part.get_mut(place) {
                *it += chance;
            }
        }
        self.first += times as f64 * least;
        // What has one value is no chance, as a scenario that is always clean.
        if part.len() > 1 {
            for _ in 0..times {
                self.chances = added(&self.chances, &part);
            }
        }
    }

    /// Adds an independent number by the mean and the variance of its values.
    pub fn add_moments(&mut self, values: &[(f64, f64)]) {
        let (mean, variance) = moments(values);
        self.add_normal(mean, variance);
    }

    /// Adds an independent number that is normal.
    pub fn add_normal(&mut self, mean: f64, variance: f64) {
        self.mean += mean;
        self.variance += variance;
    }

    /// The chance of `most` or less, with noise of this variance on top.
    #[must_use]
    pub fn at_most(&self, most: f64, noise: f64) -> f64 {
        let variance = self.variance + noise;
        let below = |distance: f64| match variance > 0.0 {
            true => crate::normal_tail(-distance / variance.sqrt()),
            false if distance >= 0.0 => 1.0,
            false => 0.0,
        };
        // A whole number and noise stand apart by half a step.
        let edge = most + 0.5 - self.first - self.mean;
        let at = |place: usize| below(edge - place as f64);
        let counted = self.chances.iter().enumerate().filter(|it| *it.1 > CHANCE_MIN);
        counted.map(|(place, it)| it * at(place)).sum()
    }

    /// The chance of `least` or more.
    #[must_use]
    pub fn at_least(&self, least: f64, noise: f64) -> f64 {
        1.0 - self.at_most(least - 1.0, noise)
    }
}

fn added(sum: &[f64], part: &[f64]) -> Vec<f64> {
    let length = sum.len().saturating_add(part.len()).saturating_sub(1);
    let mut out = vec![0.0; length];
    for (shift, chance) in part.iter().enumerate().filter(|it| *it.1 > 0.0) {
        for (to, from) in out.iter_mut().skip(shift).zip(sum) {
            *to += from * chance;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{EXACT_MAX, Number, Sum, drawn, moments, tried, variance};

    fn values(number: Number) -> Vec<(f64, f64)> {
        match number {
            Number::Listed { first, chances } => (0_u32..)
                .zip(chances)
                .map(|(place, chance)| (first + f64::from(place), chance))
                .collect(),
            Number::Normal { .. } => panic!("{number:?}"),
        }
    }

    fn close(found: Number, first: f64, wanted: &[f64]) {
        let found = values(found);
        assert_eq!((found.len(), found[0].0), (wanted.len(), first), "{found:?}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found.1 - wanted).abs() < 1e-12, "{found:?} and not {wanted}");
        }
    }

    #[test]
    fn small_numbers_are_met() {
        close(drawn(3, 2, 1), 0.0, &[1.0 / 3.0, 2.0 / 3.0]);
        close(drawn(5, 3, 2), 0.0, &[0.1, 0.6, 0.3]);
        close(drawn(4, 4, 2), 2.0, &[1.0]);
        close(drawn(4, 0, 2), 0.0, &[1.0]);
        close(tried(2, 0.5), 0.0, &[0.25, 0.5, 0.25]);
        close(tried(2, 1.0), 2.0, &[1.0]);
        close(tried(2, 0.0), 0.0, &[1.0]);
        close(tried(0, 0.3), 0.0, &[1.0]);
        close(drawn(0, 0, 0), 0.0, &[1.0]);
    }

    #[test]
    fn large_numbers_neither_overflow_nor_vanish() {
        for number in [drawn(40_000, 20_000, 10_000), tried(10_000, 0.5)] {
            let values = values(number);
            assert!((values.iter().map(|it| it.1).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((moments(&values).0 - 5_000.0).abs() < 1e-6);
        }
    }

    #[test]
    fn what_would_be_a_long_list_is_normal_and_what_is_sure_is_short() {
        let Number::Normal { mean, variance } = drawn(8_000_000, 4_000_000, 2_000_000) else {
            panic!("a list of two million");
        };
        assert!((mean - 1e6).abs() < 1e-3 && (variance - 375_000.0).abs() < 1.0, "{variance}");
        assert_eq!(values(drawn(2_000_000, 2_000_000, 1_000_000)).len(), 1);
        assert_eq!(values(drawn(2_000_000, 1_999_998, 1_000_000)).len(), 3);
        for number in [drawn(u64::MAX, u64::MAX, 1 << 60), drawn(u64::MAX, 3, u64::MAX)] {
            assert!(values(number).len() < 10);
        }
        assert!(matches!(tried(u64::MAX, 0.5), Number::Normal { .. }));
    }

    #[test]
    fn a_sum_of_many_is_normal_and_close_to_the_exact_one() {
        let sum = |number: usize| {
            let mut out = Sum::new(number);
            out.add(&values(tried(1, 0.9)), u64::try_from(number).unwrap());
            out
        };
        let (exact, normal) = (sum(EXACT_MAX), sum(EXACT_MAX + 1));
        assert!(exact.variance == 0.0 && normal.variance > 0.0);
        let (exact, normal) = (exact.at_most(885.0, 0.0), normal.at_most(886.0, 0.0));
        assert!((exact - normal).abs() < 0.005, "{exact} {normal}");
    }

    #[test]
    fn tails_meet_and_noise_blurs() {
        let mut sum = Sum::new(3);
        [tried(1, 0.5), tried(1, 0.5), drawn(3, 2, 1)]
            .into_iter()
            .for_each(|it| sum.add(&values(it), 1));
        for most in [0.0, 1.0, 2.0] {
            assert!((sum.at_most(most, 0.0) + sum.at_least(most + 1.0, 0.0) - 1.0).abs() < 1e-12);
        }
        assert_eq!(sum.at_least(0.0, 0.0), 1.0);
        assert!(sum.at_most(0.0, 1.0) > sum.at_most(0.0, 0.0));
        assert!((variance(&[0.0625, 0.25, 0.375, 0.25, 0.0625]) - 1.0).abs() < 1e-12);
    }
}
