//! The runner of policy tests and conformance cases: it reads a case, runs it through a door, and
//! explains every difference.
//!
//! A [`Subject`] is a door that cases are run through. What a door can't carry is skipped by name,
//! never in silence.

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

mod case;
mod compare;
mod happening;
mod of_agents;
mod page;
mod policy;
mod reading;
mod recording;
mod replay;
mod run;
mod script;
mod story;
mod subject;
mod table;
mod timing;

pub use case::{Case, Expect, Expectation, Mode, Normalised, Settled};
pub use happening::{Asking, Happening, Returned, Standing, Step};
pub use of_agents::OfAgents;
pub use page::blocks;
pub use replay::{Replay, Restarted};
pub use run::{Difference, Ended, Settings, Told, run};
pub use subject::{Heard, Run, Subject};
