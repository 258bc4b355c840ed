//! ninja: an option that chooses the rules it runs.

use super::{Call, Found, Program};
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Ninja = Ninja;

/// It runs what its directory says.
pub(super) struct Ninja;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-f").executes(),
    valued("-C").directory(),
    valued("-j"),
    valued("-k"),
    valued("-l"),
    valued("-t"),
    valued("-d"),
])
.of_goals();

impl Program for Ninja {
    fn names(&self) -> &'static [&'static str] {
        &["ninja", "samu"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        super::make::installs(call, found, 0);
    }
}
