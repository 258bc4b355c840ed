//! date: one option sets the clock.

use super::Table;
use crate::reading::{Grammar, glued, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["date"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-s --set").changes(), valued("-d --date"), valued("-r --reference"), glued("-I --iso-8601"),
]);
