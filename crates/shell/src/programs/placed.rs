//! Wrappers that give a command another place to run, so that a rule must name what they run.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Wrapper = Wrapper;

/// It changes nothing for what it runs.
pub(super) struct Wrapper;

static GRAMMAR: Grammar = Grammar::leading(&[valued("-c --class --classdata"), valued("-n"), valued("-p --pid"), valued("-P"), valued("-u --uid"), flag("-f"), flag("-w")]);

impl Program for Wrapper {
    fn names(&self) -> &'static [&'static str] {
        &["ionice", "chrt", "taskset", "setsid", "unshare", "nsenter", "bwrap", "firejail", "proot", "fakeroot", "strace", "ltrace", "catchsegv", "caffeinate", "dbus-run-session", "xvfb-run", "systemd-run", "script", "unbuffer", "gosu", "chronic", "ts-node-dev", "nodemon", "entr", "dotenv", "op", "aws-vault", "sshpass", "torsocks", "proxychains", "proxychains4", "with-contenv", "rlwrap", "cgexec", "numactl", "perf", "valgrind", "hyperfine", "parallel", "sem", "rtk"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.runs(call, 0);
    }
}
