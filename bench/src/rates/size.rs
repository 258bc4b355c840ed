//! How often a gate alarms falsely at worst, whatever the chances of its scenarios are.

use lawbook_stats::{Verdict, against, band};

use super::{EQUAL, Judged, Line, Model, Release, Suite, Told, order, uniform};
use crate::Dice;

/// The chances at which rates of alike scenarios are worked out.
const CHANCES: usize = 100;

/// The greatest of them.
const MOST: f64 = 0.999;

/// The mean chances of scenarios that differ.
const MEANS: [f64; 11] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98];

/// Up to so many scenarios faultgate's rates of alike scenarios are counted, not simulated.
const COUNTED: usize = 30;

/// What is rarer than this among the releases with as many clean runs changes no digit.
const RARE: f64 = 1e-11;

/// Releases that are as good as their baseline, for all chances of their scenarios at once.
///
/// Given how many of all runs are clean, releases of alike scenarios are equally likely whatever
/// chance their scenarios have, so those that were simulated or counted once serve every chance.
#[derive(Debug)]
pub struct Unchanged {
    theirs: Gate,
    ours: Gate,
    points: Points,
}

/// Where rates are worked out: at the chances of alike scenarios, then at the means of others.
#[derive(Debug)]
struct Points {
    /// The mean chance of a clean run.
    means: Vec<f64>,
    /// For each kind of release how likely it is at each of them.
    likely: Vec<Vec<f64>>,
}

/// What one gate makes of such releases.
#[derive(Debug)]
struct Gate {
    /// In the order in which it fails them.
    cases: Vec<Case>,
    /// How many of each kind were simulated; none where all were counted.
    simulated: Vec<Option<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    order: f64,
    fails: bool,
    /// The number of clean runs of alike scenarios, or which of the means others have.
    kind: usize,
    /// The chance among all of its kind.
    part: f64,
}

/// A gate's highest rate of false alarms.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The rate.
    pub rate: f64,
    /// Its standard error, for what is simulated.
    pub error: f64,
    /// The chance of a clean run, on average, where it is as high.
    pub mean: f64,
}

/// Both gates moved to one size.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    theirs: [Line; 3],
    ours: [Line; 3],
}

impl Unchanged {
    /// So many releases of alike scenarios, and as many of scenarios that differ, for mean chances
    /// from `least` on.
    #[must_use]
    pub fn of(suite: (usize, usize), number: usize, least: f64, dice: &mut Dice) -> Unchanged {
        let (scenarios, runs) = suite;
        let all = scenarios * (runs + 1);
        let mut releases = Vec::with_capacity(number * 2);
        let alike = Suite { model: Model::Alike, scenarios, runs };
        for _ in 0..number {
            let rows = alike.unchanged(chance(uniform(dice), (0.0, 1.0)), dice);
            let clean = |it: &lawbook_stats::Scenario| {
                it.now.count + it.before.iter().map(|it| it.count).sum::<u64>()
            };
            releases.push((Release::of(&rows), rows.iter().map(clean).sum::<u64>() as usize));
        }
        let differ = Suite { model: Model::Differ, ..alike };
        for place in 0..number {
            let mean = place % MEANS.len();
            let rows = differ.unchanged(MEANS[mean], dice);
            releases.push((Release::of(&rows), all + 1 + mean));
        }
        let mut there = vec![0_u32; all + 1 + MEANS.len()];
        releases.iter().for_each(|it| there[it.1] += 1);
        let gate = |is_counted: bool, order: fn(&Release) -> f64, fails: fn(&Release) -> bool| {
            let mut cases = if is_counted { counted(scenarios, runs) } else { Vec::new() };
            let left = releases.iter().filter(|it| !is_counted || it.1 > all);
            cases.extend(left.map(|&(ref it, kind)| Case {
                order: order(it),
                fails: fails(it),
                kind,
                part: 1.0 / f64::from(there[kind]),
            }));
            cases.sort_by(|one, other| one.order.total_cmp(&other.order));
            let number =
                |(kind, number): (usize, &u32)| (!is_counted || kind > all).then_some(*number);
            Gate { cases, simulated: there.iter().enumerate().map(number).collect() }
        };
        Unchanged {
            theirs: gate(scenarios <= COUNTED, |it| it.theirs, |it| it.theirs_fails),
            ours: gate(false, |it| it.ours, |it| it.ours_fails),
            points: Points::of(all, &there, least),
        }
    }

    /// The sizes of faultgate and of ours as they are, where scenarios are like this.
    #[must_use]
    pub fn sizes(&self, model: Model) -> [Size; 2] {
        [&self.theirs, &self.ours].map(|gate| {
            let rates = gate.rates(&self.points, |it| f64::from(u8::from(it.fails)));
            let of_model = match model {
                Model::Alike => &rates[..CHANCES],
                Model::Differ => &rates[CHANCES..],
            };
            highest(of_model)
        })
    }

    /// Both gates, moved so that their highest rate of false alarms is this.
    #[must_use]
    pub fn at(&self, size: f64) -> Moved {
        let lines = |gate: &Gate| {
            let line = gate.line(&self.points, size);
            let error = highest(&gate.rates(&self.points, |it| line.share(it.order))).error;
            [line, gate.line(&self.points, size - error), gate.line(&self.points, size + error)]
        };
        Moved { theirs: lines(&self.theirs), ours: lines(&self.ours) }
    }
}

impl Moved {
    /// How often both fail these releases.
    #[must_use]
    pub fn told(&self, worse: &Judged) -> Told {
        let (theirs, ours) = (self.theirs[0], self.ours[0]);
        let told = worse.told(|it| theirs.share(it.theirs), |it| ours.share(it.ours));
        // That the size is not known but simulated is an error too.
        let of_size = |lines: &[Line; 3], order: fn(&Release) -> f64| {
            let [_, low, high] = lines.map(|line| worse.moments(|it| line.share(order(it))).0);
            (high - low) / 2.0
        };
        let (one, other) =
            (of_size(&self.theirs, |it| it.theirs), of_size(&self.ours, |it| it.ours));
        Told { error: (told.error * told.error + one * one + other * other).sqrt(), ..told }
    }
}

impl Gate {
    /// The rate at each point, if so large a part of each case fails.
    fn rates(&self, points: &Points, share: impl Fn(&Case) -> f64) -> Vec<Size> {
        let mut shares = vec![0.0; points.likely.len()];
        self.cases.iter().for_each(|it| shares[it.kind] += share(it) * it.part);
        let means = points.means.iter().enumerate();
        means
            .map(|(point, mean)| {
                let (mut rate, mut variance) = (0.0, 0.0);
                for (kind, share) in shares.iter().enumerate() {
                    let own = points.likely[kind][point];
                    let of_one = share * (1.0 - share).max(0.0);
                    rate += own * share;
                    if let Some(number) = self.simulated[kind].filter(|it| *it > 0) {
                        variance += own * own * of_one / f64::from(number);
                    }
                }
                Size { rate, error: variance.sqrt(), mean: *mean }
            })
            .collect()
    }

    /// Which releases fail if nowhere a larger part of them may.
    fn line(&self, points: &Points, size: f64) -> Line {
        let mut before = vec![0.0; points.means.len()];
        let mut place = 0;
        while let Some(first) = self.cases.get(place) {
            let left = &self.cases[place..];
            let alike = &left[..left.partition_point(|it| it.order <= first.order + EQUAL)];
            let mut there = vec![0.0; before.len()];
            for it in alike {
                let own = there.iter_mut().zip(&points.likely[it.kind]);
                own.for_each(|(there, likely)| *there += it.part * likely);
            }
            let parts = before.iter().zip(&there).filter(|it| *it.1 > 0.0);
            let part = parts.map(|(before, there)| (size - before) / there).fold(1.0, f64::min);
            if part < 1.0 {
                return Line { at: first.order, part: part.max(0.0) };
            }
            before.iter_mut().zip(there).for_each(|(it, own)| *it += own);
            place += alike.len();
        }
        Line { at: f64::INFINITY, part: 1.0 }
    }
}

fn highest(rates: &[Size]) -> Size {
    let none = Size { rate: 0.0, error: 0.0, mean: 0.0 };
    rates.iter().fold(none, |one, it| if it.rate > one.rate { *it } else { one })
}

/// The chance at a part of a range, in steps that are small near 0 and 1.
pub(super) fn chance(part: f64, range: (f64, f64)) -> f64 {
    let (low, high) = (range.0.sqrt().asin(), range.1.sqrt().asin());
    (low + (high - low) * part).sin().powi(2)
}

impl Points {
    /// For releases of so many runs in all, of which so many of each kind are there.
    fn of(all: usize, there: &[u32], least: f64) -> Points {
        let part = |place: usize| place as f64 / (CHANCES - 1) as f64;
        let mut means: Vec<f64> = (0..CHANCES).map(|it| chance(part(it), (least, MOST))).collect();
        let mut likely = vec![vec![0.0; CHANCES + MEANS.len()]; there.len()];
        for (point, mean) in means.iter().enumerate() {
            let (odds, mut log) = ((mean / (1.0 - mean)).ln(), all as f64 * (1.0 - mean).ln());
            let mut sum = 0.0;
            for kind in 0..=all {
                // A kind that was never simulated is left out, being as rare as that.
                if there[kind] > 0 {
                    likely[kind][point] = log.exp();
                    sum += log.exp();
                }
                log += odds + ((all - kind) as f64 / (kind + 1) as f64).ln();
            }
            likely[..=all].iter_mut().for_each(|it| it[point] /= sum);
        }
        for place in (0..MEANS.len()).filter(|it| MEANS[*it] >= least) {
            likely[all + 1 + place][CHANCES + place] = 1.0;
        }
        means.extend(MEANS);
        Points { means, likely }
    }
}

/// All that faultgate sees of alike scenarios, which is how many were clean in each run.
fn counted(scenarios: usize, runs: usize) -> Vec<Case> {
    let (ways, all) = (ways(scenarios), ways(scenarios * (runs + 1)));
    let mut out = Vec::new();
    let (mut before, n) = (vec![0; runs], scenarios as f64);
    loop {
        let per_run = before.iter().map(|it| *it as f64 / n).collect();
        let band = band(scenarios as u64, per_run).unwrap_or_default();
        let own = orders(&before) * before.iter().map(|it| ways[*it]).product::<f64>();
        let clean: usize = before.iter().sum();
        for (now, ways) in ways.iter().enumerate() {
            let part = own * ways / all[clean + now];
            let banded = against(&band, now as u64).filter(|_| part > RARE);
            out.extend(banded.map(|it| Case {
                order: order(&it),
                fails: it.verdict == Verdict::Fail,
                kind: clean + now,
                part,
            }));
        }
        // The next of the runs in ascending order, since their own order changes nothing.
        let Some(place) = before.iter().rposition(|it| *it < scenarios) else { break out };
        let next = before[place] + 1;
        before[place..].fill(next);
    }
}

/// In how many orders these numbers, which ascend, can stand.
pub(super) fn orders(numbers: &[usize]) -> f64 {
    let mut same = 0;
    let each = numbers.iter().enumerate().map(|(place, it)| {
        same = if place > 0 && numbers[place - 1] == *it { same + 1 } else { 1 };
        (place + 1) as f64 / f64::from(same)
    });
    each.product()
}

/// The ways to take 0 to `number` of so many.
pub(super) fn ways(number: usize) -> Vec<f64> {
    (0..=number)
        .scan(1.0, |it, place| {
            let own = *it;
            *it *= (number - place) as f64 / (place + 1) as f64;
            Some(own)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Unchanged, counted, highest, orders};
    use crate::Dice;

    #[test]
    fn all_that_is_counted_is_there_once() {
        let cases = counted(4, 2);
        for clean in 0..=12 {
            let part: f64 = cases.iter().filter(|it| it.kind == clean).map(|it| it.part).sum();
            assert!((part - 1.0).abs() < 1e-12, "{clean}: {part}");
        }
        assert_eq!((orders(&[1, 1, 2]), orders(&[3, 3, 3]), orders(&[0, 1, 2])), (3.0, 1.0, 6.0));
    }

    #[test]
    fn a_moved_gate_reaches_its_size_and_never_passes_it() {
        let unchanged = Unchanged::of((6, 2), 4_000, 0.01, &mut Dice::new(1));
        for gate in [&unchanged.theirs, &unchanged.ours] {
            for size in [0.01, 0.05, 0.2] {
                let line = gate.line(&unchanged.points, size);
                let found = highest(&gate.rates(&unchanged.points, |it| line.share(it.order)));
                assert!((found.rate - size).abs() < 1e-9, "{size}: {found:?}");
            }
        }
    }
}
