//! vim: options that run its commands.

use super::{Call, Found, Program};
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Vim = Vim;

/// Words that begin with `+` are its commands.
pub(super) struct Vim;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-c").executes(),
    valued("--cmd").executes(),
    valued("-S -s -u -U --eval -l --load").executes(),
    valued("-w -W").writes(),
]);

impl Program for Vim {
    fn names(&self) -> &'static [&'static str] {
        &["vim", "vi", "nvim", "ex", "view", "vimdiff", "gvim", "emacs"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        super::start_commands(call, found);
    }
}
