//! man: options that choose the program that shows a page.

use super::Table;
use crate::reading::{Grammar, flag, glued, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["man"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-P --pager").executes(), glued("-H --html").executes(), valued("-C --config-file").executes(), valued("-p --preprocessor").executes(), flag("-k"), flag("-f"),
]);
