//! What is being read: bytes, a place among them, and where each of them stands in the whole text.

use std::borrow::Cow;

/// A text that is read from front to back.
#[derive(Debug)]
pub struct Source<'t> {
    bytes: Cow<'t, [u8]>,
    /// Where the next byte stands. No backslash-newline begins here, except in [`Source::raw`].
    pub pos: usize,
    places: Places,
}

#[derive(Debug)]
enum Places {
    From(usize),
    Each(Vec<u32>),
}

impl<'t> Source<'t> {
    /// The outermost text.
    pub fn of(text: &'t str) -> Self {
        Source::new(Cow::Borrowed(text.as_bytes()), Places::From(0))
    }

    /// Bytes that were taken out of another source, each with its place in the outermost text.
    pub fn inner(bytes: Vec<u8>, places: Vec<u32>) -> Self {
        Source::new(Cow::Owned(bytes), Places::Each(places))
    }

    fn new(bytes: Cow<'t, [u8]>, places: Places) -> Self {
        let mut source = Source { bytes, pos: 0, places };
        source.join_lines();
        source
    }

    /// The next byte.
    pub fn peek(&self) -> Option<u8> {
        self.raw(self.pos)
    }

    /// The byte at a place, backslash-newline and all.
    pub fn raw(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Whether a byte comes next.
    pub fn is(&self, byte: u8) -> bool {
        self.peek() == Some(byte)
    }

    /// The byte behind the next one.
    pub fn second(&self) -> Option<u8> {
        self.raw(self.after(self.pos))
    }

    /// The place behind the byte at a place, and behind the backslash-newlines that follow it.
    pub fn after(&self, at: usize) -> usize {
        let mut at = at.saturating_add(1);
        while self.raw(at) == Some(b'\\') && self.raw(at.saturating_add(1)) == Some(b'\n') {
            at = at.saturating_add(2);
        }
        at
    }

    /// Steps over the next byte.
    pub fn bump(&mut self) {
        self.pos = self.after(self.pos).min(self.bytes.len());
    }

    /// Steps over the next byte alone.
    pub fn bump_raw(&mut self) {
        self.pos = self.pos.saturating_add(1).min(self.bytes.len());
    }

    /// Goes to a place.
    pub fn go(&mut self, at: usize) {
        self.pos = at.min(self.bytes.len());
    }

    /// Steps over backslash-newlines.
    pub fn join_lines(&mut self) {
        while self.is(b'\\') && self.raw(self.pos.saturating_add(1)) == Some(b'\n') {
            self.pos = self.pos.saturating_add(2);
        }
    }

    /// Steps over a byte if it comes next.
    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.is(byte);
        if found {
            self.bump();
        }
        found
    }

    /// Steps over blanks.
    pub fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.bump();
        }
    }

    /// Steps over blanks and a comment. To be called only where a token may begin.
    pub fn skip_space(&mut self) {
        self.skip_blanks();
        if self.is(b'#') {
            while !matches!(self.peek(), None | Some(b'\n')) {
                self.bump_raw();
            }
        }
    }

    /// Ends the text where it is, so that nothing that follows is looked at or copied.
    pub fn end(&mut self) {
        match &mut self.bytes {
            Cow::Borrowed(bytes) => *bytes = bytes.get(..self.pos).unwrap_or_default(),
            Cow::Owned(bytes) => bytes.truncate(self.pos),
        }
        self.pos = self.bytes.len();
    }

    /// Where a byte stands in the outermost text.
    pub fn outer(&self, at: usize) -> usize {
        match &self.places {
            Places::From(start) => start.saturating_add(at),
            Places::Each(places) => {
                let behind = || places.last().map_or(0, |it| it.saturating_add(1));
                places.get(at).copied().unwrap_or_else(behind) as usize
            }
        }
    }

    /// The bytes between two places.
    pub fn between(&self, from: usize, to: usize) -> &[u8] {
        self.bytes.get(from..to.min(self.bytes.len())).unwrap_or_default()
    }

    /// The text between two places.
    pub fn text(&self, from: usize, to: usize) -> String {
        String::from_utf8_lossy(self.between(from, to)).into_owned()
    }
}

/// Whether a byte ends a word where it is not quoted.
pub fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

/// Whether a byte may begin a name.
pub fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether a byte may stand in a name.
pub fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether bytes are a name.
pub fn is_name(bytes: &[u8]) -> bool {
    bytes.first().copied().is_some_and(begins_name) && bytes.iter().copied().all(in_name)
}
