//! How often a gate fails a release that is as good as its baseline, and how often it lets a worse
//! one through: faultgate's test and ours, on the same simulated releases.
//!
//! `cargo run --release -p lawbook-bench --bin gate_rates -- [RELEASES]` prints the table of
//! `docs/gate.md`.

use lawbook_bench::Dice;
use lawbook_bench::rates::{Cell, Model, cell};

const SCENARIOS: [usize; 4] = [10, 30, 100, 300];
const RUNS: [usize; 3] = [2, 3, 5];
const DROPS: [f64; 4] = [0.02, 0.05, 0.10, 0.20];

fn main() {
    let releases = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(4_000);
    println!("gate_rates: {releases} simulated releases a cell, in percent");
    for model in [Model::Differ, Model::Alike] {
        println!("\n{}\n", model.about());
        println!(
            "| scenarios | runs | false fail f / o | {} |",
            DROPS
                .map(|it| format!("drop {}: told f / o / same, passed f / o", it * 100.0))
                .join(" | ")
        );
        println!("|---|---|---|{}", "---|".repeat(DROPS.len()));
        for scenarios in SCENARIOS {
            for runs in RUNS {
                println!("{}", row(model, scenarios, runs, releases));
            }
        }
    }
}

fn row(model: Model, scenarios: usize, runs: usize, releases: usize) -> String {
    let mut dice = Dice::new(7);
    let mut of = |drop: f64| cell(model, scenarios, runs, drop, releases, &mut dice);
    let none = of(0.0);
    let told = DROPS.map(|drop| {
        let it = of(drop);
        format!(
            "{} / {} / {}, {} / {}",
            percent(it.theirs.fails),
            percent(it.ours.fails),
            percent(it.at_the_rate_of(&none)),
            percent(it.theirs.passes),
            percent(it.ours.passes)
        )
    });
    let Cell { theirs, ours, .. } = &none;
    let (theirs, ours) = (percent(theirs.fails), percent(ours.fails));
    format!("| {scenarios} | {runs} | {theirs} / {ours} | {} |", told.join(" | "))
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
