//! The store as a whole, on a disk in memory.

mod behaviour;
mod simulator;
mod tamper;

use std::sync::Arc;

use super::sim::SimDisk;
use super::{Entry, FileStore, Options, Placed, SEGMENT_BYTES_MIN, Store, entry_bytes};
use crate::Error;

const NOW: i64 = 1_767_225_600_000_000_000;

/// Small segments, so that they are often full.
fn small() -> Options {
    Options { segment_bytes: SEGMENT_BYTES_MIN, at: NOW }
}

fn create(disk: &SimDisk) -> FileStore {
    FileStore::create_on(Arc::new(disk.clone()), &small()).unwrap()
}

fn open(disk: &SimDisk) -> Result<FileStore, Error> {
    FileStore::open_on(Arc::new(disk.clone()), &small())
}

/// The next entry of an agent, with some words in it.
fn next(store: &FileStore, agent: &str, words: &str) -> Result<Vec<u8>, Error> {
    let head = store.head(agent)?;
    let kind = match head.next_seq {
        0 => "genesis",
        1 => "policy",
        _ => "asked",
    };
    Ok(entry_bytes(agent, &head, NOW, kind, |it| {
        it.key("words").string(words);
    }))
}

fn append(store: &FileStore, agent: &str, words: &str) -> Result<Placed, Error> {
    store.submit(Entry::new(next(store, agent, words)?))?.wait()
}
