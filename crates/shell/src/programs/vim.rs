//! vim: options that run its commands.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["vim", "vi", "nvim", "ex", "view", "vimdiff", "gvim", "emacs"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-c").executes(), valued("--cmd").executes(), valued("-S -s -u -U --eval -l --load").executes(), valued("-w -W").writes(),
]);
