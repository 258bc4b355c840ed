//! A ledger verified from its first entry to its last, beside the hashing that nobody can avoid.
//!
//! `cargo run --release -p lawbook-bench --bin verify_ledger`

use std::time::Instant;

use lawbook_bench::{inputs, median};
use lawbook_ledger::store::{Entry, FileStore, Options, Store, entry_bytes};
use lawbook_ledger::tlog::{
    Checkpoint, Frontier, Hash, KeyUse, SeedSigner, Signer, Trust, leaf_hash,
};
use lawbook_ledger::verify::{Known, Ledger, Unreadable, verify};

const ENTRIES: u64 = 1_000_000;
const IN_FILES: u64 = 200_000;
const AGENTS: u64 = 1_000;
const ORIGIN: &str = "example.com/bench";

/// Entries of about 500 bytes, which a decision with its evidence has.
fn filling(step: u64) -> String {
    let digests: String = (0..5_u64).map(|it| format!("{:064x}", step * 5 + it)).collect();
    format!("\"verdict\":\"allow\",\"rules\":[\"cap\"],\"taken\":\"{digests}\"")
}

/// A ledger in memory, so that the disk is no part of the figure.
struct InMemory {
    entries: Vec<Vec<u8>>,
    leaves: Vec<Hash>,
}

impl Ledger for InMemory {
    fn size(&self) -> u64 {
        self.entries.len() as u64
    }

    fn entry(&mut self, index: u64, out: &mut Vec<u8>) -> Result<(), Unreadable> {
        out.extend_from_slice(&self.entries[usize::try_from(index).expect("it fits")]);
        Ok(())
    }

    fn leaf(&mut self, index: u64) -> Result<Hash, Unreadable> {
        Ok(self.leaves[usize::try_from(index).expect("it fits")])
    }
}

fn in_memory() -> InMemory {
    let mut heads = vec![(0_u64, Hash([0; 32])); usize::try_from(AGENTS).expect("it fits")];
    let mut out = InMemory { entries: Vec::new(), leaves: Vec::new() };
    for step in 0..ENTRIES {
        let agent = usize::try_from(step % AGENTS).expect("it fits");
        let (seq, prev) = heads[agent];
        let kind = ["genesis", "policy"].get(usize::try_from(seq).expect("it fits"));
        let entry = format!(
            "{{\"v\":1,\"agent\":\"agent-{agent}\",\"seq\":{seq},\"prev\":\"{prev}\",\"at\":{step},\"kind\":\"{}\",{}}}",
            kind.unwrap_or(&"decision"),
            filling(step)
        );
        let leaf = leaf_hash(entry.as_bytes());
        heads[agent] = (seq + 1, leaf);
        out.entries.push(entry.into_bytes());
        out.leaves.push(leaf);
    }
    out
}

/// The same in files, as the store writes it.
fn in_files() -> Result<FileStore, Box<dyn std::error::Error>> {
    let folder = inputs()?.join("verify_ledger");
    let _ = std::fs::remove_dir_all(&folder);
    let store = FileStore::create(&folder, &Options::at(0))?;
    let mut ticket = None;
    for step in 0..IN_FILES {
        let agent = format!("agent-{}", step % AGENTS);
        let head = store.head(&agent)?;
        let kind = match head.next_seq {
            0 => "genesis",
            1 => "policy",
            _ => "decision",
        };
        let at = i64::try_from(step)?;
        let bytes = entry_bytes(&agent, &head, at, kind, |it| {
            it.key("verdict").string("allow").key("filling").string(&filling(step));
        });
        ticket = Some(store.submit(Entry::new(bytes))?);
        if step % 200 == 199 {
            store.flush()?;
        }
    }
    if let Some(ticket) = ticket {
        ticket.wait()?;
    }
    drop(store);
    Ok(FileStore::read(&folder)?)
}

/// A store that is read, leaf hashes a block at a time.
struct InFiles {
    store: FileStore,
    block: (u64, Vec<Hash>),
}

impl Ledger for InFiles {
    fn size(&self) -> u64 {
        self.store.size()
    }

    fn entry(&mut self, index: u64, out: &mut Vec<u8>) -> Result<(), Unreadable> {
        *out = self.store.entry(index).map_err(|it| Unreadable::Failed(it.to_string()))?;
        Ok(())
    }

    fn leaf(&mut self, index: u64) -> Result<Hash, Unreadable> {
        let failed = |it: lawbook_ledger::Error| Unreadable::Failed(it.to_string());
        if index < self.block.0 || index >= self.block.0 + self.block.1.len() as u64 {
            let end = (index + 1024).min(self.size());
            let leaves: Result<_, _> =
                (index..end).map(|it| self.store.leaf(it).map(Hash)).collect();
            self.block = (index, leaves.map_err(failed)?);
        }
        Ok(self.block.1[usize::try_from(index - self.block.0).expect("it fits")])
    }
}

fn signed(ledger: &mut dyn Ledger) -> Known {
    let mut tree = Frontier::new();
    for index in 0..ledger.size() {
        tree.push(ledger.leaf(index).expect("it is there"));
    }
    let signer = SeedSigner::new(ORIGIN, KeyUse::Log, &[1; 32]).expect("a name");
    let checkpoint = Checkpoint::new(ORIGIN, tree.size(), tree.root());
    let note = checkpoint.signed(&[&signer]).expect("it signs").to_string();
    let opened = Trust::of(signer.public().clone()).open(&note).expect("it is right");
    Known { earlier: vec![opened.clone()], own: Some(opened), ..Known::default() }
}

#[allow(clippy::cast_precision_loss, reason = "no ledger has 2^53 entries")]
fn told(name: &str, ledger: &mut dyn Ledger, limit: f64) -> f64 {
    let known = signed(ledger);
    let size = ledger.size() as f64;
    let time = median(3, || {
        let report = verify(ledger, &known).expect("the disk holds");
        assert!(report.findings.is_empty() && report.unproved.is_empty(), "{report:?}");
    });
    let each = time.as_secs_f64() * 1e6 / size;
    println!(
        "  {name:<10} {size:>9} entries: {each:>5.2} µs an entry, {:>6.1} million a minute, {:>4.1} x hashing alone",
        60.0 / each,
        each / limit
    );
    each
}

#[allow(clippy::cast_precision_loss, reason = "no ledger has 2^53 entries")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut memory = in_memory();
    let bytes: usize = memory.entries.iter().map(Vec::len).sum();
    println!("verify_ledger: {AGENTS} agents, {} bytes an entry, one core", bytes as u64 / ENTRIES);
    let limit = median(3, || {
        let mut tree = Frontier::new();
        memory.entries.iter().for_each(|it| tree.push(leaf_hash(it)));
        std::hint::black_box(tree.root());
    });
    let limit = limit.as_secs_f64() * 1e6 / ENTRIES as f64;
    println!(
        "  hashing    {ENTRIES:>9} entries: {limit:>5.2} µs an entry: leaves and tree, nothing read"
    );
    let slowest = told("in memory", &mut memory, limit);
    drop(memory);
    let start = Instant::now();
    let store = in_files()?;
    let opened = start.elapsed();
    let mut files = InFiles { store, block: (0, Vec::new()) };
    let slowest = slowest.max(told("in files", &mut files, limit));
    println!("  (written and opened in {:.1} s)", opened.as_secs_f64());
    println!("  target: at least 1 million a minute; slowest here {:.1}", 60.0 / slowest);
    Ok(())
}
