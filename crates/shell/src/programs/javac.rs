//! javac: options that name what it writes, and which code runs while it compiles.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};
use crate::{Effect, EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Javac = Javac;

/// It runs processors that options name.
pub(super) struct Javac;

static GRAMMAR: Grammar = Grammar::one_dash(&[
    valued("-d").writes(),
    valued("-s").writes(),
    valued("-h").writes(),
    valued("-processor").executes(),
    valued("-processorpath -processor-path -processor-module-path").executes(),
    valued("-cp -classpath -class-path"),
    valued("-sourcepath -source-path"),
    valued("-source"),
    valued("-target"),
    valued("-release"),
    valued("-encoding"),
    flag("-g"),
    flag("-nowarn"),
]);

impl Program for Javac {
    fn names(&self) -> &'static [&'static str] {
        &["javac"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        for word in call.words.iter().map(Word::literal_start) {
            if word.starts_with('@') || word.starts_with("-J") || word.starts_with("-Xplugin") {
                let message = format!("`javac {word}` can run code");
                found.effects.push(Effect::new(EffectKind::Executes, word, message));
            }
        }
    }
}
