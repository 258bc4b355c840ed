//! less: options that write a log, and words that begin with `+` and are commands.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Less = Less;

/// Words that begin with `+` are its commands.
pub(super) struct Less;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o -O --log-file --LOG-FILE").writes(),
    valued("-k --lesskey-file").executes(),
    valued("--lesskey-src --lesskey-content").executes(),
    valued("-b"),
    valued("-p --pattern"),
    valued("-P --prompt"),
    flag("-R"),
    flag("-N"),
    flag("-S"),
]);

impl Program for Less {
    fn names(&self) -> &'static [&'static str] {
        &["less", "more", "most"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        super::start_commands(call, found);
    }
}
