//! tcpdump: options that run a program or write a file.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["tcpdump"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-z").executes(), valued("-w").writes(), valued("-i"), valued("-c"), valued("-r"), valued("-F"), valued("-s"), flag("-n"),
]);
