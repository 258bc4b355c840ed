//! cmake: it configures and builds what a directory says, runs scripts, and is a box of commands.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Cmake = Cmake;

/// It runs what its directory says, or the command behind `-E`.
pub(super) struct Cmake;

static GRAMMAR: Grammar = Grammar::of(&[
    flag("-E"),
    valued("-P").executes(),
    valued("-C").executes(),
    valued("--toolchain").executes(),
    valued("-S").directory(),
    valued("-B").writes(),
    valued("--build"),
    valued("--install").changes(),
    valued("-G"),
    valued("-D"),
    valued("-U"),
    valued("-t --target"),
    valued("--preset"),
    valued("-j --parallel"),
]);

impl Program for Cmake {
    fn names(&self) -> &'static [&'static str] {
        &["cmake"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        if call.reading.has("-E") {
            found.runs(call, 0);
        }
    }
}
