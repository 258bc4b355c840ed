//! make: options that choose what it reads, and variables on its line that choose programs.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, glued, valued};
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Make = Make;

/// It runs what its directory says.
pub(super) struct Make;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-f --file --makefile").executes(),
    valued("-C --directory").directory(),
    valued("--eval").executes(),
    valued("-E").executes(),
    valued("-I --include-dir").executes(),
    glued("-j --jobs"),
    glued("-l --load-average"),
    valued("-o --old-file"),
    valued("-W --what-if"),
    flag("-k --keep-going"),
    flag("-n --dry-run"),
    flag("-B --always-make"),
    flag("-s --silent"),
]);

impl Program for Make {
    fn names(&self) -> &'static [&'static str] {
        &["gmake", "make"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        for operand in &call.reading.operands {
            let Some((name, _)) = operand.start.split_once('=') else { continue };
            if matches!(name.trim_end_matches([':', '+', '?', '!']), "MAKEFLAGS" | "SHELL" | ".SHELLFLAGS") {
                let message = format!("sets `{name}`, which chooses the programs that `make` runs");
                found.effects.push(Effect::new(EffectKind::Executes, name, message));
            }
        }
    }
}
