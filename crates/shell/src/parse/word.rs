//! Words: quotes, escapes, expansions, and where a word ends.

use super::ansi;
use super::frame::{
    Assigned, Done, Frame, Kind, Role, Skim, SkimKind, Subscript, WordFrame, dynamic, substituted,
};
use super::pattern;
use super::source::{Source, begins_name, in_name, is_meta, is_name};
use super::{PIECES_MAX, Parser};
use crate::{Dynamic, Piece, Place, Unclear, Word};

/// What becomes of a word after a character of it.
enum Next<'t> {
    On,
    End,
    Open(Box<Frame<'t>>),
}

impl<'t> Parser<'t> {
    /// Opens a word that begins here.
    pub fn open_word(&mut self, role: Role, place: Place) {
        self.push(Frame::Word(Box::new(WordFrame {
            role,
            pieces: Vec::new(),
            literal: Vec::new(),
            quoted: false,
            double: None,
            level: 0,
            assignable: false,
            assigned: None,
            subscript: None,
            special: false,
            place,
            start: self.src.pos,
            outer: None,
        })));
    }

    /// Reads on in a word.
    pub fn word(&mut self, mut word: Box<WordFrame<'t>>) {
        self.settle_subscript(&mut word);
        loop {
            let Some(byte) = self.src.peek() else { return self.word_ends(word) };
            let next = if word.in_double() {
                self.double_quoted(&mut word, byte)
            } else {
                self.unquoted(&mut word, byte)
            };
            match next {
                Next::On if word.pieces.len() > PIECES_MAX && !self.cut => {
                    self.limit("pieces");
                    self.cut();
                }
                Next::On => {}
                Next::End => return self.word_ends(word),
                Next::Open(frame) => {
                    self.push(Frame::Word(word));
                    return self.open(*frame);
                }
            }
        }
    }

    /// A word that is plain from end to end, which most words are, read without a frame. To be
    /// called where a word begins.
    pub fn plain_word(&mut self, assignable: bool) -> Option<Word> {
        let start = self.src.pos;
        let mut at = start;
        while self.src.raw(at).is_some_and(|it| is_plain(it, assignable)) {
            at = at.saturating_add(1);
        }
        let ends = self.src.raw(at).is_none_or(is_meta);
        let process = matches!(self.src.raw(at), Some(b'<' | b'>'));
        if at == start || !ends || process {
            return None;
        }
        self.src.go(at);
        let text = self.src.text(start, at);
        let source = self.src.outer(start)..self.src.outer(at);
        Some(Word { pieces: vec![Piece::Literal { text, quoted: false }], source })
    }

    fn unquoted(&mut self, word: &mut WordFrame<'t>, byte: u8) -> Next<'t> {
        match byte {
            b'\\' => self.escaped(word),
            b'\'' => self.single_quoted(word),
            b'"' => {
                self.src.bump();
                word.open_quotes();
            }
            b'`' | b'$' => return self.expansion(word, byte),
            b'<' | b'>' if self.src.second() == Some(b'(') => return self.process(word),
            _ if is_meta(byte) => return self.meta(word, byte),
            b'=' if self.assigns(word) => return self.assignment(word),
            b'[' if word.takes_subscript() => return self.subscript(word),
            b'?' | b'*' | b'+' | b'@' | b'!' if self.opens_pattern(word) => {
                return self.pattern(word);
            }
            _ => {
                word.special |= matches!(byte, b'*' | b'?' | b'[' | b'{' | b'~');
                word.add(byte, false);
                self.src.bump();
            }
        }
        Next::On
    }

    fn double_quoted(&mut self, word: &mut WordFrame<'t>, byte: u8) -> Next<'t> {
        let body = word.is_body();
        match byte {
            b'"' if !body => {
                self.src.bump();
                word.close_quotes();
            }
            b'\\' => {
                let next = self.src.raw(self.src.pos.saturating_add(1));
                self.src.bump_raw();
                match next {
                    Some(b'$' | b'`' | b'\\') => self.take_one(word),
                    Some(b'"') if !body => self.take_one(word),
                    _ => word.add(b'\\', true),
                }
            }
            b'`' | b'$' => return self.expansion(word, byte),
            _ => {
                word.add(byte, true);
                self.src.bump();
            }
        }
        Next::On
    }

    /// A backslash outside of quotes.
    fn escaped(&mut self, word: &mut WordFrame<'t>) {
        self.src.bump_raw();
        if self.src.peek().is_none() {
            word.add(b'\\', true);
        }
        self.take_one(word);
    }

    /// Takes the next character as quoted.
    fn take_one(&mut self, word: &mut WordFrame<'t>) {
        while let Some(byte) = self.src.peek() {
            word.add(byte, true);
            self.src.bump();
            if self.src.peek().is_none_or(|it| it & 0xC0 != 0x80) {
                break;
            }
        }
    }

    fn single_quoted(&mut self, word: &mut WordFrame<'t>) {
        self.src.bump_raw();
        word.open_quotes();
        while let Some(byte) = self.src.peek().filter(|it| *it != b'\'') {
            word.add(byte, true);
            self.src.bump_raw();
        }
        if self.src.peek().is_none() {
            self.wrong("a closing quote");
        }
        self.src.bump();
        word.close_quotes();
    }

    fn ansi_quoted(&mut self, word: &mut WordFrame<'t>) {
        self.src.bump_raw();
        self.src.bump_raw();
        word.open_quotes();
        for byte in ansi::decode(&mut self.src) {
            word.add(byte, true);
        }
        if self.src.peek().is_none() {
            self.wrong("a closing quote");
        }
        self.src.bump();
        word.close_quotes();
    }

    /// A character that ends words, except in a regular expression.
    fn meta(&mut self, word: &mut WordFrame<'t>, byte: u8) -> Next<'t> {
        let within = word.level > 0;
        let taken = match (word.role, byte) {
            (Role::Regex, b'(') => {
                word.level = word.level.saturating_add(1);
                true
            }
            (Role::Regex, b')') if within => {
                word.level = word.level.saturating_sub(1);
                true
            }
            (Role::Regex, b'|') => within || self.src.second() != Some(b'|'),
            (Role::Regex, b'\n' | b')') => false,
            (Role::Regex, _) => within,
            _ => false,
        };
        if !taken {
            return Next::End;
        }
        word.add(byte, false);
        self.src.bump();
        Next::On
    }

    /// `$` or a backtick.
    fn expansion(&mut self, word: &mut WordFrame<'t>, byte: u8) -> Next<'t> {
        let double = word.in_double();
        word.flush();
        if byte == b'$' {
            match self.src.second() {
                Some(b'\'') if !double => {
                    self.ansi_quoted(word);
                    return Next::On;
                }
                Some(b'"') if !double => {
                    self.src.bump();
                    self.src.bump();
                    word.open_quotes();
                    return Next::On;
                }
                Some(next) if begins_name(next) || is_special(next) => {
                    self.parameter(word);
                    return Next::On;
                }
                _ => {}
            }
        }
        let place = word.inner_place();
        match self.substitution(place, double, double && !word.is_body()) {
            Some(frame) => Next::Open(Box::new(frame)),
            None => {
                word.add(byte, double);
                self.src.bump();
                Next::On
            }
        }
    }

    /// `$name`.
    fn parameter(&mut self, word: &mut WordFrame<'t>) {
        let start = self.src.pos;
        self.src.bump();
        let from = self.src.pos;
        let named = self.src.peek().is_some_and(begins_name);
        self.src.bump();
        while named && self.src.peek().is_some_and(in_name) {
            self.src.bump();
        }
        let name = self.src.text(from, self.src.pos).replace("\\\n", "");
        let text = self.src.text(start, self.src.pos);
        let what = Dynamic::Parameter { name, plain: true };
        word.pieces.push(dynamic(what, word.in_double(), text));
    }

    fn process(&mut self, word: &mut WordFrame<'t>) -> Next<'t> {
        word.flush();
        let place = word.inner_place();
        self.substitution(place, false, false).map_or(Next::End, |it| Next::Open(Box::new(it)))
    }

    /// The frame of the substitution that begins here, its opening characters read.
    pub fn substitution(&mut self, place: Place, live: bool, double: bool) -> Option<Frame<'t>> {
        let start = self.src.pos;
        match (self.src.peek()?, self.src.second()) {
            (b'`', _) => Some(self.backtick(place, double)),
            (b'$', Some(b'(')) => {
                self.src.bump();
                self.src.bump();
                if !self.src.is(b'(') {
                    return Some(self.substitution_block(Kind::Command, place, start));
                }
                let retry = self.retry_here();
                self.src.bump();
                let skim = Skim::new(SkimKind::Arithmetic, place, start, true);
                Some(Frame::Skim(Skim { retry, ..skim }))
            }
            (b'$', Some(b'{')) => {
                self.src.bump();
                self.src.bump();
                if matches!(self.src.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
                    self.src.eat(b'|');
                    // Newer shells run it; bash 5.2 says that it is no substitution.
                    self.note(Unclear::Construct("function substitution"));
                    return Some(self.substitution_block(Kind::Funsub, place, start));
                }
                Some(Frame::Skim(Skim::new(SkimKind::Parameter, place, start, live)))
            }
            (b'$', Some(b'[')) => {
                self.src.bump();
                self.src.bump();
                Some(Frame::Skim(Skim::new(SkimKind::Bracket, place, start, true)))
            }
            (side @ (b'<' | b'>'), Some(b'(')) => {
                self.src.bump();
                self.src.bump();
                let place = Place { fed: place.fed || side == b'>', ..place };
                Some(self.substitution_block(Kind::Process, place, start))
            }
            _ => None,
        }
    }

    /// Begins to read what stands in backticks, one level of backslashes undone.
    fn backtick(&mut self, place: Place, double: bool) -> Frame<'t> {
        let start = self.src.pos;
        self.src.bump_raw();
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        while let Some(mut byte) = self.src.peek().filter(|it| *it != b'`') {
            let next = self.src.raw(self.src.pos.saturating_add(1));
            let undone =
                matches!(next, Some(b'$' | b'`' | b'\\')) || (double && next == Some(b'"'));
            if let (b'\\', true, Some(next)) = (byte, undone, next) {
                self.src.bump_raw();
                byte = next;
            }
            bytes.push(byte);
            places.push(u32::try_from(self.src.outer(self.src.pos)).unwrap_or(u32::MAX));
            self.src.bump_raw();
        }
        if self.src.peek().is_none() {
            self.wrong("a closing backtick");
        }
        self.src.bump();
        let outer = std::mem::replace(&mut self.src, Source::inner(bytes, places));
        self.substitution_block(Kind::Backtick(Box::new(outer)), place, start)
    }

    /// What was opened in the frame on top is complete.
    pub fn expanded(&mut self, what: Dynamic, start: usize, end: usize) {
        let kept = match self.stack.last_mut() {
            Some(Frame::Word(word)) => {
                let text = self.src.text(start, end);
                let quoted = word.in_double();
                word.pieces.push(dynamic(what.clone(), quoted, text));
                word.is_kept()
            }
            _ => false,
        };
        if what == Dynamic::Indirect && !kept {
            self.note(Unclear::Construct("value that is read as code or as a name"));
        }
    }

    fn assigns(&self, word: &WordFrame<'t>) -> bool {
        let open = word.assignable && word.assigned.is_none();
        open && (word.subscript.is_some() || word.name().is_some())
    }

    /// The equals sign of an assignment.
    fn assignment(&mut self, word: &mut WordFrame<'t>) -> Next<'t> {
        self.src.bump();
        let assigned = word.name().map(|name| (name, String::new(), false));
        let subscripted = word.subscript.take().map(|it| (it.name, it.text, true));
        if let Some((name, behind, subscript)) = subscripted.or(assigned) {
            let text = format!("{name}{behind}=");
            word.assigned = Some(Assigned { name, subscript, text });
        }
        word.literal.clear();
        word.pieces.clear();
        word.special = false;
        if !self.src.is(b'(') {
            return Next::On;
        }
        self.src.bump();
        let array = super::frame::Array { pieces: Vec::new(), place: word.place };
        Next::Open(Box::new(Frame::Array(array)))
    }

    fn subscript(&mut self, word: &mut WordFrame<'t>) -> Next<'t> {
        let start = self.src.pos;
        self.src.bump();
        let skim = Skim::new(SkimKind::Subscript, word.inner_place(), start, true);
        Next::Open(Box::new(Frame::Skim(skim)))
    }

    /// A subscript was read: the name stands before it, and `=` or `+=` may stand behind it.
    pub fn subscripted(&mut self, start: usize) {
        let text = self.src.text(start, self.src.pos);
        if let Some(Frame::Word(word)) = self.stack.last_mut() {
            let name = String::from_utf8_lossy(&word.literal).into_owned();
            word.subscript = Some(Subscript { name, text });
        }
    }

    /// A subscript that no assignment follows is a pattern.
    fn settle_subscript(&mut self, word: &mut WordFrame<'t>) {
        if word.subscript.is_none() {
            return;
        }
        let append = self.src.is(b'+') && self.src.second() == Some(b'=');
        if append {
            self.src.bump();
        }
        if (append || self.src.is(b'=')) && word.assignable {
            return;
        }
        if let Some(subscript) = word.subscript.take() {
            word.flush();
            word.pieces.push(dynamic(Dynamic::Glob, false, subscript.text));
        }
    }

    fn opens_pattern(&self, word: &WordFrame<'t>) -> bool {
        let second = self.src.after(self.src.pos);
        let third = self.src.raw(self.src.after(second));
        let function = word.role == Role::Program && third == Some(b')');
        self.src.raw(second) == Some(b'(') && !function && word.role != Role::Regex
    }

    fn pattern(&mut self, word: &mut WordFrame<'t>) -> Next<'t> {
        word.flush();
        let start = self.src.pos;
        self.src.bump();
        self.src.bump();
        let skim = Skim::new(SkimKind::Pattern, word.inner_place(), start, false);
        Next::Open(Box::new(Frame::Skim(skim)))
    }

    fn word_ends(&mut self, mut word: Box<WordFrame<'t>>) {
        if word.double.is_some() {
            self.wrong("a closing quote");
        }
        word.flush();
        let source = self.src.outer(word.start)..self.src.outer(self.src.pos);
        word.pieces.shrink_to_fit();
        let (role, special) = (word.role, word.special);
        let complete = Word { pieces: word.pieces, source };
        if let (Role::Body(number), Some(outer)) = (role, word.outer) {
            self.set_body(number, complete);
            self.src = *outer;
            return self.resume();
        }
        self.deliver(role, Done { word: complete, assigned: word.assigned, special });
    }

    /// Gives a word to what it stands in.
    fn deliver(&mut self, role: Role, mut done: Done) {
        if let Role::Target(what, copies) = role {
            done.word.pieces = pattern::resolve(done.word.pieces, true);
            return self.target(what, copies, done.word);
        }
        if done.assigned.is_some() && done.special {
            done.word.pieces = pattern::resolve(done.word.pieces, false);
        }
        match self.pop() {
            Some(Frame::Simple(it)) => self.simple_takes(it, done),
            Some(Frame::Array(it)) => self.array_takes(it, done),
            Some(Frame::Cond(it)) => self.cond_takes(it, done),
            Some(Frame::Block(it)) => self.head_takes(it, done),
            Some(other) => self.push(other),
            None => {}
        }
    }
}

impl WordFrame<'_> {
    fn is_body(&self) -> bool {
        matches!(self.role, Role::Body(_))
    }

    /// Whether it becomes part of a command.
    fn is_kept(&self) -> bool {
        !matches!(self.role, Role::Head | Role::Pattern)
    }

    fn in_double(&self) -> bool {
        self.double.is_some() || self.is_body()
    }

    fn inner_place(&self) -> Place {
        substituted(self.place, self.role == Role::Program && self.assigned.is_none())
    }

    fn add(&mut self, byte: u8, quoted: bool) {
        if self.quoted != quoted {
            self.flush();
            self.quoted = quoted;
        }
        self.literal.push(byte);
    }

    fn flush(&mut self) {
        if !self.literal.is_empty() {
            let text = String::from_utf8_lossy(&self.literal).into_owned();
            self.literal.clear();
            self.pieces.push(Piece::Literal { text, quoted: self.quoted });
        }
    }

    fn open_quotes(&mut self) {
        self.flush();
        self.double = Some(self.pieces.len());
    }

    /// Quotes around nothing make an empty word, so that they leave a piece.
    fn close_quotes(&mut self) {
        self.flush();
        if self.double.take() == Some(self.pieces.len()) {
            self.pieces.push(Piece::Literal { text: String::new(), quoted: true });
        }
    }

    /// The name that the word is so far, `+` of `+=` left out.
    fn name(&self) -> Option<String> {
        let bytes = self.literal.strip_suffix(b"+").unwrap_or(&self.literal);
        let plain = self.pieces.is_empty() && !self.quoted && is_name(bytes);
        plain.then(|| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Whether `[` begins a subscript here.
    fn takes_subscript(&self) -> bool {
        let element = self.role == Role::Element;
        let first = element && self.literal.is_empty();
        let named = self.assignable && self.assigned.is_none() && is_name(&self.literal);
        self.pieces.is_empty() && !self.quoted && (first || named)
    }
}

fn is_special(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}

/// Whether a byte stands for itself wherever in a word it stands.
fn is_plain(byte: u8, assignable: bool) -> bool {
    let marks = matches!(byte, b'-' | b'_' | b'.' | b'/' | b',' | b':' | b'%' | b'^');
    byte.is_ascii_alphanumeric() || marks || (byte == b'=' && !assignable)
}
