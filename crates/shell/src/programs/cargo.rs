//! cargo: configuration that names programs, and a toolchain as its first word.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Cargo = Cargo;

/// It builds and runs what its directory says.
pub(super) struct Cargo;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("--config").executes(),
    valued("-Z").executes(),
    valued("-C").directory(),
    valued("--color"),
    valued("--manifest-path").trusts(),
    valued("--artifact-dir --out-dir").writes(),
    valued("-p --package"),
    valued("-F --features"),
    valued("--target"),
    valued("--target-dir").writes(),
    valued("-j --jobs"),
    valued("--bin"),
    valued("--example"),
    valued("--test"),
    valued("--bench"),
    valued("--profile"),
    valued("--message-format"),
    flag("-q --quiet"),
    flag("-v --verbose"),
    flag("--locked"),
    flag("--offline"),
    flag("--frozen"),
]);

impl Program for Cargo {
    fn names(&self) -> &'static [&'static str] {
        &["cargo"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = !call.reading.operands.is_empty();
        found.skips = usize::from(call.operand(0).is_some_and(|it| it.starts_with('+')));
    }
}
