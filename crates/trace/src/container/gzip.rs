//! Unpacking gzip, with two bounds against bombs.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use lawbook_diag::Problem;

use super::Limits;
use crate::Source;

const MAGIC: &[u8] = &[0x1F, 0x8B];
/// Small inputs may unpack to this much whatever the ratio.
const ALWAYS_ALLOWED_BYTES: usize = 1 << 20;

/// How many bytes an input may unpack to.
pub fn allowed(bytes: &[u8], limits: &Limits) -> usize {
    let by_ratio = bytes.len().saturating_mul(limits.gzip_ratio_max).max(ALWAYS_ALLOWED_BYTES);
    by_ratio.min(limits.gzip_bytes_max)
}

/// The unpacked bytes; nothing when the input is not gzip.
pub fn unpack(bytes: &[u8], source: &Source, limits: &Limits) -> Result<Option<Vec<u8>>, Problem> {
    if !bytes.starts_with(MAGIC) {
        return Ok(None);
    }
    let max = allowed(bytes, limits);
    let mut unpacked = Vec::new();
    let more = u64::try_from(max).unwrap_or(u64::MAX).saturating_add(1);
    let read = MultiGzDecoder::new(bytes).take(more).read_to_end(&mut unpacked);
    if unpacked.len() > max {
        let message = if max < limits.gzip_bytes_max {
            format!("the gzip input unpacks to more than {} times its size", limits.gzip_ratio_max)
        } else {
            format!("the gzip input unpacks to more than {} bytes", limits.gzip_bytes_max)
        };
        return Err(Problem::new(source.name.clone(), "gzip_too_large", message)
            .help("unpack it yourself if you trust it"));
    }
    match read {
        Ok(_) => Ok(Some(unpacked)),
        Err(error) => Err(Problem::new(
            source.name.clone(),
            "gzip_broken",
            format!("the gzip input does not unpack: {error}"),
        )
        .help("copy the file again; it may be cut")),
    }
}
