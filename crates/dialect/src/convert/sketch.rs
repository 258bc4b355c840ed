//! The middle of a conversion: a policy as native rules, each with the rule that it comes from.

use std::collections::BTreeMap;

use super::Fate;
use crate::draft::{Draft, DraftRule};

/// A policy as native rules.
///
/// Shorthands are spelt out: what a table says of a tool, the default and the denied patterns stand
/// among the rules, so that whoever writes them looks in one place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sketch {
    /// The policy, its rules among it.
    pub draft: Draft,
    /// Where the rules come from, in the order of the source.
    pub origins: Vec<Origin>,
    /// What became of the rest of the file.
    pub notes: Vec<String>,
}

/// A rule of the source.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// As the source names it.
    pub rule: String,
    /// The ids of the native rules that it became.
    pub into: Vec<String>,
    /// What is not the same, or why it is left out.
    pub differs: Vec<String>,
}

/// What a dialect wrote.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    /// The file.
    pub text: String,
    /// What became of the native rules, by their ids.
    pub carried: BTreeMap<String, Carry>,
    /// What became of the rest.
    pub notes: Vec<String>,
}

/// What became of a native rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carry {
    /// The ids of what it became; none if it is left out.
    pub into: Vec<String>,
    /// What is not the same, or why it is left out.
    pub differs: Vec<String>,
}

impl Carry {
    /// Something that is left out.
    pub(crate) fn left_out(why: impl Into<String>) -> Self {
        Carry { into: Vec::new(), differs: vec![why.into()] }
    }
}

impl Sketch {
    /// Adds a rule of the source that became one native rule.
    pub(crate) fn add(&mut self, origin: &str, rule: DraftRule, differs: Vec<String>) {
        let into = vec![rule.id.clone()];
        self.origins.push(Origin { rule: origin.to_owned(), into, differs });
        self.draft.rules.push(rule);
    }

    /// Adds a rule of the source that has no place among native rules.
    pub(crate) fn leave_out(&mut self, origin: &str, why: impl Into<String>) {
        let differs = vec![why.into()];
        self.origins.push(Origin { rule: origin.to_owned(), into: Vec::new(), differs });
    }

    /// What became of each rule of the source, once the rules have been written.
    pub(super) fn fates(&self, written: &Written) -> Vec<Fate> {
        self.origins.iter().map(|it| it.fate(written)).collect()
    }
}

impl Origin {
    fn fate(&self, written: &Written) -> Fate {
        let mut fate =
            Fate { rule: self.rule.clone(), into: Vec::new(), differs: self.differs.clone() };
        for carry in self.into.iter().filter_map(|it| written.carried.get(it)) {
            fate.into.extend(carry.into.iter().cloned());
            fate.differs.extend(carry.differs.iter().cloned());
        }
        fate
    }
}
