//! A command line, read as the programs it can reach and what they would do.
//!
//! Text → [`Script`] → segments → verdict. The parser says which simple commands can run; the walk
//! looks through wrappers and payloads and says what each would do; rules say which of it may.

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

mod arity;
mod catastrophe;
mod glob;
mod hazard;
mod judge;
mod parse;
mod path;
mod prefix;
mod programs;
mod raw;
mod reading;
mod rules;
mod script;
mod segment;
mod sets;
mod walk;
mod wild;
mod windows;

pub use arity::{Arity, action, suggest};
pub use judge::judge;
pub use parse::{COMMANDS_MAX, DEPTH_MAX, PARSED_WORDS_MAX, TEXT_BYTES_MAX, parse};
pub use rules::{
    Glob, Judged, Judgement, Matcher, MatcherError, Pick, Prefix, Reason, Rule, Rules, Shell,
    Verdict, World,
};
pub use script::{
    Assignment, Command, Dynamic, Inside, Piece, Place, Redirect, RedirectKind, Script, Unclear,
    Word,
};
pub use segment::{Analysis, Effect, EffectKind, Segment};
pub use walk::{EFFECTS_MAX, PAYLOAD_BYTES_MAX, REACH_MAX, SEGMENTS_MAX, WORDS_MAX, analyse};
