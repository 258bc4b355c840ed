//! ssh and scp: options that run programs here, and a command that runs there.

use super::{Call, Found, Program, Run};
use crate::reading::{Grammar, flag, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Ssh = Ssh;

/// It runs a command on another machine.
pub(super) struct Ssh;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-o").executes(),
    valued("-F").executes(),
    valued("-S").executes(),
    valued("-E").writes(),
    valued("-D").network(),
    valued("-L").network(),
    valued("-R").network(),
    valued("-J").network(),
    valued("-W").network(),
    valued("-b"),
    valued("-c"),
    valued("-e"),
    valued("-i"),
    valued("-I").executes(),
    valued("-l"),
    valued("-m"),
    valued("-p"),
    valued("-P"),
    valued("-Q"),
    valued("-w"),
    flag("-t"),
    flag("-v"),
    flag("-q"),
    flag("-N"),
]);

impl Program for Ssh {
    fn names(&self) -> &'static [&'static str] {
        &["autossh", "mosh", "scp", "sftp", "ssh"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if matches!(call.name, "scp" | "sftp") {
            return;
        }
        let words = call.from(1);
        if words.is_empty() {
            found.unseen(call, "a shell on another machine");
            return;
        }
        let text = words.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
        let message = format!("`{}` runs `{text}` on another machine", call.name);
        let effect = Effect::new(EffectKind::Executes, text.clone(), message);
        found.effects.push(effect.named(Named::Words(3)));
        found.runs.push(Run::Code { text, own: true });
    }
}
