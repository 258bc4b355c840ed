//! Policy text in any dialect, lowered to rules; everything that is wrong with it is told at once,
//! each with its place.
//!
//! [`load`] finds the dialect by content and lowers the file. [`lint`] says what is allowed and
//! probably not meant. Both take text and give values: reading files is the edge's.
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

mod amend;
mod convert;
mod detect;
mod dialects;
mod draft;
mod fmt;
mod lines;
mod lint;
mod load;
mod outline;
mod permissions;
mod schema;

pub use amend::{Amender, Cause, Edit};
pub use convert::{Converted, Fate, convert};
pub use dialects::{DIALECTS, Dialect, WINDOW_SECS_MAX, parse as tree};
pub use draft::{Draft, DraftRule, DraftTool};
pub use fmt::fmt;
pub use lines::lines;
pub use lint::{Lint, lint};
pub use load::{Loaded, Options, POLICY_BYTES_MAX, load};
pub use schema::schema;
