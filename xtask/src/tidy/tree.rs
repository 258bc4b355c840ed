//! The tree: no unknown files at the root, no `mod.rs`, no paths of one machine.

use crate::repo::Repo;

/// What may stand at the root.
const ROOT: &[&str] = &[
    ".cargo",
    ".ci",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "STYLE.md",
    "bench",
    "clippy.toml",
    "conformance",
    "crates",
    "deny.toml",
    "docs",
    "examples",
    "fuzz",
    "rustfmt.toml",
    "skills",
    "xtask",
];

/// What must stand there.
const NEEDED: &[&str] = &[
    ".ci/run",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "STYLE.md",
];

/// Folders of one machine. Split, so that this file does not complain about itself.
const MACHINE: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/tm", "p/lb"),
    concat!("/ho", "me/"),
    concat!("/Use", "rs/"),
    concat!("C:\\Use", "rs"),
    concat!("../sha", "red"),
];

/// Files that may name the optional corpus beside the repository.
const MAY_NAME_CORPUS: &[&str] = &["xtask/src/peers/corpus.rs"];

/// Compares the tree with what may be there.
pub fn check(repo: &Repo) -> Vec<String> {
    let mut out = Vec::new();
    for name in top(&repo.files) {
        if !ROOT.contains(&name.as_str()) {
            out.push(format!("`{name}` is not expected at the root"));
        }
    }
    for path in NEEDED.iter().filter(|it| !repo.has(it)) {
        out.push(format!("{path} is missing"));
    }
    for path in &repo.files {
        if path.ends_with("/mod.rs") {
            out.push(format!("{path}: a module is `name.rs` beside `name/`"));
        }
        if MAY_NAME_CORPUS.contains(&path.as_str()) {
            continue;
        }
        let text = repo.text(path);
        for place in MACHINE.iter().filter(|it| names(&text, it)) {
            out.push(format!("{path} names `{place}`, which is a place on one machine"));
        }
    }
    out
}

/// Whether a text goes on after a place with a name, so that a pattern such as `[^/]+` is none.
fn names(text: &str, place: &str) -> bool {
    let mut after = text.match_indices(place).filter_map(|(at, it)| text.get(at + it.len()..));
    after.any(|it| it.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/'))
}

fn top(files: &[String]) -> Vec<String> {
    let first = |it: &String| it.split('/').next().unwrap_or_default().to_string();
    let mut names: Vec<String> = files.iter().map(first).collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::{ROOT, check};
    use crate::repo::Repo;

    #[test]
    fn the_list_of_the_root_is_sorted() {
        assert!(ROOT.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn a_stray_file_and_a_mod_file_are_noticed() {
        let files = vec!["PLAN.md".to_string(), "crates/x/src/mod.rs".to_string()];
        let repo = Repo { root: std::env::temp_dir(), files };
        let lines = check(&repo);
        assert!(lines.contains(&"`PLAN.md` is not expected at the root".to_string()));
        assert!(lines.iter().any(|it| it.starts_with("crates/x/src/mod.rs")));
    }
}
