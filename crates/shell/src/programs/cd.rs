//! cd and its kin: they leave the shell in another directory.

use super::{Call, Found, Move, Program};
use crate::reading::{Grammar, flag};

/// The program.
pub(super) static PROGRAM: Cd = Cd;

/// It leaves the shell in another directory.
pub(super) struct Cd;

static GRAMMAR: Grammar =
    Grammar::of(&[flag("-L"), flag("-P"), flag("-e"), flag("-@"), flag("-n"), flag("-q")]);

impl Program for Cd {
    fn names(&self) -> &'static [&'static str] {
        &["cd", "chdir", "popd", "pushd"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let target = call.word(0).cloned();
        found.moves = match (call.name, target) {
            ("popd", _) | ("pushd", None) => Some(Move::Lost),
            (_, Some(word)) if word.literal_start().starts_with(['+', '-']) => Some(Move::Lost),
            (_, target) => Some(Move::To(target)),
        };
    }
}
