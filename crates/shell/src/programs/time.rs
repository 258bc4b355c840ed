//! time: the keyword, and the program that may write what it measured.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Time = Time;

/// It changes nothing for what it runs.
pub(super) struct Time;

static GRAMMAR: Grammar = Grammar::leading(&[
    flag("-p --portability"),
    flag("-v --verbose"),
    flag("-a --append"),
    valued("-f --format"),
    valued("-o --output").writes(),
]);

impl Program for Time {
    fn names(&self) -> &'static [&'static str] {
        &["gtime", "time"]
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
