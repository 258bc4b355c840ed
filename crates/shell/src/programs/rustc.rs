//! rustc: options that name what it writes, and which linker it runs.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Rustc = Rustc;

/// Some of its codegen options run programs.
pub(super) struct Rustc;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o").writes(),
    valued("--out-dir").writes(),
    valued("-Z").executes(),
    valued("--sysroot").executes(),
    valued("-C --codegen"),
    valued("--emit"),
    valued("--extern"),
    valued("-L"),
    valued("-l"),
    valued("--edition"),
    valued("--crate-type"),
    valued("--crate-name"),
    valued("--cfg"),
    valued("--target"),
    valued("--explain"),
    valued("--print"),
    valued("-A"),
    valued("-D"),
    valued("-W"),
    flag("-O"),
    flag("-g"),
    flag("--test"),
]);

impl Program for Rustc {
    fn names(&self) -> &'static [&'static str] {
        &["rustc", "rustdoc"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let values = |name: &'static str| {
            let given = call.reading.options.iter().filter(move |it| it.name == name);
            given.filter_map(|it| it.value.as_ref().map(|value| (it, value)))
        };
        for (given, value) in values("-C") {
            let text = value.shown();
            let runs = ["linker=", "link-arg", "dlltool", "llvm-args"];
            let writes = ["incremental=", "profile-generate="];
            let named = Named::Option(given.name.clone(), given.written.clone());
            if let Some(start) = writes.iter().find(|it| text.starts_with(*it)) {
                let file = crate::reading::tail(value, start.len());
                found.effects.extend(Effect::writes(&file, call.cwd).map(|it| it.named(named)));
            } else if runs.iter().any(|it| text.starts_with(it)) || value.is_dynamic() {
                let message = format!("`{} -C {text}` can run programs", call.name);
                found.effects.push(Effect::new(EffectKind::Executes, text, message).named(named));
            }
        }
        for (given, value) in values("--emit").filter(|it| it.1.shown().contains('=')) {
            let named = Named::Option(given.name.clone(), given.written.clone());
            for file in value.shown().split(',').filter_map(|it| it.split_once('=')) {
                let effect = Effect::writes(&Word::plain(file.1), call.cwd);
                found.effects.extend(effect.map(|it| it.named(named.clone())));
            }
        }
        for word in call.words.iter().map(Word::literal_start).filter(|it| it.starts_with('@')) {
            let message = format!("`{}` takes options from the file `{word}`", call.name);
            found.effects.push(Effect::new(EffectKind::Executes, word, message));
        }
    }
}
