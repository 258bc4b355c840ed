//! ag: one option runs a program.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["ack", "ag"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("--pager").executes(),
    valued("--ackrc").executes(),
    valued("-A --after"),
    valued("-B --before"),
    valued("-C --context"),
    valued("-G --file-search-regex"),
    valued("-g"),
    valued("-m --max-count"),
    valued("--ignore"),
    valued("--ignore-dir"),
    flag("-i --ignore-case"),
    flag("-l --files-with-matches"),
    flag("-Q --literal"),
]);
