//! How a number of clean runs is distributed: of one scenario, and added up over all.

/// Above this many scenarios a sum is taken as normal: by then it is, and the exact one grows with
/// the square.
pub const EXACT_MAX: usize = 1_000;

/// The longest list of chances. What lies beyond is counted at its end, which raises no alarm.
const PLACES_MAX: usize = 1_000_000;

/// The longest list that a sum may come to and still be exact.
const SUM_MAX: usize = 20_000;

/// The chances of 0, 1, 2 … clean runs.
pub type Chances = Vec<f64>;

/// Clean runs among `drawn` that are drawn without putting back from `all`, of which `clean` are.
#[must_use]
pub fn drawn(all: u64, clean: u64, drawn: u64) -> Chances {
    let (all, clean, drawn) = (all as f64, clean.min(all) as f64, drawn.min(all) as f64);
    // The chance of one more, from the chance of `it`.
    let next = |it: f64| {
        let below = (it + 1.0) * (all - clean - drawn + it + 1.0);
        if below > 0.0 { (clean - it) * (drawn - it) / below } else { 0.0 }
    };
    let least = (drawn - (all - clean)).max(0.0);
    chances(drawn, least, clean.min(drawn), next)
}

/// Clean runs among `runs` that are each clean with this chance.
#[must_use]
pub fn tried(runs: u64, chance: f64) -> Chances {
    let runs = runs as f64;
    let chance = chance.clamp(0.0, 1.0);
    if chance == 0.0 {
        return chances(runs, 0.0, 0.0, |_| 0.0);
    }
    if chance == 1.0 {
        return chances(runs, runs, runs, |_| 0.0);
    }
    let odds = chance / (1.0 - chance);
    chances(runs, 0.0, runs, |it| odds * (runs - it) / (it + 1.0))
}

/// Chances from `least` to `most`, each from the one before, and none outside. They are kept small
/// on the way, so that nothing overflows.
fn chances(runs: f64, least: f64, most: f64, next: impl Fn(f64) -> f64) -> Chances {
    let mut out = Chances::new();
    let (mut place, mut one) = (0.0, 1.0);
    while place <= runs {
        out.push(if place < least || place > most { 0.0 } else { one });
        if place >= least && place < most {
            one *= next(place);
            if one > 1e200 {
                out.iter_mut().for_each(|it| *it /= one);
                one = 1.0;
            }
        }
        place += 1.0;
    }
    let sum: f64 = out.iter().sum();
    if sum > 0.0 {
        out.iter_mut().for_each(|it| *it /= sum);
    }
    out
}

/// The chances of other numbers than 0, 1, 2 …, each at its place.
pub fn placed(numbers: impl Iterator<Item = (u64, f64)>) -> Chances {
    let mut out = Chances::new();
    for (place, chance) in numbers {
        let place = usize::try_from(place).unwrap_or(usize::MAX).min(PLACES_MAX);
        if out.len() <= place {
            out.resize(place.saturating_add(1), 0.0);
        }
        if let Some(it) = out.get_mut(place) {
            *it += chance;
        }
    }
    out
}

/// A sum over scenarios: exact, or by its mean and variance.
#[derive(Clone, Debug)]
pub enum Sum {
    /// The chance of each number.
    Exact(Chances),
    /// A normal distribution.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its variance.
        variance: f64,
    },
}

impl Sum {
    /// Adds up independent numbers.
    #[must_use]
    pub fn of(parts: &[Chances]) -> Self {
        let length = parts.iter().map(Vec::len).fold(0_usize, usize::saturating_add);
        if parts.len() <= EXACT_MAX && (length <= SUM_MAX || parts.len() == 1) {
            return Sum::Exact(parts.iter().fold(vec![1.0], |sum, part| added(&sum, part)));
        }
        let mean = parts.iter().map(|it| mean(it)).sum();
        let variance = parts.iter().map(|it| variance(it)).sum();
        Sum::Normal { mean, variance }
    }

    /// The chance of `most` or less, with noise of this variance on top.
    #[must_use]
    pub fn at_most(&self, most: u64, noise: f64) -> f64 {
        // A whole number and noise stand apart by half a step.
        let edge = most as f64 + 0.5;
        let below = |distance: f64, variance: f64| match variance > 0.0 {
            true => crate::normal_tail(-distance / variance.sqrt()),
            false if distance >= 0.0 => 1.0,
            false => 0.0,
        };
        match self {
            Sum::Exact(chances) => {
                let at = |place: usize| below(edge - place as f64, noise);
                chances.iter().enumerate().map(|(place, it)| it * at(place)).sum()
            }
            Sum::Normal { mean, variance } => below(edge - mean, variance + noise),
        }
    }

    /// The chance of `least` or more.
    #[must_use]
    pub fn at_least(&self, least: u64, noise: f64) -> f64 {
        match least.checked_sub(1) {
            Some(most) => 1.0 - self.at_most(most, noise),
            None => 1.0,
        }
    }
}

/// The mean of a number.
#[must_use]
pub fn mean(chances: &[f64]) -> f64 {
    chances.iter().enumerate().map(|(place, it)| place as f64 * it).sum()
}

/// The variance of a number.
#[must_use]
pub fn variance(chances: &[f64]) -> f64 {
    let mean = mean(chances);
    let square = |place: usize| (place as f64 - mean) * (place as f64 - mean);
    chances.iter().enumerate().map(|(place, it)| square(place) * it).sum()
}

fn added(sum: &[f64], part: &[f64]) -> Chances {
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
    use super::{EXACT_MAX, Sum, drawn, mean, tried, variance};

    fn close(found: &[f64], wanted: &[f64]) {
        assert_eq!(found.len(), wanted.len(), "{found:?}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-12, "{found} and not {wanted}");
        }
    }

    #[test]
    fn small_numbers_are_met() {
        close(&drawn(3, 2, 1), &[1.0 / 3.0, 2.0 / 3.0]);
        close(&drawn(5, 3, 2), &[0.1, 0.6, 0.3]);
        close(&drawn(4, 4, 2), &[0.0, 0.0, 1.0]);
        close(&drawn(4, 0, 2), &[1.0, 0.0, 0.0]);
        close(&tried(2, 0.5), &[0.25, 0.5, 0.25]);
        close(&tried(2, 1.0), &[0.0, 0.0, 1.0]);
        close(&tried(2, 0.0), &[1.0, 0.0, 0.0]);
        close(&tried(0, 0.3), &[1.0]);
    }

    #[test]
    fn large_numbers_neither_overflow_nor_vanish() {
        for chances in [drawn(40_000, 20_000, 10_000), tried(10_000, 0.5)] {
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((mean(&chances) - 5_000.0).abs() < 1e-6);
        }
    }

    #[test]
    fn a_sum_of_many_is_normal_and_close_to_the_exact_one() {
        let parts = |number: usize| vec![tried(1, 0.9); number];
        let (exact, normal) = (Sum::of(&parts(EXACT_MAX)), Sum::of(&parts(EXACT_MAX + 1)));
        assert!(matches!(exact, Sum::Exact(_)) && matches!(normal, Sum::Normal { .. }));
        let (exact, normal) = (exact.at_most(885, 0.0), normal.at_most(886, 0.0));
        assert!((exact - normal).abs() < 0.005, "{exact} {normal}");
    }

    #[test]
    fn tails_meet_and_noise_blurs() {
        let sum = Sum::of(&[tried(1, 0.5), tried(1, 0.5), drawn(3, 2, 1)]);
        for most in 0..3 {
            assert!((sum.at_most(most, 0.0) + sum.at_least(most + 1, 0.0) - 1.0).abs() < 1e-12);
        }
        assert_eq!(sum.at_least(0, 0.0), 1.0);
        assert!(sum.at_most(0, 1.0) > sum.at_most(0, 0.0));
        assert!((variance(&tried(4, 0.5)) - 1.0).abs() < 1e-12);
    }
}
