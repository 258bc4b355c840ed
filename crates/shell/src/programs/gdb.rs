//! gdb: options that run its commands.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["gdb", "lldb"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::one_dash(&[
    valued("-ex --ex -eval-command --eval-command").executes(), valued("-x --command").executes(), valued("-iex -ix -o -s -S").executes(),
]);
