//! Words of zsh that stand before a command and run it.

use super::{Call, Found, Program};
use crate::reading::Grammar;

/// The program.
pub(super) static PROGRAM: Wrapper = Wrapper;

/// It changes nothing for what it runs.
pub(super) struct Wrapper;

static GRAMMAR: Grammar = Grammar::leading(&[]);

impl Program for Wrapper {
    fn names(&self) -> &'static [&'static str] {
        &["noglob", "nocorrect"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.wraps(call, 0);
    }
}
