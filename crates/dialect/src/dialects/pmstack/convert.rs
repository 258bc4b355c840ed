//! Pmstack policies in conversions.

mod read;
mod write;

use crate::convert::ends_line;

pub(crate) use read::read;
pub(crate) use write::write;

/// Constructs that ECMAScript and the native patterns read differently, or that only one has, each
/// with what is different.
const APART: &[(&str, &str)] = &[
    ("\\d", "`\\d` stands for digits of every script in one of the two"),
    ("\\w", "`\\w` stands for letters of every script in one of the two"),
    ("\\b", "`\\b` ends words of every script in one of the two"),
    ("\\s", "`\\s` stands for other white space in one of the two"),
    ("(?<", "what follows `(?<` may be read differently"),
    ("\\u", "`\\u` may be read differently"),
];

/// What a pattern that moves between the two may mean otherwise, if anything.
fn reads_apart(pattern: &str) -> Option<String> {
    if ends_line(pattern) {
        return Some("`$` may be read differently".to_owned());
    }
    let lower = pattern.to_lowercase();
    APART.iter().find(|it| lower.contains(it.0)).map(|it| it.1.to_owned())
}
