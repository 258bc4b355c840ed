//! Rates with their intervals, and the agreement of verdicts with people's labels: arithmetic and
//! nothing else.

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

mod agreement;
mod rate;
mod wilson;

pub use agreement::{Agreement, Truth};
pub use rate::{Rate, percent};
pub use wilson::{Interval, wilson};
