//! mvn: options that choose which project and which settings it reads.

use super::Table;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["mvn", "mvnw"], grammar: &GRAMMAR, trusts_directory: true };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-f --file").executes(),
    valued("-s --settings").executes(),
    valued("-gs --global-settings").executes(),
    valued("-t --toolchains").executes(),
    valued("-P --activate-profiles"),
    valued("-pl --projects"),
    valued("-T --threads"),
    valued("-l --log-file").writes(),
])
.of_goals();
