//! What happened: the events of a session, the values they carry, and the three ways in which
//! policies read those values.
//!
//! This crate is the vocabulary. It depends on nothing inside the project, reads no clock and no
//! file, and holds no rule.

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

mod answer;
mod cut;
mod dispatch;
mod event;
pub mod json;
mod life;
mod name;
mod reading;
mod seal;
mod semantics;

pub use answer::{Answer, Approval, Reading as SuccessReading, State, status};
pub use cut::{is_cut, is_hidden, is_marked};
pub use dispatch::{DISPATCHERS, Dispatched, dispatched};
pub use event::{
    Args, ArgsState, Call, End, Event, Hindsight, Ran, RootEnd, Speaker, Start, Text, Time,
    TurnEnd, Usage, What,
};
pub use life::{Actor, Effect, Severity};
pub use name::{Skeleton, person, skeleton};
pub use reading::{Reading, Readings, RecordingPart};
pub use seal::Seal;
pub use semantics::{
    EXACT, JAVASCRIPT, JavaScriptFlags, Number, PYTHON, Path, Pattern, PatternError, PatternSet,
    PatternUse, Semantics, javascript_pattern, python,
};
