//! A durable entry: what a writer waits for until its entry is on the disk, beside one sync for each
//! record and beside a bare group commit, in the same run.
//!
//! `cargo run --release -p lawbook-bench --bin append_entry`

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use lawbook_bench::{inputs, quantile};
use lawbook_ledger::store::{Entry, FileStore, Head, Options, Store, entry_bytes};

const RECORD: usize = 500;
const FILE_BYTES: u64 = 64 << 20;
const TIME: Duration = Duration::from_millis(1_500);
const RUNS: usize = 5;
const NOW: i64 = 1_767_225_600_000_000_000;

/// Something that makes a record of one writer durable.
trait Peer: Sync {
    fn append(&self, writer: usize);
}

/// A file with its room taken, as all three have it: writing does not make it longer.
fn file(folder: &Path, name: &str) -> File {
    let file = File::create(folder.join(name)).expect("the file can be made");
    let zeros = vec![0; 1 << 20];
    for mib in 0..FILE_BYTES >> 20 {
        file.write_all_at(&zeros, mib << 20).expect("there is room");
    }
    file.sync_all().expect("it can be synced");
    file
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

/// A leader writes and syncs for all that wait; records are bare bytes.
#[derive(Default)]
struct Waiting {
    buffer: Vec<u8>,
    next: u64,
    done: u64,
    leading: bool,
    at: u64,
}

struct GroupCommit(Mutex<Waiting>, Condvar, File);

impl Peer for GroupCommit {
    fn append(&self, _writer: usize) {
        let mut it = self.0.lock().expect("no writer panics");
        it.buffer.extend_from_slice(&[7; RECORD]);
        it.next += 1;
        let mine = it.next;
        while it.done < mine {
            if it.leading {
                it = self.1.wait(it).expect("no writer panics");
                continue;
            }
            it.leading = true;
            let (buffer, until) = (std::mem::take(&mut it.buffer), it.next);
            let at = if it.at + buffer.len() as u64 > FILE_BYTES { 0 } else { it.at };
            drop(it);
            self.2.write_all_at(&buffer, at).expect("it can be written");
            self.2.sync_data().expect("it can be synced");
            it = self.0.lock().expect("no writer panics");
            (it.at, it.done, it.leading) = (at + buffer.len() as u64, until, false);
            self.1.notify_all();
        }
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

/// The time that the processor spent on this process, in µs.
fn processor() -> f64 {
    let it = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    #[allow(clippy::cast_precision_loss, reason = "no run takes 2^53 µs")]
    let micros = it.tv_sec as f64 * 1e6 + it.tv_nsec as f64 / 1e3;
    micros
}

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
    let group = GroupCommit(Mutex::default(), Condvar::new(), file(&folder, "group"));
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
    drop(ledger);
    let _ = std::fs::remove_dir_all(&folder);
}
