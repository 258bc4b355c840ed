//! The binary, run as its users run it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::string_slice
)]

mod check;
mod commands;
mod decide;
mod decisions;
mod environment;
mod inputs;
mod output;
mod readme;
mod room;
mod schema;
mod selection;
mod streaming;
