//! How often a gate fails a release that is as good as its baseline, and how often it lets a worse
//! one through: faultgate's test and ours, on the same simulated releases.
//!
//! `cargo run --release -p lawbook-bench --bin gate_rates -- [RELEASES]` prints the tables of
//! `docs/gate.md`.

use std::sync::Mutex;
use std::thread;

use lawbook_bench::Dice;
use lawbook_bench::rates::{Judged, Model, Suite, Told, ceiling, passes};
use lawbook_stats::Asked;

const SCENARIOS: [usize; 4] = [10, 30, 100, 300];
const RUNS: [usize; 3] = [2, 3, 5];
const DROPS: [f64; 4] = [0.02, 0.05, 0.10, 0.20];
const RATES: [f64; 3] = [0.01, 0.02, 0.05];

/// Up to so many scenarios the most that is possible is worked out.
const FEW: usize = 30;

/// So many releases are asked for a PASS, which costs far more to work out than a p-value.
const WEIGHED: usize = 2_000;

fn main() {
    let releases = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(4_000);
    println!(
        "gate_rates: {releases} worse releases a cell, a quarter above 100 scenarios, in percent"
    );
    let suites: Vec<Suite> = [Model::Differ, Model::Alike]
        .into_iter()
        .flat_map(|model| SCENARIOS.map(|scenarios| (model, scenarios)))
        .flat_map(|(model, scenarios)| RUNS.map(|runs| Suite { model, scenarios, runs }))
        .collect();
    let rows = rows(&suites, releases);
    for model in [Model::Differ, Model::Alike] {
        let of = |table: usize| {
            let mine = suites.iter().zip(&rows).filter(move |it| it.0.model == model);
            let there = mine.filter(|it| !it.1[table].is_empty());
            there.for_each(|(_, row)| println!("{}", row[table]));
        };
        println!("\n{}\n", model.about());
        let drops = DROPS.map(|it| format!("FAIL at {} points f / o, same", it * 100.0));
        head(&format!("false FAIL f / o | {} | PASS at 20 points f / o", drops.join(" | ")));
        of(0);
        println!("\nBoth moved, FAIL at 10 points: f / o, difference\n");
        let rates = RATES.map(|it| format!("at {}% false FAIL", it * 100.0));
        head(&format!("{} | at ours", rates.join(" | ")));
        of(1);
        if model == Model::Alike {
            println!("\nAt the same false FAIL: faultgate / ours / the most that is possible\n");
            head("FAIL at 10 points | FAIL at 20 points");
            of(2);
        }
    }
}

fn head(columns: &str) {
    println!("| scenarios | runs | {columns} |");
    println!("|{}", "---|".repeat(3 + columns.matches(" | ").count()));
}

/// The rows of all suites, with as many threads as the machine has.
fn rows(suites: &[Suite], releases: usize) -> Vec<[String; 3]> {
    // The largest first, so that no thread ends late.
    let mut left: Vec<usize> = (0..suites.len()).collect();
    left.sort_by_key(|it| suites[*it].scenarios * suites[*it].runs);
    let (left, done) = (Mutex::new(left), Mutex::new(vec![Default::default(); suites.len()]));
    let work = || {
        loop {
            let next = left.lock().ok().and_then(|mut it| it.pop());
            let Some(place) = next else { break };
            let row = row(&suites[place], place as u64 + 1, releases);
            if let Ok(mut it) = done.lock() {
                it[place] = row;
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

fn row(suite: &Suite, seed: u64, releases: usize) -> [String; 3] {
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
    let name = format!("| {} | {}", suite.scenarios, suite.runs);
    [
        format!("{name} | {} | {told} | {} |", both(false_fail), both(passed)),
        format!("{name} | {} |", moved.collect::<Vec<_>>().join(" | ")),
        most.map(|it| format!("{name} | {} |", it.join(" | "))).unwrap_or_default(),
    ]
}

fn apart(it: Told) -> String {
    format!("{:+.1} ± {:.1}", (it.ours - it.theirs) * 100.0, it.error * 100.0)
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
