//! Texts of which only the substitutions matter: parameters, arithmetic, subscripts, patterns.

use super::Parser;
use super::frame::{ForPart, Frame, Kind, Skim, SkimKind, State};
use super::{ansi, parameter};
use crate::Dynamic;

impl<'t> Parser<'t> {
    /// Reads on in such a text.
    pub fn skim(&mut self, mut skim: Skim) {
        loop {
            let Some(byte) = self.src.peek() else {
                self.wrong("the end of an expansion");
                return self.skimmed(skim);
            };
            if skim.hides(byte) {
                self.src.bump_raw();
                continue;
            }
            match byte {
                b'\\' => {
                    self.src.bump_raw();
                    self.src.bump();
                }
                b'\'' if !skim.double => {
                    skim.single = !skim.single;
                    self.src.bump();
                }
                b'"' if !skim.single => {
                    skim.double = !skim.double;
                    self.src.bump();
                }
                b'$' if skim.takes_ansi() && self.src.second() == Some(b'\'') => {
                    self.src.bump_raw();
                    self.src.bump_raw();
                    ansi::decode(&mut self.src);
                    self.src.bump();
                }
                b'$' | b'`' => match self.substitution(skim.place, skim.quoted(), skim.quoted()) {
                    Some(frame) => {
                        self.push(Frame::Skim(skim));
                        return self.open(frame);
                    }
                    None => self.src.bump(),
                },
                b'<' | b'>' if skim.takes_process() && self.src.second() == Some(b'(') => {
                    if let Some(frame) = self.substitution(skim.place, false, false) {
                        self.push(Frame::Skim(skim));
                        return self.open(frame);
                    }
                }
                _ if skim.double || skim.single => self.src.bump(),
                _ if byte == skim.kind.closer() && skim.level == 0 => {
                    return self.skim_closes(skim);
                }
                _ => {
                    skim.count(byte);
                    self.src.bump();
                }
            }
        }
    }

    /// The closing character: of arithmetic, two of them, or it is no arithmetic.
    fn skim_closes(&mut self, skim: Skim) {
        let twice =
            matches!(skim.kind, SkimKind::Arithmetic | SkimKind::Evaluate | SkimKind::Header);
        if !twice || self.src.second() == Some(b')') {
            self.src.bump();
            if twice {
                self.src.bump();
            }
            return self.skimmed(skim);
        }
        if skim.kind == SkimKind::Header {
            self.wrong("`))`");
            self.src.bump();
            return self.skimmed(skim);
        }
        self.try_again(skim);
    }

    /// Reads `((` again as two parentheses.
    fn try_again(&mut self, skim: Skim) {
        let read = self.src.pos.saturating_sub(skim.retry.pos);
        if read > self.again {
            self.limit("parentheses");
            self.src.bump();
            return self.skimmed(skim);
        }
        self.again = self.again.saturating_sub(read);
        self.drafts.truncate(skim.retry.drafts);
        self.functions.truncate(skim.retry.functions);
        self.pending.truncate(skim.retry.pending);
        self.unclear.truncate(skim.retry.unclear);
        self.src.go(skim.retry.pos);
        if skim.kind == SkimKind::Evaluate {
            self.nested_subshell(skim.place);
        } else {
            self.open_substitution(Kind::Command, skim.place, skim.start);
        }
    }

    /// Such a text is complete.
    fn skimmed(&mut self, skim: Skim) {
        let (start, end) = (skim.start, self.src.pos);
        match skim.kind {
            SkimKind::Parameter => {
                let what = parameter::read(&self.src.text(start, end));
                self.expanded(what, start, end);
            }
            SkimKind::Arithmetic | SkimKind::Bracket => {
                self.expanded(Dynamic::Arithmetic, start, end);
            }
            SkimKind::Pattern => self.expanded(Dynamic::Glob, start, end),
            SkimKind::Subscript => self.subscripted(start),
            SkimKind::Evaluate => self.compound_done(skim.retry.drafts),
            SkimKind::Header => {
                if let Some(Frame::Block(block)) = self.stack.last_mut() {
                    block.kind = Kind::For(ForPart::Do(true));
                    block.state = State::Head;
                }
            }
        }
    }
}

impl Skim {
    /// Whether single quotes hide what a byte would be.
    fn hides(&self, byte: u8) -> bool {
        let opens = self.live && matches!(byte, b'$' | b'`');
        self.single && byte != b'\'' && !opens
    }

    fn quoted(&self) -> bool {
        self.double || self.live
    }

    fn takes_ansi(&self) -> bool {
        !self.double && !self.live && !self.single
    }

    fn takes_process(&self) -> bool {
        let kinds = matches!(self.kind, SkimKind::Parameter | SkimKind::Pattern);
        kinds && self.takes_ansi()
    }

    fn count(&mut self, byte: u8) {
        if Some(byte) == self.kind.opener() {
            self.level = self.level.saturating_add(1);
        } else if byte == self.kind.closer() {
            self.level = self.level.saturating_sub(1);
        }
    }
}

impl SkimKind {
    fn opener(self) -> Option<u8> {
        match self {
            SkimKind::Parameter => None,
            SkimKind::Bracket | SkimKind::Subscript => Some(b'['),
            _ => Some(b'('),
        }
    }

    fn closer(self) -> u8 {
        match self {
            SkimKind::Parameter => b'}',
            SkimKind::Bracket | SkimKind::Subscript => b']',
            _ => b')',
        }
    }
}
