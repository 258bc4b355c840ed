//! The rules an AI agent may not break, asked from Rust: load a policy, ask about a call, hear
//! `allow`, `ask` or `deny`.
//!
//! A [`Session`] follows one conversation and is asked about each call before it runs. [`decide`]
//! needs no session: the whole conversation comes with the question, as JSON.
//!
//! ```
//! use lawbook::{Call, Policy, Session, Start, Time, Verdict};
//!
//! let policy = Policy::from_text(
//!     "credits.yaml",
//!     "
//! lawbook: 1
//! default: deny
//! tools: {issue_credit: {access: write, confirm: true}}
//! rules:
//!   - {id: credit-cap, arg_range: {tools: [issue_credit], arg: amount, max: 50}}
//! ",
//! )?;
//! // Time is a value, which the caller reads from its own clock.
//! let now = Time { nanos: 1_767_225_600_000_000_000 };
//! let mut session = Session::begin(&policy, &Start::new("chat-7"), now)?;
//!
//! session.agent("I can credit 40 for the delay. Shall I?", now)?;
//! session.user("yes please", now)?;
//! let answer = session.call(&Call::new("c1", "issue_credit", r#"{"amount": 40}"#), now)?;
//! assert_eq!(answer.verdict(), Verdict::Allow);
//! session.result("c1", r#"{"status": "ok"}"#, now)?;
//!
//! // One yes serves one call.
//! let answer = session.call(&Call::new("c2", "issue_credit", r#"{"amount": 40}"#), now)?;
//! assert_eq!(answer.verdict(), Verdict::Deny);
//! assert!(answer.reply().is_some_and(|it| it.starts_with("blocked by policy: ")));
//! # Ok::<(), lawbook::Error>(())
//! ```
//!
//! Policies of other systems are read strictly, with their faults closed, unless
//! [`Options::profile`] says otherwise.
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

pub mod agent;
mod answer;
mod call;
mod decide;
mod decision;
mod error;
mod history;
mod live;
mod options;
mod policy;
mod proven;
mod question;
mod session;
mod start;
mod used;

pub use answer::{Answer, CallAnswer};
pub use call::{Call, ToolResult};
pub use decide::decide;
pub use error::Error;
pub use lawbook_diag::{Evidence, Finding, Mode, Problem, Unknown, Verdict};
pub use lawbook_engine::Remembered;
pub use lawbook_event::Time;
pub use lawbook_mask::{Mask, Mode as MaskMode};
pub use lawbook_rule::Profile;
pub use options::Options;
pub use policy::{Policy, digest};
pub use proven::Proven;
pub use question::{CALLS_MAX, QUESTION_BYTES_MAX};
pub use session::{IDS_MAX, Session};
pub use start::Start;

#[cfg(test)]
mod tests;
