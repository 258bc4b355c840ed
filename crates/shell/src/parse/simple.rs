//! Simple commands: assignments, words and redirections up to what separates commands.

use super::Parser;
use super::brace;
use super::frame::{Done, Frame, FunctionPart, Role, Simple, State};
use super::pattern;
use super::source::is_meta;
use crate::{Piece, Place, Unclear, Word};

/// Builtins whose arguments may be assignments, of arrays too.
const DECLARES: &[&str] = &["alias", "declare", "export", "local", "readonly", "typeset"];

impl<'t> Parser<'t> {
    /// Reads on in a simple command.
    pub fn simple(&mut self, mut simple: Simple) {
        loop {
            self.src.skip_space();
            match self.src.peek() {
                Some(b'(') => return self.opens(simple),
                None | Some(b'\n' | b';' | b'|' | b')') => return self.simple_ends(simple),
                Some(b'&') if self.src.second() != Some(b'>') => return self.simple_ends(simple),
                _ => {}
            }
            let place = simple.draft.place;
            let role = if simple.draft.words.is_empty() { Role::Program } else { Role::Argument };
            let assignable = role == Role::Program || simple.declares;
            if self.at_redirect() {
                self.push(Frame::Simple(simple));
                return self.redirect(place);
            }
            let Some(word) = self.plain_word(assignable) else {
                self.push(Frame::Simple(simple));
                return self.argument(role, place, assignable);
            };
            self.simple_word(&mut simple, Done { word, assigned: None, special: false });
        }
    }

    fn argument(&mut self, role: Role, place: Place, assignable: bool) {
        self.open_word(role, place);
        if let Some(Frame::Word(word)) = self.stack.last_mut() {
            word.assignable = assignable;
        }
    }

    fn simple_ends(&mut self, simple: Simple) {
        let mut draft = simple.draft;
        draft.source.end = simple.end;
        let empty = draft.words.is_empty() && draft.assignments.is_empty();
        if !empty || !draft.redirects.is_empty() {
            self.keep(draft);
        }
    }

    /// A parenthesis behind words: a function, or a mistake.
    fn opens(&mut self, simple: Simple) {
        let draft = &simple.draft;
        let alone = draft.assignments.is_empty() && draft.redirects.is_empty();
        if let ([name], true) = (draft.words.as_slice(), alone)
            && self.eat_parentheses()
        {
            let name = name.literal();
            if name.is_none() {
                self.note(Unclear::Construct("function whose name is dynamic"));
            }
            let place = draft.place;
            return self.open_function(FunctionPart::Body(name), State::Need, place);
        }
        self.wrong("no `(` behind a word");
        self.simple_ends(simple);
    }

    /// Takes a word.
    pub fn simple_takes(&mut self, mut simple: Simple, done: Done) {
        self.simple_word(&mut simple, done);
        self.push(Frame::Simple(simple));
    }

    fn simple_word(&mut self, simple: &mut Simple, done: Done) {
        simple.end = self.src.outer(self.src.pos);
        let before = simple.draft.words.len();
        let words = &mut simple.draft.words;
        if words.is_empty() && done.assigned.is_some() {
            simple.draft.assignments.extend(done.assignment());
            return self.count(1);
        }
        if done.assigned.is_none() && !done.special {
            words.push(done.word);
        } else {
            words.extend(self.expand(done));
        }
        let added = words.len().saturating_sub(before);
        simple.declares = simple.declares || declares(words);
        self.count(added);
    }

    /// The words that a word becomes: braces expanded where that is short, and what is a pattern
    /// told from what is not.
    pub fn expand(&mut self, done: Done) -> Vec<Word> {
        let source = done.word.source.clone();
        if let Some(assigned) = done.assigned {
            let text = Piece::Literal { text: assigned.text, quoted: false };
            let pieces = std::iter::once(text).chain(done.word.pieces).collect();
            return vec![Word { pieces, source }];
        }
        if !done.special {
            return vec![done.word];
        }
        let words = brace::expand(done.word.pieces, &mut self.braces).into_iter();
        let word = |pieces| Word { pieces: pattern::resolve(pieces, true), source: source.clone() };
        words.map(word).collect()
    }
}

fn declares(words: &[Word]) -> bool {
    let is = |word: &Word, names: &[&str]| match word.pieces.as_slice() {
        [Piece::Literal { text, .. }] => names.contains(&text.as_str()),
        _ => false,
    };
    match words {
        [first] => is(first, DECLARES),
        [first, second] => is(first, &["builtin", "command"]) && is(second, DECLARES),
        _ => false,
    }
}

/// Whether a byte can't continue a word, or there is none.
pub fn ends_word(byte: Option<u8>) -> bool {
    byte.is_none_or(is_meta)
}
