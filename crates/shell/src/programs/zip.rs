//! zip: one option runs a program to test an archive.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["zip"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-TT --unzip-command").executes(), flag("-T --test"), flag("-r"),
]);
