//! The logs of lineage's agent guard (`lineage-audit-v1`): read and verified, never written.
//!
//! One JSON object a line, each with the hash of the one before and a signature over its own
//! ([lineage](https://crates.io/crates/lineage) 0.3.0 writes them). Numbers are hashed as they
//! stand in the line, so a log is believed if its bytes are, however a number was printed. Where
//! lineage lets a line say more than it signs, this reader refuses: unknown and repeated members,
//! hexadecimal in capitals, and signatures that only a lax check would take.

mod canonical;
mod record;
mod verify;

pub use canonical::canonical;
pub use record::{DEPTH_MAX, LINE_BYTES_MAX, Record, looks_like_lineage};
pub use verify::{Expected, Failure, Fault, Head, Report, Verifier, verify};

/// What a hash begins with, so that it is of this format.
const PREFIX: &[u8] = b"lineage-audit-v1\n";

#[cfg(test)]
mod tests;
