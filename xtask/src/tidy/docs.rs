//! Prose that is checked: paths and tests that documents name exist, nothing is left over in the
//! README, and every invariant names what holds it.

use crate::repo::Repo;

/// Documents whose paths are checked.
const DOCUMENTS: &[&str] = &[
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "STYLE.md",
    "conformance/README.md",
    "docs/attacks.md",
    "docs/design.md",
    "docs/hooks.md",
    "docs/ledger.md",
    "docs/limits.md",
];

/// Folders that a path in prose starts with.
const ROOTS: &[&str] =
    &["crates/", "conformance/", "docs/", "examples/", "fuzz/", "bench/", "xtask/", ".ci/"];

/// Checks every document.
pub fn check(repo: &Repo) -> Vec<String> {
    let mut out = Vec::new();
    for document in DOCUMENTS {
        let text = repo.text(document);
        if text.is_empty() {
            out.push(format!("{document} is missing or empty"));
        }
        for (number, line) in text.lines().enumerate() {
            for name in quoted(line) {
                out.extend(wrong(repo, name).map(|it| format!("{document}:{}: {it}", number + 1)));
            }
        }
    }
    out.extend(left_over("README.md", &repo.text("README.md")));
    out.extend(invariants(&repo.text("ARCHITECTURE.md")));
    out
}

/// Comments of HTML in a document that is finished: a marker, or a note that was meant to go.
fn left_over(document: &str, text: &str) -> Vec<String> {
    let marked = text.lines().enumerate().filter(|(_, line)| line.contains("<!--"));
    marked
        .map(|(at, line)| format!("{document}:{}: `{}` is left over", at + 1, line.trim()))
        .collect()
}

/// The texts between backticks in a line.
pub fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// What is wrong with a path in backticks, if anything.
pub fn wrong(repo: &Repo, name: &str) -> Option<String> {
    if !ROOTS.iter().any(|it| name.starts_with(it)) || name.contains(char::is_whitespace) {
        return None;
    }
    let (path, test) = name.split_once("::").map_or((name, None), |(a, b)| (a, Some(b)));
    let path = known_part(path);
    if !repo.has(path) {
        return Some(format!("`{path}` is not there"));
    }
    let test = test?;
    let there = repo.text(path).contains(&format!("fn {test}("));
    (!there).then(|| format!("`{path}` has no test `{test}`"))
}

/// The path up to the folder before its first placeholder, as in `crates/rule/src/kinds/NAME.rs`.
fn known_part(path: &str) -> &str {
    let open = |part: &str| part.contains(['<', '*', '{', '…']) || part.starts_with("NAME");
    let mut end = 0;
    for part in path.split('/') {
        if open(part) {
            return path.get(..end).unwrap_or(path).trim_end_matches('/');
        }
        end += part.len() + 1;
    }
    path.trim_end_matches('/')
}

/// Every item of the list under `## Invariants` must end with a line `Held by` that names a test,
/// a lint or a check.
fn invariants(text: &str) -> Vec<String> {
    let section = text.split("\n## ").find(|it| it.starts_with("Invariants"));
    let Some(section) = section else {
        return vec!["ARCHITECTURE.md has no section `Invariants`".to_string()];
    };
    let items: Vec<&str> = section.split("\n- ").skip(1).collect();
    let title = |it: &str| it.lines().next().unwrap_or_default().to_string();
    let mut out: Vec<String> = items
        .iter()
        .filter(|it| !held(it))
        .map(|it| format!("ARCHITECTURE.md: nothing holds the invariant: {}", title(it)))
        .collect();
    if items.is_empty() {
        out.push("ARCHITECTURE.md lists no invariants".to_string());
    }
    out
}

fn held(item: &str) -> bool {
    let named = |it: &str| it.contains("::") || it.starts_with("clippy") || it.starts_with("cargo");
    item.split_once("Held by").is_some_and(|(_, rest)| rest.lines().any(|l| quoted(l).any(named)))
}

#[cfg(test)]
mod tests {
    use super::{invariants, known_part, left_over, wrong};
    use crate::repo::Repo;

    #[test]
    fn paths_stop_at_a_placeholder() {
        assert_eq!(known_part("crates/rule/src/kinds/NAME.rs"), "crates/rule/src/kinds");
        assert_eq!(known_part("conformance/rules/<kind>/x.yaml"), "conformance/rules");
        assert_eq!(known_part("docs/limits.md"), "docs/limits.md");
    }

    #[test]
    fn a_marker_is_left_over() {
        let lines = left_over("README.md", "# A\n<!-- bench -->\ntext\n");
        assert_eq!(lines, ["README.md:2: `<!-- bench -->` is left over"]);
    }

    #[test]
    fn a_missing_path_and_a_missing_test_are_noticed() {
        let repo = Repo::find().unwrap();
        assert!(wrong(&repo, "crates/nowhere/x.rs").is_some());
        assert!(wrong(&repo, "xtask/src/tidy/docs.rs::no_such_test").is_some());
        assert!(wrong(&repo, "xtask/src/tidy/docs.rs::paths_stop_at_a_placeholder").is_none());
        assert!(wrong(&repo, "a / b").is_none());
    }

    #[test]
    fn an_invariant_without_a_test_is_noticed() {
        let text = "# A\n## Invariants\n- One.\n  Held by `x.rs::y`.\n- Two.\n## Next\n";
        let lines = invariants(&format!("\n{text}"));
        assert_eq!(lines, ["ARCHITECTURE.md: nothing holds the invariant: Two."]);
    }
}
