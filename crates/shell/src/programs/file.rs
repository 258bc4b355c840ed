//! file: one option compiles its data base.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["file"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    flag("-C --compile").writes(), valued("-m --magic-file"), valued("-f --files-from"),
]);
