//! stdbuf: it runs a command with other buffers.

use super::{Call, Found, Program};
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Wrapper = Wrapper;

/// It changes nothing for what it runs.
pub(super) struct Wrapper;

static GRAMMAR: Grammar = Grammar::leading(&[valued("-i --input"), valued("-o --output"), valued("-e --error")]);

impl Program for Wrapper {
    fn names(&self) -> &'static [&'static str] {
        &["stdbuf"]
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
