//! npm, pnpm, yarn and bun: global options with values, and packages that they run.

use super::{Call, Found, Program};
use crate::reading::{Grammar, Opt, flag, valued};

/// The program.
pub(super) static PROGRAM: Npm = Npm;

/// It runs scripts of a package, and packages.
pub(super) struct Npm;

static OPTIONS: &[Opt] = &[
    valued("--prefix").directory(),
    valued("-C --dir").directory(),
    valued("--cwd").directory(),
    valued("-w --workspace"),
    valued("--registry").network(),
    valued("--filter"),
    valued("--script-shell").executes(),
    valued("--node-options").executes(),
    valued("--userconfig").executes(),
    valued("--globalconfig").executes(),
    flag("-s --silent"),
    flag("-g --global"),
    flag("-D --save-dev"),
    flag("--if-present"),
    flag("--workspaces"),
    flag("-r --recursive"),
    flag("-y --yes"),
];

static GRAMMAR: Grammar = Grammar::of(OPTIONS);

impl Program for Npm {
    fn names(&self) -> &'static [&'static str] {
        &["bun", "npm", "pnpm", "yarn"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        let runs = match call.name {
            "npm" => matches!(call.operand(0), Some("exec" | "x")),
            "bun" => call.operand(0) == Some("x"),
            _ => matches!(call.operand(0), Some("dlx" | "exec")),
        };
        if runs {
            found.runs(call, 1);
        }
        if call.name == "bun" {
            super::deno::from_elsewhere(call, found);
        }
    }
}
