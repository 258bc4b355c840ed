//! Shells: payloads behind `-c`, scripts, and code that is fed to them.

use super::{Call, Found, Program, Run};
use crate::reading::{Grammar, flag, valued};
use crate::{EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Shells = Shells;

/// It runs code of its own language.
pub(super) struct Shells;

static GRAMMAR: Grammar = Grammar::leading(&[
    flag("-c --command"),
    flag("-s"),
    flag("-l --login"),
    flag("-i"),
    flag("-e"),
    flag("-x"),
    flag("-u"),
    flag("-v --verbose"),
    flag("-n"),
    flag("-f"),
    flag("--norc"),
    flag("--noprofile"),
    flag("--posix"),
    valued("-o"),
    valued("-O"),
    valued("--rcfile --init-file").executes(),
]);

impl Program for Shells {
    fn names(&self) -> &'static [&'static str] {
        &["ash", "bash", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "csh", "yash", "zsh"]
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

    fn drinks(&self, _name: &str) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if call.reading.has("-c") {
            if let Some(word) = call.word(0) {
                found.called(call, word, call.from(1));
                found.transparent = true;
            } else {
                found.unseen(call, "-c");
            }
            return;
        }
        let mut words = call.reading.operands.iter();
        if let Some(script) = words.next().filter(|_| !call.reading.has("-s"))
            && script.text.as_deref() != Some("-")
        {
            let message = format!("`{}` runs the script `{}`", call.name, script.start);
            found.words(EffectKind::Executes, call, 2, message);
            return;
        }
        let is_version =
            |it: &crate::reading::Given| matches!(it.written.as_str(), "--version" | "--help");
        if call.reading.options.iter().any(is_version) {
            return;
        }
        fed(call, found);
    }
}

/// What is fed to a shell is code.
fn fed(call: &Call<'_>, found: &mut Found) {
    let texts: Vec<&Word> = call.fed().collect();
    for text in &texts {
        found.code(call, text, true);
    }
    if !call.piped.is_empty() {
        found.runs.push(Run::Code { text: call.piped.to_owned(), own: true });
    }
    if call.is_fed_unseen() {
        found.unseen(call, "its input");
    } else if texts.is_empty() {
        found.unseen(call, "what is typed");
    } else {
        found.transparent = true;
    }
}
