//! The machine: what rules need, what they hold against an event, and what changes when it
//! happens. A recording is judged by the same two functions as a live call.
//!
//! [`Engine::judge`] only reads a state and [`Engine::advance`] changes it. There is no clock, no
//! input, no randomness and no order of hash maps in here: time, text and places come on events.
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

mod advance;
mod counterfactual;
mod flips;
mod index;
mod judge;
mod life;
mod note;
mod replay;
mod saved;
mod settle;
mod state;
mod steps;
mod tried;

pub use counterfactual::{Ruled, Ruling, enforced, recorded, without};
pub use flips::{CAUSE_REPLAYS_MAX, CAUSES_TRIED_MAX, Cause, Compared, Flip, Side, Which, flips};
pub use index::{DISPATCH_DEPTH_MAX, Engine, Needs, Remembered};
pub use judge::{Held, Judgement, Misuse};
pub use life::{Left, Standing, Termination};
pub use note::{FoldError, NOTE_VERSION, Note};
pub use replay::{Checked, check, live, without_hindsight};
pub use saved::STATE_VERSION;
pub use state::{Door, Fate, LET_GO_MAX, OPEN_MAX, State, WAITING_MAX};
pub use steps::RUNS_MAX;
pub use tried::tried;
