//! echo: what it says is told, for whoever reads it from a pipe.

use super::{Call, Program, unescaped};
use crate::Word;

/// The program.
pub(super) static PROGRAM: Echo = Echo;

/// It says its words.
pub(super) struct Echo;

impl Program for Echo {
    fn names(&self) -> &'static [&'static str] {
        &["echo"]
    }

    fn says(&self, call: &Call<'_>) -> Option<String> {
        let option = |it: &&Word| {
            let text = it.literal();
            text.is_some_and(|it| {
                it.strip_prefix('-').is_some_and(|it| {
                    !it.is_empty() && it.bytes().all(|it| matches!(it, b'n' | b'e' | b'E'))
                })
            })
        };
        let words = call.words.iter().skip_while(option);
        let text = words.map(Word::shown).collect::<Vec<_>>().join(" ");
        Some(unescaped(text))
    }
}
