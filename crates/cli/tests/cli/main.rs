//! The binary, run as its users run it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::string_slice
)]

mod actions;
mod agreement;
mod approve;
mod audit;
mod check;
mod ci;
mod closing;
mod commands;
mod convert;
mod decide;
mod decisions;
mod diff;
mod environment;
mod gate;
mod hook;
mod hook_around;
mod hook_hosts;
mod init;
mod inputs;
mod ledger;
mod masking;
mod output;
mod project;
mod readme;
mod review;
mod room;
mod schema;
mod selection;
mod streaming;
