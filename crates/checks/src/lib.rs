//! Checks of a whole run beside the rules: loops, repeats, errors left alone, wrong answers.
//!
//! A check is no rule: it reads a finished run and says whether something is wrong with it.

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

mod check;
mod checks;
mod given;
mod json;
pub mod judge;
mod run;
mod words;

pub use check::{Check, Group, Told};
pub use checks::{CHECKS, named};
pub use given::{Given, Golden, Outcomes};
pub use run::{Run, Step};
