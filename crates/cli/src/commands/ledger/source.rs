//! What is read: a ledger of ours in a folder, a log of lineage, or a receipt, told by content.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use lawbook_diag::Problem;
use lawbook_ledger::lineage_log::{self, LINE_BYTES_MAX};
use lawbook_ledger::store::{FileStore, Store};
use lawbook_ledger::tlog::{Hash, Tree};
use lawbook_ledger::verify::{Ledger, Unreadable};
use lawbook_ledger::{Code, Error};

use super::files;

/// How many leaf hashes are read at a time, so that files of entries and of hashes need not take
/// turns.
const BLOCK: u64 = 1024;

/// What a path holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A folder with a ledger of ours.
    Ledger,
    /// A log of lineage.
    Lineage,
    /// A folder of logs of lineage, one for each agent.
    Lineages,
    /// A receipt.
    Receipt,
}

/// Tells what a path holds, by its content.
///
/// # Errors
/// When it can't be read, or holds something else.
pub fn sort(path: &Path) -> Result<Sort, Problem> {
    if path.is_dir() {
        let ours = path.join("ledger").exists();
        let theirs = !ours && logs(path).is_ok_and(|it| !it.is_empty());
        return Ok(if theirs { Sort::Lineages } else { Sort::Ledger });
    }
    let file = File::open(path).map_err(|error| {
        files::problem(path, "unreadable", format!("it can't be read: {error}"))
            .help("name the folder of a ledger, a log of lineage, or a receipt")
    })?;
    let mut line = Vec::new();
    let bound = (LINE_BYTES_MAX as u64).saturating_add(1);
    let read = BufReader::new(file).take(bound).read_until(b'\n', &mut line);
    read.map_err(|error| files::problem(path, "unreadable", error.to_string()))?;
    let first = line.strip_suffix(b"\n").unwrap_or(&line);
    if first.starts_with(b"c2sp.org/tlog-proof@") {
        Ok(Sort::Receipt)
    } else if lineage_log::looks_like_lineage(first) {
        Ok(Sort::Lineage)
    } else {
        Err(files::problem(
            path,
            "unreadable",
            "this is no ledger, no log of lineage and no receipt",
        ))
    }
}

/// The logs of lineage in a folder, by the agent that the file is named after.
///
/// # Errors
/// When the folder can't be read.
pub fn logs(path: &Path) -> Result<BTreeMap<String, PathBuf>, Problem> {
    let unreadable = |error: std::io::Error| {
        files::problem(path, "unreadable", format!("it can't be read: {error}"))
    };
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        let stem = file.file_stem().and_then(|it| it.to_str()).map(str::to_owned);
        if let (Some(agent), true) = (stem, file.extension().is_some_and(|it| it == "jsonl")) {
            out.insert(agent, file);
        }
    }
    Ok(out)
}

/// A ledger in a folder, opened to be read.
pub struct Folder {
    store: FileStore,
    /// From here on no leaf hash is kept apart.
    leaves_end: u64,
    /// The leaf hashes from the first number on.
    block: (u64, Vec<Result<Hash, Unreadable>>),
}

impl Folder {
    /// Opens a ledger without changing it.
    ///
    /// # Errors
    /// When there is none, or its files can't be put together.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        let store = FileStore::read(path).map_err(|error| trouble(path, &error))?;
        let mut leaves_end = store.size();
        // The newest hashes may be lost with the power, which is no damage.
        while let Some(last) = leaves_end.checked_sub(1) {
            if store.leaf(last).is_ok() {
                break;
            }
            leaves_end = last;
        }
        Ok(Folder { store, leaves_end, block: (0, Vec::new()) })
    }

    /// The store.
    pub fn store(&self) -> &FileStore {
        &self.store
    }

    /// The tree over all leaf hashes; what is not kept apart is made from its entry.
    ///
    /// # Errors
    /// When a hash can't be had.
    pub fn tree(&mut self, path: &Path) -> Result<Tree, Problem> {
        let mut tree = Tree::new();
        let mut bytes = Vec::new();
        for index in 0..self.size() {
            let leaf = match self.leaf(index) {
                Ok(leaf) => Ok(leaf),
                Err(_) => {
                    bytes.clear();
                    let entry = self.entry(index, &mut bytes);
                    entry.map(|()| lawbook_ledger::tlog::leaf_hash(&bytes))
                }
            };
            tree.push(leaf.map_err(|_| {
                let message = format!("entry {index} is lost, and so is its hash");
                files::problem(path, "damaged", message)
                    .help("`lawbook ledger verify` says what else is wrong")
            })?);
        }
        Ok(tree)
    }

    fn read_leaf(&self, index: u64) -> Result<Hash, Unreadable> {
        if index >= self.leaves_end {
            return Err(Unreadable::Missing);
        }
        self.store.leaf(index).map(Hash).map_err(|error| unreadable(&error))
    }
}

impl Ledger for Folder {
    fn size(&self) -> u64 {
        self.store.size()
    }

    fn entry(&mut self, index: u64, out: &mut Vec<u8>) -> Result<(), Unreadable> {
        *out = self.store.entry(index).map_err(|error| unreadable(&error))?;
        Ok(())
    }

    fn leaf(&mut self, index: u64) -> Result<Hash, Unreadable> {
        let (first, block) = &self.block;
        let place = index.checked_sub(*first).and_then(|it| usize::try_from(it).ok());
        if let Some(leaf) = place.and_then(|it| block.get(it)) {
            return leaf.clone();
        }
        let end = index.saturating_add(BLOCK).min(self.store.size());
        let block: Vec<_> = (index..end).map(|it| self.read_leaf(it)).collect();
        let leaf = block.first().cloned();
        self.block = (index, block);
        leaf.unwrap_or(Err(Unreadable::Missing))
    }
}

fn unreadable(error: &Error) -> Unreadable {
    match error.code() {
        Code::Missing => Unreadable::Missing,
        Code::Io => Unreadable::Failed(error.to_string()),
        _ => Unreadable::Damaged(error.to_string()),
    }
}

/// What the store says of a folder that it can't open.
pub fn trouble(path: &Path, error: &Error) -> Problem {
    let problem = files::problem(path, error.code().as_str(), error.to_string());
    match error.code() {
        Code::Absent => problem.help("name the folder that holds the file `ledger`"),
        _ => problem,
    }
}
