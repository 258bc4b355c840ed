//! Shelves: a list, one file per thing, its page and its cases, compared in both directions.

use crate::repo::Repo;

/// One shelf.
struct Shelf {
    /// What stands on it, for complaints.
    thing: &'static str,
    /// The list, and the folder beside it, without `.rs`.
    list: &'static str,
    /// Whether each thing has a page beside its file.
    pages: bool,
    /// The folder that holds one folder of cases per thing.
    cases: Option<&'static str>,
    /// Modules beside the things, which hold what several of them share.
    shared: &'static [&'static str],
    /// Case folders of things that are not on the shelf, with the reason.
    cases_elsewhere: &'static [&'static str],
}

const SHELVES: &[Shelf] = &[
    Shelf {
        thing: "rule kind",
        list: "crates/rule/src/kinds",
        shared: &[],
        pages: true,
        cases: Some("conformance/rules"),
        // The engine's own kinds stand in no policy, so they have no file on the shelf.
        cases_elsewhere: &["ended", "ran_anyway", "rejected", "waiver"],
    },
    Shelf {
        thing: "dialect",
        list: "crates/dialect/src/dialects",
        shared: &[],
        pages: true,
        cases: Some("conformance/dialects"),
        cases_elsewhere: &[],
    },
    Shelf {
        thing: "reader",
        list: "crates/trace/src/readers",
        shared: &["export", "whole"],
        pages: true,
        cases: Some("conformance/traces"),
        cases_elsewhere: &[],
    },
    Shelf {
        thing: "reporter",
        list: "crates/report/src/reporters",
        shared: &[],
        pages: true,
        cases: Some("conformance/reports"),
        cases_elsewhere: &[],
    },
    Shelf {
        thing: "check",
        list: "crates/checks/src/checks",
        shared: &[],
        pages: true,
        cases: Some("conformance/checks"),
        cases_elsewhere: &[],
    },
    Shelf {
        thing: "host",
        list: "crates/bridge/src/hooks",
        shared: &[],
        pages: true,
        cases: Some("conformance/hooks"),
        cases_elsewhere: &[],
    },
    Shelf {
        thing: "requirement",
        list: "crates/cli/src/commands/policy/init/requirements",
        shared: &[],
        pages: false,
        cases: None,
        cases_elsewhere: &[],
    },
    Shelf {
        thing: "command",
        list: "crates/cli/src/commands",
        shared: &[],
        pages: false,
        cases: None,
        cases_elsewhere: &[],
    },
];

/// Compares every shelf with its list.
pub fn check(repo: &Repo) -> Vec<String> {
    SHELVES.iter().flat_map(|it| it.complaints(repo)).collect()
}

impl Shelf {
    fn complaints(&self, repo: &Repo) -> Vec<String> {
        let file = format!("{}.rs", self.list);
        let mut listed = modules(&repo.text(&file));
        listed.retain(|it| !self.shared.contains(&it.as_str()));
        if listed.is_empty() {
            return vec![format!("{file} lists no {}", self.thing)];
        }
        let mut out = Vec::new();
        let mut files = repo.stems(self.list, ".rs");
        files.retain(|it| it != "tests" && !self.shared.contains(&it.as_str()));
        self.compare(&mut out, &listed, &files, &format!("{}/{{}}.rs", self.list));
        if self.pages {
            let pages = repo.stems(self.list, ".md");
            self.compare(&mut out, &listed, &pages, &format!("{}/{{}}.md", self.list));
        }
        if let Some(folder) = self.cases {
            let mut cases = repo.folders(folder);
            cases.retain(|it| !self.cases_elsewhere.contains(&it.as_str()));
            self.compare(&mut out, &listed, &cases, &format!("{folder}/{{}}/"));
        }
        if listed.windows(2).any(|pair| pair[0] > pair[1]) {
            out.push(format!("{file}: the list is not sorted"));
        }
        out
    }

    fn compare(&self, out: &mut Vec<String>, listed: &[String], found: &[String], place: &str) {
        for name in listed.iter().filter(|it| !found.contains(it)) {
            let path = place.replace("{}", name);
            out.push(format!("{} `{name}` is listed and has no {path}", self.thing));
        }
        for name in found.iter().filter(|it| !listed.contains(it)) {
            let path = place.replace("{}", name);
            out.push(format!("{path} is there and {} `{name}` is not listed", self.thing));
        }
    }
}

/// The modules that a list declares, tests left out.
fn modules(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line.strip_prefix("pub ").unwrap_or(line);
        let rest = rest.strip_prefix("(crate) ").unwrap_or(rest);
        rest.strip_prefix("mod ")?.strip_suffix(';').map(str::to_string)
    };
    text.lines().filter_map(name).filter(|it| it != "tests").collect()
}

#[cfg(test)]
mod tests {
    use super::{Shelf, modules};
    use crate::repo::Repo;

    const SHELF: Shelf = Shelf {
        thing: "reader",
        list: "readers",
        shared: &[],
        pages: true,
        cases: Some("cases"),
        cases_elsewhere: &[],
    };

    fn repo(name: &str, files: &[(&str, &str)]) -> Repo {
        let root =
            std::env::temp_dir().join(format!("lawbook-shelf-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let repo = Repo::at(&root).unwrap();
        std::fs::remove_dir_all(root).ok();
        repo
    }

    #[test]
    fn a_list_names_its_modules() {
        assert_eq!(modules("mod a;\npub mod b;\nmod tests;\npub use a::A;\n"), ["a", "b"]);
    }

    #[test]
    fn a_list_that_cannot_be_read_is_a_complaint() {
        assert_eq!(SHELF.complaints(&repo("empty", &[])), ["readers.rs lists no reader"]);
    }

    #[test]
    fn differences_are_named_in_both_directions() {
        let mut out = Vec::new();
        let (listed, found) = (["a".to_string()], ["b".to_string()]);
        SHELF.compare(&mut out, &listed, &found, "readers/{}.md");
        assert_eq!(
            out,
            [
                "reader `a` is listed and has no readers/a.md",
                "readers/b.md is there and reader `b` is not listed",
            ]
        );
    }
}
