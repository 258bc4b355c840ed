//! Simulated releases, and what two gates say of them.

use lawbook_stats::{
    Asked, Banded, Chances, Rate, Scenario, Verdict, against, band, chances, weigh,
};

use crate::Dice;

mod ceiling;
mod promise;
mod size;

pub use ceiling::ceiling;
pub use promise::{Runs, found, highest, rate_of};
pub use size::{Moved, Size, Unchanged};

/// How clean scenarios of a suite are on average.
const CLEAN: f64 = 0.9;

/// How clean scenarios are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Each scenario has its own chance, most near 0 or 1: a beta number whose parameters add up to
    /// two, so Beta(1.8, 0.2) in a suite.
    Differ,
    /// All have the same chance.
    Alike,
}

impl Model {
    /// What is simulated, in a sentence.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Model::Differ => {
                "Scenarios differ: each has its own chance of being clean, 90% on average, most near 100%."
            }
            Model::Alike => "Scenarios are alike: each is clean with a chance of 90%.",
        }
    }

    fn chance(self, mean: f64, dice: &mut Dice) -> f64 {
        match self {
            Model::Differ => beta(mean, dice),
            Model::Alike => mean,
        }
    }
}

/// A suite and its baseline.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// How clean its scenarios are.
    pub model: Model,
    /// The number of scenarios.
    pub scenarios: usize,
    /// The runs of the baseline.
    pub runs: usize,
}

impl Suite {
    /// Releases that are worse by `drop`, each with a baseline of its own.
    #[must_use]
    pub fn releases(&self, drop: f64, number: usize, dice: &mut Dice) -> Vec<Vec<Scenario>> {
        (0..number).map(|_| self.release(drop, dice)).collect()
    }

    fn release(&self, drop: f64, dice: &mut Dice) -> Vec<Scenario> {
        // What is lost is lost from what was clean.
        (0..self.scenarios).map(|_| self.scenario(CLEAN, drop / CLEAN, dice)).collect()
    }

    /// A release that is as good as its baseline, of scenarios that are so clean on average.
    fn unchanged(&self, mean: f64, dice: &mut Dice) -> Vec<Scenario> {
        (0..self.scenarios).map(|_| self.scenario(mean, 0.0, dice)).collect()
    }

    fn scenario(&self, mean: f64, loss: f64, dice: &mut Dice) -> Scenario {
        let chance = self.model.chance(mean, dice);
        let before = (0..self.runs).map(|_| run(chance, dice)).collect();
        Scenario { before, now: run(chance * (1.0 - loss), dice) }
    }

    /// What both gates think of such releases, without keeping them.
    #[must_use]
    pub fn judged(&self, drop: f64, number: usize, dice: &mut Dice) -> Judged {
        Judged((0..number).map(|_| Release::of(&self.release(drop, dice))).collect())
    }
}

/// Two gates on the same releases.
#[derive(Clone, Debug)]
pub struct Judged(Vec<Release>);

/// One release in the order in which each gate would fail releases, the worst first.
#[derive(Clone, Copy, Debug)]
struct Release {
    theirs: f64,
    ours: f64,
    theirs_fails: bool,
    ours_fails: bool,
}

/// A share of releases by each gate, and the standard error of the difference.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// faultgate's.
    pub theirs: f64,
    /// Ours.
    pub ours: f64,
    /// The standard error of ours less theirs, for what is simulated.
    pub error: f64,
}

impl Release {
    fn of(rows: &[Scenario]) -> Release {
        let banded = faultgate(rows);
        let ours = chances(rows);
        // What lost nothing never fails, so it comes after all that did.
        let placed = |it: &Chances| it.p_value + one(it.drop <= EQUAL);
        Release {
            theirs: banded.as_ref().map_or(2.0, order),
            ours: ours.as_ref().map_or(2.0, placed),
            theirs_fails: banded.is_some_and(|it| it.verdict == Verdict::Fail),
            ours_fails: ours.is_some_and(|it| it.fails(Asked::default().alpha)),
        }
    }
}

/// The order in which faultgate fails releases as its p-value may be larger: first all that are
/// below its lower bar, which fail whatever the p-value is, and last all that pass by the upper.
fn order(it: &Banded) -> f64 {
    if it.clean_rate < it.fail_threshold - 1e-9 {
        it.p_value - 1.0
    } else if it.clean_rate >= it.pass_threshold - 1e-9 {
        it.p_value + 1.0
    } else {
        it.p_value
    }
}

impl Judged {
    /// The share of FAIL, each gate as it is.
    #[must_use]
    pub fn fails(&self) -> Told {
        let (theirs, ours) =
            (|it: &Release| one(it.theirs_fails), |it: &Release| one(it.ours_fails));
        self.told(theirs, ours)
    }

    fn told(&self, theirs: impl Fn(&Release) -> f64, ours: impl Fn(&Release) -> f64) -> Told {
        let (theirs_mean, ours_mean) = (self.moments(&theirs).0, self.moments(&ours).0);
        let (_, variance) = self.moments(|it| ours(it) - theirs(it));
        Told { theirs: theirs_mean, ours: ours_mean, error: variance.sqrt() }
    }

    /// The mean over releases, and its variance.
    fn moments(&self, of: impl Fn(&Release) -> f64) -> (f64, f64) {
        let number = self.0.len() as f64;
        let (mut sum, mut squares) = (0.0, 0.0);
        for it in self.0.iter().map(of) {
            sum += it;
            squares += it * it;
        }
        let mean = sum / number;
        (mean, (squares / number - mean * mean).max(0.0) / number)
    }

    /// How often ours fails these releases if it fails those of `none`, which are as good as their
    /// baseline, exactly as often as faultgate does, beside faultgate.
    #[must_use]
    pub fn at_their_rate(&self, none: &Judged) -> Told {
        let wanted = none.fails().theirs;
        let ours = Line::of(none, wanted, |it| it.ours);
        let slope = self.slope(none, wanted, |it| it.ours);
        let told = self.told(|it| one(it.theirs_fails), |it| ours.share(it.ours));
        // That the rate of false alarms is not known but simulated is an error too.
        let (_, of_rate) = none.moments(|it| ours.share(it.ours) - one(it.theirs_fails));
        Told { error: (told.error * told.error + slope * slope * of_rate).sqrt(), ..told }
    }

    /// How often both fail these releases if both fail so large a share of `none`.
    #[must_use]
    pub fn at_rate(&self, none: &Judged, wanted: f64) -> Told {
        let theirs = Line::of(none, wanted, |it| it.theirs);
        let ours = Line::of(none, wanted, |it| it.ours);
        let told = self.told(|it| theirs.share(it.theirs), |it| ours.share(it.ours));
        let slopes =
            (self.slope(none, wanted, |it| it.theirs), self.slope(none, wanted, |it| it.ours));
        let (_, of_rate) =
            none.moments(|it| slopes.1 * ours.share(it.ours) - slopes.0 * theirs.share(it.theirs));
        Told { error: (told.error * told.error + of_rate).sqrt(), ..told }
    }

    /// How many more of these releases fail for one more of `none`.
    fn slope(&self, none: &Judged, wanted: f64, key: impl Fn(&Release) -> f64 + Copy) -> f64 {
        let error = (wanted * (1.0 - wanted) / none.0.len() as f64).sqrt();
        let told = |rate: f64| {
            let line = Line::of(none, rate, key);
            self.moments(|it| line.share(key(it))).0
        };
        let (low, high) = ((wanted - error).max(0.0), wanted + error);
        if high > low { (told(high) - told(low)) / (high - low) } else { 0.0 }
    }
}

/// Which releases fail: all before `at`, and this part of those that are there, as if a coin were
/// thrown, since a gate that counts can't have every rate of false alarms.
#[derive(Clone, Copy, Debug)]
struct Line {
    at: f64,
    part: f64,
}

impl Line {
    fn of(none: &Judged, wanted: f64, key: impl Fn(&Release) -> f64) -> Line {
        let mut keys: Vec<f64> = none.0.iter().map(key).collect();
        keys.sort_by(f64::total_cmp);
        let number = keys.len() as f64;
        let place = ((wanted * number) as usize).min(keys.len() - 1);
        let at = keys[place];
        let before = keys.partition_point(|it| *it < at - EQUAL);
        let there = keys.partition_point(|it| *it <= at + EQUAL) - before;
        Line { at, part: ((wanted * number - before as f64) / there as f64).clamp(0.0, 1.0) }
    }

    fn share(self, key: f64) -> f64 {
        if key < self.at - EQUAL {
            1.0
        } else if key <= self.at + EQUAL {
            self.part
        } else {
            0.0
        }
    }
}

/// Below this distance two orders are one.
const EQUAL: f64 = 1e-12;

fn one(it: bool) -> f64 {
    f64::from(u8::from(it))
}

/// The share of these releases that each gate passes.
#[must_use]
pub fn passes(releases: &[Vec<Scenario>]) -> Told {
    let (mut theirs, mut ours) = (0_u32, 0_u32);
    for rows in releases {
        let said = |it: Option<Verdict>| u32::from(it == Some(Verdict::Pass));
        theirs += said(faultgate(rows).map(|it| it.verdict));
        ours += said(weigh(rows, &Asked::default()).map(|it| it.verdict));
    }
    let share = |count: u32| f64::from(count) / releases.len() as f64;
    let (theirs, ours) = (share(theirs), share(ours));
    let error = ((theirs + ours) / releases.len() as f64).sqrt();
    Told { theirs, ours, error }
}

fn run(chance: f64, dice: &mut Dice) -> Rate {
    Rate { count: u64::from(uniform(dice) < chance), total: 1 }
}

fn faultgate(rows: &[Scenario]) -> Option<Banded> {
    let n = rows.len() as u64;
    let runs = rows.first().map_or(0, |it| it.before.len());
    let share =
        |run: usize| rows.iter().map(|it| it.before[run].count).sum::<u64>() as f64 / n as f64;
    let clean = rows.iter().map(|it| it.now.count).sum();
    band(n, (0..runs).map(share).collect()).and_then(|it| against(&it, clean))
}

fn uniform(dice: &mut Dice) -> f64 {
    (dice.below(1 << 31) as f64 + 0.5) / f64::from(1_u32 << 31)
}

/// Jöhnk's way to a beta number: two powers whose sum is at most one.
fn beta(mean: f64, dice: &mut Dice) -> f64 {
    loop {
        let (x, y) = (uniform(dice).powf(0.5 / mean), uniform(dice).powf(0.5 / (1.0 - mean)));
        if x + y <= 1.0 && x + y > 0.0 {
            return x / (x + y);
        }
    }
}

#[cfg(test)]
mod tests;
