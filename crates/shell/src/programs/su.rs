//! su and runuser: a payload behind an option, or a shell as somebody else.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Su = Su;

/// It runs a payload as somebody else.
pub(super) struct Su;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-c --command --session-command"),
    valued("-s --shell").executes(),
    valued("-u --user"),
    valued("-g --group"),
    flag("-l --login"),
    flag("-m -p --preserve-environment"),
]);

impl Program for Su {
    fn names(&self) -> &'static [&'static str] {
        &["runuser", "su"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.unseen(call, "a shell as somebody else");
        if let Some(text) = call.value("-c") {
            found.code(call, text, true);
        } else if call.reading.has("-u") {
            found.runs(call, 0);
        }
    }
}
