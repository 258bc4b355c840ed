//! chroot: it runs a command in another root.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Wrapper = Wrapper;

/// It changes nothing for what it runs.
pub(super) struct Wrapper;

static GRAMMAR: Grammar = Grammar::leading(&[valued("--userspec"), valued("--groups"), flag("--skip-chdir")]);

impl Program for Wrapper {
    fn names(&self) -> &'static [&'static str] {
        &["chroot"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.runs(call, 1);
    }
}
