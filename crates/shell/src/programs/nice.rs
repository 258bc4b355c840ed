//! nice: it runs a command with another priority.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Wrapper = Wrapper;

/// It changes nothing for what it runs.
pub(super) struct Wrapper;

static GRAMMAR: Grammar = Grammar::leading(&[valued("-n --adjustment"), flag("-0"), flag("-1"), flag("-2"), flag("-3"), flag("-4"), flag("-5"), flag("-6"), flag("-7"), flag("-8"), flag("-9")]);

impl Program for Wrapper {
    fn names(&self) -> &'static [&'static str] {
        &["nice"]
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
