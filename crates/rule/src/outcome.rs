//! What became of an earlier call, read once for all rules.

use std::cell::OnceCell;

use lawbook_event::json::Value;
use lawbook_event::{Answer, Semantics, State, SuccessReading};

use crate::Keys;
use crate::arguments::{Decoded, decoded};

/// An answer, with what rules read out of it.
#[derive(Debug)]
pub struct Outcome<'c> {
    answer: &'c Answer<'c>,
    keys: Keys<'c>,
    structural: OnceCell<State>,
    declared: OnceCell<State>,
    by_word: OnceCell<State>,
    parsed: OnceCell<Option<Decoded>>,
}

impl<'c> Outcome<'c> {
    /// An answer, nothing read yet, and how keys are made of it.
    #[must_use]
    pub fn new(answer: &'c Answer<'c>, keys: Keys<'c>) -> Self {
        Outcome {
            answer,
            keys,
            structural: OnceCell::new(),
            declared: OnceCell::new(),
            by_word: OnceCell::new(),
            parsed: OnceCell::new(),
        }
    }

    /// The answer itself.
    #[must_use]
    pub fn answer(&self) -> &'c Answer<'c> {
        self.answer
    }

    /// How keys are made.
    #[must_use]
    pub fn keys(&self) -> Keys<'c> {
        self.keys
    }

    /// Whether the call succeeded.
    #[must_use]
    pub fn state(&self, reading: SuccessReading) -> State {
        let cell = match reading {
            SuccessReading::Structural => &self.structural,
            SuccessReading::Declared => &self.declared,
            SuccessReading::State => &self.by_word,
        };
        *cell.get_or_init(|| self.answer.state(reading))
    }

    /// The result as a JSON object or list, decoded once more where it holds JSON as text.
    #[must_use]
    pub fn document(&self, values: &dyn Semantics) -> Option<Value<'_>> {
        let decoded = self.parsed.get_or_init(|| decoded(&self.answer.text).ok()).as_ref()?;
        let root = decoded.root_for(values)?;
        (root.is_object() || root.is_array()).then_some(root)
    }
}
