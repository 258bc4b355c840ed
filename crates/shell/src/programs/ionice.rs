//! ionice: it runs a command with another priority at the disk.

use super::placed::Placed;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Placed = Placed { names: &["ionice"], grammar: &GRAMMAR, operands: 0 };

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-c --class"),
    valued("-n --classdata"),
    valued("-p --pid"),
    valued("-P --pgid"),
    valued("-u --uid"),
    flag("-t --ignore"),
]);
