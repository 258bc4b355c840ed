//! Programs that run what the directory says that they work in, and need no other knowledge.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table = Table {
    names: &[
        "tox",
        "nox",
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
        "poetry",
        "pre-commit",
        "turbo",
        "nx",
        "swift",
        "xcodebuild",
    ],
    grammar: &GRAMMAR,
    trusts_directory: true,
};

static GRAMMAR: Grammar = Grammar::of(&[valued("-C --directory").directory()]);
