//! The pattern translators and engines. The first line of an input is the pattern, the rest the
//! text.

use lawbook_event::{EXACT, JAVASCRIPT, PYTHON, PatternUse};

use crate::Target;

pub(super) const TARGET: Target = Target {
    name: "pattern",
    run,
    seeds: &[
        "(?P<q>['\"])([^a-z\\d]+?|\\bx{2,5}$)(?P=q)\n'A' xxx\n",
        "(?<!un)confirm(?=ed|s)?\\Z\nunconfirmed confirms",
        "(?i:[^\\W_]{,3})(?(1)a|b)\\1(?>c*)+\nABCé\u{301}",
        "(a+)+$\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
        "\\k<n>(?<n>[^]\\cA\\u{1F600}\\x41)\nA",
    ],
    seed_files: &[],
};

/// A pattern is refused or bounded, and its two questions agree.
pub fn run(data: &[u8]) {
    let input = String::from_utf8_lossy(data);
    let (source, text) = input.split_once('\n').unwrap_or((&input, "aA1 é\n"));
    // Long inputs only cost time: the limits for them have tests of their own.
    let source: String = source.chars().take(200).collect();
    let text: String = text.chars().take(400).collect();
    for semantics in [EXACT, PYTHON, JAVASCRIPT] {
        for ignore_case in [false, true] {
            let deny = match semantics.pattern(&source, ignore_case, PatternUse::Deny) {
                Ok(pattern) => pattern,
                Err(error) => {
                    assert!(error.offset <= source.len() && !error.message.is_empty());
                    continue;
                }
            };
            let allow = semantics.pattern(&source, ignore_case, PatternUse::Allow);
            let allow = allow.expect("compiled for the other use");
            let found = deny.find(&text);
            assert_eq!(found.is_some(), deny.is_match(&text));
            assert_eq!(allow.find(&text).is_some(), allow.is_match(&text));
            assert!(!allow.is_match(&text) || deny.is_match(&text));
            if let Some(range) = found {
                assert!(text.get(range).is_some(), "a match inside a character");
            }
        }
    }
}
