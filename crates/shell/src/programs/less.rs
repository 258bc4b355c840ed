//! less: options that write a log, and words that begin with `+` and are commands.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["less", "more", "most"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o -O --log-file --LOG-FILE").writes(), valued("-k --lesskey-file").executes(), valued("--lesskey-src --lesskey-content").executes(), valued("-b"), valued("-p --pattern"), valued("-P --prompt"), flag("-R"), flag("-N"), flag("-S"),
]);
