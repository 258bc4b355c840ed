//! taskset and its kin: a mask, a priority or a user stands before the command.

use super::placed::Placed;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Placed =
    Placed { names: &["chrt", "gosu", "su-exec", "taskset"], grammar: &GRAMMAR, operands: 1 };

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-T --sched-runtime"),
    valued("-P --sched-period"),
    valued("-D --sched-deadline"),
    flag("-a --all-tasks"),
    flag("-c --cpu-list"),
    flag("-b --batch"),
    flag("-d --deadline"),
    flag("-f --fifo"),
    flag("-i --idle"),
    flag("-o --other"),
    flag("-r --rr"),
    flag("-R --reset-on-fork"),
    flag("-v --verbose"),
]);
