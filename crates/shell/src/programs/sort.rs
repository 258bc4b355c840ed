//! sort: options that write a file or run a program.

use super::Table;
use crate::reading::{Grammar, flag, glued, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["sort"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o --output").writes(), valued("--compress-program").executes(), valued("-T --temporary-directory").writes(),
    valued("-k --key"), valued("-t --field-separator"), valued("-S --buffer-size"), valued("--parallel"), valued("--batch-size"), valued("--files0-from"), glued("--sort"),
    flag("-n --numeric-sort"), flag("-r --reverse"), flag("-u --unique"), flag("-h --human-numeric-sort"), flag("-c"), flag("-f"),
]);
