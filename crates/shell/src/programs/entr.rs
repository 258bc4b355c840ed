//! entr: it runs a command, or code, when files change.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag};

/// The program.
pub(super) static PROGRAM: Entr = Entr;

/// It runs a command again and again.
pub(super) struct Entr;

static GRAMMAR: Grammar = Grammar::leading(&[
    flag("-a"),
    flag("-c"),
    flag("-d"),
    flag("-n"),
    flag("-p"),
    flag("-r"),
    flag("-s"),
    flag("-x"),
    flag("-z"),
]);

impl Program for Entr {
    fn names(&self) -> &'static [&'static str] {
        &["entr"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        match call.word(0).filter(|_| call.reading.has("-s")) {
            Some(text) => {
                found.unseen(call, &text.shown());
                found.code(call, text, true);
            }
            None => found.runs(call, 0),
        }
    }
}
