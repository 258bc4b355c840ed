//! cmake: it configures and builds what a directory says, runs scripts, and is a box of commands.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind, Word};

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
    valued("--build").directory(),
    valued("--install").changes(),
    valued("--open").executes(),
    valued("--prefix").writes(),
    valued("--graphviz --profiling-output --debugger-dap-log").writes(),
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
            return found.runs(call, 0);
        }
        let options = &call.reading.options;
        let values = |name: &'static str| {
            let given = options.iter().filter(move |it| it.name == name);
            given.filter_map(|it| it.value.as_ref().map(Word::shown))
        };
        let goals = call.reading.operands.iter().filter(|it| it.ended).map(|it| it.start.clone());
        for goal in values("-t").chain(goals).filter(|it| it.starts_with("install")) {
            let message = format!("`cmake` builds `{goal}`, which writes outside of the workspace");
            found.effects.push(Effect::new(EffectKind::Writes, goal, message));
        }
        for text in values("-D").filter(|it| chooses(it)) {
            let message = format!("`cmake -D {text}` chooses code that runs");
            let named = Named::Option("-D".to_owned(), "-D".to_owned());
            found.effects.push(Effect::new(EffectKind::Executes, text, message).named(named));
        }
    }
}

/// Whether a variable of the cache names a program or a script that runs.
fn chooses(text: &str) -> bool {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let name = name.split(':').next().unwrap_or_default();
    let script = name.starts_with("CMAKE_PROJECT_")
        || matches!(name, "CMAKE_MAKE_PROGRAM" | "CMAKE_TOOLCHAIN_FILE");
    let program = ["_LAUNCHER", "_COMPILER", "_LINKER"].iter().any(|it| name.ends_with(it))
        || name.ends_with("_EMULATOR");
    let far = value.starts_with(['/', '~']) || value.split('/').any(|it| it == "..");
    script && far || program && value.contains('/') && !value.starts_with("/usr/bin/")
}
