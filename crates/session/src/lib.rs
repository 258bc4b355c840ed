//! Live agents: judge, record, answer, and begin again where it stopped.
//!
//! An [`Agents`] holds all agents of one ledger. Each operation judges an event, writes one entry,
//! and answers once that entry is durable. What an agent knows is folded from its entries, so
//! whoever opens the ledger again knows what was known.
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

mod agent;
mod agents;
mod binding;
mod clock;
mod entry;
mod error;
mod grant;
mod quota;
mod reply;
mod seal;
mod text;
mod words;

pub use agent::{ARGS_BYTES_MAX, NAME_BYTES_MAX, REASON_BYTES_MAX, SESSIONS_MAX};
pub use agents::{
    Agents, Compile, GRANT_SECS_MAX, Otherwise, POLICY_BYTES_MAX, PolicyText, Rejudged,
    RejudgedVerdict, SNAPSHOT_ENTRIES, Statement, rejudge,
};
pub use binding::BINDING_SCHEME;
pub use clock::{AHEAD_SECS_MAX, Clock, SystemClock};
pub use entry::ENTRY_VERSION;
pub use error::Error;
pub use grant::{GRANT_BYTES_MAX, Grant, GrantKey};
pub use quota::{
    ATTEMPT_BYTES_PER_MIN_MAX, ATTEMPTS_PER_SEC_MAX, Quota, REPORT_BYTES_PER_BYTE,
    REPORTS_PER_ATTEMPT,
};
pub use reply::{Action, Heeded, Reply, Request, Standing, Status, Waiting};
pub use text::Finding;
pub use words::reply as words_for_the_model;
