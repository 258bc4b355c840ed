//! gradle: options that choose which scripts it runs.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["gradle", "gradlew"], grammar: &GRAMMAR, trusts_directory: true };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-I --init-script").executes(),
    valued("-b --build-file").executes(),
    valued("-c --settings-file").executes(),
    valued("--include-build").executes(),
    valued("-g --gradle-user-home").executes(),
    valued("-p --project-dir").directory(),
    valued("-x --exclude-task"),
    valued("--console"),
    valued("--tests"),
])
.of_goals();
