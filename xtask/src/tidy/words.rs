//! One word per thing: names that the glossary rules out don't appear in core crates.

use super::purity::CORE;
use super::source::code;
use crate::repo::Repo;

/// Words that are not used, and the one that is.
const NOT_USED: &[(&str, &str)] = &[
    ("alert", "finding"),
    ("alerts", "finding"),
    ("hit", "finding"),
    ("hits", "finding"),
    ("violation", "finding"),
    ("violations", "finding"),
    ("plugin", "the name of its shelf"),
    ("manager", "what it does"),
    ("util", "what it does"),
    ("utils", "what it does"),
    ("common", "what it holds"),
    ("helper", "what it does"),
    ("helpers", "what it does"),
];

/// Keywords after which a name is given.
const NAMING: &[&str] =
    &["fn", "struct", "enum", "trait", "mod", "type", "const", "static", "let", "mut"];

/// Looks for ruled-out words in the names that core crates give.
pub fn check(repo: &Repo) -> Vec<String> {
    let mut out = Vec::new();
    for name in CORE {
        for path in repo.under(&format!("crates/{name}/src"), ".rs") {
            let stem = path.rsplit('/').next().and_then(|it| it.strip_suffix(".rs"));
            let mut names = given(&code(&repo.text(path)));
            names.extend(stem.map(str::to_string));
            out.extend(names.iter().filter_map(|it| complaint(path, it)));
        }
    }
    out
}

fn complaint(path: &str, name: &str) -> Option<String> {
    let parts = parts(name);
    let (word, instead) = NOT_USED.iter().find(|(word, _)| parts.iter().any(|it| it == word))?;
    Some(format!("{path} names something `{name}`: not `{word}` but {instead}"))
}

/// The names that code gives to things.
fn given(code: &str) -> Vec<String> {
    let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let words: Vec<&str> = words.filter(|it| !it.is_empty()).collect();
    let pairs = words.windows(2).filter(|pair| NAMING.contains(&pair[0]));
    pairs.map(|pair| pair[1].to_string()).collect()
}

/// The words that a name is made of, in lower case.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for c in name.chars() {
        let ended = parts.last().is_some_and(|it| it.ends_with(char::is_lowercase));
        if c == '_' || (c.is_uppercase() && ended) {
            parts.push(String::new());
        }
        if c != '_' {
            parts.last_mut().unwrap_or(&mut String::new()).push(c);
        }
    }
    parts.into_iter().map(|it| it.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::{complaint, given, parts};

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(parts("RuleManager"), ["rule", "manager"]);
        assert_eq!(parts("KEYS_MAX"), ["keys", "max"]);
    }

    #[test]
    fn a_ruled_out_word_is_refused_and_a_longer_one_is_not() {
        let names = given("fn white() {} struct RuleManager;");
        let found: Vec<_> = names.iter().filter_map(|it| complaint("x.rs", it)).collect();
        assert_eq!(found, ["x.rs names something `RuleManager`: not `manager` but what it does"]);
    }
}
