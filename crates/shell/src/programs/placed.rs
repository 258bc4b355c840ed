//! Wrappers that give a command another place to run, so that a rule must name what they run.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Placed = Placed {
    names: &[
        "caffeinate",
        "catchsegv",
        "chronic",
        "cpulimit",
        "fakeroot",
        "firejail",
        "nodemon",
        "proot",
        "prlimit",
        "rlwrap",
        "setpriv",
        "setsid",
        "softlimit",
        "torsocks",
        "proxychains",
        "proxychains4",
        "ts-node-dev",
        "unbuffer",
        "with-contenv",
    ],
    grammar: &GRAMMAR,
    operands: 0,
};

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-b --bind"),
    valued("-l --limit"),
    valued("-r --rootfs"),
    valued("-w"),
    valued("-t"),
    valued("-u --uid"),
    valued("--reuid --regid --groups --inh-caps --bounding-set --ambient-caps"),
    flag("-c --ctty"),
    flag("-f --fork"),
    flag("-i"),
    flag("-d"),
    flag("-m"),
    flag("-q"),
    flag("--wait"),
]);

/// A wrapper with options and so many operands before the command that it runs.
pub(super) struct Placed {
    /// The names that it is called by.
    pub names: &'static [&'static str],
    /// How it reads its words.
    pub grammar: &'static Grammar,
    /// How many operands stand before the command.
    pub operands: usize,
}

impl Program for Placed {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn grammar(&self) -> &'static Grammar {
        self.grammar
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.runs(call, self.operands);
    }
}
