//! Snapshots: caches of what was folded from the log, tied to a place in it. Any of them may be
//! deleted.

use sha2::{Digest, Sha256};

use super::frame::{Id, Leaf, array_at, u64_at};
use super::io::{Io, read_whole};
use super::secrets::{file_stem, replace};
use crate::error::{Code, Error};

/// One snapshot may hold this many bytes.
pub const SNAPSHOT_BYTES_MAX: usize = 256 << 20;

const MAGIC: &[u8; 8] = b"LAWBSNP1";
pub(super) const SNAPSHOTS: &str = "snapshots";
/// The bytes before the hash.
const HEAD: usize = 72;
/// The bytes before what it holds.
const HEADER: usize = 104;

fn name_of(agent: &str) -> String {
    format!("{SNAPSHOTS}/{}.snap", file_stem(agent))
}

/// Writes the snapshot of an agent, in place of an older one.
pub(super) fn put(
    io: &dyn Io,
    id: Id,
    agent: &str,
    (size, leaf): (u64, Leaf),
    bytes: &[u8],
) -> Result<(), Error> {
    if bytes.len() > SNAPSHOT_BYTES_MAX {
        let message = format!("a snapshot of {} bytes; {SNAPSHOT_BYTES_MAX} fit", bytes.len());
        return Err(Error::new(Code::TooLarge, message));
    }
    let mut out = Vec::with_capacity(HEADER.saturating_add(bytes.len()));
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&id);
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&leaf);
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    let sum: [u8; 32] = Sha256::new().chain_update(&out).chain_update(bytes).finalize().into();
    out.extend_from_slice(&sum);
    out.extend_from_slice(bytes);
    replace(io, SNAPSHOTS, &name_of(agent), &out)
}

/// The snapshot of an agent, with the size of the log it was taken at; `None` for any that does not
/// fit this log. `leaf` gives the leaf hash of an entry that is in the log.
pub(super) fn read(
    io: &dyn Io,
    id: Id,
    agent: &str,
    leaf: &dyn Fn(u64) -> Option<Leaf>,
) -> Option<(u64, Vec<u8>)> {
    let mut bytes =
        read_whole(io, &name_of(agent), (SNAPSHOT_BYTES_MAX as u64).saturating_add(HEADER as u64))
            .ok()?;
    let (size, of) = (u64_at(&bytes, 24), array_at(&bytes, 32));
    let last = match size.checked_sub(1) {
        Some(last) => leaf(last)?,
        None => [0; 32],
    };
    let held = bytes.get(HEADER..)?;
    let sum: [u8; 32] =
        Sha256::new().chain_update(bytes.get(..HEAD)?).chain_update(held).finalize().into();
    let fits = bytes.starts_with(MAGIC)
        && array_at(&bytes, 8) == id
        && last == of
        && u64_at(&bytes, 64) == held.len() as u64
        && sum == array_at(&bytes, HEAD);
    fits.then(|| (size, bytes.split_off(HEADER)))
}

/// Removes the snapshot of an agent, if there is one.
pub(super) fn remove(io: &dyn Io, agent: &str) -> Result<(), Error> {
    let name = name_of(agent);
    match io.remove(&name) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io("remove", &name, &e)),
        Ok(()) => io.sync_dir(SNAPSHOTS).map_err(|e| Error::io("sync", SNAPSHOTS, &e)),
    }
}
