//! tree: one option writes a file.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["tree"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o").writes(), valued("-L"), valued("-I"), valued("-P"), flag("-a"), flag("-d"),
]);
