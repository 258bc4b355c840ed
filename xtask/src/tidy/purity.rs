//! Purity: core crates have no clock, no files, no environment, no randomness, and nothing whose
//! order depends on a hash.

use super::source::code;
use crate::repo::Repo;

/// The crates that must give the same answer for the same input, on every machine, at any time.
pub const CORE: &[&str] = &[
    "event", "diag", "rule", "dialect", "trace", "engine", "report", "checks", "stats", "lawbook",
];

/// What they may not mention, and what to do instead.
const BANNED: &[(&str, &str)] = &[
    ("SystemTime", "time comes in on events"),
    ("Instant", "time comes in on events"),
    ("std::env", "settings come in as values"),
    ("env::var", "settings come in as values"),
    ("std::fs", "texts come in as values"),
    ("fs::", "texts come in as values"),
    ("File::", "texts come in as values"),
    ("std::net", "a core crate talks to nobody"),
    ("std::process", "a core crate starts nothing"),
    ("std::thread", "a core crate has one thread, its caller's"),
    ("HashMap", "the order of a hash map is no order"),
    ("HashSet", "the order of a hash set is no order"),
    ("hashbrown", "the order of a hash table is no order"),
    ("RandomState", "no randomness"),
    ("rand::", "no randomness"),
    ("println!", "the edge prints"),
    ("eprintln!", "the edge prints"),
    ("dbg!", "the edge prints"),
];

/// Places that may, each with its reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("crates/rule/src/keyed.rs", "hashbrown", "asked for one key at a time and never iterated"),
    ("crates/lawbook/src/options.rs", "std::fs", "`Policy::load` reads the files that it is given"),
    ("crates/lawbook/src/options.rs", "fs::", "the same"),
];

/// Looks for banned words in the code of core crates.
pub fn check(repo: &Repo) -> Vec<String> {
    let mut out = Vec::new();
    for name in CORE {
        let files = repo.under(&format!("crates/{name}/src"), ".rs");
        for path in files.into_iter().filter(|it| !it.contains("/src/tests/")) {
            out.extend(complaints(path, &repo.text(path)));
        }
        let path = format!("crates/{name}/clippy.toml");
        if repo.text(&path) != repo.text("crates/event/clippy.toml") || !repo.has(&path) {
            out.push(format!("{path} must be the same as crates/event/clippy.toml"));
        }
    }
    for (path, word, _) in ALLOWED {
        if !code(&repo.text(path)).contains(word) {
            out.push(format!("{path} no longer mentions `{word}`, so it needs no exception"));
        }
    }
    out.extend(maps_files(&repo.text("Cargo.lock")));
    out
}

/// A file that is cut while it is mapped ends the process, so no crate that maps files may be in
/// the lock file.
fn maps_files(lock: &str) -> Option<String> {
    let maps = |it: &&str| it.starts_with("name = ") && it.contains("mmap");
    let name = lock.lines().find(|it| maps(it) || it.starts_with("name = \"memmap"))?;
    Some(format!("Cargo.lock has {name}, which maps files: what can change is read in blocks"))
}

fn complaints(path: &str, text: &str) -> Vec<String> {
    let code = code(text);
    let allowed = |word: &str| ALLOWED.iter().any(|it| it.0 == path && it.1 == word);
    BANNED
        .iter()
        .filter(|(word, _)| mentions(&code, word) && !allowed(word))
        .map(|(word, instead)| format!("{path} mentions `{word}`: {instead}"))
        .collect()
}

/// Whether a word stands in the code, not as the end or start of a longer one.
fn mentions(code: &str, word: &str) -> bool {
    let part = |it: Option<char>| it.is_some_and(|c| c.is_alphanumeric() || c == '_');
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !part(before) && (!word.ends_with(char::is_alphanumeric) || !part(after))
    })
}

#[cfg(test)]
mod tests {
    use super::{complaints, maps_files};

    #[test]
    fn a_crate_that_maps_files_is_refused() {
        assert!(maps_files("name = \"memmap2\"\n").is_some());
        assert_eq!(maps_files("name = \"memchr\"\n"), None);
    }

    #[test]
    fn a_clock_is_refused() {
        let lines = complaints("crates/engine/src/x.rs", "let now = Instant::now();");
        assert_eq!(lines, ["crates/engine/src/x.rs mentions `Instant`: time comes in on events"]);
    }

    #[test]
    fn words_in_comments_tests_and_longer_names_are_fine() {
        let text = "// HashMap\nstruct Instantly;\n#[cfg(test)]\nmod tests { use std::fs; }\n";
        assert_eq!(complaints("crates/engine/src/x.rs", text), Vec::<String>::new());
    }

    #[test]
    fn the_exception_holds_for_its_file_only() {
        let text = "use hashbrown::HashTable;";
        assert!(complaints("crates/rule/src/keyed.rs", text).is_empty());
        assert_eq!(complaints("crates/rule/src/kinds/never.rs", text).len(), 1);
    }
}
