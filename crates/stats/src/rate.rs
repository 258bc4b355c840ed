//! A share of a number of cases, as people read it.

use crate::{Interval, wilson};

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// The cases that are meant.
    pub count: u64,
    /// All cases.
    pub total: u64,
}

impl Rate {
    /// The share, from 0 to 1; none without cases.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.total > 0).then(|| self.count as f64 / self.total as f64)
    }

    /// The share in whole percent, halves rounded up, computed without fractions; none without
    /// cases.
    ///
    /// ```
    /// assert_eq!(lawbook_stats::Rate { count: 1, total: 8 }.percent(), Some(13));
    /// ```
    #[must_use]
    pub fn percent(self) -> Option<u64> {
        let (count, total) = (u128::from(self.count), u128::from(self.total));
        let doubled = count.checked_mul(200)?.checked_add(total)?;
        u64::try_from(doubled.checked_div(total.checked_mul(2)?)?).ok()
    }

    /// Wilson's 95% interval of the share; none without cases.
    #[must_use]
    pub fn interval(self) -> Option<Interval> {
        wilson(self.count, self.total)
    }
}

/// A share in whole percent, halves rounded up.
#[must_use]
pub fn percent(share: f64) -> u64 {
    // A share lies between 0 and 1, so the whole number fits.
    (share.clamp(0.0, 1.0) * 100.0 + 0.5).floor() as u64
}

#[cfg(test)]
mod tests {
    use super::{Rate, percent};

    #[test]
    fn halves_are_rounded_up() {
        let table = [
            (8, 9, 89),
            (11, 12, 92),
            (5, 5, 100),
            (0, 7, 0),
            (1, 8, 13),
            (1, 200, 1),
            (1, 201, 0),
            (199, 200, 100),
            (u64::MAX, u64::MAX, 100),
            (u64::MAX / 2, u64::MAX, 50),
        ];
        for (count, total, wanted) in table {
            assert_eq!(Rate { count, total }.percent(), Some(wanted), "{count} of {total}");
        }
        assert_eq!(Rate { count: 0, total: 0 }.percent(), None);
        assert_eq!(Rate { count: 0, total: 0 }.share(), None);
    }

    #[test]
    fn shares_are_rounded_the_same_way() {
        for (share, wanted) in [(0.0, 0), (0.125, 13), (0.6461, 65), (0.9949, 99), (1.0, 100)] {
            assert_eq!(percent(share), wanted, "{share}");
        }
    }
}
