//! The repository's own rules. Each gives a list of complaints; an empty one is a pass.

mod conformance;
mod docs;
mod layers;
mod limits;
mod purity;
mod shelves;
mod source;
mod tree;
mod words;

use crate::repo::Repo;

/// One rule of the repository.
pub struct Check {
    /// What it looks at.
    pub name: &'static str,
    /// Its complaints.
    pub run: fn(&Repo) -> Vec<String>,
}

/// Every rule.
pub const CHECKS: &[Check] = &[
    Check { name: "layers", run: layers::check },
    Check { name: "shelves", run: shelves::check },
    Check { name: "purity", run: purity::check },
    Check { name: "words", run: words::check },
    Check { name: "tree", run: tree::check },
    Check { name: "tests", run: source::check },
    Check { name: "docs", run: docs::check },
    Check { name: "limits", run: limits::check },
    Check { name: "conformance", run: conformance::check },
];

#[cfg(test)]
mod tests {
    use super::CHECKS;
    use crate::repo::Repo;

    #[test]
    fn the_repository_keeps_its_own_rules() {
        let repo = Repo::find().unwrap();
        for check in CHECKS {
            let complaints = (check.run)(&repo);
            assert!(complaints.is_empty(), "{}:\n{}", check.name, complaints.join("\n"));
        }
    }
}
