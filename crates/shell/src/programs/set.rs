//! set: words behind its options become `$1` and so on.

use super::{Call, Found, Program};
use crate::Word;

/// The program.
pub(super) static PROGRAM: Set = Set;

/// It sets what the shell is given.
pub(super) struct Set;

impl Program for Set {
    fn names(&self) -> &'static [&'static str] {
        &["set"]
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let operands = 0..call.reading.operands.len();
        let words: Vec<_> = operands.filter_map(|it| call.word(it)).collect();
        let all: Option<Vec<String>> = words.iter().map(|it| it.literal()).collect();
        let Some(all) = all.filter(|it| !it.is_empty()) else { return };
        let numbered = words.iter().enumerate().take(9);
        let name = |at: usize| at.saturating_add(1).to_string();
        found.sets.extend(numbered.map(|(at, it)| (name(at), Word::literal(it))));
        found.sets.extend(["@", "*"].map(|it| (it.to_owned(), Some(all.join(" ")))));
    }
}
