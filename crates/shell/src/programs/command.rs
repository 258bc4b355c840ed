//! command, builtin and exec: the shell's own ways to run a program.

use super::{Call, Found, Program};
use crate::EffectKind;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Builtin = Builtin;

/// It runs a program past functions and aliases.
pub(super) struct Builtin;

static GRAMMAR: Grammar =
    Grammar::leading(&[flag("-v"), flag("-V"), flag("-p"), valued("-a"), flag("-c"), flag("-l")]);

impl Program for Builtin {
    fn names(&self) -> &'static [&'static str] {
        &["builtin", "command", "exec"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        match call.name {
            "exec" if call.words.is_empty() && !call.redirects.is_empty() => {
                let message = "`exec` changes where the shell reads and writes".to_owned();
                found.words(EffectKind::Unknown, call, usize::MAX, message);
            }
            "exec" => found.runs(call, 0),
            // With these, the program is looked up and nothing runs.
            "command" if call.reading.has("-v") || call.reading.has("-V") => {}
            _ => found.wraps(call, 0),
        }
    }
}
