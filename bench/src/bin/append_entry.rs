//! A durable entry: what a writer waits for until its entry is on the disk, beside one sync for each
//! record and beside a bare group commit, in the same run.
//!
//! `cargo run --release -p lawbook-bench --bin append_entry`

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lawbook_bench::durable::{FILE_BYTES, GroupCommit, file, processor};
use lawbook_bench::{inputs, quantile};
use lawbook_ledger::store::{Entry, FileStore, Head, Options, Store, entry_bytes};

const RECORD: usize = 500;
const TIME: Duration = Duration::from_millis(1_500);
const RUNS: usize = 5;
const NOW: i64 = 1_767_225_600_000_000_000;

/// Something that makes a record of one writer durable.
trait Peer: Sync {
    fn append(&self, writer: usize);
}

/// One sync for each record, one writer at a time.
struct SyncEach(Mutex<(File, u64)>);

impl Peer for SyncEach {
    fn append(&self, _writer: usize) {
        let mut it = self.0.lock().expect("no writer panics");
        let (file, at) = &mut *it;
        file.write_all_at(&[7; RECORD], *at).expect("it can be written");
        file.sync_data().expect("it can be synced");
        *at = (*at + RECORD as u64) % (FILE_BYTES - RECORD as u64);
    }
}

impl Peer for GroupCommit {
    fn append(&self, _writer: usize) {
        GroupCommit::append(self, &[7; RECORD]);
    }
}

/// The ledger: an entry of the writer's agent, in its chain, with its leaf hash.
/// Each writer knows its agent's head, as a session does.
struct Ledger(FileStore, Vec<Mutex<Head>>);

impl Peer for Ledger {
    fn append(&self, writer: usize) {
        let agent = format!("agent {writer:04}");
        let mut head = self.1[writer].lock().expect("one thread has it");
        let bytes = entry_bytes(&agent, &head, NOW, "decided", |it| {
            it.key("words").string(WORDS);
        });
        let ticket = self.0.submit(Entry::new(bytes)).expect("it is taken");
        *head = Head { next_seq: head.next_seq + 1, leaf: ticket.placed().leaf };
        ticket.wait().expect("it is durable");
    }
}

/// So many that an entry has about as many bytes as a record.
const WORDS: &str = concat!(
    "the customer asked for the refund of an order that came too late, and showed the receipt; ",
    "the order was looked up, the owner is the one who asks, and the amount is within what the ",
    "policy permits without a person; nothing was paid back for this order before, and the cap of ",
    "the day has room for it, so the call is allowed and its cost is charged to the budget",
);

/// Records a second, p50 and p99 in ms, and time of the processor for a record in µs.
fn measure(peer: &dyn Peer, writers: usize) -> [f64; 4] {
    let before = processor();
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let mut times: Vec<f64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..writers)
            .map(|writer| {
                let stop = &stop;
                scope.spawn(move || {
                    let mut times = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        let begun = Instant::now();
                        peer.append(writer);
                        times.push(begun.elapsed().as_secs_f64() * 1e3);
                        if start.elapsed() > TIME {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                    times
                })
            })
            .collect();
        threads.into_iter().flat_map(|it| it.join().expect("no writer panics")).collect()
    });
    let seconds = start.elapsed().as_secs_f64();
    times.sort_by(f64::total_cmp);
    #[allow(clippy::cast_precision_loss, reason = "no run has 2^53 records")]
    let count = times.len() as f64;
    let spent = (processor() - before) / count;
    [count / seconds, quantile(&times, 0.5), quantile(&times, 0.99), spent]
}

fn middle(mut runs: Vec<[f64; 4]>) -> [f64; 4] {
    runs.sort_by(|a, b| a[0].total_cmp(&b[0]));
    runs[runs.len() / 2]
}

fn main() {
    let folder = inputs().expect("there is a build folder").join("append_entry");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let each = SyncEach(Mutex::new((file(&folder, "each"), 0)));
    let group = GroupCommit::new(file(&folder, "group"));
    let store = FileStore::create(&folder.join("ledger"), &Options::at(NOW)).expect("it is made");
    let ledger = Ledger(store, (0..16).map(|_| Mutex::new(Head::NONE)).collect());
    let peers: [(&str, &dyn Peer); 3] =
        [("one sync each", &each), ("group commit", &group), ("ledger", &ledger)];
    println!("append_entry: records of {RECORD} bytes, durable, median of {RUNS} runs");
    for writers in [1, 16] {
        let mut runs: Vec<Vec<[f64; 4]>> = vec![Vec::new(); peers.len()];
        for _ in 0..RUNS {
            for ((_, peer), runs) in peers.iter().zip(&mut runs) {
                runs.push(measure(*peer, writers));
            }
        }
        let figures: Vec<[f64; 4]> = runs.into_iter().map(middle).collect();
        for ((name, _), [rate, p50, p99, spent]) in peers.iter().zip(&figures) {
            let ratio = rate / figures[1][0];
            println!(
                "  {writers:>2} writers  {name:<14} {rate:>8.0} /s  p50 {p50:>6.2} ms  p99 {p99:>6.2} ms  processor {spent:>6.1} µs  {ratio:>5.2} x group commit"
            );
        }
    }
    let entries = ledger.0.size();
    drop(ledger);
    let before = processor();
    let start = Instant::now();
    let store = FileStore::open(&folder.join("ledger"), &Options::at(NOW)).expect("it opens");
    let seconds = start.elapsed().as_secs_f64();
    #[allow(clippy::cast_precision_loss, reason = "no ledger has 2^53 entries")]
    let spent = (processor() - before) / entries as f64;
    println!("  opening {entries} entries: {seconds:.2} s, processor {spent:.2} µs an entry");
    drop(store);
    let _ = std::fs::remove_dir_all(&folder);
}
