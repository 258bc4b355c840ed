//! How likely losses like those that were seen are if nothing got worse, and the p-value of them.

use super::{Noise, Row, Scenario, mean, unchanged};

/// Up to this a p-value is the whole chance: whoever accepts no more false alarms gets the exact
/// test.
const WHOLE_TO: f64 = 0.045;

/// The least part of what lies above that which counts, so that the order of chances is kept.
const ABOVE_MIN: f64 = 1.0 / 12.0;

/// The least part of its chance that an outcome counts with.
const PART_MIN: f64 = 0.5;

/// How often the chance of losing more counts where only a part of the other does.
const MORE_TIMES: f64 = 2.0;

/// The most that a p-value lies below its chance.
const BELOW_BY: f64 = 0.045;

/// The least share of a scenario's runs that is the candidate's: where one ran nine times or more
/// before for each run now, its chance is known too well for a part of it.
const SHARE_MIN: f64 = 0.105;

/// Chances that are equal may differ in their last digits, by the order of scenarios.
const EQUAL: f64 = 1e-12;

/// How likely losses are if nothing got worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// The chance of losing as much as was seen or more.
    pub as_much: f64,
    /// The chance of losing more.
    pub more: f64,
    /// What is held against the chance of a false alarm that is accepted: `as_much`, or less of it
    /// where counts are too coarse to come near any such chance.
    pub p_value: f64,
    /// The mean share of clean runs before, less that now.
    pub drop: f64,
}

/// The chances of a candidate's losses; none without scenarios or without runs before.
///
/// It costs a small part of [`weigh`](super::weigh), which holds the same p-value.
#[must_use]
pub fn chances(scenarios: &[Scenario]) -> Option<Chances> {
    let rows: Vec<Row> = scenarios.iter().filter_map(Row::of).collect();
    (!rows.is_empty()).then(|| Chances::of(&rows, &Noise::of(scenarios, &rows)))
}

impl Chances {
    pub(super) fn of(rows: &[Row], noise: &Noise) -> Chances {
        // What was always clean or never loses the same whatever is drawn, and tells nothing.
        let varying: Vec<&Row> = rows.iter().filter(|it| it.varies()).collect();
        let (losses, seen, grid) = unchanged(&varying);
        let of_test = noise.of_test * grid.whole() * grid.whole();
        let of = |seen: f64| {
            // Noise that is less than the gaps of the sum must not make an alarm more likely.
            losses.at_least(seen, of_test).max(losses.at_least(seen, 0.0)).clamp(0.0, 1.0)
        };
        let (as_much, more) = (of(seen), of(seen + 1.0));
        Chances { as_much, more, p_value: p_value(&varying, as_much, more), drop: drop(rows) }
    }

    /// Whether the release fails, the policy left aside, if so many false alarms are accepted.
    #[must_use]
    pub fn fails(&self, alpha: f64) -> bool {
        self.drop > EQUAL && self.p_value < alpha - EQUAL
    }
}

fn drop(rows: &[Row]) -> f64 {
    mean(rows, |it| it.share) - mean(rows, Row::clean_now)
}

/// Where few runs ever fail, nearly all of the chance is that of exactly what was seen, and a test
/// that counts it whole alarms far less often than it may. So a part of it counts: half, or the
/// candidate's share of the runs where that is more, since it is then drawn mostly from those. The
/// chance of losing more counts twice, so what is not rare in this way keeps its whole chance.
/// docs/gate.md states the rates of false alarms that were worked out for it.
fn p_value(varying: &[&Row], as_much: f64, more: f64) -> f64 {
    let shares: Vec<f64> = varying.iter().map(|it| it.share_now()).collect();
    if shares.is_empty() || shares.iter().any(|it| *it < SHARE_MIN) {
        return as_much;
    }
    let share = shares.iter().sum::<f64>() / shares.len() as f64;
    let part = share.max(PART_MIN) * as_much + MORE_TIMES * more;
    let least = WHOLE_TO + ABOVE_MIN * (as_much - WHOLE_TO);
    as_much.min(part.max(least).max(as_much - BELOW_BY))
}
