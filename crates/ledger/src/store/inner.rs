//! What writers share: one of them writes and syncs for all that wait.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::frame::{Id, Leaf};
use super::io::Io;
use super::log::{Places, Writer};
use super::queue::{Item, Queue};
use super::texts::{NewText, Texts};
use super::{Waits, stopped};
use crate::error::{Code, Error};

/// How often a leader looks whether more writers come.
const GATHER_ROUNDS: usize = 8;

/// All that a store and its tickets hold.
pub(super) struct Inner {
    pub io: Arc<dyn Io>,
    pub id: Id,
    pub queue: Mutex<Queue>,
    pub changed: Condvar,
    pub writer: Mutex<Writer>,
    pub texts: Mutex<Texts>,
    /// Held by whoever writes a snapshot.
    pub snapshots: Mutex<()>,
    pub places: Places,
    /// Whether it may be changed at all.
    pub writable: bool,
}

/// The value behind a mutex; a panic of another thread leaves it whole.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Waits for Inner {
    fn wait(&self, number: u64) -> Result<(), Error> {
        let mut queue = locked(&self.queue);
        loop {
            if number < queue.done {
                return Ok(());
            }
            if let Some(error) = &queue.stopped {
                return Err(error.clone());
            }
            if queue.leading {
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            // Nobody writes: this thread does, for all that wait.
            queue.leading = true;
            queue = self.gather(queue);
            let (base, batch) = queue.batch();
            if batch.is_empty() {
                // Somebody stopped the store while this thread waited for more writers.
                queue.leading = false;
                self.changed.notify_all();
                let none = || Error::new(Code::Stopped, "nothing waits under this number");
                return Err(queue.stopped.clone().unwrap_or_else(none));
            }
            let until = queue.done.saturating_add(batch.len() as u64);
            drop(queue);
            let written = self.write(base, batch);
            queue = locked(&self.queue);
            queue.leading = false;
            match written {
                Ok(()) => queue.written(until),
                Err(error) => queue.fail(error),
            }
            // Those that wake find the lock free.
            drop(queue);
            self.changed.notify_all();
            queue = locked(&self.queue);
        }
    }
}

impl Inner {
    /// Lets writers come that the last batch let go: while fewer wait than it had, and more come, the
    /// processor is given to them. One writer alone waits for nobody.
    fn gather<'q>(&'q self, mut queue: MutexGuard<'q, Queue>) -> MutexGuard<'q, Queue> {
        for _ in 0..GATHER_ROUNDS {
            let before = queue.waiting_count();
            if before >= queue.last_batch || queue.stopped.is_some() {
                break;
            }
            drop(queue);
            std::thread::yield_now();
            queue = locked(&self.queue);
            if queue.waiting_count() == before {
                break;
            }
        }
        queue
    }

    /// Writes a batch and makes it durable: texts first, so that no entry is without its text.
    fn write(&self, base: u64, batch: Vec<Item>) -> Result<(), Error> {
        let mut entries = Vec::with_capacity(batch.len());
        let mut late = Vec::new();
        let mut own = Vec::new();
        for item in batch {
            match item {
                Item::Entry(entry, text) => {
                    let index = base.saturating_add(entries.len() as u64);
                    own.extend(text.map(|text| (index, entry.leaf, entry.tag, text)));
                    entries.push(entry);
                }
                Item::Text { index, leaf, tag, text } => late.push((index, leaf, tag, text)),
            }
        }
        self.write_texts(&own, false)?;
        if !entries.is_empty() {
            locked(&self.writer).batch(&self.places, base, &entries)?;
        }
        // A late text may belong to an entry of this batch.
        self.write_texts(&late, true)
    }

    fn write_texts(&self, texts: &[(u64, Leaf, u64, Vec<u8>)], late: bool) -> Result<(), Error> {
        if texts.is_empty() {
            return Ok(());
        }
        let new = texts.iter().map(|(index, leaf, tag, bytes)| NewText {
            index: *index,
            leaf: *leaf,
            tag: *tag,
            late,
            bytes,
        });
        locked(&self.texts).batch(&new.collect::<Vec<_>>())
    }

    /// Refuses changes to what is open to be read alone.
    pub fn may_write(&self) -> Result<(), Error> {
        let why = || Error::new(Code::Stopped, "the ledger is open to be read alone");
        if self.writable { Ok(()) } else { Err(why()) }
    }

    /// Refuses to call a text erased of which a failed batch may have left a part: the next opening
    /// clears that away.
    pub fn lost_nothing(&self) -> Result<(), Error> {
        let queue = locked(&self.queue);
        match &queue.stopped {
            Some(error) if queue.lost => Err(stopped(error.message())),
            _ => Ok(()),
        }
    }

    /// Waits for all that was submitted.
    pub fn flush(&self) -> Result<(), Error> {
        let last = {
            let queue = locked(&self.queue);
            if let Some(error) = &queue.stopped {
                return Err(stopped(error.message()));
            }
            queue.number.checked_sub(1)
        };
        last.map_or(Ok(()), |it| self.wait(it))
    }

    /// Does something to texts; a failure stops the store, since the disk may have either.
    pub fn with_texts<T>(
        &self,
        run: impl FnOnce(&mut Texts) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let result = run(&mut locked(&self.texts));
        if let Err(error) = &result {
            locked(&self.queue).fail(error.clone());
            self.changed.notify_all();
        }
        result
    }
}
