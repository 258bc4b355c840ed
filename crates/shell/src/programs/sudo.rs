//! sudo and its kin: they run a command, a payload or a shell as somebody else.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Sudo = Sudo;

/// It runs a command as somebody else.
pub(super) struct Sudo;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-u --user"),
    valued("-g --group"),
    valued("-h --host"),
    valued("-p --prompt"),
    valued("-C --close-from"),
    valued("-D --chdir").directory(),
    valued("-r --role"),
    valued("-t --type"),
    valued("-T --command-timeout"),
    valued("-U --other-user"),
    valued("-R --chroot"),
    flag("-s --shell"),
    flag("-i --login"),
    flag("-n --non-interactive"),
    flag("-E --preserve-env"),
    flag("-H --set-home"),
    flag("-k"),
    flag("-S --stdin"),
    flag("-b --background"),
]);

impl Program for Sudo {
    fn names(&self) -> &'static [&'static str] {
        &["doas", "gksudo", "kdesudo", "pkexec", "sudo"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_careful(&self) -> bool {
        true
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let assigned = |it: &&crate::reading::Operand| {
            it.start.split_once('=').is_some_and(|(name, _)| is_name(name))
        };
        let first = call.reading.operands.iter().take_while(assigned).count();
        if call.reading.operands.len() == first {
            found.unseen(call, "a shell as somebody else");
        }
        found.runs(call, first);
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it == b'_' || it.is_ascii_alphanumeric())
}
