//! Recorded sessions in any format, read as events.
//!
//! Bytes come in, sessions go out; nothing here opens a file. [`open`] takes the container apart
//! (one document, lines, a concatenation, gzip, an archive), [`detect`] finds the format by content,
//! and a [`Reader`] turns documents into [`Session`]s.

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

mod attr;
mod chat;
mod container;
mod content;
mod cut;
mod dialog;
mod encoding;
mod entries;
mod faultgate;
mod ids;
mod measures;
#[cfg(test)]
mod mutation;
mod names;
mod print;
mod reader;
mod readers;
mod run;
mod said;
mod session;
mod tell;
#[cfg(test)]
mod testing;
mod time;

pub use container::{Both, Contents, Form, Limits, Line, Lines, block_end, json_problem, open};
pub use lawbook_event::{Reading, Readings};
pub use reader::{Part, Reader, Shape, Untold};
pub use readers::{Parsed, READERS, detect, named, read, traces_file, with_traces};
pub use session::{Level, Note, Session, Source};
pub use time::parse_time;
