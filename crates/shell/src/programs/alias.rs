//! alias, hash and enable: they make a name stand for something else.

use super::{Call, Found, Program, Run};
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Alias = Alias;

/// It makes a name stand for something else.
pub(super) struct Alias;

impl Program for Alias {
    fn names(&self) -> &'static [&'static str] {
        &["alias", "enable", "hash", "unalias"]
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let has = |letter: char| {
            call.words.iter().any(|it| {
                let start = it.literal_start();
                start.starts_with('-') && start.contains(letter)
            })
        };
        let redefines = match call.name {
            "alias" => call.words.iter().any(|it| it.literal().is_none_or(|it| it.contains('='))),
            "hash" => has('p'),
            "enable" => has('f') || has('n'),
            _ => true,
        };
        if !redefines {
            return;
        }
        let message = format!("`{}` makes a name stand for something else", call.name);
        found.effects.push(Effect::new(EffectKind::Unknown, call.subject(), message));
        for word in call.words {
            let text = word.shown();
            match text.split_once('=') {
                Some((name, value)) => {
                    found.defines.push(name.to_owned());
                    found.runs.push(Run::Code { text: value.to_owned(), own: true });
                }
                None => found.defines.push(text),
            }
        }
    }
}
