//! Reading one command line: the texts of our own table, and the worst that fits into the longest
//! text, beside the limits that a hook has for them.
//!
//! `cargo run --release -p lawbook-bench --bin analyse_command`

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use lawbook_bench::{median, quantile};
use lawbook_shell::{TEXT_BYTES_MAX, World, analyse};

/// The texts that are cases too.
const CASES: &str = include_str!("../../../conformance/shell/parse.tsv");
/// What a usual command may take, in the median over the cases.
const MEDIAN_MAX: Duration = Duration::from_micros(20);
/// What the worst command may take.
const WORST_MAX: Duration = Duration::from_millis(5);
/// How much memory the worst command may take.
const WORST_MEMORY_KIB_MAX: u64 = 8 * 1024;

/// What hostile texts repeat.
const HOSTILE: &[&str] = &[
    "(",
    "{ ",
    "$(",
    "`",
    "${x:-",
    "[[ ( ",
    "if ",
    "case x in x) ",
    "<(",
    "$((",
    "((",
    "\"$(",
    "a;",
    "a b ",
    "f() { ",
    "a|",
    "x=(",
    "@(",
    "echo {a,b}",
    "$((a) ",
    "((a) ",
    "a<<E\n",
    "a<<E;",
    "{ a; } >x;",
    "{ a & } >x &",
    "\\\n",
    "coproc ",
    "[",
    "a[",
    "${x[",
    "{a,",
    "'a' ",
    "`\\`",
    "a=1 ",
];

fn main() -> ExitCode {
    let texts: Vec<String> = CASES.lines().filter(|it| !it.starts_with('#')).map(text).collect();
    let micros = |it: Duration| it.as_secs_f64() * 1e6;
    let mut usual: Vec<f64> = texts
        .iter()
        .map(|it| micros(median(101, || drop(black_box(analyse(it, &World::default()))))))
        .collect();
    usual.sort_by(f64::total_cmp);
    let middle = quantile(&usual, 0.5);
    println!("{} commands, microseconds each", usual.len());
    println!(
        "  median {middle:.1} (limit {}), p95 {:.1}",
        MEDIAN_MAX.as_micros(),
        quantile(&usual, 0.95)
    );
    let before = peak_kib();
    let worst = HOSTILE.iter().map(|part| {
        (median(5, || drop(black_box(analyse(&full(part), &World::default())))), *part)
    });
    let (time, part) = worst.max().unwrap_or_default();
    let memory = peak_kib().saturating_sub(before);
    println!("worst of {} hostile texts of {TEXT_BYTES_MAX} bytes", HOSTILE.len());
    println!("  {:.2} ms (limit {}), of {part:?}", micros(time) / 1e3, WORST_MAX.as_millis());
    println!("  {memory} KiB more at the peak (limit {WORST_MEMORY_KIB_MAX})");
    let kept = middle <= micros(MEDIAN_MAX) && time <= WORST_MAX && memory <= WORST_MEMORY_KIB_MAX;
    println!("{}", if kept { "within the limits" } else { "past a limit" });
    if kept { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn text(row: &str) -> String {
    let text = row.split('\t').next().unwrap_or_default();
    text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace('\0', "\\")
}

/// The longest text that repeats a part.
fn full(part: &str) -> String {
    part.repeat(TEXT_BYTES_MAX / part.len())
}

/// The most memory that this process has had.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|it| it.parse().ok()).unwrap_or_default()
}
