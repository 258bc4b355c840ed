//! terraform: a directory to work in, one dash before long names.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["terraform", "tofu"], grammar: &GRAMMAR, trusts_directory: true };

static GRAMMAR: Grammar = Grammar::one_dash(&[
    valued("-chdir").directory(),
    valued("-out").writes(),
    valued("-var"),
    valued("-var-file"),
    valued("-state"),
    flag("-auto-approve"),
    flag("-json"),
]);
