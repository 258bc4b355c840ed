//! A large text, read in two halves at the same time.
//!
//! Where it is cut is a guess: an item of a list seems to begin there. Whoever reads the first half
//! finds out whether it does. If so, the rest of the list has been read already; if not, the text is
//! read on from there as if nothing had happened.

use std::borrow::Cow;

use memchr::memmem;

use super::parse::{Parser, Place, Rest, Seen, Step, Stop};
use super::scan::past_blank;
use super::{Buffers, Document, Grammar, JsonError, Limits};

/// Smaller texts are not worth it.
const LARGE_BYTES: usize = 4 << 20;

/// How many bytes at the beginning show what the lists of a text hold.
const HEAD_BYTES: usize = 4 << 10;

/// How many bytes are searched for the beginning of an item.
const SEARCHED_BYTES: usize = 1 << 20;

/// How many lists are tried that begin there, the outermost first.
const LISTS_TRIED: usize = 4;

/// A large text and where it is cut. Both halves may be read at the same time, on two threads.
///
/// ```
/// use lawbook_event::json::{Document, Grammar, Halves, Limits};
///
/// let item = r#"{"id": 1, "name": "a name that is longer than most"}"#;
/// let text = format!("[{}]", vec![item; 100_000].join(","));
/// let halves = Halves::of(&text, Grammar::Strict, &Limits::DEFAULT).unwrap();
/// let (first, second) = std::thread::scope(|scope| {
///     let second = scope.spawn(|| halves.second());
///     (halves.first(), second.join().unwrap())
/// });
/// assert_eq!(first.join(second).unwrap().root().len(), 100_000);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Halves<'t> {
    text: &'t str,
    cut: usize,
    grammar: Grammar,
    limits: Limits,
}

/// A first half that was read.
#[derive(Debug)]
pub struct FirstHalf<'t> {
    halves: Halves<'t>,
    buffers: Buffers,
    at: usize,
    seen: Seen,
    stop: Step<Stop>,
}

/// A second half that was read.
#[derive(Debug)]
pub struct SecondHalf(Option<Rest>);

impl<'t> Halves<'t> {
    /// The halves of a text that is large enough, and holds a list that reaches over its middle.
    #[must_use]
    pub fn of(text: &'t str, grammar: Grammar, limits: &Limits) -> Option<Self> {
        let fits = (LARGE_BYTES..=limits.bytes_max()).contains(&text.len());
        let cut = if fits { cut(text) } else { None };
        cut.map(|cut| Halves { text, cut, grammar, limits: *limits })
    }

    /// The halves of a text that is cut at this place.
    #[cfg(test)]
    pub(super) fn at(text: &'t str, cut: usize, grammar: Grammar, limits: &Limits) -> Self {
        Halves { text, cut, grammar, limits: *limits }
    }

    /// Reads the first half.
    #[must_use]
    pub fn first(&self) -> FirstHalf<'t> {
        let mut buffers = Buffers::default();
        buffers.first.make_room(self.text.get(..self.cut).unwrap_or_default());
        let mut parser = Parser::new(self.text, self.grammar, &self.limits, &mut buffers);
        parser.cut = Some(self.cut);
        let stop = parser.run(Place::default());
        let (at, seen) = (parser.at, parser.seen);
        FirstHalf { halves: *self, buffers, at, seen, stop }
    }

    /// Reads the second half.
    #[must_use]
    pub fn second(&self) -> SecondHalf {
        let mut buffers = Buffers::default();
        buffers.second.make_room(self.text.get(self.cut..).unwrap_or_default());
        let parser = Parser::new(self.text, self.grammar, &self.limits, &mut buffers);
        SecondHalf(parser.rest_of_list(self.cut))
    }
}

impl<'t> FirstHalf<'t> {
    /// The whole document, the same as [`Document::parse`] makes.
    ///
    /// # Errors
    /// As [`Document::parse`].
    pub fn join(mut self, second: SecondHalf) -> Result<Document<'t>, JsonError> {
        let Halves { text, grammar, limits, .. } = self.halves;
        let mut parser = Parser::new(text, grammar, &limits, &mut self.buffers);
        (parser.at, parser.seen) = (self.at, self.seen);
        let stop = match self.stop {
            Ok(Stop::Cut(place)) => {
                let place = parser.take(second.0, place);
                parser.run(place)
            }
            stop => stop,
        };
        let seen = parser.ended(stop)?;
        Ok(Document::of(Cow::Borrowed(text), self.buffers, seen))
    }
}

/// The place after a comma near the middle of a text, where an item of one of its outermost lists
/// of objects seems to begin.
pub(super) fn cut(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let head = bytes.get(..HEAD_BYTES.min(bytes.len()))?;
    let starts = memchr::memchr_iter(b'[', head).filter_map(|it| first_item(head, it));
    starts.take(LISTS_TRIED).find_map(|start| item_near_the_middle(bytes, start))
}

/// How the items of the list begin that is opened at `at`: a brace and the first key.
fn first_item(head: &[u8], at: usize) -> Option<&[u8]> {
    let brace = past_blank(head, at.wrapping_add(1));
    let key = past_blank(head, brace.wrapping_add(1));
    let is_object = head.get(brace) == Some(&b'{') && head.get(key) == Some(&b'"');
    let length = memchr::memchr(b'"', head.get(key.wrapping_add(1)..)?)?;
    let end = key.wrapping_add(length).wrapping_add(2);
    is_object.then(|| head.get(brace..end))?
}

fn item_near_the_middle(bytes: &[u8], start: &[u8]) -> Option<usize> {
    let middle = bytes.len() / 2;
    let searched = bytes.get(middle..middle.wrapping_add(SEARCHED_BYTES).min(bytes.len()))?;
    memmem::find_iter(searched, start).find_map(|it| {
        let before = bytes.get(..middle.wrapping_add(it))?.trim_ascii_end();
        let (comma, before) = before.split_last()?;
        let follows = *comma == b',' && before.trim_ascii_end().last() == Some(&b'}');
        follows.then(|| before.len().wrapping_add(1))
    })
}
