//! rm: its options have two spellings.

use super::Table;
use crate::reading::{Grammar, flag, glued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["rm", "grm"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    flag("-r -R --recursive"),
    flag("-f --force"),
    flag("-v --verbose"),
    flag("-d --dir"),
    flag("-i"),
    flag("-I"),
    glued("--interactive"),
    glued("--preserve-root"),
    flag("--no-preserve-root"),
    flag("--one-file-system"),
]);
