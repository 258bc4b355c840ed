//! strace and its kin: they run a command and watch it, and may write what they saw.

use super::placed::Placed;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Placed =
    Placed { names: &["ltrace", "strace", "valgrind"], grammar: &GRAMMAR, operands: 0 };

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-o --output --log-file --xml-file").writes(),
    valued("-e --trace"),
    valued("-p --attach"),
    valued("-s --string-limit"),
    valued("-u --user"),
    valued("-E --env"),
    valued("-a --columns"),
    valued("-b --detach-on"),
    valued("-P --trace-path"),
    valued("-S --summary-sort-by"),
    valued("-I --interruptible"),
    valued("-O --summary-syscall-overhead"),
    valued("-X --const-print-style"),
    valued("-U --summary-columns"),
    valued("-l --library"),
    valued("-A"),
    valued("-F --config"),
    valued("--tool"),
    flag("-f --follow-forks"),
    flag("-c --summary-only"),
    flag("-C --summary"),
    flag("-d"),
    flag("-i"),
    flag("-k"),
    flag("-n"),
    flag("-q"),
    flag("-r"),
    flag("-t"),
    flag("-T"),
    flag("-v"),
    flag("-w"),
    flag("-x"),
    flag("-y"),
    flag("-z"),
]);
