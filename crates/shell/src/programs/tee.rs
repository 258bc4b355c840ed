//! tee and sponge: they write what they read to files.

use super::{Call, Found, Program};
use crate::Effect;
use crate::reading::{Grammar, flag, glued};

/// The program.
pub(super) static PROGRAM: Tee = Tee;

/// It writes what it reads to files.
pub(super) struct Tee;

static GRAMMAR: Grammar = Grammar::of(&[
    flag("-a --append"),
    flag("-i --ignore-interrupts"),
    flag("-p"),
    glued("--output-error"),
]);

impl Program for Tee {
    fn names(&self) -> &'static [&'static str] {
        &["sponge", "tee"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn passes(&self, _call: &Call<'_>) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        for number in 0..call.reading.operands.len() {
            if let Some(word) = call.word(number).filter(|it| !super::is_process(it)) {
                found.effects.extend(Effect::writes(word, call.cwd));
            }
        }
    }
}
