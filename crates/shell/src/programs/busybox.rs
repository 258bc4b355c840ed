//! busybox and toybox: their first word is the program.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag};

/// The program.
pub(super) static PROGRAM: Busybox = Busybox;

/// Its first word is the program.
pub(super) struct Busybox;

static GRAMMAR: Grammar = Grammar::leading(&[flag("--list"), flag("--install")]);

impl Program for Busybox {
    fn names(&self) -> &'static [&'static str] {
        &["busybox", "coreutils", "toybox"]
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
        found.runs(call, 0);
    }
}
