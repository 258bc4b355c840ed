//! unshare: it runs a command apart from what others see.

use super::placed::Placed;
use crate::reading::{Grammar, flag, glued, valued};

/// The program.
pub(super) static PROGRAM: Placed = Placed { names: &["unshare"], grammar: &GRAMMAR, operands: 0 };

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-R --root"),
    valued("-w --wd"),
    valued("-S --setuid"),
    valued("-G --setgid"),
    valued("--propagation --setgroups --map-user --map-group --map-users --map-groups"),
    valued("--monotonic --boottime --load-interp -l"),
    glued("-m --mount"),
    glued("-u --uts"),
    glued("-i --ipc"),
    glued("-n --net"),
    glued("-p --pid"),
    glued("-U --user"),
    glued("-C --cgroup"),
    glued("-T --time"),
    glued("--kill-child --mount-proc --mount-binfmt"),
    flag("-f --fork"),
    flag("-r --map-root-user"),
    flag("-c --map-current-user"),
    flag("--map-auto --keep-caps"),
]);
