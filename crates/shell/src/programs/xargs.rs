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

    fn drinks(&self, _name: &str) -> bool {
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
        let fed = call.fed().map(Word::shown);
        let text = fed.chain([call.piped.to_owned()]).collect::<Vec<_>>().join("\n");
        if !text.trim().is_empty() {
            known(call, replaced, &text, found);
        }
        found.transparent = call.reading.options.is_empty();
        found.runs.push(Run::Words { words, operand: Some(0) });
    }
}

/// The command once more, with the words that are read.
fn known(call: &Call<'_>, replaced: Option<&str>, text: &str, found: &mut Found) {
    let plain = |it: &str| {
        let kept = it.chars().filter(|it| !matches!(it, '\'' | '"' | '\\'));
        Word::plain(&kept.collect::<String>())
    };
    let words = call.from(0);
    let Some(option) = replaced else {
        let delimiter = call.value("-d").and_then(Word::literal);
        let delimiter = delimiter.and_then(|it| it.chars().next());
        let ends = |it: char| it.is_whitespace() || it == '\0' || Some(it) == delimiter;
        let read = text.split(ends).filter(|it| !it.is_empty()).map(plain);
        let words = words.into_iter().chain(read).take(crate::WORDS_MAX);
        return found.runs.push(Run::Known(words.collect()));
    };
    let place = call.value(option).and_then(Word::literal);
    let place = place.as_deref().unwrap_or("{}");
    let mut left = crate::WORDS_MAX;
    for line in text.split(['\n', '\0']).map(str::trim).filter(|it| !it.is_empty()) {
        let Some(rest) = left.checked_sub(words.len()) else { break };
        left = rest;
        let filled = words.iter().map(|word| match word.literal() {
            Some(it) if !place.is_empty() => Word::plain(&it.replace(place, &plain(line).shown())),
            _ => word.clone(),
        });
        found.runs.push(Run::Known(filled.collect()));
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
