//! `check` of a file of JSON lines with twenty rules, beside sonic-rs that parses the same file,
//! arguments included, on as many threads.
//!
//! `cargo run --release -p lawbook-bench --bin check_jsonl`, after
//! `cargo build --release -p lawbook-cli`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use lawbook_bench::{chat, inputs, median};
use serde::Deserialize;

#[derive(Deserialize)]
struct Session<'s> {
    #[serde(borrow)]
    messages: Vec<Message<'s>>,
}

#[derive(Deserialize)]
struct Message<'s> {
    #[serde(borrow, default)]
    content: Option<std::borrow::Cow<'s, str>>,
    #[serde(borrow, default)]
    tool_calls: Vec<ToolCall<'s>>,
}

#[derive(Deserialize)]
struct ToolCall<'s> {
    #[serde(borrow)]
    function: Function<'s>,
}

#[derive(Deserialize)]
struct Function<'s> {
    #[serde(borrow)]
    name: std::borrow::Cow<'s, str>,
    #[serde(borrow)]
    arguments: std::borrow::Cow<'s, str>,
}

fn main() -> std::io::Result<()> {
    let folder = inputs()?;
    let (traces, policy) = (folder.join("chat.jsonl"), folder.join("twenty_rules.yaml"));
    let sessions = chat::write(&traces, 200_000_000)?;
    std::fs::write(&policy, chat::policy())?;
    let bytes = std::fs::metadata(&traces)?.len();
    let lawbook = folder.join("../release/lawbook");
    if !lawbook.exists() {
        eprintln!(
            "{} is not there: run `cargo build --release -p lawbook-cli` first",
            lawbook.display()
        );
        std::process::exit(2);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut tally = (0, 0);
    let peer = median(5, || tally = parse_all(&traces, threads).unwrap_or_default());
    let ours = median(5, || run(&lawbook, &traces, &policy));
    println!(
        "check_jsonl: {sessions} sessions, {} calls, {} MB, {threads} threads",
        tally.0,
        bytes / 1_000_000
    );
    println!(
        "  sonic-rs, arguments parsed  {:>6.3} s  {:.2} GB/s",
        peer.as_secs_f64(),
        rate(bytes, peer)
    );
    println!(
        "  lawbook check, 20 rules     {:>6.3} s  {:.2} GB/s",
        ours.as_secs_f64(),
        rate(bytes, ours)
    );
    println!("  ratio {:.2} (target 0.50 or more)", peer.as_secs_f64() / ours.as_secs_f64());
    println!("  peak memory of lawbook: {}", peak_memory(&lawbook, &traces, &policy));
    Ok(())
}

#[allow(clippy::cast_precision_loss)]
fn rate(bytes: u64, time: Duration) -> f64 {
    bytes as f64 / 1e9 / time.as_secs_f64()
}

fn run(lawbook: &Path, traces: &Path, policy: &Path) {
    let status = Command::new(lawbook)
        .args(["check", "--exit-zero", "--policy"])
        .arg(policy)
        .arg(traces)
        .stdout(Stdio::null())
        .status();
    assert!(status.is_ok_and(|it| it.success()), "lawbook check failed");
}

/// The file parsed by sonic-rs into typed messages, and every `arguments` into a value.
fn parse_all(traces: &Path, threads: usize) -> std::io::Result<(usize, usize)> {
    let text = std::fs::read(traces)?;
    let lines: Vec<&[u8]> = text.split(|it| *it == b'\n').filter(|it| !it.is_empty()).collect();
    let share = lines.len().div_ceil(threads);
    let sums = std::thread::scope(|scope| {
        let parts: Vec<_> =
            lines.chunks(share).map(|part| scope.spawn(move || parse(part))).collect();
        parts.into_iter().map(|it| it.join().unwrap_or_default()).collect::<Vec<_>>()
    });
    Ok(sums.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1)))
}

fn parse(lines: &[&[u8]]) -> (usize, usize) {
    let (mut calls, mut chars) = (0, 0);
    for line in lines {
        let session: Session<'_> = sonic_rs::from_slice(line).expect("the file is well formed");
        for message in &session.messages {
            chars += message.content.as_deref().map_or(0, str::len);
            for call in &message.tool_calls {
                let arguments: sonic_rs::Value =
                    sonic_rs::from_str(&call.function.arguments).expect("the arguments are too");
                calls += usize::from(!call.function.name.is_empty());
                chars += std::hint::black_box(&arguments).as_object_len();
            }
        }
    }
    (calls, chars)
}

trait ObjectLen {
    fn as_object_len(&self) -> usize;
}

impl ObjectLen for sonic_rs::Value {
    fn as_object_len(&self) -> usize {
        use sonic_rs::{JsonContainerTrait, JsonValueTrait};
        self.as_object().map_or(usize::from(self.is_null()), sonic_rs::Object::len)
    }
}

#[allow(clippy::disallowed_methods, reason = "the peak is sampled while the program runs")]
fn peak_memory(lawbook: &Path, traces: &Path, policy: &Path) -> String {
    let child = Command::new(lawbook)
        .args(["check", "--exit-zero", "--policy"])
        .arg(policy)
        .arg(traces)
        .stdout(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return "unknown".to_owned() };
    let status = format!("/proc/{}/status", child.id());
    let mut peak = String::from("unknown");
    while matches!(child.try_wait(), Ok(None)) {
        if let Ok(text) = std::fs::read_to_string(&status)
            && let Some(line) = text.lines().find(|it| it.starts_with("VmHWM"))
        {
            peak = line.trim_start_matches("VmHWM:").trim().to_owned();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    peak
}
