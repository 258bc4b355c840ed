//! flock: it runs a command, or a payload behind `-c`, while it holds a lock.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Flock = Flock;

/// It runs a command while it holds a lock.
pub(super) struct Flock;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-w --timeout --wait"),
    valued("-E --conflict-exit-code"),
    valued("-c --command"),
    flag("-n --nonblock"),
    flag("-x --exclusive"),
    flag("-s --shared"),
    flag("-u --unlock"),
]);

impl Program for Flock {
    fn names(&self) -> &'static [&'static str] {
        &["flock"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_careful(&self) -> bool {
        true
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if let Some(text) = call.value("-c") {
            found.code(call, text, true);
        } else if call.operand(1) == Some("-c") {
            if let Some(text) = call.word(2) {
                found.unseen(call, "-c");
                found.code(call, text, true);
            }
        } else {
            found.runs(call, 1);
        }
    }
}
