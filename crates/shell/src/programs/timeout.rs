//! timeout: it runs a command for a while.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Wrapper = Wrapper;

/// It changes nothing for what it runs.
pub(super) struct Wrapper;

static GRAMMAR: Grammar = Grammar::leading(&[valued("-k --kill-after"), valued("-s --signal"), flag("-v --verbose"), flag("--foreground"), flag("--preserve-status")]);

impl Program for Wrapper {
    fn names(&self) -> &'static [&'static str] {
        &["timeout", "gtimeout"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.wraps(call, 1);
    }
}
