//! rsync: options that choose the program for the other end, or write a log.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["rsync"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-e --rsh").executes(), valued("--rsync-path").executes(), valued("--log-file").writes(), valued("--write-batch").writes(), valued("--exclude"), valued("--include"), valued("--exclude-from"), valued("-f --filter"), flag("-a --archive"), flag("-v --verbose"), flag("-z --compress"), flag("-n --dry-run"), flag("--delete"),
]);
