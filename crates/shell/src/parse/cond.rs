//! `[[ … ]]`: terms, operators and parentheses.

use super::Parser;
use super::draft::Draft;
use super::frame::{Cond, CondState, Done, Frame, Role};
use super::keyword;
use crate::{Piece, Place, Word};

impl Parser<'_> {
    /// Opens a condition, which began at a place of the outermost text.
    pub fn open_condition(&mut self, place: Place, start: usize) {
        let source = start..self.src.outer(self.src.pos);
        let name = Piece::Literal { text: "[[".to_owned(), quoted: false };
        let word = Word { pieces: vec![name], source: source.clone() };
        let draft = Draft { words: vec![word], place, source, ..Draft::default() };
        let (state, drafts) = (CondState::Term, self.drafts.len());
        self.open(Frame::Cond(Box::new(Cond { state, level: 0, drafts, draft, place })));
    }

    /// Reads on in a condition.
    pub fn cond(&mut self, cond: Box<Cond>) {
        let drafts = cond.drafts;
        if let Some(mut ended) = self.cond_goes_on(cond) {
            ended.source.end = self.src.outer(self.src.pos);
            self.keep(ended);
            self.compound_done(drafts);
        }
    }

    /// Reads one token of a condition; where it ends, the command that it is comes back.
    fn cond_goes_on(&mut self, mut cond: Box<Cond>) -> Option<Draft> {
        self.src.skip_space();
        let second = self.src.second();
        let ended = matches!(cond.state, CondState::Unary | CondState::Operator | CondState::Done);
        match self.src.peek() {
            None => {
                self.wrong("`]]`");
                return Some(cond.draft);
            }
            Some(b'\n') => {
                self.src.bump();
                self.push(Frame::Cond(cond));
            }
            Some(b'(') if cond.state == CondState::Term => {
                self.src.bump();
                cond.level = cond.level.saturating_add(1);
                self.push(Frame::Cond(cond));
            }
            Some(b')') if ended && cond.level > 0 => {
                self.src.bump();
                cond.level = cond.level.saturating_sub(1);
                cond.state = CondState::Done;
                self.push(Frame::Cond(cond));
            }
            Some(b'&' | b'|') if ended && second == self.src.peek() => {
                self.src.bump();
                self.src.bump();
                cond.state = CondState::Term;
                self.push(Frame::Cond(cond));
            }
            Some(b'<' | b'>') if second != Some(b'(') => {
                self.src.bump();
                cond.state = CondState::Second;
                self.push(Frame::Cond(cond));
            }
            Some(b'(') if cond.state == CondState::Regex => self.operand(cond),
            Some(b';' | b'&' | b'|' | b'(' | b')') => {
                self.wrong("`]]`");
                return Some(cond.draft);
            }
            Some(_) => return self.term(cond, ended),
        }
        None
    }

    fn term(&mut self, mut cond: Box<Cond>, ended: bool) -> Option<Draft> {
        match keyword::next(&self.src) {
            Some(("]]", end)) => {
                if !ended || cond.level > 0 {
                    self.wrong("a term of the condition");
                }
                self.src.go(end);
                return Some(cond.draft);
            }
            Some(("!", end)) if cond.state == CondState::Term => {
                self.src.go(end);
                self.push(Frame::Cond(cond));
            }
            _ => {
                if cond.state == CondState::Done {
                    self.wrong("`]]`");
                    cond.state = CondState::Term;
                }
                self.operand(cond);
            }
        }
        None
    }

    fn operand(&mut self, cond: Box<Cond>) {
        let role = if cond.state == CondState::Regex { Role::Regex } else { Role::Operand };
        let place = cond.place;
        self.push(Frame::Cond(cond));
        self.open_word(role, place);
    }

    /// Takes a word.
    pub fn cond_takes(&mut self, mut cond: Box<Cond>, done: Done) {
        let text = done.word.literal().unwrap_or_default();
        cond.draft.words.push(done.word);
        cond.state = match cond.state {
            CondState::Term if is_unary(&text) => CondState::Unary,
            CondState::Term => CondState::Operator,
            CondState::Unary if is_binary(&text) => CondState::Second,
            CondState::Unary | CondState::Second | CondState::Regex => CondState::Done,
            CondState::Operator if text == "=~" => CondState::Regex,
            CondState::Operator if is_binary(&text) => CondState::Second,
            CondState::Operator | CondState::Done => {
                self.wrong("an operator in the condition");
                CondState::Operator
            }
        };
        self.push(Frame::Cond(cond));
    }
}

fn is_unary(text: &str) -> bool {
    matches!(text.as_bytes(), [b'-', letter] if letter.is_ascii_alphabetic())
}

fn is_binary(text: &str) -> bool {
    let words = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];
    matches!(text, "=" | "==" | "!=" | "=~" | "<" | ">") || words.contains(&text)
}
