//! Limits: every row of the table names a constant in the code and a test or case that reaches it,
//! and every public constant that ends in `_MAX` has a row.

use super::docs::{quoted, wrong};
use super::purity::CORE;
use super::source::code;
use crate::repo::Repo;

/// The table.
const TABLE: &str = "docs/limits.md";

/// Compares the table with the code, in both directions.
pub fn check(repo: &Repo) -> Vec<String> {
    let rows = rows(&repo.text(TABLE));
    let mut out: Vec<String> = rows.iter().flat_map(|it| it.complaints(repo)).collect();
    for name in CORE.iter().chain(&["bridge", "cases", "cli", "ledger", "session"]) {
        for path in repo.under(&format!("crates/{name}/src"), ".rs") {
            for limit in constants(&code(&repo.text(path))) {
                if !rows.iter().any(|it| it.name == limit && it.place == path) {
                    out.push(format!("{path}: `{limit}` has no row in {TABLE}"));
                }
            }
        }
    }
    out
}

/// One limit: `name`, default, `where`, `case`.
struct Row {
    name: String,
    place: String,
    cases: Vec<String>,
}

impl Row {
    fn complaints(&self, repo: &Repo) -> Vec<String> {
        let mut out = Vec::new();
        if !repo.text(&self.place).contains(&self.name) {
            out.push(format!("{TABLE}: `{}` is not in {}", self.name, self.place));
        }
        if self.cases.is_empty() {
            out.push(format!("{TABLE}: `{}` names no case and no test", self.name));
        }
        let wrong = self.cases.iter().filter_map(|it| wrong(repo, it));
        out.extend(wrong.map(|it| format!("{TABLE}: `{}`: {it}", self.name)));
        out
    }
}

fn rows(text: &str) -> Vec<Row> {
    text.lines().filter(|it| it.starts_with("| `")).filter_map(row).collect()
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
    let [name, _, place, cases] = cells.as_slice() else { return None };
    Some(Row {
        name: quoted(name).next()?.to_string(),
        place: quoted(place).next()?.to_string(),
        cases: quoted(cases).map(str::to_string).collect(),
    })
}

/// The names of public constants that end in `_MAX`.
fn constants(code: &str) -> Vec<String> {
    let name = |line: &str| {
        let (before, _) = line.trim_start().strip_prefix("pub const ")?.split_once(':')?;
        (before.ends_with("_MAX") && !before.contains(' ')).then(|| before.to_string())
    };
    code.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::{constants, row};

    #[test]
    fn constants_that_bound_something_are_found() {
        let code = "pub const KEYS_MAX: usize = 1;\nconst LOOK_MAX: usize = 4;\n";
        assert_eq!(constants(code), ["KEYS_MAX"]);
    }

    #[test]
    fn a_row_is_read() {
        let row = row("| `KEYS_MAX` | 100,000 | `a.rs` | `a.rs::b`, `c.yaml` |").unwrap();
        assert_eq!((row.name.as_str(), row.place.as_str()), ("KEYS_MAX", "a.rs"));
        assert_eq!(row.cases, ["a.rs::b", "c.yaml"]);
    }
}
