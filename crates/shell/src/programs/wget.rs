//! wget: it writes what it fetches, and options that name where, or send files.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["wget"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-O --output-document").writes(), valued("-o --output-file").writes(), valued("-a --append-output").writes(), valued("-P --directory-prefix").writes(),
    valued("-i --input-file").network(), valued("--use-askpass").executes(), valued("--post-file").network(), valued("--body-file").network(), valued("-e --execute").executes(), valued("--config").executes(), valued("--save-cookies").writes(), valued("--warc-file").writes(), valued("--rejected-log").writes(), valued("--hsts-file").writes(),
    valued("-t --tries"), valued("-T --timeout"), valued("--header"), valued("-U --user-agent"), flag("-q --quiet"), flag("-c --continue"), flag("-r --recursive"),
]);
