//! make: options that choose what it reads, and variables on its line that choose programs.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, glued, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Make = Make;

/// It runs what its directory says.
pub(super) struct Make;

static GRAMMAR: Grammar = Grammar::assigning(&[
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
])
.of_goals();

/// Variables that name a program which rules of makefiles run.
const PROGRAMS: &[&str] = &[
    "AR", "AS", "CC", "CPP", "CXX", "FC", "INSTALL", "LD", "LEX", "LINT", "MAKE", "NM", "OBJCOPY",
    "PYTHON", "RANLIB", "RM", "STRIP", "YACC",
];

/// Programs that those variables name in everyday builds.
const USUAL: &[&str] = &["c++", "cc", "clang", "clang++", "cpp", "g++", "gcc", "ld", "lld", "ar"];

impl Program for Make {
    fn names(&self) -> &'static [&'static str] {
        &["gmake", "make"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn kin(&self) -> Option<&'static str> {
        Some("make")
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        for given in call.reading.options.iter().filter(|it| !it.written.starts_with('-')) {
            let name = given.name.trim_end_matches([':', '+', '?', '!']);
            let value = given.value.as_ref().map(crate::Word::shown).unwrap_or_default();
            let usual =
                USUAL
                    .contains(&value.trim_end_matches(|it: char| {
                        it == '-' || it == '.' || it.is_ascii_digit()
                    }));
            let shell = matches!(name, "MAKEFLAGS" | "GNUMAKEFLAGS" | "SHELL" | ".SHELLFLAGS");
            let runs = value.contains("$(shell") || value.contains("$(eval");
            if shell || runs || given.name.ends_with('!') || PROGRAMS.contains(&name) && !usual {
                let message = format!("sets `{name}`, which chooses the programs that `make` runs");
                let named = Named::Option(given.name.clone(), given.written.clone());
                found.effects.push(Effect::new(EffectKind::Executes, name, message).named(named));
            }
        }
        installs(call, found, 0);
    }
}

/// Goals that write to the system by custom.
pub(super) fn installs(call: &Call<'_>, found: &mut Found, from: usize) {
    let goals = call.reading.operands.iter().enumerate().skip(from);
    let writes = |it: &str| it.starts_with("install") || it == "uninstall";
    for (at, goal) in goals.filter(|it| writes(&it.1.start)) {
        let message = format!("`{} {}` writes outside of the workspace", call.name, goal.start);
        let effect = Effect::new(EffectKind::Writes, goal.start.clone(), message);
        let named = if at == 0 { Named::Words(2) } else { Named::Never };
        found.effects.push(effect.named(named));
    }
}
