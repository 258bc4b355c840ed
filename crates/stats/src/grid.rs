//! The steps in which a scenario counts as one, however many runs it has.

use crate::count::{EXACT_MAX, SUM_MAX};

/// A number of steps that one scenario is divided into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid(u64);

impl Grid {
    /// The steps for scenarios of these sizes: so many that each size divides them, where the sum
    /// over all scenarios stays within its bound.
    #[must_use]
    pub fn of(sizes: &[u64]) -> Grid {
        let number = u64::try_from(sizes.len()).unwrap_or(u64::MAX).max(1);
        let most = match sizes.len() {
            // One scenario needs no shared steps.
            0 | 1 => u64::MAX,
            scenarios if scenarios <= EXACT_MAX => SUM_MAX.checked_div(number).unwrap_or(1),
            _ => SUM_MAX,
        };
        let mut different = sizes.to_vec();
        different.sort_unstable();
        different.dedup();
        let (mut steps, mut all_fit) = (1_u64, true);
        for size in different.into_iter().filter(|it| *it > 0) {
            match multiple(steps, size).filter(|it| *it <= most) {
                Some(it) => steps = it,
                None => all_fit = false,
            }
        }
        // What does not fit is rounded, so the steps are as small as they may be.
        let times = if all_fit { 1 } else { most.checked_div(steps).unwrap_or(1) };
        Grid(steps.saturating_mul(times))
    }

    /// The steps of a whole scenario.
    #[must_use]
    pub fn whole(self) -> f64 {
        self.0 as f64
    }

    /// The steps of one part in `size`, where that is a whole number.
    #[must_use]
    pub fn part(self, size: u64) -> Option<f64> {
        let fits = self.0.checked_rem(size)? == 0;
        fits.then(|| self.whole() / size as f64)
    }

    /// Whether it tells the parts in `size` apart at all.
    #[must_use]
    pub fn tells(self, size: u64) -> bool {
        size <= self.0
    }
}

/// The least number that both divide.
fn multiple(one: u64, other: u64) -> Option<u64> {
    let (mut divisor, mut rest) = (one, other);
    while let Some(next) = divisor.checked_rem(rest) {
        (divisor, rest) = (rest, next);
    }
    one.checked_div(divisor)?.checked_mul(other)
}

#[cfg(test)]
mod tests {
    use super::Grid;
    use crate::count::SUM_MAX;

    #[test]
    fn sizes_that_fit_have_whole_parts() {
        for (sizes, steps) in [
            (&[1, 1, 1][..], 1),
            (&[1, 2, 3], 6),
            (&[4, 6], 12),
            (&[301, 1], 301),
            (&[7_000_000], 7_000_000),
            (&[], 1),
        ] {
            let grid = Grid::of(sizes);
            assert_eq!(grid, Grid(steps), "{sizes:?}");
            assert!(sizes.iter().all(|it| grid.part(*it).is_some()));
        }
    }

    #[test]
    fn the_steps_are_bounded() {
        for sizes in [vec![9_973, 1, 2], vec![u64::MAX, u64::MAX - 1], vec![1_000; 900]] {
            let number = u64::try_from(sizes.len()).unwrap();
            let Grid(steps) = Grid::of(&sizes);
            assert!(steps * number <= SUM_MAX && steps * number * 2 > SUM_MAX, "{steps}");
        }
        assert_eq!(Grid::of(&[9_973, 1, 2]).part(2), Some(1_666.0));
        assert_eq!(Grid::of(&[9_973, 1, 2]).part(9_973), None);
    }
}
