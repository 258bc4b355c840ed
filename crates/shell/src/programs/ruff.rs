//! ruff: it rewrites files, and names what it writes.

use super::copies::rewrites;
use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Ruff = Ruff;

/// It may rewrite the files that it is given.
pub(super) struct Ruff;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o --output-file").writes(),
    valued("--cache-dir").writes(),
    valued("--config"),
    valued("--select"),
    valued("--ignore"),
    valued("--output-format"),
    valued("--target-version"),
    valued("--line-length"),
    valued("--exclude"),
    flag("--check"),
    flag("--diff"),
    flag("--fix"),
    flag("--fix-only"),
    flag("--add-noqa"),
    flag("--unsafe-fixes"),
]);

impl Program for Ruff {
    fn names(&self) -> &'static [&'static str] {
        &["ruff"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_careful(&self) -> bool {
        false
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        let has = |it: &str| call.reading.has(it);
        let writes = match call.operand(0) {
            Some("format") => !has("--check"),
            Some("check") => has("--fix") || has("--fix-only") || has("--add-noqa"),
            _ => false,
        };
        if !writes || has("--diff") {
            return;
        }
        rewrites(call, 1, found);
    }
}
