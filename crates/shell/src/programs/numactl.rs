//! numactl and its kin: options that name cores, groups, displays or passwords.

use super::placed::Placed;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Placed = Placed {
    names: &["cgexec", "dbus-run-session", "numactl", "sshpass", "xvfb-run"],
    grammar: &GRAMMAR,
    operands: 0,
};

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-N --cpunodebind"),
    valued("-m --membind"),
    valued("-C --physcpubind"),
    valued("-i --interleave"),
    valued("-p --preferred"),
    valued("-g"),
    valued("-e --error-file"),
    valued("-f --auth-file"),
    valued("-n --server-num"),
    valued("-s --server-args"),
    valued("-d"),
    valued("-P"),
    valued("--config-file --dbus-daemon"),
    flag("-a --auto-servernum"),
    flag("-l --localalloc"),
    flag("-v"),
]);
