//! Runners of packages: their first word is a package, which a rule must name.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Npx = Npx;

/// Its first word is a package.
pub(super) struct Npx;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-p --package").executes(),
    valued("-c --call"),
    valued("--from"),
    valued("--with"),
    valued("--python"),
    flag("-y --yes"),
    flag("--no-install"),
    flag("--no"),
    flag("-q --quiet"),
    flag("--bun"),
]);

impl Program for Npx {
    fn names(&self) -> &'static [&'static str] {
        &["bunx", "npx", "pnpx", "uvx"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_careful(&self) -> bool {
        true
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        if let Some(text) = call.value("-c") {
            found.unseen(call, &text.shown());
            found.code(call, text, true);
        }
        found.runs(call, 0);
    }
}
