//! Interpreters: a rule for one is its owner's choice, but not for code that a pipe feeds it.

use super::{Call, Found, Program};
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Interpreter = Interpreter;

/// It runs code of its own language.
pub(super) struct Interpreter;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-c"),
    valued("-m"),
    valued("-e --eval -E --execute"),
    valued("-r --require --run"),
    valued("-p --print"),
    valued("-W"),
    valued("-X"),
    valued("-I"),
]);

impl Program for Interpreter {
    fn names(&self) -> &'static [&'static str] {
        &[
            "bb",
            "lua",
            "luajit",
            "node",
            "nodejs",
            "osascript",
            "perl",
            "php",
            "pwsh",
            "py",
            "pypy",
            "pypy3",
            "python",
            "python2",
            "python3",
            "pythonw",
            "pyw",
            "R",
            "Rscript",
            "ruby",
            "swipl",
            "tclsh",
            "ts-node",
            "tsx",
            "groovy",
            "irb",
            "julia",
            "elixir",
            "erl",
            "ghci",
            "powershell",
            "powershell.exe",
        ]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let has = |it: &&str| call.reading.has(it);
        let code = ["-c", "-m", "-e", "-r", "-p"].iter().any(has);
        let flags =
            call.reading.options.iter().any(|it| matches!(it.written.as_str(), "-V" | "-h" | "-v"))
                || call
                    .reading
                    .options
                    .iter()
                    .any(|it| matches!(it.written.as_str(), "--version" | "--help"));
        let script = call.operand(0).is_some_and(|it| it != "-");
        if call.place.fed && call.fed().next().is_none() && !code && !script && !flags {
            found.unseen(call, "its input");
        }
    }
}
