//! xargs: it runs a command with words that it reads.

use super::{Call, Found, Program, Run};
use crate::reading::{Grammar, flag, glued, valued};
use crate::{Dynamic, Piece, Word};

/// The program.
pub(super) static PROGRAM: Xargs = Xargs;

/// It runs a command with words that it reads.
pub(super) struct Xargs;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-I"),
    valued("-J"),
    valued("-L --max-lines"),
    valued("-n --max-args"),
    valued("-P --max-procs"),
    valued("-R"),
    valued("-s --max-chars"),
    valued("-E"),
    valued("-d --delimiter"),
    valued("-a --arg-file"),
    glued("-i --replace"),
    glued("-l"),
    glued("-e --eof"),
    flag("-0 --null"),
    flag("-r --no-run-if-empty"),
    flag("-t --verbose"),
    flag("-p --interactive"),
    flag("-x --exit"),
]);

impl Program for Xargs {
    fn names(&self) -> &'static [&'static str] {
        &["gxargs", "xargs"]
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
        let mut words = call.from(0);
        if words.is_empty() {
            return;
        }
        let replaced = ["-I", "-i", "-J"].into_iter().find(|it| call.reading.has(it));
        match replaced {
            Some(option) => {
                let text = call.value(option).and_then(Word::literal);
                fill(&mut words, text.as_deref().unwrap_or("{}"));
            }
            None => words.push(read(false)),
        }
        found.transparent = call.reading.options.is_empty();
        found.runs.push(Run::Words { words, operand: Some(0) });
    }
}

/// A word that is read.
fn read(quoted: bool) -> Word {
    let what = Dynamic::Parameter { name: "@".to_owned(), plain: false };
    let piece = Piece::Dynamic { what, quoted, text: "{}".to_owned() };
    Word { pieces: vec![piece], ..Word::default() }
}

/// Puts what is read in the place of a text, wherever it stands in the words.
fn fill(words: &mut [Word], place: &str) {
    if place.is_empty() {
        return;
    }
    for word in words {
        let Some(text) = word.literal().filter(|it| it.contains(place)) else { continue };
        let mut pieces = Vec::new();
        for (number, part) in text.split(place).enumerate() {
            if number > 0 {
                pieces.extend(read(true).pieces);
            }
            if !part.is_empty() {
                pieces.push(Piece::Literal { text: part.to_owned(), quoted: true });
            }
        }
        word.pieces = pieces;
    }
}
