//! What benches of the ledger share: bare group commit as the limit, and the processor's time.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Condvar, Mutex};

/// How many bytes the file of [`file`] has.
pub const FILE_BYTES: u64 = 64 << 20;

/// A file with its room taken: writing does not make it longer.
///
/// # Panics
/// When the file can't be made or there is no room.
#[must_use]
pub fn file(folder: &Path, name: &str) -> File {
    let file = File::create(folder.join(name)).expect("the file can be made");
    let zeros = vec![0; 1 << 20];
    for mib in 0..FILE_BYTES >> 20 {
        file.write_all_at(&zeros, mib << 20).expect("there is room");
    }
    file.sync_all().expect("it can be synced");
    file
}

#[derive(Default)]
struct Waiting {
    buffer: Vec<u8>,
    next: u64,
    done: u64,
    leading: bool,
    at: u64,
}

/// A leader writes and syncs for all that wait; records are bare bytes.
pub struct GroupCommit {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    file: File,
}

impl GroupCommit {
    /// Writes into a file of [`file`].
    #[must_use]
    pub fn new(file: File) -> Self {
        GroupCommit { waiting: Mutex::default(), changed: Condvar::new(), file }
    }

    /// Makes a record durable.
    ///
    /// # Panics
    /// When the file can't be written.
    pub fn append(&self, record: &[u8]) {
        let mut it = self.waiting.lock().expect("no writer panics");
        it.buffer.extend_from_slice(record);
        it.next += 1;
        let mine = it.next;
        while it.done < mine {
            if it.leading {
                it = self.changed.wait(it).expect("no writer panics");
                continue;
            }
            it.leading = true;
            let (buffer, until) = (std::mem::take(&mut it.buffer), it.next);
            let at = if it.at + buffer.len() as u64 > FILE_BYTES { 0 } else { it.at };
            drop(it);
            self.file.write_all_at(&buffer, at).expect("it can be written");
            self.file.sync_data().expect("it can be synced");
            it = self.waiting.lock().expect("no writer panics");
            (it.at, it.done, it.leading) = (at + buffer.len() as u64, until, false);
            self.changed.notify_all();
        }
    }
}

/// The time that the processor spent on this process, in µs.
#[must_use]
pub fn processor() -> f64 {
    let it = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    #[allow(clippy::cast_precision_loss, reason = "no run takes 2^53 µs")]
    let micros = it.tv_sec as f64 * 1e6 + it.tv_nsec as f64 / 1e3;
    micros
}
