//! Formatters: the files that they rewrite count where those lie outside of the workspace.

use super::copies::rewrites;
use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Formatters = Formatters;

/// They rewrite the files that they are given.
pub(super) struct Formatters;

static GRAMMAR: Grammar = Grammar::of(&[
    flag("-w --write"),
    flag("-i --in-place"),
    flag("--check"),
    flag("--check-only"),
    flag("--diff"),
    flag("-l --list-different"),
    flag("-d"),
    flag("-s"),
    valued("--config --config-path").executes(),
    valued("--plugin").executes(),
    valued("-r"),
    valued("--line-length"),
    valued("--edition"),
]);

/// Those that show what they would write unless they are told to write it.
const SHOW: &[&str] = &["clang-format", "gofmt", "goimports", "prettier", "shfmt", "yapf"];

impl Program for Formatters {
    fn names(&self) -> &'static [&'static str] {
        &[
            "autopep8",
            "black",
            "clang-format",
            "gofmt",
            "goimports",
            "isort",
            "prettier",
            "rustfmt",
            "shfmt",
            "yapf",
        ]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_careful(&self) -> bool {
        false
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let has = |it: &str| call.reading.has(it);
        let checks = ["--check", "--check-only", "--diff"].into_iter().any(has);
        let writes = !SHOW.contains(&call.name) || has("-w") || has("-i");
        if checks || !writes {
            return;
        }
        rewrites(call, 0, found);
    }
}
