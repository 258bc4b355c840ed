//! Programs that run what the directory says that they work in, and need no other knowledge.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table = Table {
    names: &[
        "pytest",
        "tox",
        "nox",
        "mypy",
        "ruff",
        "just",
        "rake",
        "bundle",
        "meson",
        "bazel",
        "dune",
        "sbt",
        "mix",
        "composer",
        "phpunit",
        "rspec",
        "jest",
        "vitest",
        "tsc",
        "eslint",
        "poetry",
        "pre-commit",
        "turbo",
        "nx",
        "swift",
        "dotnet",
        "xcodebuild",
    ],
    grammar: &GRAMMAR,
    trusts_directory: true,
};

static GRAMMAR: Grammar = Grammar::of(&[valued("-C --directory").directory()]);
