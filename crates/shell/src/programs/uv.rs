//! Tools whose second word runs the rest: `uv run`, `poetry run`, `pipx run`, `mise exec` and kin.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Uv = Uv;

/// Its second word may run the rest.
pub(super) struct Uv;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-C --directory").directory(),
    valued("--project").directory(),
    valued("-p --python"),
    valued("--with"),
    valued("--extra"),
    valued("--group"),
    valued("-n --name"),
    flag("-q --quiet"),
    flag("--frozen"),
    flag("--no-sync"),
]);

impl Program for Uv {
    fn names(&self) -> &'static [&'static str] {
        &[
            "asdf", "conda", "devbox", "devenv", "direnv", "hatch", "mamba", "micromamba", "mise",
            "nix", "nix-shell", "pdm", "pipenv", "pipx", "poetry", "pyenv", "rbenv", "rtx", "uv",
            "volta",
        ]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = call.name != "nix";
        match (call.name, call.operand(0)) {
            // Its first word names an output, and nothing on this machine.
            ("nix", Some("run")) => {}
            ("direnv", Some("exec")) => found.runs(call, 2),
            (_, Some("exec" | "run" | "x")) => found.runs(call, 1),
            _ => {}
        }
    }
}
