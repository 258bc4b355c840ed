//! openssl: options that load code.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["openssl"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::one_dash(&[
    valued("-engine").executes(), valued("-provider").executes(), valued("-provider-path").executes(), valued("-out").writes(), valued("-config").executes(), valued("-in"),
]);
