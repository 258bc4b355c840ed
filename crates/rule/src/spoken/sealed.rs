//! Words under a seal: a digest for each, so that a value can be looked for and nothing be read.

use super::{NAMED_MAX, asks, is_number, names_identifiers, numbers, prices};
use crate::Keys;
use crate::wire::{Broken, Coded, Reader, Writer};

/// How many pieces of what was said are kept under a seal: words, and the signs and spaces between
/// them. Of a longer text the end is kept, and what stood before counts as not named.
pub const PIECES_MAX: usize = 4_000;

/// Words that can't be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sealed {
    pieces: Vec<Piece>,
    /// There were more.
    pub cut: bool,
    pub asks: bool,
    pub identifiers: bool,
    pub numbers: Vec<[u8; 8]>,
    pub prices: Vec<[u8; 8]>,
}

/// A word, or one character between words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Word {
        digest: [u8; 8],
        /// It begins with one of the ten digits.
        digit: bool,
    },
    /// A character of ASCII as it stands.
    Mark(u8),
    /// Any other character.
    Sign([u8; 8]),
}

/// What stands for a number.
pub(super) fn number(number: f64, keys: Keys<'_>) -> [u8; 8] {
    short(&format!("#{:016x}", number.to_bits()), keys)
}

/// Half a digest: enough to tell the words of one session apart.
fn short(text: &str, keys: Keys<'_>) -> [u8; 8] {
    let digest = match keys.sought(text) {
        crate::Sought::Digest(digest) => digest,
        // Nothing is kept under a seal where there is none.
        crate::Sought::Text(_) => [0; 16],
    };
    let [a, b, c, d, e, f, g, h, ..] = digest;
    [a, b, c, d, e, f, g, h]
}

/// A text cut into words and single characters.
fn cut(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let mut wordy = false;
    let starts = text.char_indices().filter(move |(_, it)| {
        let was = std::mem::replace(&mut wordy, it.is_alphanumeric());
        !(wordy && was)
    });
    let starts: Vec<usize> = starts.map(|it| it.0).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    starts.into_iter().zip(ends).filter_map(|(start, end)| text.get(start..end))
}

impl Piece {
    fn of(text: &str, keys: Keys<'_>) -> Self {
        match text.chars().next() {
            Some(first) if first.is_alphanumeric() => {
                Piece::Word { digest: short(text, keys), digit: first.is_ascii_digit() }
            }
            Some(first) if first.is_ascii() => Piece::Mark(u8::try_from(first).unwrap_or_default()),
            _ => Piece::Sign(short(text, keys)),
        }
    }

    fn is_word(self) -> bool {
        matches!(self, Piece::Word { .. })
    }

    fn is_mark(self, marks: &[u8]) -> bool {
        matches!(self, Piece::Mark(it) if marks.contains(&it))
    }
}

impl Sealed {
    pub fn of(text: &str, keys: Keys<'_>) -> Self {
        let kept = |figures: Vec<f64>| figures.into_iter().map(|it| number(it, keys)).collect();
        let mut newest_first = cut(text).rev();
        let last: Vec<&str> = newest_first.by_ref().take(PIECES_MAX).collect();
        Sealed {
            pieces: last.iter().rev().map(|it| Piece::of(it, keys)).collect(),
            cut: newest_first.next().is_some(),
            asks: asks(text),
            identifiers: names_identifiers(text),
            numbers: kept(numbers(text)),
            prices: kept(prices(text)),
        }
    }

    /// Adds words of the same message, on a line of their own.
    pub fn push(&mut self, more: Sealed) {
        self.pieces.push(Piece::Mark(b'\n'));
        self.pieces.extend(more.pieces);
        let surplus = self.pieces.len().saturating_sub(PIECES_MAX);
        self.pieces.drain(..surplus);
        self.cut |= more.cut || surplus > 0;
        self.asks |= more.asks;
        self.identifiers |= more.identifiers;
        self.numbers.extend(more.numbers);
        self.prices.extend(more.prices);
        self.numbers.truncate(NAMED_MAX);
        self.prices.truncate(NAMED_MAX);
    }

    /// Whether a value stands here as a run of whole tokens.
    pub fn hold(&self, value: &str, keys: Keys<'_>) -> bool {
        let mut wanted = cut(value);
        let Some(first) = wanted.next().map(|it| Piece::of(it, keys)) else { return false };
        // A long value that begins with another word is not read to its end.
        if !self.pieces.contains(&first) {
            return false;
        }
        let rest: Vec<Piece> = wanted.take(PIECES_MAX).map(|it| Piece::of(it, keys)).collect();
        let wanted: Vec<Piece> = [first].into_iter().chain(rest).collect();
        let runs = self.pieces.windows(wanted.len()).enumerate();
        let found = runs.filter(|(_, run)| *run == wanted);
        found.map(|it| it.0).any(|at| self.stands_alone(at, &wanted, is_number(value)))
    }

    /// Whether the run that begins here is no part of a longer token.
    fn stands_alone(&self, at: usize, run: &[Piece], is_number: bool) -> bool {
        let here = |place: Option<usize>| place.and_then(|it| self.pieces.get(it)).copied();
        let is_word = |it: Option<Piece>| it.is_some_and(Piece::is_word);
        let (before, earlier) = (here(at.checked_sub(1)), here(at.checked_sub(2)));
        let end = at.checked_add(run.len());
        let (next, later) = (here(end), here(end.and_then(|it| it.checked_add(1))));
        let begins = is_word(run.first().copied()) || !is_word(before);
        let ends = is_word(run.last().copied()) || !is_word(next);
        let joined = before.is_some_and(|it| it.is_mark(b"-_/#.")) && is_word(earlier);
        let goes_on = next.is_some_and(|it| it.is_mark(b".,"))
            && matches!(later, Some(Piece::Word { digit: true, .. }));
        // What stood before the first pieces that are kept is not known.
        let known = !self.cut || at >= 2;
        begins && ends && !goes_on && !(joined && is_number) && known
    }
}

impl Coded for [u8; 8] {
    fn write(&self, out: &mut Writer) {
        out.raw(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.raw(8)?.try_into().map_err(|_| Broken)
    }
}

const WORD: u8 = 0x80;
const DIGITS: u8 = 0x81;
const SIGN: u8 = 0x82;

impl Coded for Piece {
    fn write(&self, out: &mut Writer) {
        let (tag, digest) = match self {
            Piece::Mark(mark) => return out.byte(*mark),
            Piece::Word { digest, digit: false } => (WORD, digest),
            Piece::Word { digest, digit: true } => (DIGITS, digest),
            Piece::Sign(digest) => (SIGN, digest),
        };
        out.byte(tag);
        digest.write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(match from.byte()? {
            WORD => Piece::Word { digest: Coded::read(from)?, digit: false },
            DIGITS => Piece::Word { digest: Coded::read(from)?, digit: true },
            SIGN => Piece::Sign(Coded::read(from)?),
            mark if mark.is_ascii() => Piece::Mark(mark),
            _ => return Err(Broken),
        })
    }
}

impl Coded for Sealed {
    fn write(&self, out: &mut Writer) {
        out.each(self.pieces.iter());
        let flags = [self.cut, self.asks, self.identifiers];
        flags.iter().for_each(|it| it.write(out));
        out.each(self.numbers.iter());
        out.each(self.prices.iter());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let pieces = from.each()?;
        let [cut, asks, identifiers] = [bool::read(from)?, bool::read(from)?, bool::read(from)?];
        let (numbers, prices) = (from.each()?, from.each()?);
        let fits = pieces.len() <= PIECES_MAX;
        let fits = fits && [&numbers, &prices].iter().all(|it: &&Vec<_>| it.len() <= NAMED_MAX);
        if !fits {
            return Err(Broken);
        }
        Ok(Sealed { pieces, cut, asks, identifiers, numbers, prices })
    }
}

#[cfg(test)]
mod tests;
