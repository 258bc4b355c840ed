//! An answer that holds only the head of what was expected.

use lawbook_event::PYTHON;

use crate::words::phrase;
use crate::{Check, Given, Group, Run, Told};

/// A shorter head is found anywhere.
const HEAD_CHARS_MIN: usize = 3;

/// The check.
pub struct Truncation;

impl Check for Truncation {
    fn name(&self) -> &'static str {
        "truncation"
    }

    fn page(&self) -> &'static str {
        include_str!("truncation.md")
    }

    fn group(&self) -> Group {
        Group::Golden
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        let expected = match given.golden?.gradable(run) {
            Ok(expected) => expected,
            Err(told) => return Some(told),
        };
        if run.answer.to_lowercase().contains(&expected.to_lowercase()) {
            return Some(Told::clean("expected answer present in full"));
        }
        if let Some(missing) = run.answer_gap() {
            return Some(Told::unknown(missing));
        }
        let head = expected.split(['-', '_', '/', ' ']).next().unwrap_or_default();
        Some(match head.chars().count() >= HEAD_CHARS_MIN && holds_word(run.answer, head) {
            true => Told::wrong(format!(
                "answer has {} but not {}",
                PYTHON.quote(head),
                PYTHON.quote(expected)
            )),
            false => Told::clean("no truncated form of the expected answer"),
        })
    }
}

/// Whether a text holds a word, in any case.
fn holds_word(text: &str, word: &str) -> bool {
    let mut pattern = String::from(r"\b");
    for it in word.chars() {
        if it.is_ascii_punctuation() {
            pattern.push('\\');
        }
        pattern.push(it);
    }
    pattern.push_str(r"\b");
    phrase(&pattern).is_some_and(|it| it.is_match(text))
}
