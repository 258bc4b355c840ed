//! nsenter: it runs a command among what another process sees.

use super::placed::Placed;
use crate::reading::{Grammar, flag, glued, valued};

/// The program.
pub(super) static PROGRAM: Placed = Placed { names: &["nsenter"], grammar: &GRAMMAR, operands: 0 };

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-t --target"),
    valued("-S --setuid"),
    valued("-G --setgid"),
    glued("-m --mount"),
    glued("-u --uts"),
    glued("-i --ipc"),
    glued("-n --net"),
    glued("-p --pid"),
    glued("-U --user"),
    glued("-C --cgroup"),
    glued("-T --time"),
    glued("-r --root"),
    glued("-w --wd"),
    valued("-W --wdns"),
    flag("-a --all"),
    flag("-F --no-fork"),
    flag("-Z --follow-context"),
    flag("--preserve-credentials"),
]);
