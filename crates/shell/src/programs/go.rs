//! go: options that choose the programs that it builds with, and a directory to work in.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["go"], grammar: &GRAMMAR, trusts_directory: true };

static GRAMMAR: Grammar = Grammar::one_dash(&[
    valued("-C").directory(),
    valued("-exec").executes(),
    valued("-toolexec").executes(),
    valued("-vettool").executes(),
    valued("-o").writes(),
    valued("-overlay").executes(),
    valued("-ldflags"),
    valued("-gcflags"),
    valued("-tags"),
    valued("-run"),
    valued("-bench"),
    valued("-count"),
    valued("-timeout"),
    valued("-coverprofile").writes(),
    valued("-cpuprofile").writes(),
    valued("-memprofile").writes(),
    valued("-mod"),
    valued("-modfile"),
    valued("-p"),
    flag("-v"),
    flag("-x"),
    flag("-race"),
]);
