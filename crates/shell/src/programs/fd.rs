//! fd: options that run a command for what is found.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["fd", "fdfind"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-x --exec").executes(), valued("-X --exec-batch").executes(), valued("-e --extension"), valued("-t --type"),
    valued("-d --max-depth"), valued("-E --exclude"), valued("-c --color"), valued("-j --threads"), flag("-H --hidden"), flag("-I --no-ignore"),
]);
