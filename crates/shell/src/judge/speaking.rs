//! Which rules may speak of a program, found once for each program of a text: hostile texts name the
//! same one in every segment, and policies have hundreds of rules.

use std::collections::BTreeMap;

use super::is_named;
use crate::{Matcher, Rule};

/// The rules that may speak of each program that was asked for.
pub(super) struct Speaking<'b> {
    rules: &'b [Rule],
    by_program: BTreeMap<&'b str, Vec<usize>>,
    /// Those that may speak of any program.
    patterns: Vec<usize>,
}

impl<'b> Speaking<'b> {
    pub fn of(rules: &'b [Rule]) -> Self {
        let patterns = rules.iter().enumerate();
        let patterns = patterns.filter(|it| !matches!(it.1.matcher, Matcher::Prefix(_)));
        let patterns = patterns.map(|it| it.0).collect();
        Speaking { rules, by_program: BTreeMap::new(), patterns }
    }

    /// The numbers of the rules that may speak of one of some programs, in order.
    pub fn about(&mut self, programs: &[&'b str]) -> Vec<usize> {
        let mut out = self.patterns.clone();
        for program in programs {
            let mine = self.by_program.entry(program);
            out.extend(mine.or_insert_with(|| named(self.rules, program)).iter());
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// The rules whose first word names a program.
fn named(rules: &[Rule], program: &str) -> Vec<usize> {
    let names = |rule: &Rule| match &rule.matcher {
        Matcher::Prefix(it) => {
            it.words.first().is_some_and(|it| it.iter().any(|it| is_named(it, program)))
        }
        Matcher::Glob(_) | Matcher::Regex(_) => false,
    };
    rules.iter().enumerate().filter(|it| names(it.1)).map(|it| it.0).collect()
}
