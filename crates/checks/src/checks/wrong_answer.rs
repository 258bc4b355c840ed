//! An answer that does not hold what was expected.

use lawbook_event::PYTHON;

use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct WrongAnswer;

impl Check for WrongAnswer {
    fn name(&self) -> &'static str {
        "wrong_answer"
    }

    fn page(&self) -> &'static str {
        include_str!("wrong_answer.md")
    }

    fn group(&self) -> Group {
        Group::Golden
    }

    fn of(&self, run: &Run<'_>, given: &Given<'_>) -> Option<Told> {
        let expected = match given.golden?.gradable(run) {
            Ok(expected) => expected,
            Err(told) => return Some(told),
        };
        let quoted = PYTHON.quote(expected);
        let found = run.answer.to_lowercase().contains(&expected.to_lowercase());
        Some(match found {
            true => Told::clean(format!("expected {quoted} found in answer")),
            false if run.answer_gap().is_some() => {
                Told::unknown(format!("expected {quoted} not found in the part of the answer"))
            }
            false => Told::wrong(format!("expected {quoted} not found in answer")),
        })
    }
}
