//! A whole decision of a live agent: asked, judged, recorded and durable, beside a bare group commit
//! of records of the same size in the same run.
//!
//! `cargo run --release -p lawbook-bench --bin decide_durable`

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lawbook::Verdict;
use lawbook::agent::session::Agents;
use lawbook_bench::agents::{begin, open, request};
use lawbook_bench::durable::{GroupCommit, file, processor};
use lawbook_bench::{inputs, quantile};
use lawbook_ledger::store::{FileStore, Options, Store};

const TIME: Duration = Duration::from_millis(1_500);
const RUNS: usize = 5;
const NOW: i64 = 1_767_225_600_000_000_000;
const AGENTS: usize = 16;

/// What threads wait for.
enum Peer<'p> {
    GroupCommit(&'p GroupCommit, &'p [u8]),
    /// Each thread asks for an agent of its own.
    Agents(&'p Agents),
    /// All ask for one.
    OneAgent(&'p Agents),
}

impl Peer<'_> {
    fn name(&self) -> &'static str {
        match self {
            Peer::GroupCommit(..) => "group commit",
            Peer::Agents(_) => "an agent each",
            Peer::OneAgent(_) => "one agent",
        }
    }

    fn decide(&self, thread: usize, number: u64) {
        let (agents, agent) = match self {
            Peer::GroupCommit(commit, record) => return commit.append(record),
            Peer::Agents(agents) => (agents, format!("agent-{thread}")),
            Peer::OneAgent(agents) => (agents, "hot".to_owned()),
        };
        let reply = agents.request(&agent, &request(number)).expect("it is recorded");
        assert_eq!(reply.verdict, Verdict::Allow, "{:?}", reply.findings);
    }
}

/// Decisions a second, p50 and p99 in ms, and time of the processor for one in µs.
fn measure(peer: &Peer<'_>, threads: usize, numbers: &AtomicU64) -> [f64; 4] {
    let before = processor();
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let mut times: Vec<f64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|thread| {
                let stop = &stop;
                scope.spawn(move || {
                    let mut times = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        let begun = Instant::now();
                        peer.decide(thread, numbers.fetch_add(1, Ordering::Relaxed));
                        times.push(begun.elapsed().as_secs_f64() * 1e3);
                        if start.elapsed() > TIME {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                    times
                })
            })
            .collect();
        threads.into_iter().flat_map(|it| it.join().expect("no thread panics")).collect()
    });
    let seconds = start.elapsed().as_secs_f64();
    times.sort_by(f64::total_cmp);
    #[allow(clippy::cast_precision_loss, reason = "no run has 2^53 decisions")]
    let count = times.len() as f64;
    let spent = (processor() - before) / count;
    [count / seconds, quantile(&times, 0.5), quantile(&times, 0.99), spent]
}

fn middle(mut runs: Vec<[f64; 4]>) -> [f64; 4] {
    runs.sort_by(|a, b| a[0].total_cmp(&b[0]));
    runs[runs.len() / 2]
}

fn main() {
    let folder = inputs().expect("there is a build folder").join("decide_durable");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let commit = GroupCommit::new(file(&folder, "group"));
    let store = FileStore::create(&folder.join("ledger"), &Options::at(NOW)).expect("it is made");
    let store = Arc::new(store);
    let agents = open(store.clone());
    begin(&agents, "hot");
    (0..AGENTS).for_each(|it| begin(&agents, &format!("agent-{it}")));
    let numbers = AtomicU64::new(0);
    Peer::OneAgent(&agents).decide(0, numbers.fetch_add(1, Ordering::Relaxed));
    let last = store.size() - 1;
    let entry = store.entry(last).expect("it is there").len();
    let text = store.text(last).expect("it is there").len();
    let record = vec![7; entry + text];
    let peers =
        [Peer::GroupCommit(&commit, &record), Peer::Agents(&agents), Peer::OneAgent(&agents)];
    println!(
        "decide_durable: entries of {entry} bytes with texts of {text}, median of {RUNS} runs"
    );
    for threads in [1, AGENTS] {
        let mut runs: Vec<Vec<[f64; 4]>> = vec![Vec::new(); peers.len()];
        for _ in 0..RUNS {
            for (peer, runs) in peers.iter().zip(&mut runs) {
                runs.push(measure(peer, threads, &numbers));
            }
        }
        let figures: Vec<[f64; 4]> = runs.into_iter().map(middle).collect();
        for (peer, [rate, p50, p99, spent]) in peers.iter().zip(&figures) {
            let (name, ratio) = (peer.name(), rate / figures[0][0]);
            println!(
                "  {threads:>2} threads  {name:<14} {rate:>8.0} /s  p50 {p50:>6.2} ms  p99 {p99:>6.2} ms  processor {spent:>6.1} µs  {ratio:>5.2} x group commit"
            );
        }
    }
    drop((agents, store));
    let _ = std::fs::remove_dir_all(&folder);
}
