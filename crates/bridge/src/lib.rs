//! Where coding agents ask: their hooks, answered by a live session.
//!
//! A host starts a process for every event and reads its verdict from standard output and the exit
//! code. So a session lives in a store between two processes and is folded from it each time.
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

mod door;
mod fold;
mod hooks;
mod host;
mod input;
mod store;
mod transcript;

pub use door::{Door, INPUT_BYTES_MAX, OnError};
pub use hooks::{HOSTS, named};
pub use host::{
    Ability, Around, Entry, Failing, Heard, Host, Off, Output, Place, Say, Setup, Switch, Told,
    Versions,
};
pub use store::{KEPT_DAYS, RECORD_BYTES_MAX, Record, STORE_BYTES_MAX, Store, StoreError, Stored};
