//! Programs that copy, move and link files: what they write outside of the workspace counts.

use super::{Call, Found, Program, wild};
use crate::judge::RUNS;
use crate::reading::{Grammar, flag, valued};
use crate::{Dynamic, Effect, Piece, Word};

/// The program.
pub(super) static PROGRAM: Copies = Copies;

/// They write where their last operand says, or the option for a folder.
pub(super) struct Copies;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-t --target-directory"),
    valued("-m --mode"),
    valued("-S --suffix"),
    valued("-g --group"),
    valued("--owner"),
    flag("-r -R --recursive"),
    flag("-a --archive"),
    flag("-f --force"),
    flag("-n --no-clobber"),
    flag("-p --parents"),
    flag("-s --symbolic"),
    flag("-v --verbose"),
    flag("-d --directory"),
    flag("-T --no-target-directory"),
    flag("-u --update"),
    flag("-i --interactive"),
    flag("-l -L -P -H -x -b -z -D"),
]);

impl Program for Copies {
    fn names(&self) -> &'static [&'static str] {
        &["cp", "gcp", "gmv", "install", "ln", "mv"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let count = call.reading.operands.len();
        if call.name == "install" && call.reading.has("-d") {
            return (0..count).filter_map(|it| call.word(it)).for_each(|it| makes(it, call, found));
        }
        let given = call.value("-t");
        let last = count.checked_sub(1).filter(|_| given.is_none());
        if let Some(word) = given.or_else(|| call.word(last?)) {
            makes(word, call, found);
        }
        // What is moved is gone from where it was.
        let gone = if call.name.ends_with("mv") { last.unwrap_or(count) } else { 0 };
        for word in (0..gone).filter_map(|it| call.word(it)).filter(|it| leaves(it, call)) {
            found.effects.extend(Effect::changes(word, call.cwd));
        }
    }
}

/// A call makes a file or a folder where a word says.
pub(super) fn makes(word: &Word, call: &Call<'_>, found: &mut Found) {
    if leaves(word, call) || wild::is_live(word) || call.cwd.resolve(word).1 {
        found.effects.extend(Effect::writes(word, call.cwd));
    }
}

fn is_held(folder: &str) -> bool {
    RUNS.iter().any(|it| it.eq_ignore_ascii_case(folder))
}

/// Notes the files that a call rewrites where they stand and that may lie elsewhere, from an operand
/// on.
pub(super) fn rewrites(call: &Call<'_>, from: usize, found: &mut Found) {
    let all = (from..call.reading.operands.len()).filter_map(|it| call.word(it));
    for word in all.filter(|it| leaves(it, call)) {
        found.effects.extend(Effect::changes(word, call.cwd));
    }
}

/// Whether a path may lead out of the workspace, or into a folder in it whose files run or decide
/// when others open them.
pub(super) fn leaves(word: &Word, call: &Call<'_>) -> bool {
    let home = |it: &Piece| match it {
        Piece::Dynamic { what: Dynamic::Tilde, .. } => true,
        Piece::Dynamic { what: Dynamic::Parameter { name, .. }, .. } => name == "HOME",
        Piece::Dynamic { .. } | Piece::Literal { .. } => false,
    };
    let start = word.literal_start();
    word.pieces.first().is_some_and(home)
        || start.starts_with('/')
        || word.shown().split('/').any(|it| it == ".." || is_held(it))
        || wild::may_leave(word)
        || !call.cwd.is_in(call.workspace)
        || call.cwd.places.iter().any(|it| it.below(call.workspace).iter().any(|it| is_held(it)))
}
