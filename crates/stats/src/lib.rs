//! Rates with their intervals, the agreement of verdicts with people's labels, and the tests of a
//! release against its baseline: arithmetic and nothing else.

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
mod band;
mod count;
mod drop;
mod grid;
mod normal;
mod rate;
mod verdict;
mod wilson;

pub use agreement::{Agreement, Truth};
pub use band::{ALPHA, Band, Banded, POWER, against, band};
pub use drop::{Asked, Chances, Scenario, Weighed, chances, weigh};
pub use normal::{normal_point, normal_tail};
pub use rate::{Rate, percent};
pub use verdict::Verdict;
pub use wilson::{Interval, wilson};
