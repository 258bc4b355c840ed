//! The dialect `lawbook`: the native policy, in YAML or JSON.

mod convert;
pub(crate) mod fields;
mod lint;
mod lower;
mod moment;
mod rules;
mod secrets;
mod table;
pub(crate) mod tree;
mod waivers;
mod when;

use lawbook_diag::{Problem, place};
use lawbook_rule::Policy;
use lawbook_rule::params::{Fault, Node};

use crate::load::Options;

pub(crate) use convert::{ONLY_LISTED, read as read_rules, write as write_rules};
pub(crate) use fields::KEYS;
pub(crate) use lint::lint;
pub(crate) use lower::CONSENT;

/// How many problems of one policy are listed.
pub const PROBLEMS_MAX: usize = 200;

/// Lowers a policy file to rules.
pub(crate) fn lower(
    source: &str,
    text: &str,
    options: &Options<'_>,
) -> (Option<Policy>, Vec<Problem>) {
    let mut faults = Vec::new();
    let policy = tree::read(text, &mut faults)
        .map(|it| lower::policy(&it, text, options.user_word, &mut faults));
    let problems = problems(source, text, faults);
    (policy.filter(|_| problems.is_empty()), problems)
}

/// The tree of a file in YAML or JSON in which every value knows its place: what a native policy is
/// written in, and the files that its owner fills in.
///
/// # Errors
/// With everything that keeps the file from being such a tree.
pub fn parse(source: &str, text: &str) -> Result<Node, Vec<Problem>> {
    let mut faults = Vec::new();
    match tree::read(text, &mut faults) {
        Some(root) if faults.is_empty() => Ok(root),
        None if faults.is_empty() => {
            Err(vec![Problem::new(source, "empty", "the file holds nothing")])
        }
        _ => Err(problems(source, text, faults)),
    }
}

/// Faults with file, line and column, in the order of the text.
pub(crate) fn problems(source: &str, text: &str, mut faults: Vec<Fault>) -> Vec<Problem> {
    faults.sort_by_key(|it| it.span.start);
    faults.dedup();
    let surplus = faults.len().saturating_sub(PROBLEMS_MAX);
    let mut problems: Vec<Problem> =
        faults.into_iter().take(PROBLEMS_MAX).map(|it| problem(source, text, it)).collect();
    if surplus > 0 {
        let message = format!("{surplus} more problems are not listed");
        problems.push(Problem::new(source, "problems_max", message));
    }
    problems
}

pub(crate) fn problem(source: &str, text: &str, fault: Fault) -> Problem {
    let (line, column) = place(text, fault.span.start);
    let problem = Problem::new(source, fault.code, fault.message).at(line, column);
    match fault.help {
        Some(help) => problem.help(help),
        None => problem,
    }
}

#[cfg(test)]
mod tests;
