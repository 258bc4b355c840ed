//! The ledger: what agents did, as entries that nobody can change unseen.
//!
//! [`tlog`] holds the Merkle tree, signed notes, checkpoints and witnesses, and [`lineage_log`]
//! reads the logs that lineage writes. Both take bytes and give bytes.

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

pub mod lineage_log;
pub mod tlog;
pub mod verify;
