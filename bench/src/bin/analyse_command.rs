//! Reading and judging one command line: the texts of our own table, and the worst that fits into
//! the longest text, beside the limits that a hook has for them.
//!
//! `cargo run --release -p lawbook-bench --bin analyse_command`; with `--all` each hostile text is
//! printed, the slowest first, and with `--only=TEXT` one is run alone.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use lawbook_bench::counting::{self, Counting};
use lawbook_bench::{least, median, quantile};
use lawbook_dialect::{Options, load};
use lawbook_shell::{Rules, Shell, TEXT_BYTES_MAX, World, analyse, judge};

/// What the memory of an analysis is counted with.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The texts that are cases too.
const CASES: &str = include_str!("../../../conformance/shell/parse.tsv");
/// Texts that are made to cost much.
const HOSTILE: &str = include_str!("../../../conformance/shell/hostile.tsv");
/// The same for the shells of Windows.
const WINDOWS: &str = include_str!("../../../conformance/shell/windows/hostile.tsv");
/// The rules that commands are judged by.
const POLICY: &str = include_str!("../../../crates/dialect/packs/coding.yaml");
/// A rule for what hostile texts repeat.
const DENIES: &str = "
lawbook: 1
rules:
  - {id: removals, command: {allow: [echo], ask: [rm], deny: [rm -rf, sudo rm, eval x], default: ask}}
";
/// What a usual command may take, in the median over the cases.
const MEDIAN_MAX: Duration = Duration::from_micros(20);
/// What the worst command may take.
const WORST_MAX: Duration = Duration::from_millis(5);
/// How often each hostile text is run; the quickest counts.
const RUNS: usize = 15;
/// How much memory the worst command may take.
const WORST_KIB_MAX: usize = 8 * 1024;

fn main() -> ExitCode {
    let rules = [POLICY, DENIES].map(|it| load("bench", it.as_bytes(), &Options::default()));
    let policies = rules.iter().flat_map(|it| it.policy.as_ref());
    let bodies = policies.flat_map(|it| &it.rules).filter_map(|it| it.body.commands());
    let rules: Vec<&Rules> = bodies.map(|it| it.0).collect();
    assert_eq!(rules.len(), 2, "each policy has one rule over commands");
    let texts: Vec<String> = rows(CASES).map(|it| unescaped(it[0])).collect();
    let usual = |run: &dyn Fn(&str)| {
        let mut each: Vec<f64> = texts.iter().map(|it| micros(median(101, || run(it)))).collect();
        each.sort_by(f64::total_cmp);
        each
    };
    let analysed = usual(&|it| drop(black_box(analyse(it, &World::default()))));
    let judged = usual(&|it| drop(black_box(both(it, rules[0], &World::default()))));
    println!("{} commands, microseconds each", texts.len());
    for (name, each) in [("analysed", &analysed), ("and judged", &judged)] {
        let (middle, most) = (quantile(each, 0.5), quantile(each, 0.95));
        println!("  {name:<12} median {middle:>6.1}, p95 {most:>6.1}");
    }
    let worst = hostile(&rules);
    let count = worst.len();
    println!(
        "{count} hostile texts of {TEXT_BYTES_MAX} bytes, the slowest first, each {RUNS} times"
    );
    let shown = if std::env::args().any(|it| it == "--all") { count } else { 12 };
    for it in worst.iter().take(shown) {
        println!(
            "  {:>6.2} ms analysed, {:>6.2} ms judged, {:>6} KiB: {:?}",
            it.analyse, it.judge, it.kib, it.text
        );
    }
    let slowest = worst.iter().map(|it| it.analyse + it.judge).fold(0.0, f64::max);
    let largest = worst.iter().map(|it| it.kib).max().unwrap_or_default();
    let limits = (MEDIAN_MAX.as_micros(), WORST_MAX.as_millis());
    println!("median {:.1} us (limit {})", quantile(&judged, 0.5), limits.0);
    println!("worst {slowest:.2} ms (limit {}), {largest} KiB (limit {WORST_KIB_MAX})", limits.1);
    let kept = quantile(&judged, 0.5) <= micros(MEDIAN_MAX)
        && slowest * 1e3 <= micros(WORST_MAX)
        && largest <= WORST_KIB_MAX;
    println!("{}", if kept { "within the limits" } else { "past a limit" });
    if kept { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// What one hostile text costs: milliseconds, and the memory at the peak.
struct Cost {
    text: String,
    analyse: f64,
    judge: f64,
    kib: usize,
}

fn hostile(rules: &[&Rules]) -> Vec<Cost> {
    let only = std::env::args().find_map(|it| Some(it.strip_prefix("--only=")?.to_owned()));
    let windows = rows(WINDOWS).map(|it| {
        let shell = if it[0] == "cmd" { Shell::Cmd } else { Shell::PowerShell };
        (shell, it[1..].to_vec())
    });
    let texts = rows(HOSTILE).map(|it| (Shell::Bash, it)).chain(windows);
    let chosen = |it: &(Shell, Vec<&str>)| {
        only.as_ref().is_none_or(|only| it.1[0].to_owned() + it.1[1] == *only)
    };
    let costs = texts.filter(chosen).map(|(shell, row)| cost(shell, &row, rules));
    let mut all: Vec<Cost> = costs.collect();
    all.sort_by(|a, b| (b.analyse + b.judge).total_cmp(&(a.analyse + a.judge)));
    all
}

/// The cost under the rules under which it is most.
fn cost(shell: Shell, row: &[&str], rules: &[&Rules]) -> Cost {
    let text = full(&unescaped(row[0]), &unescaped(row[1]), &unescaped(row[2]));
    let world = World { shell, ..World::default() };
    let analysed = least(RUNS, || drop(black_box(analyse(&text, &world))));
    let analysis = analyse(&text, &world);
    let judging = |it: &&Rules| least(RUNS, || drop(black_box(judge(&analysis, it, &world))));
    let judged = rules.iter().map(judging).max().unwrap_or_default();
    let peaks = rules.iter().map(|it| counting::peak(|| drop(black_box(both(&text, it, &world)))));
    let bytes = peaks.max().unwrap_or_default();
    Cost {
        text: format!("{shell:?} {}{}...", unescaped(row[0]), unescaped(row[1])),
        analyse: micros(analysed) / 1e3,
        judge: micros(judged) / 1e3,
        kib: bytes / 1024,
    }
}

fn both(text: &str, rules: &Rules, world: &World<'_>) -> lawbook_shell::Judgement {
    judge(&analyse(text, world), rules, world)
}

fn micros(it: Duration) -> f64 {
    it.as_secs_f64() * 1e6
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|it| !it.starts_with('#')).map(|it| it.split('\t').collect())
}

fn unescaped(text: &str) -> String {
    text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace('\0', "\\")
}

/// The longest text that repeats a part between two others, its number in place of `%d`.
fn full(head: &str, part: &str, tail: &str) -> String {
    let mut text = head.to_owned();
    for number in 0.. {
        let part = part.replace("%d", &number.to_string());
        if text.len() + part.len() + tail.len() > TEXT_BYTES_MAX {
            break;
        }
        text.push_str(&part);
    }
    text + tail
}
