//! An agent with a long life is opened again: through its snapshot, and by folding every entry,
//! beside reading and hashing the entries, which nobody who folds them can avoid.
//!
//! `cargo run --release -p lawbook-bench --bin open_agent [ENTRIES]`

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use lawbook_bench::agents::{begin, open, request};
use lawbook_bench::inputs;
use lawbook_ledger::store::{FileStore, Options, Store, leaf_hash};

const ENTRIES: u64 = 1_000_000;
const THREADS: usize = 64;
const NOW: i64 = 1_767_225_600_000_000_000;

/// A ledger whose one agent made so many decisions. Gives the seconds that they took.
fn build(folder: &Path, entries: u64) -> f64 {
    let store = FileStore::create(folder, &Options::at(NOW)).expect("it is made");
    let agents = open(Arc::new(store));
    begin(&agents, "old");
    let (start, numbers) = (Instant::now(), AtomicU64::new(2));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let number = numbers.fetch_add(1, Ordering::Relaxed);
                    if number >= entries {
                        break;
                    }
                    agents.request("old", &request(number)).expect("it is recorded");
                }
            });
        }
    });
    start.elapsed().as_secs_f64()
}

fn opened(folder: &Path) -> Arc<FileStore> {
    Arc::new(FileStore::open(folder, &Options::at(NOW)).expect("it opens"))
}

/// The seconds that opening takes and how the agent then stands. No snapshot is written meanwhile.
fn open_once(store: &Arc<FileStore>) -> (f64, String) {
    let start = Instant::now();
    let agents = open(store.clone());
    let seconds = start.elapsed().as_secs_f64();
    let agents = agents.snapshots_every(0);
    (seconds, format!("{:?}", agents.status("old").expect("it is there")))
}

fn main() {
    let entries = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(ENTRIES);
    let folder = inputs().expect("there is a build folder").join("open_agent");
    let _ = std::fs::remove_dir_all(&folder);
    let built = build(&folder, entries);
    let start = Instant::now();
    let store = opened(&folder);
    let ledger = start.elapsed().as_secs_f64();
    #[allow(clippy::cast_precision_loss, reason = "no ledger has 2^53 entries")]
    let count = store.size() as f64;
    let (with, standing) = open_once(&store);
    let bytes: u64 = std::fs::read_dir(folder.join("snapshots"))
        .expect("it is there")
        .filter_map(|it| it.ok()?.metadata().ok().map(|it| it.len()))
        .sum();
    std::fs::remove_dir_all(folder.join("snapshots")).expect("it can be removed");
    std::fs::create_dir(folder.join("snapshots")).expect("it can be made");
    let (without, again) = open_once(&store);
    assert_eq!(again, standing, "a snapshot changes nothing");
    let start = Instant::now();
    let mut hashed = 0_u64;
    for (_, entry) in store.entries(0) {
        hashed += u64::from(leaf_hash(&entry.expect("it can be read"))[0]);
    }
    let floor = start.elapsed().as_secs_f64();
    assert!(hashed > 0);
    println!("open_agent: one agent with {count} entries, decided in {built:.1} s");
    println!(
        "  opening the ledger alone        {ledger:>8.2} s  {:>10.0} entries/s",
        count / ledger
    );
    println!("  reading and hashing its entries {floor:>8.2} s  {:>10.0} entries/s", count / floor);
    println!(
        "  its agent, every entry folded   {without:>8.2} s  {:>10.0} entries/s",
        count / without
    );
    println!("  its agent, from a snapshot      {with:>8.2} s  {:>10.1} x folding", without / with);
    #[allow(clippy::cast_precision_loss, reason = "no snapshot has 2^53 bytes")]
    let megabytes = bytes as f64 / 1e6;
    println!("  the snapshot                    {megabytes:>8.1} MB");
    drop(store);
    let _ = std::fs::remove_dir_all(&folder);
}
