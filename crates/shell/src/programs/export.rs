//! export, declare and the builtins that set variables by name.

use super::{Call, Found, Program};
use crate::{Effect, EffectKind, Word, hazard};

/// The program.
pub(super) static PROGRAM: Export = Export;

/// It sets variables by name.
pub(super) struct Export;

impl Program for Export {
    fn names(&self) -> &'static [&'static str] {
        &[
            "declare", "export", "getopts", "let", "local", "printf", "read", "readonly", "setenv",
            "typeset", "unset",
        ]
    }

    fn drinks(&self, name: &str) -> bool {
        name == "read"
    }

    fn says(&self, call: &Call<'_>) -> Option<String> {
        if call.name != "printf" {
            return None;
        }
        let mut words = call.words.iter().map(Word::shown).skip_while(|it| it == "--");
        let format = words.next()?;
        let rest: Vec<String> = words.collect();
        Some(super::unescaped(printed(&format, &rest)))
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
                let sets = value.is_some()
                    || matches!(call.name, "read" | "printf" | "getopts" | "setenv");
                if sets {
                    let message = format!("sets `{name}`, which changes what programs do");
                    found.effects.push(Effect::new(EffectKind::Environment, name, message));
                }
            } else if name.is_empty() && text.is_none() {
                let message =
                    format!("`{}` sets a name that is known only when it runs", call.name);
                found.effects.push(Effect::new(EffectKind::Unknown, word.shown(), message));
            }
            if value.is_some() {
                found.sets.push((name.to_owned(), known.map(str::to_owned)));
            }
            if call.name == "read" {
                let lines = call.piped.lines().filter(|it| !it.is_empty());
                let values = lines.map(|it| (name.to_owned(), Some(it.to_owned())));
                found.sets.extend(values);
            }
            named = !plain;
        }
    }
}

/// What a format makes of words, as far as a reader needs it.
fn printed(format: &str, words: &[String]) -> String {
    let mut parts = format.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    let parts: Vec<&str> = parts.collect();
    let mut words = words.iter();
    loop {
        let mut took = false;
        for part in &parts {
            let at = part.find(|it: char| it.is_ascii_alphabetic());
            let behind = at.and_then(|it| part.get(it.saturating_add(1)..));
            match behind {
                Some(behind) => {
                    if let Some(word) = words.next() {
                        out.push_str(word);
                        took = true;
                    }
                    out.push_str(behind);
                }
                None => out.push_str(part),
            }
        }
        if !took || words.as_slice().is_empty() {
            return out;
        }
        out.push_str(format.split('%').next().unwrap_or_default());
    }
}
