//! The dialect `faultgate`: the policy file of faultgate 0.4.1, a JSON object.

mod convert;
mod lint;
mod lower;
mod read;

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_rule::{Policy, Profile};

use read::Reader;

pub(crate) use convert::{read as read_rules, write as write_rules};
pub(crate) use lint::lint;
pub(crate) use lower::KEYS;

/// The patterns that are denied where a policy names none, in faultgate's order.
pub const DENIED_PATTERNS: [&str; 5] =
    [r"\.\./", r"file://", r"/etc/(passwd|shadow)", r"~/\.ssh", r"/proc/"];

/// More spellings of the same places, which only the strict reading knows.
pub const MORE_DENIED_PATTERNS: [&str; 1] =
    [r"(\$\{?HOME\}?|~[a-z]+|/root|/(home|users)/[^/]+)/\.ssh"];

/// Lowers a policy file to rules. All that is wrong with it is told at once, the first being what
/// faultgate itself says.
#[must_use]
pub fn lower(source: &str, text: &str, profile: Profile) -> (Option<Policy>, Vec<Problem>) {
    if text.starts_with('\u{feff}') {
        let problem =
            Problem::new(source, "byte_order_mark", "the policy starts with a byte order mark")
                .at(1, 1)
                .help("save the file as UTF-8 without one; faultgate refuses it too");
        return (None, vec![problem]);
    }
    let document = match Document::parse(text, Grammar::Python, &Limits::DEFAULT) {
        Ok(document) => document,
        Err(error) => {
            let (line, column) = lawbook_diag::place(text, error.offset);
            let problem =
                Problem::new(source, "not_json", format!("the policy is no JSON: {error}"))
                    .at(line, column)
                    .help("a faultgate policy is one JSON object");
            return (None, vec![problem]);
        }
    };
    let mut reader = Reader::new(source, text);
    let policy = lower::policy(&mut reader, document.root(), profile);
    let problems = reader.into_problems();
    (policy.filter(|_| problems.is_empty()), problems)
}
