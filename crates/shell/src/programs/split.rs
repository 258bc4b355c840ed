//! split: one option runs a program for each part.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["split", "csplit"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("--filter").executes(), valued("-b --bytes"), valued("-l --lines"), valued("-n --number"), valued("-a --suffix-length"), valued("-C"),
]);
