//! What an answer that says yes has approved: less than was asked for, where it names less.

use lawbook_event::json::Value;
use lawbook_event::{Number, Path, Semantics};

use super::Covers;
use crate::subject::words;
use crate::{Identity, Keys};

/// Words in a key that names the most that is approved.
const MOST: [&str; 5] = ["limit", "max", "maximum", "cap", "ceiling"];

/// How an answer is read.
pub struct Reading<'r> {
    /// The values of the policy.
    pub values: &'r dyn Semantics,
    /// The number that needs approval.
    pub path: &'r Path,
    /// The arguments that an approval is bound to.
    pub bind: &'r [Path],
    /// Their values in the request, each with the place of its argument.
    pub bound: &'r [(u32, Identity)],
    /// How the identities of values are made.
    pub keys: Keys<'r>,
}

impl Reading<'_> {
    /// What of a request an answer approves. The smallest number counts that it names under the
    /// number's own path, under a key that holds its name (`approved_amount`) or under one that
    /// says how much is the most. An answer for another account approves nothing.
    pub fn granted(&self, asked: Covers, answer: Value<'_>) -> Covers {
        if self.names_another(answer) {
            return Covers::Nothing;
        }
        let own = self.values.result_path(answer, self.path).map(|it| self.values.number(it));
        let own = match own {
            Some(None) => return Covers::Nothing,
            Some(number) => number,
            None => None,
        };
        let inner = answer.entries().map(|it| it.1).filter(|it| it.is_object());
        let named = answer.entries().chain(inner.flat_map(Value::entries));
        let named = named.filter(|(key, _)| self.names_most(key));
        let named = named.filter_map(|(_, value)| self.values.number(value));
        let most = named.chain(own).min_by(Number::compare);
        match (asked, most) {
            (asked, None) => asked,
            (Covers::Nothing, _) => Covers::Nothing,
            (Covers::Any, Some(most)) => Covers::UpTo(most),
            (Covers::UpTo(asked), Some(most)) if most.compare(&asked).is_lt() => Covers::UpTo(most),
            (Covers::UpTo(asked), Some(_)) => Covers::UpTo(asked),
        }
    }

    fn names_another(&self, answer: Value<'_>) -> bool {
        self.bound.iter().any(|(place, asked)| {
            let path = usize::try_from(*place).ok().and_then(|it| self.bind.get(it));
            let told = path.and_then(|it| self.values.result_path(answer, it));
            let told = told.filter(|it| !it.is_object()).and_then(|it| self.values.key(it));
            told.is_some_and(|it| !asked.is(self.keys.sought(&it)))
        })
    }

    fn names_most(&self, key: &str) -> bool {
        let own = self.path.parts().last().map(words).unwrap_or_default();
        let words = words(key);
        words.iter().any(|it| MOST.contains(&it.as_str()))
            || (!own.is_empty() && words.windows(own.len()).any(|it| it == own.as_slice()))
    }
}
