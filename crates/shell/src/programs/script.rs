//! script: it runs a command, or code behind an option, and writes what is shown.

use super::{Call, Found, Program};
use crate::Effect;
use crate::reading::{Grammar, flag, glued, valued};

/// The program.
pub(super) static PROGRAM: Script = Script;

/// It writes what is shown while something runs.
pub(super) struct Script;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-c --command"),
    valued("-B --log-io").writes(),
    valued("-I --log-in").writes(),
    valued("-O --log-out").writes(),
    valued("-T --log-timing").writes(),
    valued("-E --echo"),
    valued("-m --logging-format"),
    valued("-o --output-limit"),
    glued("-t --timing"),
    flag("-a --append"),
    flag("-e --return"),
    flag("-f --flush"),
    flag("-q --quiet"),
]);

impl Program for Script {
    fn names(&self) -> &'static [&'static str] {
        &["script"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if let Some(word) = call.word(0) {
            found.effects.extend(Effect::writes(word, call.cwd));
        }
        match call.value("-c") {
            Some(text) => {
                found.unseen(call, &text.shown());
                found.code(call, text, true);
            }
            // Elsewhere the command stands behind the file.
            None if call.reading.operands.len() > 1 => {
                // An option behind the file is read here as a word.
                found.runs(call, 1);
                let code = |it: &crate::reading::Operand| it.start == "-c";
                let at = call.reading.operands.iter().position(code);
                if let Some(text) = at.and_then(|it| call.word(it.saturating_add(1))) {
                    found.code(call, text, true);
                }
            }
            None => found.unseen(call, "what is typed"),
        }
    }
}
