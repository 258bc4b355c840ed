//! base64: one option writes a file.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["base64", "base32"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o --output").writes(), valued("-i --input"), valued("-w --wrap -b --break"),
]);
