//! Simulated releases, and what two gates say of them.

use lawbook_stats::{Asked, Rate, Scenario, Verdict, against, band, weigh};

use crate::Dice;

/// How clean scenarios are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Each scenario has its own chance, most near one: Beta(1.8, 0.2).
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

    fn chance(self, dice: &mut Dice) -> f64 {
        match self {
            Model::Differ => beta(dice),
            Model::Alike => 0.9,
        }
    }
}

/// What one gate said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said {
    /// The share of FAIL.
    pub fails: f64,
    /// The share of PASS.
    pub passes: f64,
}

/// What both gates said of the releases of one kind.
#[derive(Clone, Debug)]
pub struct Cell {
    /// faultgate.
    pub theirs: Said,
    /// Ours.
    pub ours: Said,
    /// The p-value of ours for each release, sorted.
    pub p_values: Vec<f64>,
}

impl Cell {
    /// How often ours would fail these releases if it failed those of `none`, which are as good as
    /// their baseline, exactly as often as faultgate does. Between two steps of a p-value the line
    /// is straight, as if a coin were thrown.
    #[must_use]
    pub fn at_the_rate_of(&self, none: &Cell) -> f64 {
        let share = |it: &Cell, p: f64| {
            let (below, equal) = (
                it.p_values.partition_point(|value| *value < p - 1e-12),
                it.p_values.partition_point(|value| *value <= p + 1e-12),
            );
            let all = it.p_values.len() as f64;
            (below as f64 / all, (equal - below) as f64 / all)
        };
        let wanted = none.theirs.fails;
        let place = ((wanted * none.p_values.len() as f64) as usize).min(none.p_values.len() - 1);
        let p = none.p_values[place];
        let ((below, equal), (told, more)) = (share(none, p), share(self, p));
        let part = if equal > 0.0 { (wanted - below) / equal } else { 0.0 };
        told + more * part.clamp(0.0, 1.0)
    }
}

/// Simulates releases that are worse by `drop`, each with a baseline of its own.
#[must_use]
pub fn cell(
    model: Model,
    scenarios: usize,
    runs: usize,
    drop: f64,
    releases: usize,
    dice: &mut Dice,
) -> Cell {
    let asked = Asked::default();
    let (mut theirs, mut ours, mut p_values) = (Said::default(), Said::default(), Vec::new());
    let one = 1.0 / releases as f64;
    for _ in 0..releases {
        let rows: Vec<Scenario> =
            (0..scenarios).map(|_| scenario(model, runs, drop, dice)).collect();
        theirs.add(faultgate(&rows, runs), one);
        let Some(it) = weigh(&rows, &asked) else { continue };
        ours.add(it.verdict, one);
        p_values.push(it.p_value);
    }
    p_values.sort_by(f64::total_cmp);
    Cell { theirs, ours, p_values }
}

impl Said {
    fn add(&mut self, verdict: Verdict, share: f64) {
        match verdict {
            Verdict::Fail => self.fails += share,
            Verdict::Pass => self.passes += share,
            Verdict::Inconclusive => {}
        }
    }
}

fn scenario(model: Model, runs: usize, drop: f64, dice: &mut Dice) -> Scenario {
    let chance = model.chance(dice);
    let before = (0..runs).map(|_| run(chance, dice)).collect();
    // What is lost is lost from what was clean.
    Scenario { before, now: run(chance * (1.0 - drop / 0.9), dice) }
}

fn run(chance: f64, dice: &mut Dice) -> Rate {
    Rate { count: u64::from(uniform(dice) < chance), total: 1 }
}

fn faultgate(rows: &[Scenario], runs: usize) -> Verdict {
    let n = rows.len() as u64;
    let share =
        |run: usize| rows.iter().map(|it| it.before[run].count).sum::<u64>() as f64 / n as f64;
    let clean = rows.iter().map(|it| it.now.count).sum();
    let band = band(n, (0..runs).map(share).collect());
    band.and_then(|it| against(&it, clean)).map_or(Verdict::Inconclusive, |it| it.verdict)
}

fn uniform(dice: &mut Dice) -> f64 {
    (dice.below(1 << 31) as f64 + 0.5) / f64::from(1_u32 << 31)
}

/// Jöhnk's way to a beta number: two powers whose sum is at most one.
fn beta(dice: &mut Dice) -> f64 {
    loop {
        let (x, y) = (uniform(dice).powf(1.0 / 1.8), uniform(dice).powf(1.0 / 0.2));
        if x + y <= 1.0 && x + y > 0.0 {
            return x / (x + y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Model, cell};
    use crate::Dice;

    #[test]
    fn the_default_test_keeps_its_rate_of_false_alarms_and_tells_more() {
        for model in [Model::Differ, Model::Alike] {
            let mut dice = Dice::new(11);
            let mut of = |drop: f64| cell(model, 30, 3, drop, 1_000, &mut dice);
            let (none, worse) = (of(0.0), of(0.2));
            assert!(none.ours.fails <= 0.05, "{model:?}: {:?}", none.ours);
            assert!(worse.ours.fails > worse.theirs.fails, "{model:?}: {worse:?}");
            assert!(worse.ours.passes < worse.theirs.passes, "{model:?}: {worse:?}");
        }
    }
}
