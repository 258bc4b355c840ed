//! cat: it passes on what it reads.

use super::{Call, Program};
use crate::Word;

/// The program.
pub(super) static PROGRAM: Cat = Cat;

/// It passes on what it reads.
pub(super) struct Cat;

impl Program for Cat {
    fn names(&self) -> &'static [&'static str] {
        &["cat"]
    }

    fn says(&self, call: &Call<'_>) -> Option<String> {
        let fed: Vec<_> = call.fed().map(Word::shown).collect();
        (!fed.is_empty()).then(|| fed.join("\n"))
    }

    fn passes(&self, call: &Call<'_>) -> bool {
        call.reading.operands.is_empty()
            || call.reading.operands.iter().any(|it| it.text.as_deref() == Some("-"))
    }
}
