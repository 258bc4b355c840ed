//! Where entries lie: files that outlive a crash, behind a trait.

mod crc;
mod entry;
mod frame;
mod io;

pub use entry::{AGENT_BYTES_MAX, Head, LEDGER_AGENT, Link, Links, NO_LEAF, entry_bytes, hex, leaf_of};
pub use frame::{ENTRY_BYTES_MAX, Id, Leaf, agent_tag, leaf_hash};
pub use io::{Disk, How, Io, IoFile};
