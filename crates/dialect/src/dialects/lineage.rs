//! The dialect `lineage`: the policy of an agent of lineage 0.3.0, a JSON object that is fixed for
//! the agent's life.

mod convert;
mod lint;
mod lower;
mod read;

use lawbook_diag::{Problem, place};
use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_rule::{Policy, Profile};

use read::Reader;

pub(crate) use convert::{read as read_rules, write as write_rules};
pub(crate) use lint::lint;
pub(crate) use read::TOP as KEYS;

/// The longest window in seconds that the strict reading takes: ten years.
///
/// ```
/// assert_eq!(lawbook_dialect::WINDOW_SECS_MAX, 10 * 366 * 86_400);
/// ```
pub const WINDOW_SECS_MAX: u64 = 316_224_000;

/// Lowers a policy file to rules. All that is wrong with it is told at once.
#[must_use]
pub(crate) fn lower(source: &str, text: &str, profile: Profile) -> (Option<Policy>, Vec<Problem>) {
    let document = match document(source, text) {
        Ok(document) => document,
        Err(problem) => return (None, vec![problem]),
    };
    let mut reader = Reader::new(source, text, profile);
    let stated = reader.policy(document.root());
    let problems = reader.into_problems();
    let policy = stated.filter(|_| problems.is_empty());
    (policy.map(|it| lower::policy(&it, profile)), problems)
}

fn document<'t>(source: &str, text: &'t str) -> Result<Document<'t>, Problem> {
    Document::parse(text, Grammar::Strict, &Limits::DEFAULT).map_err(|error| {
        let (line, column) = place(text, error.offset);
        Problem::new(source, "not_json", format!("the policy is no JSON: {error}"))
            .at(line, column)
            .help("a lineage policy is one JSON object")
    })
}

#[cfg(test)]
mod tests;
