//! The dialect `pmstack`: the tool policy of pmstack, a JSON object of the format
//! `pmstack.policy/1`.

mod convert;
mod keys;
mod lint;
mod lower;
mod near;
mod read;
mod rule;
mod shape;

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_rule::{Policy, Profile};

use crate::load::Options;
use read::Reader;

pub(crate) use convert::{read as read_rules, write as write_rules};
pub(crate) use keys::TOP as KEYS;
pub(crate) use lint::lint;

/// What the user is called where nobody says.
const USER_WORD: &str = "customer";

/// What counts as a yes where a policy does not say, in either case.
pub(crate) const CONSENT: [&str; 7] =
    [r"\byes\b", r"\bconfirm", "go ahead", "please do", "sounds good", "do it", "that works"];

/// The ids of the rules that the table of tools stands for.
pub(crate) const DERIVED: [&str; 3] = ["only-listed", "confirm", "max-per-trace"];

/// Lowers a policy file to rules. All that is wrong with it is told at once.
#[must_use]
pub(crate) fn lower(
    source: &str,
    text: &str,
    options: &Options<'_>,
) -> (Option<Policy>, Vec<Problem>) {
    let document = match Document::parse(text, Grammar::Strict, &Limits::DEFAULT) {
        Ok(document) => document,
        Err(error) => {
            let (line, column) = lawbook_diag::place(text, error.offset);
            let problem =
                Problem::new(source, "not_json", format!("the policy is no JSON: {error}"))
                    .at(line, column)
                    .help("a pmstack policy is one JSON object");
            return (None, vec![problem]);
        }
    };
    let mut reader = Reader::new(source, text);
    let profile = options.profile.unwrap_or(Profile::Compatible);
    let user_word = options.user_word.unwrap_or(USER_WORD);
    shape::check(&mut reader, document.root(), profile);
    let problems = reader.into_problems();
    if !problems.is_empty() {
        return (None, problems);
    }
    (Some(lower::policy(document.root(), profile, user_word)), problems)
}

#[cfg(test)]
mod tests;
