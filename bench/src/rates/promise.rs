//! Whether the default keeps its promise beyond the suites: rates of false alarms of other numbers
//! of runs, before and now, worked out with the test itself.

use lawbook_stats::{Rate, Scenario, chances};

use super::size::{chance, orders, ways};
use super::uniform;
use crate::Dice;

/// So many scenarios that failed once are looked at: of more the test counts all of its chance.
const FAILING: u32 = 120;

/// The greatest mean number of them, so far below that what is left out changes no digit.
const FAILING_MEAN: f64 = 72.0;

/// The chances, and the mean numbers of scenarios that fail, at which rates are worked out.
const POINTS: u32 = 200;

/// The runs of each scenario of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Those of the baseline together.
    pub before: u64,
    /// Those of the release.
    pub now: u64,
}

impl Runs {
    /// The highest rate of false alarms of very many scenarios that each fail very seldom, so that
    /// none fails twice: how many fail is then a Poisson number, of a mean up to 72. Of greater
    /// means the rate nears `alpha` from below, as that of every exact test.
    #[must_use]
    pub fn of_many(self, alpha: f64) -> f64 {
        let failing: Vec<f64> = (0..=FAILING).map(|it| self.of_failed(it, alpha)).collect();
        let rate = |mean: f64| {
            let mut likely = (-mean).exp();
            let each = failing.iter().zip(1_u32..).map(|(rate, next)| {
                let own = likely * rate;
                likely *= mean / f64::from(next);
                own
            });
            each.sum::<f64>()
        };
        let mean = |it: u32| FAILING_MEAN * (f64::from(it) / f64::from(POINTS)).powi(2);
        (1..=POINTS).map(|it| rate(mean(it))).fold(0.0, f64::max)
    }

    /// The rate if so many scenarios failed in one of all their runs: how likely the least loss is
    /// that fails the release, or a greater one.
    fn of_failed(self, scenarios: u32, alpha: f64) -> f64 {
        let rows = |now: u32| -> Vec<Scenario> {
            (0..scenarios)
                .map(|it| self.scenario(u64::from(it >= now), u64::from(it < now)))
                .collect()
        };
        let each = (0..=scenarios).rev().map(|now| alarm(&rows(now), alpha));
        each.map_while(|it| it).last().unwrap_or(0.0)
    }

    fn scenario(self, failed_before: u64, failed_now: u64) -> Scenario {
        let rate = |failed: u64, total: u64| Rate { count: total - failed, total };
        Scenario { before: vec![rate(failed_before, self.before)], now: rate(failed_now, self.now) }
    }

    /// The numbers of failed runs before and now, and in how many ways the runs can be those.
    fn kinds(self) -> Vec<(u64, u64, f64)> {
        let (before, now) = (ways(self.before as usize), ways(self.now as usize));
        let each = before.iter().zip(0..).flat_map(|(one, before)| {
            now.iter().zip(0..).map(move |(other, now)| (before, now, one * other))
        });
        each.collect()
    }

    /// In how many ways the runs of so many scenarios can come out, whatever the order.
    #[must_use]
    pub fn outcomes(self, scenarios: usize) -> f64 {
        let kinds = (self.before + 1) * (self.now + 1);
        (1..=scenarios as u64).map(|it| (kinds - 1 + it) as f64 / it as f64).product()
    }

    /// The highest rate of false alarms of so many scenarios that are alike, over all chances: by
    /// all that can come of them, so only for few.
    #[must_use]
    pub fn of_few(self, scenarios: usize, alpha: f64) -> f64 {
        // For each number of failed runs, how likely it is that the release fails.
        let all = self.before + self.now;
        let most = scenarios as u64 * all;
        let mut failing = vec![0.0; most as usize + 1];
        let kinds = self.kinds();
        let mut chosen = vec![0_usize; scenarios];
        loop {
            let (mut number, mut failed) = (orders(&chosen), 0);
            let mut rows = Vec::with_capacity(scenarios);
            for (before, now, ways) in chosen.iter().map(|it| kinds[*it]) {
                rows.push(self.scenario(before, now));
                number *= ways;
                failed += before + now;
            }
            if alarm(&rows, alpha).is_some() {
                failing[failed as usize] += number;
            }
            // The next in ascending order, since the order of scenarios changes nothing.
            let Some(place) = chosen.iter().rposition(|it| it + 1 < kinds.len()) else { break };
            let next = chosen[place] + 1;
            chosen[place..].fill(next);
        }
        let rate = |chance: f64| {
            let each = failing.iter().enumerate().map(|(failed, number)| {
                let (failed, clean) = (failed as f64, most as f64 - failed as f64);
                number * chance.powf(failed) * (1.0 - chance).powf(clean)
            });
            each.sum::<f64>()
        };
        let points = (1..POINTS).map(|it| chance(f64::from(it) / f64::from(POINTS), (0.0, 1.0)));
        points.map(rate).fold(0.0, f64::max)
    }
}

/// The rate of false alarms of scenarios whose runs differ, each with its chance that a run fails:
/// by all that can come of them, so only for few.
#[must_use]
pub fn rate_of(suite: &[(Runs, f64)], alpha: f64) -> f64 {
    let kinds: Vec<Vec<(u64, u64, f64)>> = suite.iter().map(|it| it.0.kinds()).collect();
    let mut chosen = vec![0_usize; suite.len()];
    let mut rate = 0.0;
    loop {
        let (mut likely, mut rows) = (1.0, Vec::with_capacity(suite.len()));
        for (((runs, chance), kinds), it) in suite.iter().zip(&kinds).zip(&chosen) {
            let (before, now, ways) = kinds[*it];
            let (failed, all) = ((before + now) as f64, (runs.before + runs.now) as f64);
            likely *= ways * chance.powf(failed) * (1.0 - chance).powf(all - failed);
            rows.push(runs.scenario(before, now));
        }
        if alarm(&rows, alpha).is_some() {
            rate += likely;
        }
        // The next as an odometer counts.
        let Some(place) = chosen.iter().zip(&kinds).rposition(|(it, own)| it + 1 < own.len())
        else {
            break rate;
        };
        chosen[place] += 1;
        chosen[place + 1..].fill(0);
    }
}

/// The runs of suites of one to ten scenarios, or of very many, whose rates are all worked out.
const BEFORE: [u64; 12] = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40];
const NOW: [u64; 6] = [1, 2, 3, 5, 10, 20];
const SCENARIOS: [usize; 8] = [1, 2, 3, 4, 5, 6, 8, 10];

/// Suites from which more than this can come are left out.
const ENUMERABLE: f64 = 50_000.0;

/// The highest of the rates above of all these suites at `alpha`, and the number of suites.
#[must_use]
pub fn highest(alpha: f64) -> (f64, usize) {
    let (mut rate, mut number) = (0.0_f64, 0);
    for (before, now) in BEFORE.iter().flat_map(|it| NOW.map(|now| (*it, now))) {
        let runs = Runs { before, now };
        let few = SCENARIOS.iter().filter(|it| runs.outcomes(**it) <= ENUMERABLE);
        let few = few.map(|it| runs.of_few(*it, alpha));
        for own in few.chain([runs.of_many(alpha)]) {
            (rate, number) = (rate.max(own), number + 1);
        }
    }
    (rate, number)
}

/// Suites of scenarios whose runs differ are small enough to be searched.
const SEARCHED: u64 = 5_000;

/// So often the chances of a suite are changed where that alarms more often.
const STEPS: u32 = 25;

/// The highest rate of false alarms that is found of so many suites of two or three scenarios whose
/// runs differ, by changing their chances one at a time.
#[must_use]
pub fn found(number: usize, alpha: f64, dice: &mut Dice) -> f64 {
    (0..number).map(|_| ascent(&mixed(dice), alpha, dice)).fold(0.0, f64::max)
}

/// Two or three scenarios whose runs differ, none so often run before that all of a chance counts.
fn mixed(dice: &mut Dice) -> Vec<Runs> {
    loop {
        let scenarios = 2 + dice.below(2);
        let runs = |dice: &mut Dice| {
            let now = NOW[dice.below(NOW.len() as u64) as usize];
            Runs { before: 1 + dice.below((8 * now).min(30)), now }
        };
        let suite: Vec<Runs> = (0..scenarios).map(|_| runs(dice)).collect();
        let kinds = suite.iter().map(|it| (it.before + 1) * (it.now + 1));
        if kinds.product::<u64>() <= SEARCHED {
            break suite;
        }
    }
}

fn ascent(suite: &[Runs], alpha: f64, dice: &mut Dice) -> f64 {
    let rate = |chances: &[f64]| {
        let each = suite.iter().copied().zip(chances.iter().copied());
        rate_of(&each.collect::<Vec<_>>(), alpha)
    };
    let mut chances: Vec<f64> = suite.iter().map(|_| uniform(dice)).collect();
    let mut highest = rate(&chances);
    for step in 0..STEPS {
        let place = dice.below(suite.len() as u64) as usize;
        let wide = 0.6 / (1.0 + 0.2 * f64::from(step));
        let was = chances[place];
        chances[place] = (was + (uniform(dice) - 0.5) * wide).clamp(0.01, 0.99);
        match rate(&chances) {
            more if more > highest => highest = more,
            _ => chances[place] = was,
        }
    }
    highest
}

/// The chance of losing as much, of what the default fails at `alpha` as it is.
fn alarm(rows: &[Scenario], alpha: f64) -> Option<f64> {
    chances(rows).filter(|it| it.fails(alpha)).map(|it| it.as_much)
}
