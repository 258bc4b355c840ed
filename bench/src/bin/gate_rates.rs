//! How often a gate fails a release that is as good as its baseline, and how often it lets a worse
//! one through: faultgate's test and ours, on the same simulated releases.
//!
//! `cargo run --release -p lawbook-bench --bin gate_rates -- [RELEASES [LEAST]]` prints the tables
//! of `docs/gate.md`; the highest rate of false alarms is that of scenarios whose mean chance of a
//! clean run is LEAST (0.01) or more.

use std::sync::Mutex;
use std::thread;

use lawbook_bench::Dice;
use lawbook_bench::rates::{
    Judged, Model, Moved, Runs, Size, Suite, Told, Unchanged, ceiling, found, highest, passes,
};
use lawbook_stats::Asked;

const SCENARIOS: [usize; 4] = [10, 30, 100, 300];
const RUNS: [usize; 3] = [2, 3, 5];
const DROPS: [f64; 4] = [0.02, 0.05, 0.10, 0.20];
const RATES: [f64; 3] = [0.01, 0.02, 0.05];

/// Up to so many scenarios the most that is possible is worked out.
const FEW: usize = 30;

/// So many releases are asked for a PASS, which costs far more to work out than a p-value.
const WEIGHED: usize = 2_000;

/// Runs of each scenario before and now, for which the highest rate of false alarms is worked out.
const OTHERS: [(u64, u64); 16] = [
    (1, 1),
    (2, 1),
    (3, 1),
    (5, 1),
    (10, 1),
    (20, 1),
    (2, 2),
    (3, 3),
    (5, 2),
    (7, 3),
    (10, 5),
    (1, 2),
    (1, 5),
    (2, 5),
    (3, 10),
    (1, 20),
];

/// The numbers of scenarios there.
const FEWEST: [usize; 6] = [1, 2, 3, 4, 6, 10];

/// What can come of more scenarios than that is not counted.
const COUNTED: f64 = 150_000.0;

/// The chances of a false alarm that are accepted, for which many suites are looked at.
const ALPHAS: [f64; 4] = [0.045, 0.05, 0.1, 0.2];

/// So many suites whose scenarios differ in their runs are searched for each of these.
const MIXED: usize = 250;

/// The tables that a suite has a row in, none of them where the row is empty.
#[derive(Clone, Debug, Default)]
struct Row {
    as_they_are: String,
    moved: String,
    most: String,
    five: String,
    theirs: String,
}

fn main() {
    let releases = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(4_000);
    let least = std::env::args().nth(2).and_then(|it| it.parse().ok()).unwrap_or(0.01);
    println!(
        "gate_rates: {releases} worse releases a cell, a quarter above 100 scenarios, in percent"
    );
    let rows = rows(releases, least);
    for (model, rows) in [Model::Differ, Model::Alike].into_iter().zip(&rows) {
        let of = |cell: fn(&Row) -> &String| {
            let there = rows.iter().map(cell).filter(|it| !it.is_empty());
            there.for_each(|it| println!("{it}"));
        };
        println!("\n{}\n", model.about());
        let drops = DROPS.map(|it| format!("FAIL at {} points f / o, same", it * 100.0));
        head(&format!("false FAIL f / o | {} | PASS at 20 points f / o", drops.join(" | ")));
        of(|it| &it.as_they_are);
        println!("\nBoth moved, FAIL at 10 points: f / o, difference\n");
        let rates = RATES.map(|it| format!("at {}% false FAIL", it * 100.0));
        head(&format!("{} | at ours", rates.join(" | ")));
        of(|it| &it.moved);
        if model == Model::Alike {
            println!("\nAt the same false FAIL: faultgate / ours / the most that is possible\n");
            head("FAIL at 10 points | FAIL at 20 points");
            of(|it| &it.most);
        }
        let drops = DROPS.map(|it| format!("FAIL at {} points", it * 100.0)).join(" | ");
        println!("\nAt most 5% false FAIL whatever the chances are: f / o, difference\n");
        head(&format!("at most, as they are, f / o | {drops}"));
        of(|it| &it.five);
        println!("\nAt most as many false FAIL as faultgate as it is: f / o, difference\n");
        head(&format!("at most | {drops}"));
        of(|it| &it.theirs);
    }
    println!("\nThe highest rate of false FAIL of other suites, ours as it is\n");
    let columns = FEWEST.map(|it| it.to_string()).join(" | ");
    println!("| runs before | runs now | {columns} | very many |");
    println!("|{}", "---|".repeat(3 + FEWEST.len()));
    for (before, now) in OTHERS {
        println!("{}", other(Runs { before, now }));
    }
    println!();
    thread::scope(|scope| {
        let rates =
            |alpha: f64| (highest(alpha), found(MIXED, alpha, &mut Dice::new(MIXED as u64)));
        let work = ALPHAS.map(|alpha| (alpha, scope.spawn(move || rates(alpha))));
        for (alpha, work) in work {
            if let Ok(((rate, suites), mixed)) = work.join() {
                let [alpha, rate, mixed] = [alpha, rate, mixed].map(percent);
                println!("at --alpha {alpha}%: at most {rate}% of {suites} suites");
                println!("  and {mixed}% of {MIXED} whose scenarios differ in their runs");
            }
        }
    });
}

/// The highest rates of suites whose scenarios have so many runs.
fn other(runs: Runs) -> String {
    let alpha = Asked::default().alpha;
    let few = FEWEST.map(|scenarios| match runs.outcomes(scenarios) {
        ..=COUNTED => percent(runs.of_few(scenarios, alpha)),
        _ => String::new(),
    });
    let (before, now, many) = (runs.before, runs.now, percent(runs.of_many(alpha)));
    format!("| {before} | {now} | {} | {many} |", few.join(" | "))
}

fn head(columns: &str) {
    println!("| scenarios | runs | {columns} |");
    println!("|{}", "---|".repeat(3 + columns.matches(" | ").count()));
}

/// The rows of all suites, differing and alike, with as many threads as the machine has.
fn rows(releases: usize, least: f64) -> [Vec<Row>; 2] {
    let cells: Vec<(usize, usize)> =
        SCENARIOS.iter().flat_map(|scenarios| RUNS.map(|runs| (*scenarios, runs))).collect();
    // The largest first, so that no thread ends late.
    let mut left: Vec<usize> = (0..cells.len()).collect();
    left.sort_by_key(|it| cells[*it].0 * cells[*it].1);
    let done = [(); 2].map(|()| vec![Row::default(); cells.len()]);
    let (left, done) = (Mutex::new(left), Mutex::new(done));
    let work = || {
        loop {
            let next = left.lock().ok().and_then(|mut it| it.pop());
            let Some(place) = next else { break };
            let (scenarios, runs) = cells[place];
            let mut dice = Dice::new(1_000 + place as u64);
            let sizes = Sizes::of(cells[place], releases, least, &mut dice);
            for (table, model) in [Model::Differ, Model::Alike].into_iter().enumerate() {
                let seed = table * cells.len() + place + 1;
                let row = row(&Suite { model, scenarios, runs }, &sizes, seed as u64, releases);
                if let Ok(mut it) = done.lock() {
                    it[table][place] = row;
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    done.into_inner().unwrap_or_default()
}

/// Both gates' highest rates of false alarms, and both moved to the same.
struct Sizes {
    differ: [Size; 2],
    alike: [Size; 2],
    five: Moved,
    theirs: Moved,
}

impl Sizes {
    fn of(suite: (usize, usize), releases: usize, least: f64, dice: &mut Dice) -> Sizes {
        // A highest rate must be simulated at many places, and more costs little where it is small.
        let times = match suite.0 {
            ..30 => 100,
            30 => 50,
            100 => 30,
            _ => 20,
        };
        let unchanged = Unchanged::of(suite, releases * times, least, dice);
        let [differ, alike] = [Model::Differ, Model::Alike].map(|it| unchanged.sizes(it));
        let theirs = unchanged.at(differ[0].rate.max(alike[0].rate));
        Sizes { differ, alike, five: unchanged.at(Asked::default().alpha), theirs }
    }

    fn of_model(&self, model: Model) -> String {
        let [theirs, ours] = match model {
            Model::Differ => self.differ,
            Model::Alike => self.alike,
        };
        let one = |it: Size| {
            let (rate, error) = (percent(it.rate), percent(it.error));
            format!("{rate} ± {error} at {:.0}%", it.mean * 100.0)
        };
        format!("{} / {}", one(theirs), one(ours))
    }
}

fn row(suite: &Suite, sizes: &Sizes, seed: u64, releases: usize) -> Row {
    let mut dice = Dice::new(seed);
    // Few false alarms set the line, so they are simulated more often where that costs little.
    let (releases, times) = match suite.scenarios {
        ..100 => (releases, 10),
        100 => (releases, 2),
        _ => (releases.div_ceil(4), 2),
    };
    let none = suite.judged(0.0, releases * times, &mut dice);
    let worse: Vec<Judged> =
        DROPS.iter().map(|drop| suite.judged(*drop, releases, &mut dice)).collect();
    let (false_fail, ten) = (none.fails(), &worse[2]);
    let both = |it: Told| format!("{} / {}", percent(it.theirs), percent(it.ours));
    let told = worse.iter().map(|it| {
        let Told { theirs, ours, .. } = it.fails();
        format!("{} / {}, {}", percent(theirs), percent(ours), apart(it.at_their_rate(&none)))
    });
    let told = told.collect::<Vec<_>>().join(" | ");
    let passed = passes(&suite.releases(0.2, releases.min(WEIGHED), &mut dice));
    let moved = RATES.into_iter().chain([false_fail.ours]).map(|rate| {
        let it = ten.at_rate(&none, rate);
        format!("{}, {}", both(it), apart(it))
    });
    let most = [2, 3].map(|place: usize| {
        let it = worse[place].at_their_rate(&none);
        let few = (suite.scenarios <= FEW).then_some(Asked::default().alpha);
        let most = few.and_then(|it| ceiling(suite, DROPS[place], false_fail.theirs, it));
        most.map(|most| format!("{} / {}", both(it), percent(most)))
    });
    let most: Option<Vec<String>> = most.into_iter().collect();
    let sized = |it: &Moved| {
        let each = worse.iter().map(|worse| {
            let it = it.told(worse);
            format!("{}, {}", both(it), apart(it))
        });
        each.collect::<Vec<_>>().join(" | ")
    };
    let name = format!("| {} | {}", suite.scenarios, suite.runs);
    let same = percent(sizes.differ[0].rate.max(sizes.alike[0].rate));
    Row {
        as_they_are: format!("{name} | {} | {told} | {} |", both(false_fail), both(passed)),
        moved: format!("{name} | {} |", moved.collect::<Vec<_>>().join(" | ")),
        most: most.map(|it| format!("{name} | {} |", it.join(" | "))).unwrap_or_default(),
        five: format!("{name} | {} | {} |", sizes.of_model(suite.model), sized(&sizes.five)),
        theirs: format!("{name} | {same} | {} |", sized(&sizes.theirs)),
    }
}

fn apart(it: Told) -> String {
    format!("{:+.1} ± {:.1}", (it.ours - it.theirs) * 100.0, it.error * 100.0)
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
