//! What is about to be cut, written down before it is: an opening that fails in the middle is gone on
//! with by the next, and no cut goes unrecorded.

use super::crc;
use super::frame::{array_at, u32_at, u64_at};
use super::io::{Io, read_whole};
use super::secrets::replace;
use crate::error::{Code, Error};

const MAGIC: &[u8; 8] = b"LAWBCUT1";
/// Such a file is at most this long.
const BYTES_MAX: u64 = 1 << 20;

fn name_of(dir: &str) -> String {
    format!("{dir}/cut")
}

/// Writes numbers down, durably.
pub(super) fn put(io: &dyn Io, dir: &str, numbers: &[u64]) -> Result<(), Error> {
    let mut out = MAGIC.to_vec();
    out.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
    out.extend_from_slice(&crc::crc32c(&out).to_le_bytes());
    replace(io, dir, &name_of(dir), &out)
}

/// The numbers that were written down; none when there is no such file.
pub(super) fn read(io: &dyn Io, dir: &str) -> Result<Vec<u64>, Error> {
    let name = name_of(dir);
    let bytes = match read_whole(io, &name, BYTES_MAX) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|e| Error::io("read", &name, &e))?,
    };
    let end = bytes.len().saturating_sub(4);
    let body = bytes.get(..end).unwrap_or_default();
    if array_at::<8>(body, 0) != *MAGIC || crc::crc32c(body) != u32_at(&bytes, end) {
        return Err(Error::new(Code::Damaged, format!("`{name}` is damaged")));
    }
    let numbers = body.get(MAGIC.len()..).unwrap_or_default();
    Ok(numbers.as_chunks::<8>().0.iter().map(|it| u64_at(it, 0)).collect())
}

/// Removes the file, durably.
pub(super) fn remove(io: &dyn Io, dir: &str) -> Result<(), Error> {
    let name = name_of(dir);
    match io.remove(&name) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io("remove", &name, &e)),
        Ok(()) => io.sync_dir(dir).map_err(|e| Error::io("sync", dir, &e)),
    }
}
