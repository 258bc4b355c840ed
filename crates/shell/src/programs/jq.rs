//! jq: options that read a program from a file, or write in place.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["jq", "yq", "gojq"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-f --from-file").executes(), flag("-i --in-place --inplace").writes(), valued("-L"), flag("-r --raw-output"), flag("-c --compact-output"), flag("-e --exit-status"), flag("-s --slurp"), flag("-n --null-input"),
]);
