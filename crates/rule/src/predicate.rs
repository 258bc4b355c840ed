//! A typed condition on one place in a JSON result.

use lawbook_event::json::Value;
use lawbook_event::{Path, Semantics, is_cut};

use crate::Literal;

/// A condition on one place in a JSON result.
#[derive(Debug)]
pub struct Predicate {
    /// The place; a part of digits indexes a list.
    pub path: Path,
    /// What must hold there.
    pub test: Test,
}

/// What must hold at a place.
#[derive(Debug)]
pub enum Test {
    /// The value equals this one, types kept apart.
    Equals(Literal),
    /// The value is one of this list.
    In(Literal),
    /// A value stands there and is none of this list.
    NotIn(Literal),
    /// Whether anything stands there, null included.
    Exists(bool),
}

impl Predicate {
    /// Why a result does not meet the condition; none when it does.
    #[must_use]
    pub fn unmet(&self, result: Value<'_>, values: &dyn Semantics) -> Option<String> {
        let path = self.path.text();
        let got = values.result_path(result, &self.path);
        if let Test::Exists(wanted) = self.test {
            let differs = got.is_some() != wanted;
            return differs
                .then(|| format!("result has {}{path}", if wanted { "no " } else { "" }));
        }
        let Some(got) = got else {
            return Some(format!("result has no {path}"));
        };
        let among = |list: &Literal| list.value().items().any(|it| values.equal(got, it));
        let shown = || values.show(got);
        match &self.test {
            Test::Equals(wanted) if !values.equal(got, wanted.value()) => {
                Some(format!("{path} is {}, not {}", shown(), values.show(wanted.value())))
            }
            Test::In(list) if !among(list) => {
                Some(format!("{path} is {}, not in {}", shown(), values.show(list.value())))
            }
            Test::NotIn(list) if among(list) => Some(format!("{path} is {}", shown())),
            Test::Equals(_) | Test::In(_) | Test::NotIn(_) | Test::Exists(_) => None,
        }
    }

    /// Whether the recording hides or cuts what stands at the place.
    #[must_use]
    pub fn is_untold(&self, result: Value<'_>, values: &dyn Semantics) -> bool {
        let found = values.result_path(result, &self.path);
        let exists = matches!(self.test, Test::Exists(_));
        !exists && found.and_then(|it| it.as_str()).is_some_and(is_cut)
    }

    /// The condition in words.
    #[must_use]
    pub fn describe(&self, values: &dyn Semantics) -> String {
        let path = self.path.text();
        match &self.test {
            Test::Equals(wanted) => format!("{path} == {}", values.show(wanted.value())),
            Test::In(list) => format!("{path} in {}", values.show(list.value())),
            Test::NotIn(list) => format!("{path} not in {}", values.show(list.value())),
            Test::Exists(true) => format!("{path} present"),
            Test::Exists(false) => format!("no {path}"),
        }
    }
}
