//! The append-only record: a store of entries, its tree of hashes, and what can be proved of it.
//!
//! The ledger knows entries as bytes with the name of an agent, and nothing of rules. [`store`]
//! keeps them; [`tlog`] holds the Merkle tree, signed notes, checkpoints and witnesses; [`verify`]
//! says of a whole ledger what holds and what can't be told; [`lineage_log`] reads the logs that
//! lineage writes. All but the store take bytes and give bytes.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::panic,
        clippy::string_slice
    )
)]

mod error;
pub mod lineage_log;
pub mod store;
pub mod tlog;
pub mod verify;

pub use error::{Code, Error};
