//! watch and flock: they run a command through a shell.

use super::{Call, Found, Program, Run};
use crate::reading::{Grammar, flag, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Watch = Watch;

/// It runs its words through a shell.
pub(super) struct Watch;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-n --interval"),
    valued("-q --equexit"),
    flag("-x --exec"),
    flag("-d --differences"),
    flag("-t --no-title"),
    flag("-g --chgexit"),
    flag("-c --color"),
]);

impl Program for Watch {
    fn names(&self) -> &'static [&'static str] {
        &["watch"]
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
        if call.reading.has("-x") {
            found.runs(call, 0);
            return;
        }
        let words = call.from(0);
        let text = words.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
        let message = format!("`watch` runs `{text}` through a shell, again and again");
        let effect = Effect::new(EffectKind::Executes, text.clone(), message);
        found.effects.push(effect.named(Named::Words(2)));
        found.runs.push(Run::Code { text, own: true });
    }
}
