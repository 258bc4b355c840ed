//! xxd: it writes its second operand, and with one option it patches it.

use super::{Call, Found, Program};
use crate::Effect;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Xxd = Xxd;

/// It shows bytes, and may write them back.
pub(super) struct Xxd;

static GRAMMAR: Grammar = Grammar::one_dash(&[
    flag("-r -revert").changes(),
    valued("-l -len"),
    valued("-s -seek"),
    valued("-c -cols"),
    valued("-g -groupsize"),
    valued("-o"),
    flag("-p -ps -plain -postscript"),
]);

impl Program for Xxd {
    fn names(&self) -> &'static [&'static str] {
        &["xxd"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if let Some(word) = call.word(1) {
            found.effects.extend(Effect::writes(word, call.cwd));
        }
    }
}
