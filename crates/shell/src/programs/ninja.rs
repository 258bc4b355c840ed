//! ninja: an option that chooses the rules it runs.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["ninja", "samu"], grammar: &GRAMMAR, trusts_directory: true };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-f").executes(),
    valued("-C").directory(),
    valued("-j"),
    valued("-k"),
    valued("-l"),
    valued("-t"),
    valued("-d"),
]);
