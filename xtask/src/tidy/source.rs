//! Source files: no skipped tests, no leftovers, a sentence at the head of each.

use crate::repo::Repo;

/// What may not stand in a source file. Split, so that this file does not complain about itself.
const LEFTOVERS: &[(&str, &str)] = &[
    (concat!("#[", "ignore"), "a test is run or deleted"),
    (concat!("todo", "!("), "nothing is left for later"),
    (concat!("unimplemented", "!("), "nothing is left for later"),
    (concat!("TO", "DO"), "nothing is left for later"),
    (concat!("FIX", "ME"), "nothing is left for later"),
];

/// Looks through every Rust and Python file.
pub fn check(repo: &Repo) -> Vec<String> {
    let mut out = Vec::new();
    for path in repo.files.iter().filter(|it| it.ends_with(".rs") || it.ends_with(".py")) {
        let text = repo.text(path);
        for (word, why) in LEFTOVERS.iter().filter(|(word, _)| text.contains(word)) {
            out.push(format!("{path} contains `{word}`: {why}"));
        }
        if path.ends_with(".rs") && !is_headed(path, &text) {
            out.push(format!("{path} must begin with a sentence that says what it is"));
        }
    }
    out
}

fn is_headed(path: &str, text: &str) -> bool {
    let head = text.lines().take(3).any(|it| it.starts_with("//! "));
    head || path.ends_with("/tests.rs")
}

/// The code of a Rust file: comments and the tests under it are left out.
pub fn code(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        let code = line.split_once("//").map_or(line, |(code, _)| code);
        out.push_str(code);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{code, is_headed};

    #[test]
    fn comments_and_tests_are_no_code() {
        assert_eq!(code("a // b\n/// c\nd\n#[cfg(test)]\nmod tests {}\n"), "a \n\nd\n");
    }

    #[test]
    fn a_file_without_a_head_is_noticed() {
        assert!(is_headed("crates/x/src/y.rs", "//! What it is.\n"));
        assert!(!is_headed("crates/x/src/y.rs", "use std::fmt;\n"));
    }
}
