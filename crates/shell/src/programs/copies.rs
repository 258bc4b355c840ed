//! Programs that make, move and unpack files: what they write outside of the workspace counts.

use super::{Call, Found, Program};
use crate::judge::RUNS;
use crate::reading::{Grammar, flag, valued};
use crate::{Dynamic, Effect, Piece, Word};

/// The program.
pub(super) static PROGRAM: Copies = Copies;

/// They write where their operands say.
pub(super) struct Copies;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-t --target-directory"),
    valued("-d"),
    valued("-m --mode"),
    valued("-S --suffix"),
    flag("-r -R --recursive"),
    flag("-a --archive"),
    flag("-f --force"),
    flag("-n --no-clobber"),
    flag("-p --parents"),
    flag("-s --symbolic"),
    flag("-v --verbose"),
    flag("-o"),
    flag("-q"),
]);

impl Program for Copies {
    fn names(&self) -> &'static [&'static str] {
        &["cp", "install", "ln", "mkdir", "mv", "touch", "unzip"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let given = ["-t", "-d"].iter().filter_map(|it| call.value(it));
        let all = (0..call.reading.operands.len()).filter_map(|it| call.word(it));
        let last = call.reading.operands.len().checked_sub(1).and_then(|it| call.word(it));
        let written: Vec<&Word> = match call.name {
            "unzip" => given.collect(),
            "cp" | "install" | "ln" => given.chain(last).collect(),
            _ => given.chain(all).collect(),
        };
        for word in written.into_iter().filter(|it| leaves(it)) {
            found.effects.extend(Effect::writes(word, call.cwd));
        }
    }
}

fn is_held(folder: &str) -> bool {
    RUNS.iter().any(|it| it.eq_ignore_ascii_case(folder))
}

/// Whether a path may lead out of the working directory, or into a folder in it whose files run or
/// decide when others open them.
pub(super) fn leaves(word: &Word) -> bool {
    let home = |it: &Piece| match it {
        Piece::Dynamic { what: Dynamic::Tilde, .. } => true,
        Piece::Dynamic { what: Dynamic::Parameter { name, .. }, .. } => name == "HOME",
        Piece::Dynamic { .. } | Piece::Literal { .. } => false,
    };
    let start = word.literal_start();
    word.pieces.first().is_some_and(home)
        || start.starts_with('/')
        || word.shown().split('/').any(|it| it == ".." || is_held(it))
}
