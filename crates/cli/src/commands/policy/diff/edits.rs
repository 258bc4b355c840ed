//! What is not the same in the text of two policies: rules added, removed and changed, by id.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_rule::{Policy, Rule};

use super::gather::Gathered;

/// A rule that is not the same in two policies, and what that does to the traces.
pub struct Edit {
    /// Its id.
    pub rule: Arc<str>,
    /// Its kind; the new one, where it has one.
    pub kind: &'static str,
    /// What was done.
    pub sort: Sort,
    /// The calls that flip by it.
    pub flips: u64,
    /// The calls in which it objects in one policy only, or otherwise, whether or not they flip.
    pub objections: u64,
    /// The calls that don't flip and in which it could not be judged.
    pub unknown: u64,
    /// Whether anything in the traces put it to the test.
    pub tried: bool,
}

/// What was done to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Only the new policy has it.
    Added,
    /// Only the old policy has it.
    Removed,
    /// Both have it, and not the same.
    Changed,
}

impl Sort {
    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Sort::Added => "added",
            Sort::Removed => "removed",
            Sort::Changed => "changed",
        }
    }
}

/// The rules that are not the same, in the order of the new policy, then those that are gone.
pub fn edits(old: &Policy, new: &Policy) -> Vec<Edit> {
    let (before, after) = (by_id(old), by_id(new));
    let mut seen = BTreeSet::new();
    let all = new.rules.iter().chain(&old.rules);
    let each = all.filter(|it| seen.insert(it.id.clone()));
    each.filter_map(|rule| {
        let sort = match (before.get(&rule.id), after.get(&rule.id)) {
            (Some(_), None) => Sort::Removed,
            (None, _) => Sort::Added,
            (Some(before), Some(after)) if before != after => Sort::Changed,
            _ => return None,
        };
        let kind = rule.body.name();
        let rule = rule.id.clone();
        Some(Edit { rule, kind, sort, flips: 0, objections: 0, unknown: 0, tried: false })
    })
    .collect()
}

/// All that rules say, by id; rules that one key of a file stands for share theirs. A policy that
/// reads values in another way says something else by the same words.
fn by_id(policy: &Policy) -> BTreeMap<Arc<str>, Vec<String>> {
    let mut by_id: BTreeMap<Arc<str>, Vec<String>> = BTreeMap::new();
    for rule in &policy.rules {
        by_id.entry(rule.id.clone()).or_default().push(told(policy, rule));
    }
    by_id
}

fn told(policy: &Policy, rule: &Rule) -> String {
    let Rule { id: _, why: _, tell: _, when, verdict, mode, on_unknown, report, scar, body } = rule;
    let Policy { profile, manner, pick, .. } = policy;
    format!(
        "{when:?} {verdict:?} {mode:?} {on_unknown:?} {report:?} {scar:?} {body:?} {profile:?} \
         {manner:?} {pick:?}"
    )
}

impl Edit {
    /// The same with what it does to the traces.
    pub fn measured(self, gathered: &Gathered) -> Self {
        let of =
            |counts: &BTreeMap<Arc<str>, u64>| counts.get(&self.rule).copied().unwrap_or_default();
        Edit {
            flips: of(&gathered.by_rule),
            objections: of(&gathered.objections),
            unknown: of(&gathered.untold),
            tried: gathered.tried.contains(&self.rule),
            ..self
        }
    }

    /// What it does to the traces, in words.
    pub fn effect(&self) -> String {
        let calls = |number| crate::print::counted(number, "call");
        if self.flips > 0 {
            return format!("flips {}", calls(self.flips));
        }
        let mut said = match (self.objections, self.tried) {
            (0, true) => "changes nothing in these traces".to_owned(),
            (0, false) => {
                "changes nothing in these traces, and nothing in them puts it to the test"
                    .to_owned()
            }
            (some, _) => format!("flips nothing; what it says changes in {}", calls(some)),
        };
        if self.unknown > 0 {
            said.push_str(&format!("; it could not be judged in {}", calls(self.unknown)));
        }
        said
    }
}
