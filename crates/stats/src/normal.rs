//! The standard normal distribution, to the last digits of a double.

/// Terms after which a sum or a fraction is given up; both end far earlier.
const TERMS_MAX: u32 = 500;

/// Where the fraction for the tail is exact sooner than the sum for the middle.
const TAIL: f64 = 2.5;

/// The point that a value is above in one case of twenty, to the last digit that halving finds.
pub const POINT_OF_5: f64 = 1.644_853_626_951_473_7;

/// The point that a value is above in one case of five.
pub const POINT_OF_20: f64 = 0.841_621_233_572_913_6;

/// The chance of a value above `x`.
///
/// ```
/// assert!((lawbook_stats::normal_tail(1.959_963_984_540_054) - 0.025).abs() < 1e-15);
/// ```
#[must_use]
pub fn normal_tail(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < 0.0 {
        return 1.0 - normal_tail(-x);
    }
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x < TAIL { 0.5 - density * middle(x) } else { density / tail(x) }
}

/// The sum x + x³/3 + x⁵/15 + …, whose terms all have one sign, so that nothing cancels.
fn middle(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for place in 1..TERMS_MAX {
        term *= x * x / f64::from(place.saturating_mul(2).saturating_add(1));
        let next = sum + term;
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Laplace's continued fraction x + 1/(x + 2/(x + 3/(x + …))), from a place far inside.
fn tail(x: f64) -> f64 {
    (1..=TERMS_MAX).rev().fold(x, |inner, place| x + f64::from(place) / inner)
}

/// The point that a value is above with the chance `tail`, found by halving.
#[must_use]
pub fn normal_point(tail: f64) -> f64 {
    let (mut low, mut high) = (-40.0_f64, 40.0_f64);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if normal_tail(middle) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::{POINT_OF_5, POINT_OF_20, normal_point, normal_tail};
    use crate::{ALPHA, POWER};

    /// Computed in 30 decimal digits.
    const TABLE: &[(f64, f64)] = &[
        (0.0, 0.5),
        (0.5, 0.308_537_538_725_986_9),
        (1.0, 0.158_655_253_931_457_05),
        (2.0, 0.022_750_131_948_179_21),
        (2.5, 0.006_209_665_325_776_132),
        (3.0, 0.001_349_898_031_630_094_6),
        (5.0, 2.866_515_718_791_939e-7),
        (10.0, 7.619_853_024_160_527e-24),
    ];

    #[test]
    fn known_values_are_met_on_both_sides() {
        for &(x, wanted) in TABLE {
            let it = normal_tail(x);
            assert!((it / wanted - 1.0).abs() < 1e-13, "{x}: {it}");
            assert!((normal_tail(-x) - (1.0 - wanted)).abs() < 1e-15, "-{x}");
        }
        assert_eq!(normal_tail(f64::INFINITY), 0.0);
        assert!(normal_tail(f64::NAN).is_nan());
    }

    #[test]
    fn the_point_of_a_tail_is_found() {
        assert!((normal_point(0.05) - 1.644_853_626_951_471_5).abs() < 1e-13);
        assert!((normal_point(0.2) - 0.841_621_233_572_914_3).abs() < 1e-13);
        // They are what would be searched again for each release.
        assert_eq!((POINT_OF_5, POINT_OF_20), (normal_point(ALPHA), normal_point(1.0 - POWER)));
    }
}
