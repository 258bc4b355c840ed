//! eval, source, trap and the other builtins that run their words as code.

use super::{Call, Found, Program, Run};
use crate::{Effect, EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Eval = Eval;

/// It runs its words as code in the shell itself.
pub(super) struct Eval;

impl Program for Eval {
    fn names(&self) -> &'static [&'static str] {
        &[".", "bind", "compgen", "complete", "coproc", "eval", "fc", "mapfile", "readarray", "source", "trap"]
    }

    fn is_careful(&self) -> bool {
        true
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let name = call.name;
        match name {
            "eval" => {
                let texts: Vec<_> = call.words.iter().map(super::code).collect();
                let shown = texts.iter().zip(call.words);
                let text: Vec<_> =
                    shown.map(|(text, word)| text.clone().unwrap_or_else(|| word.shown())).collect();
                run(found, name, text.join(" "));
            }
            "trap" => match call.word(0) {
                Some(word) if call.reading.operands.len() > 1 => run(found, name, word.shown()),
                _ => {}
            },
            "source" | "." => {
                let shown = call.words.first().map(Word::shown).unwrap_or_default();
                let message = format!("`{name}` runs the script `{shown}` in the shell itself");
                found.words(EffectKind::Executes, call, 2, message);
            }
            _ => {
                let given = |option: &str| {
                    let at = call.words.iter().position(|it| it.literal().as_deref() == Some(option));
                    call.words.get(at?.saturating_add(1))
                };
                let option = if name == "bind" { "-x" } else { "-C" };
                if let Some(word) = given(option) {
                    run(found, name, word.shown());
                } else if name == "fc" || glued(call, option) {
                    found.unseen(call, option);
                }
            }
        }
    }
}

fn glued(call: &Call<'_>, option: &str) -> bool {
    call.words.iter().any(|it| it.literal_start().starts_with(option))
}

/// Code that no rule covers is still read, for what must not run.
fn run(found: &mut Found, name: &str, text: String) {
    let message = format!("`{name}` runs its words as code");
    found.effects.push(Effect::new(EffectKind::Executes, text.clone(), message));
    found.runs.push(Run::Code { text, own: false });
}
