//! touch and mkdir: they make each file or folder that they are given.

use super::copies::{leaves, makes};
use super::{Call, Found, Program, wild};
use crate::Effect;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Touch = Touch;

/// They make what they are given.
pub(super) struct Touch;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-m --mode"),
    valued("-d --date"),
    valued("-r --reference"),
    valued("-t"),
    flag("-p --parents"),
    flag("-v --verbose"),
    flag("-a"),
    flag("-c --no-create"),
]);

impl Program for Touch {
    fn names(&self) -> &'static [&'static str] {
        &["gmkdir", "gtouch", "mkdir", "touch"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        for word in (0..call.reading.operands.len()).filter_map(|it| call.word(it)) {
            if !wild::is_live(word) {
                makes(word, call, found);
            } else if leaves(word, call) {
                found.effects.extend(Effect::changes(word, call.cwd));
            }
        }
    }
}
