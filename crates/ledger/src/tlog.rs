//! A transparency log: its tree, and the statements that are signed about it.
//!
//! Everything in here is a function of bytes. Formats are those of RFC 6962 and RFC 9162 (tree and
//! proofs) and of the C2SP specifications signed-note, tlog-checkpoint, tlog-cosignature,
//! tlog-proof, tlog-tiles and tlog-witness.

mod checkpoint;
mod hash;
mod key;
mod note;
mod proof;
mod receipt;
mod signer;
mod tiles;
mod tree;
mod trust;
mod witness;

pub(crate) use checkpoint::number;
pub use checkpoint::{Checkpoint, CheckpointError};
pub(crate) use hash::hex_bytes;
pub use hash::{EMPTY_ROOT, Hash, leaf_hash, node_hash};
pub use key::{BadKey, KEY_NAME_BYTES_MAX, KeyUse, PublicKey, is_name};
pub use note::{NOTE_BYTES_MAX, Note, NoteError, NoteSignature, SIGNATURES_MAX, Signed};
pub use proof::{Mismatch, check_consistency, check_inclusion};
pub use receipt::{PROOF_HASHES_MAX, Receipt, ReceiptError};
pub use signer::{SeedSigner, SignError, Signer};
pub use tiles::{
    BUNDLE_ENTRY_BYTES_MAX, TILE_WIDTH, Tile, TileKind, add_to_bundle, bundle_entries, tile_hashes,
};
pub use tree::{Frontier, Tree};
pub use trust::{Opened, TRUST_BYTES_MAX, TRUST_NAMES_MAX, Trust, TrustError};
pub use witness::{
    Answer, Head, Heads, HeadsError, HeadsInMemory, WITNESS_PROOF_MAX, WITNESS_REQUEST_BYTES_MAX,
    Witness, WitnessRequest,
};

#[cfg(test)]
mod tests;
