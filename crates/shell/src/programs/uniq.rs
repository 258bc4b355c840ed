//! uniq: its second operand is a file that it writes.

use super::{Call, Found, Program};
use crate::Effect;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Uniq = Uniq;

/// Its second operand is a file that it writes.
pub(super) struct Uniq;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-f --skip-fields"),
    valued("-s --skip-chars"),
    valued("-w --check-chars"),
    flag("-c --count"),
    flag("-d --repeated"),
    flag("-i --ignore-case"),
    flag("-u --unique"),
]);

impl Program for Uniq {
    fn names(&self) -> &'static [&'static str] {
        &["uniq"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_careful(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if let Some(word) = call.word(1) {
            found.effects.extend(Effect::writes(word, call.cwd));
        }
    }
}
