//! A real process that writes under load and is killed, again and again: nothing that it acknowledged
//! is lost, and nothing is there that it did not submit.
//!
//! `LEDGER_KILLS=n` kills another number of times than 200.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::string_slice
)]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use lawbook_ledger::store::{
    Entry, FileStore, LEDGER_AGENT, Links, Options, Store, entry_bytes, hex, leaf_hash,
};

const WRITERS: usize = 4;
/// A folder is used for so many kills, so that opening stays quick.
const KILLS_PER_FOLDER: usize = 20;
const NOW: i64 = 1_767_225_600_000_000_000;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, child, folder, round] = args.as_slice()
        && child == "write-until-killed"
    {
        write(Path::new(folder), round.parse().unwrap());
        return;
    }
    if args.iter().any(|it| it == "--list") {
        println!("kill: test");
        return;
    }
    parent();
}

fn options() -> Options {
    Options { segment_bytes: 4 << 20, at: NOW }
}

/// Entries long and short: a long batch is more often cut by a kill.
fn entry(store: &FileStore, agent: &str, round: usize, step: usize) -> Entry {
    let head = store.head(agent).unwrap();
    let long = [20, 400, 400, 1_500, 60_000][(step * 7 + round) % 5];
    let bytes = entry_bytes(agent, &head, NOW, "asked", |it| {
        it.key("round").number(round as u64).key("words").string(&"w".repeat(long));
    });
    let entry = Entry::new(bytes);
    if step.is_multiple_of(5) {
        entry.with_text(format!("text {round} {step}").into())
    } else {
        entry
    }
}

/// The child: writers that print each entry before they submit it and when it is durable.
fn write(folder: &Path, round: usize) {
    let store = FileStore::open(folder, &options()).unwrap();
    println!("repaired {}", usize::from(store.opened().torn.is_some()));
    assert_eq!(store.opened().faults, [], "a kill is no fault");
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let store = &store;
            scope.spawn(move || {
                let agent = format!("agent {writer}");
                for step in 0.. {
                    // Several wait at once, so that batches are long.
                    let tickets: Vec<_> = (0..4)
                        .map(|part| {
                            let entry = entry(store, &agent, round, step * 4 + part);
                            let leaf = hex(&leaf_hash(&entry.bytes));
                            println!("s {leaf}");
                            store.submit(entry).unwrap()
                        })
                        .collect();
                    for ticket in tickets {
                        let placed = ticket.wait().unwrap();
                        println!("a {} {}", placed.index, hex(&placed.leaf));
                    }
                }
            });
        }
    });
}

#[derive(Default)]
struct Figures {
    kills: usize,
    acknowledged: usize,
    lost: usize,
    invented: usize,
    repairs: usize,
    unacknowledged: usize,
}

fn parent() {
    let kills = std::env::var("LEDGER_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(200);
    let start = Instant::now();
    let mut figures = Figures::default();
    while figures.kills < kills {
        let many = KILLS_PER_FOLDER.min(kills - figures.kills);
        let name = format!("ledger-kill-{}-{}", std::process::id(), figures.kills);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        drop(FileStore::create(&folder, &options()).unwrap());
        folder_of_kills(&folder, many, &mut figures);
        std::fs::remove_dir_all(&folder).unwrap();
    }
    let Figures { kills, acknowledged, lost, invented, repairs, unacknowledged } = figures;
    println!(
        "kill: {kills} kills, {acknowledged} acknowledged, lost {lost}, invented {invented}, \
         {unacknowledged} durable and not yet acknowledged, {repairs} repairs, {:.1} s",
        start.elapsed().as_secs_f64()
    );
    assert_eq!((lost, invented), (0, 0));
    assert!(acknowledged > kills, "the writers hardly wrote");
}

fn folder_of_kills(folder: &Path, kills: usize, figures: &mut Figures) {
    let mut submitted: HashMap<String, ()> = HashMap::new();
    let mut acknowledged: Vec<(u64, String)> = Vec::new();
    let mut dice = 0x9e37_79b9_u64 + figures.kills as u64;
    for round in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["write-until-killed", folder.to_str().unwrap(), &round.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        output.read_line(&mut first).unwrap();
        figures.repairs += usize::from(first == "repaired 1\n");
        let (send, lines) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            output.read_to_end(&mut text).unwrap();
            send.send(text).unwrap();
        });
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // The kill comes after a chance time; nothing is waited for.
        let none: Result<Vec<u8>, _> =
            lines.recv_timeout(Duration::from_millis(5 + (dice >> 33) % 60));
        assert!(none.is_err(), "the writers ended by themselves");
        child.kill().unwrap();
        child.wait().unwrap();
        reader.join().unwrap();
        figures.kills += 1;
        let text = String::from_utf8(lines.recv().unwrap()).unwrap();
        for line in text.split_inclusive('\n').filter_map(|it| it.strip_suffix('\n')) {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["s", leaf] => drop(submitted.insert(leaf.to_owned(), ())),
                ["a", index, leaf] => acknowledged.push((index.parse().unwrap(), leaf.to_owned())),
                _ => panic!("the writers said `{line}`"),
            }
        }
    }
    let store = FileStore::open(folder, &options()).unwrap();
    figures.repairs += usize::from(store.opened().torn.is_some());
    assert_eq!(store.opened().faults, []);
    let mut links = Links::default();
    let mut there = Vec::new();
    for (index, bytes) in store.entries(0) {
        let bytes = bytes.unwrap();
        let leaf = hex(&leaf_hash(&bytes));
        assert_eq!(leaf, hex(&store.leaf(index).unwrap()));
        let own = links.read(&bytes).unwrap().agent == LEDGER_AGENT;
        figures.invented += usize::from(!own && !submitted.contains_key(&leaf));
        figures.unacknowledged += usize::from(!own);
        there.push(leaf);
    }
    let kept = |it: &&(u64, String)| there.get(it.0 as usize) != Some(&it.1);
    figures.lost += acknowledged.iter().filter(kept).count();
    figures.acknowledged += acknowledged.len();
    figures.unacknowledged -= acknowledged.len();
}
