//! Random appends, faults, crashes and openings against a model that remembers what was promised.
//!
//! Each run prints its seed when it fails; `LEDGER_SEED=n` runs that one alone,
//! `LEDGER_RUNS=n` more of them.

use std::collections::BTreeMap;

use super::{create, next, open};
use crate::store::sim::{Faults, SimDisk};
use crate::store::{Entry, FileStore, HmacSeal, Kept, Seal, Store, leaf_hash};

/// A small generator of numbers (xorshift64*).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}

/// What was submitted under an index, and what became of it.
#[derive(Clone)]
struct Known {
    bytes: Vec<u8>,
    acknowledged: bool,
    text: Option<Text>,
}

#[derive(Clone)]
struct Text {
    bytes: Vec<u8>,
    acknowledged: bool,
    /// Erasing was begun; it is done if it was acknowledged.
    erasing: bool,
    erased: bool,
}

#[derive(Default)]
struct Figures {
    openings: u64,
    failed_openings: u64,
    acknowledged: u64,
    repairs: u64,
    erased: u64,
    faults: BTreeMap<&'static str, u64>,
}

struct Run {
    dice: Dice,
    disk: SimDisk,
    known: BTreeMap<u64, Known>,
    seals: BTreeMap<String, [u8; 16]>,
    marks: u64,
    figures: Figures,
}

impl Run {
    fn new(seed: u64) -> Self {
        let dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let (known, seals) = (BTreeMap::new(), BTreeMap::new());
        let disk = SimDisk::new(seed);
        Run { dice, disk, known, seals, marks: 0, figures: Figures::default() }
    }

    fn rates(&mut self) -> Faults {
        let most = [0, 30, 150, 600][self.dice.below(4) as usize];
        let rate = |dice: &mut Dice| dice.below(most + 1) as u32;
        Faults {
            write: rate(&mut self.dice),
            short: rate(&mut self.dice),
            sync: rate(&mut self.dice),
            name: rate(&mut self.dice),
            full: rate(&mut self.dice),
            crash: rate(&mut self.dice) / 6,
        }
    }

    fn run(mut self) -> Figures {
        drop(create(&self.disk));
        self.known.insert(0, Known { bytes: Vec::new(), acknowledged: true, text: None });
        for _ in 0..6 {
            let rates = self.rates();
            self.disk.faults(rates);
            if let Some(store) = self.opened() {
                // Where looking was cut short by a crash, the next opening looks again.
                if self.check(&store) {
                    self.use_it(&store);
                }
            }
            if self.dice.below(2) == 0 {
                self.disk.crash();
            }
        }
        self.disk.faults(Faults::default());
        self.disk.crash();
        self.disk.restart();
        let store = open(&self.disk).expect("a disk without faults opens");
        self.figures.repairs += u64::from(store.opened().torn.is_some());
        assert!(self.check(&store), "a disk without faults is read to its end");
        append_to_all(&store);
        self.figures.faults = self.disk.happened();
        self.figures
    }

    /// Opens the store, through crashes and failures of opening itself.
    fn opened(&mut self) -> Option<FileStore> {
        for _ in 0..4 {
            self.disk.restart();
            self.figures.openings += 1;
            match open(&self.disk) {
                Ok(store) => {
                    self.figures.repairs += u64::from(store.opened().torn.is_some());
                    return Some(store);
                }
                Err(_) => self.figures.failed_openings += 1,
            }
        }
        None
    }

    /// Compares the store with what was promised; whether all of it was looked at.
    fn check(&mut self, store: &FileStore) -> bool {
        assert_eq!(store.opened().faults, [], "a crash is no fault");
        let size = store.size();
        let lost = self.known.iter().filter(|(index, it)| **index >= size && it.acknowledged);
        assert_eq!(lost.count(), 0, "acknowledged entries are lost");
        for (index, bytes) in store.entries(0) {
            let Ok(bytes) = bytes else { return false };
            let Ok(leaf) = store.leaf(index) else { return false };
            assert_eq!(leaf, leaf_hash(&bytes), "leaf hash of {index}");
            let own = bytes.starts_with(br#"{"v":1,"agent":"@ledger""#);
            match self.known.get_mut(&index) {
                Some(known) if !own => {
                    assert_eq!(known.bytes, bytes, "entry {index} is another one");
                    known.acknowledged = true;
                }
                Some(known) => {
                    assert!(!known.acknowledged || known.bytes.is_empty() || known.bytes == bytes);
                    *known = Known { bytes, acknowledged: true, text: None };
                }
                None => {
                    assert!(own, "entry {index} was invented");
                    self.known.insert(index, Known { bytes, acknowledged: true, text: None });
                }
            }
        }
        let dropped = self.known.split_off(&size);
        for text in dropped.into_values().filter_map(|it| it.text) {
            assert!(!self.disk.holds(&text.bytes), "a text without an entry stays");
        }
        self.check_texts(store)
    }

    fn check_texts(&mut self, store: &FileStore) -> bool {
        for (index, known) in &mut self.known {
            let Some(text) = &mut known.text else { continue };
            match store.text(*index) {
                Ok(bytes) => {
                    assert!(!text.erased, "the text of {index} is back");
                    assert_eq!(bytes, text.bytes, "the text of {index} is another one");
                    text.acknowledged = true;
                    text.erasing = false;
                }
                Err(e) if e.code() == crate::Code::Io => return false,
                Err(e) => {
                    let may_be_gone = text.erasing || text.erased || !text.acknowledged;
                    assert!(may_be_gone, "the text of {index} is lost: {e}");
                    assert!(!self.disk.holds(&text.bytes), "the text of {index} is still there");
                    text.erased = true;
                }
            }
        }
        true
    }

    fn use_it(&mut self, store: &FileStore) {
        for _ in 0..self.dice.below(40) {
            let mut tickets = Vec::new();
            for _ in 0..=self.dice.below(6) {
                self.submit(store, &mut tickets);
            }
            // Some wait in another order, and some do not wait.
            while !tickets.is_empty() && self.dice.below(12) > 0 {
                let at = self.dice.below(tickets.len() as u64) as usize;
                let (ticket, of_text): (crate::store::Ticket, bool) = tickets.swap_remove(at);
                if ticket.wait().is_ok() {
                    self.figures.acknowledged += 1;
                    let known = self.known.get_mut(&ticket.placed().index).unwrap();
                    known.acknowledged = true;
                    if let Some(text) = known.text.as_mut().filter(|_| of_text) {
                        text.acknowledged = true;
                    }
                }
            }
            match self.dice.below(25) {
                0 => self.erase(store),
                1 => self.secrets(store),
                _ => {}
            }
        }
    }

    fn submit(&mut self, store: &FileStore, tickets: &mut Vec<(crate::store::Ticket, bool)>) {
        self.marks += 1;
        let agent = format!("agent {}", self.dice.below(4));
        let long = [0, 30, 200, 900, 5_000][self.dice.below(5) as usize];
        let words = format!("{} {}", self.marks, "w".repeat(self.dice.below(long + 1) as usize));
        let Ok(bytes) = next(store, &agent, &words) else { return };
        let mark = format!("<text {} of a run>", self.marks);
        let long = [0, 10, 600, 6_000][self.dice.below(4) as usize];
        let body = format!("{mark}{}", "t".repeat(self.dice.below(long + 1) as usize));
        let text =
            Text { bytes: body.into_bytes(), acknowledged: false, erasing: false, erased: false };
        let choice = self.dice.below(4);
        let mut entry = Entry::new(bytes.clone());
        if choice == 0 {
            entry = entry.with_text(text.bytes.clone());
        }
        let Ok(ticket) = store.submit(entry) else { return };
        let index = ticket.placed().index;
        let kept = (choice < 2).then(|| text.clone());
        let known = Known { bytes, acknowledged: false, text: kept };
        assert!(self.known.insert(index, known).is_none(), "index {index} was given twice");
        tickets.push((ticket, choice == 0));
        if choice == 1 {
            match store.put_text(index, text.bytes) {
                Ok(ticket) => tickets.push((ticket, true)),
                Err(_) => self.known.get_mut(&index).unwrap().text = None,
            }
        }
    }

    fn erase(&mut self, store: &FileStore) {
        let have = self.known.iter().filter(|(_, it)| it.text.is_some());
        let indexes: Vec<u64> = have.map(|(index, _)| *index).collect();
        if indexes.is_empty() {
            return;
        }
        let index = indexes[self.dice.below(indexes.len() as u64) as usize];
        let text = self.known.get_mut(&index).unwrap().text.as_mut().unwrap();
        text.erasing = true;
        if store.erase(index).is_ok() {
            text.erased = true;
            self.figures.erased += 1;
            assert!(!self.disk.holds(&text.bytes), "the text of {index} is still there");
        }
    }

    /// A secret that was given stays the same.
    fn secrets(&mut self, store: &FileStore) {
        let agent = format!("agent {}", self.dice.below(4));
        if let Ok(secret) = store.make_secret(&agent) {
            let seal = HmacSeal::new(&secret).seal("x");
            assert_eq!(*self.seals.entry(agent).or_insert(seal), seal, "another secret");
        }
        let snapshot = self.dice.below(1_000).to_string();
        let size = store.size();
        if store.put_snapshot("agent 1", size, snapshot.as_bytes()).is_ok() {
            let read = store.snapshot("agent 1");
            assert!(read.is_none_or(|it| it == (size, snapshot.into_bytes())));
        }
        for (agent, seal) in &self.seals {
            match store.secret(agent) {
                Ok(Kept::Here(secret)) => assert_eq!(HmacSeal::new(&secret).seal("x"), *seal),
                Ok(other) => panic!("the secret of {agent} is {other:?}"),
                Err(_) => {}
            }
        }
    }
}

fn append_to_all(store: &FileStore) {
    for agent in 0..4 {
        super::append(store, &format!("agent {agent}"), "at the end").unwrap();
    }
}

#[test]
fn no_acknowledged_entry_is_lost_and_none_invented() {
    let alone: Option<u64> = std::env::var("LEDGER_SEED").ok().and_then(|it| it.parse().ok());
    let many = std::env::var("LEDGER_RUNS").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    let seeds = alone.map_or(0..many, |it| it..it + 1);
    let runs = seeds.end - seeds.start;
    let mut all = Figures::default();
    for seed in seeds {
        let run = std::panic::catch_unwind(|| Run::new(seed).run());
        let figures = run.unwrap_or_else(|e| {
            println!("failed with LEDGER_SEED={seed}");
            std::panic::resume_unwind(e)
        });
        all.openings += figures.openings;
        all.failed_openings += figures.failed_openings;
        all.acknowledged += figures.acknowledged;
        all.repairs += figures.repairs;
        all.erased += figures.erased;
        for (name, count) in figures.faults {
            *all.faults.entry(name).or_default() += count;
        }
    }
    println!(
        "{runs} runs: {} openings ({} failed), {} acknowledged, 0 lost, 0 invented, {} repairs, {} texts erased, faults {:?}",
        all.openings, all.failed_openings, all.acknowledged, all.repairs, all.erased, all.faults
    );
    assert!(alone.is_some() || (all.repairs > 10 && all.erased > 50), "the faults are too few");
}
