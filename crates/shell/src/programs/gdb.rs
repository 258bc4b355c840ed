//! gdb: options that run its commands, and the program that it debugs.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Gdb = Gdb;

/// It may run the program that it is given.
pub(super) struct Gdb;

static GRAMMAR: Grammar = Grammar::one_dash(&[
    valued("-ex --ex -eval-command --eval-command").executes(),
    valued("-x --command").executes(),
    valued("-iex -ix -o -s -S").executes(),
    flag("-args"),
    flag("-q -quiet -batch"),
]);

impl Program for Gdb {
    fn names(&self) -> &'static [&'static str] {
        &["gdb", "lldb"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if call.reading.has("-args") || call.name == "lldb" {
            found.runs(call, 0);
        }
    }
}
