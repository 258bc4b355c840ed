//! Here-documents: delimiters, where bodies end, and bodies that expand.

use super::Parser;
use super::draft::Redir;
use super::frame::{Body, Frame, Role};
use super::source::{Source, is_meta};
use crate::{Piece, Place, RedirectKind, Unclear, Word};

/// A here-document whose body was not read yet.
#[derive(Clone, Debug)]
pub struct Pending {
    number: usize,
    delimiter: Vec<u8>,
    /// Whether a part of the delimiter is quoted, so that nothing in the body expands.
    quoted: bool,
    /// Whether tabs in front of lines are dropped.
    tabs: bool,
    place: Place,
}

impl<'t> Parser<'t> {
    /// Reads the delimiter behind `<<`.
    pub fn here_document(&mut self, place: Place) {
        let tabs = self.src.eat(b'-');
        self.src.skip_blanks();
        if self.src.peek().is_none_or(is_meta) {
            return self.wrong("the end of a here-document behind `<<`");
        }
        let start = self.src.outer(self.src.pos);
        let (delimiter, quoted) = self.delimiter();
        let number = self.bodies.len();
        self.bodies.push(Word::default());
        self.pending.push(Pending { number, delimiter, quoted, tabs, place });
        let source = start..self.src.outer(self.src.pos);
        let target = Word { pieces: Vec::new(), source };
        self.add_redirect(Redir { what: RedirectKind::Heredoc, target, body: Some(number) });
    }

    fn delimiter(&mut self) -> (Vec<u8>, bool) {
        let (mut found, mut quoted) = (Vec::new(), false);
        while let Some(byte) = self.src.peek().filter(|it| !is_meta(*it)) {
            match byte {
                b'\\' => {
                    quoted = true;
                    self.src.bump_raw();
                    found.extend(self.src.peek());
                }
                b'\'' | b'"' => {
                    quoted = true;
                    self.quoted_delimiter(byte, &mut found);
                }
                b'$' if matches!(self.src.second(), Some(b'\'' | b'"')) => {}
                b'`' | b'$' if byte == b'`' || matches!(self.src.second(), Some(b'(' | b'{')) => {
                    self.note(Unclear::Construct("expansion in the end of a here-document"));
                    found.push(byte);
                }
                _ => found.push(byte),
            }
            self.src.bump();
        }
        (found, quoted)
    }

    /// Reads up to the closing quote, which is left.
    fn quoted_delimiter(&mut self, quote: u8, found: &mut Vec<u8>) {
        self.src.bump_raw();
        while let Some(byte) = self.src.peek().filter(|it| *it != quote) {
            let next = self.src.raw(self.src.pos.saturating_add(1));
            if byte == b'\\' && quote == b'"' && matches!(next, Some(b'"' | b'\\' | b'$' | b'`')) {
                self.src.bump_raw();
            }
            found.extend(self.src.peek());
            self.src.bump_raw();
        }
        if self.src.peek().is_none() {
            self.wrong("a closing quote");
        }
    }

    /// Reads the bodies that begin here; those that expand are left to be read as words.
    pub fn bodies_here(&mut self, from: usize, substituted: bool) -> Vec<Body<'t>> {
        let pending = self.pending.split_off(from.min(self.pending.len()));
        let mut bodies = Vec::new();
        for it in pending {
            bodies.extend(self.body_here(it, substituted));
        }
        bodies
    }

    fn body_here(&mut self, pending: Pending, substituted: bool) -> Option<Body<'t>> {
        let mut lines = Lines::default();
        let start = self.src.pos;
        loop {
            let line = self.src.pos;
            if self.src.peek().is_none() || lines.read(&mut self.src, &pending, substituted) {
                lines.bytes.truncate(lines.kept);
                break;
            }
            debug_assert!(self.src.pos > line, "a line has at least its end");
        }
        lines.places.truncate(lines.kept);
        let end = lines.places.last().map_or(self.src.outer(start), |it| *it as usize);
        let source = self.src.outer(start)..end.saturating_add(1);
        let inert = !lines.bytes.iter().any(|it| matches!(it, b'$' | b'`' | b'\\'));
        if pending.quoted || inert {
            let text = String::from_utf8_lossy(&lines.bytes).into_owned();
            let word = Word { pieces: vec![Piece::Literal { text, quoted: true }], source };
            self.set_body(pending.number, word);
            return None;
        }
        let source = Source::inner(lines.bytes, lines.places);
        Some(Body { number: pending.number, source, place: pending.place })
    }

    /// Keeps a body that was read.
    pub fn set_body(&mut self, number: usize, word: Word) {
        if let Some(body) = self.bodies.get_mut(number) {
            *body = word;
        }
    }

    /// Begins to read a body that expands.
    pub fn body(&mut self, body: Body<'t>) {
        if self.cut {
            return;
        }
        let outer = std::mem::replace(&mut self.src, body.source);
        self.open_word(Role::Body(body.number), body.place);
        if let Some(Frame::Word(word)) = self.stack.last_mut() {
            word.outer = Some(Box::new(outer));
        }
    }
}

/// The lines of a body that were read.
#[derive(Default)]
struct Lines {
    bytes: Vec<u8>,
    places: Vec<u32>,
    /// How many bytes belong to whole lines before the delimiter.
    kept: usize,
}

impl Lines {
    /// Reads one line, continued lines joined, and says whether it is the delimiter.
    fn read(&mut self, src: &mut Source<'_>, pending: &Pending, substituted: bool) -> bool {
        self.kept = self.bytes.len();
        let start = src.pos;
        while pending.tabs && src.is(b'\t') {
            src.bump_raw();
        }
        let text = src.pos;
        let mut line = Vec::new();
        while let Some(byte) = src.peek() {
            let next = src.raw(src.pos.saturating_add(1));
            self.take(src, byte);
            if byte == b'\\' && !pending.quoted {
                if next == Some(b'\n') {
                    self.take(src, b'\n');
                    continue;
                }
                line.push(byte);
                if let Some(escaped) = next {
                    self.take(src, escaped);
                    line.push(escaped);
                }
                continue;
            }
            if byte == b'\n' {
                break;
            }
            line.push(byte);
        }
        if line == pending.delimiter {
            return true;
        }
        let rest = line.strip_prefix(pending.delimiter.as_slice());
        if substituted && rest.is_some_and(|it| it.contains(&b')')) {
            src.go(text.saturating_add(pending.delimiter.len()));
            return src.pos > start || pending.delimiter.is_empty();
        }
        self.kept = self.bytes.len();
        false
    }

    fn take(&mut self, src: &mut Source<'_>, byte: u8) {
        self.bytes.push(byte);
        self.places.push(u32::try_from(src.outer(src.pos)).unwrap_or(u32::MAX));
        src.bump_raw();
    }
}
