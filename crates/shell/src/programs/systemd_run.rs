//! systemd-run: it hands a command to the manager of services.

use super::placed::Placed;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Placed =
    Placed { names: &["systemd-run"], grammar: &GRAMMAR, operands: 0 };

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-p --property"),
    valued("-u --unit"),
    valued("-E --setenv"),
    valued("-H --host"),
    valued("-M --machine"),
    valued("--slice --description --uid --gid --nice --working-directory --service-type"),
    valued("--on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar"),
    valued("--timer-property --path-property --socket-property --background"),
    flag("-d --same-dir"),
    flag("-t --pty"),
    flag("-P --pipe"),
    flag("-S --shell"),
    flag("-G --collect"),
    flag("-r --remain-after-exit"),
    flag("--scope --system --no-block --wait --no-ask-password --slice-inherit"),
]);
