//! export, declare and the builtins that set variables by name.

use super::{Call, Found, Program};
use crate::{Effect, EffectKind, hazard};

/// The program.
pub(super) static PROGRAM: Export = Export;

/// It sets variables by name.
pub(super) struct Export;

impl Program for Export {
    fn names(&self) -> &'static [&'static str] {
        &["declare", "export", "getopts", "let", "local", "printf", "read", "readonly", "setenv", "typeset", "unset"]
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let plain = matches!(call.name, "printf" | "let");
        let mut named = !plain;
        for word in call.words {
            let start = word.literal_start();
            let text = word.literal();
            if plain && start == "-v" {
                named = true;
                continue;
            }
            if start.starts_with('-') || !named {
                continue;
            }
            let name = start.split(['=', '+', '[']).next().unwrap_or_default();
            let value = start.split_once('=').map(|it| it.1);
            let known = value.filter(|_| text.is_some());
            if hazard::is_hazard(name, known) {
                // Passing a variable on, or forgetting it, sets nothing.
                let sets = value.is_some() || matches!(call.name, "read" | "printf" | "getopts" | "setenv");
                if sets {
                    let message = format!("sets `{name}`, which changes what programs do");
                    found.effects.push(Effect::new(EffectKind::Environment, name, message));
                }
            } else if name.is_empty() && text.is_none() {
                let message = format!("`{}` sets a name that is known only when it runs", call.name);
                found.effects.push(Effect::new(EffectKind::Unknown, word.shown(), message));
            }
            if value.is_some() {
                found.sets.push((name.to_owned(), known.map(str::to_owned)));
            }
            named = !plain;
        }
    }
}
