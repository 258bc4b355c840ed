//! Arrays: the words between the parentheses of `name=( … )`.

use super::Parser;
use super::frame::{Array, Done, Frame, Role};
use crate::Piece;

impl Parser<'_> {
    /// Reads on in an array.
    pub fn array(&mut self, array: Array) {
        self.src.skip_space();
        let opens = matches!(self.src.peek(), Some(b'<' | b'>')) && self.src.second() == Some(b'(');
        match self.src.peek() {
            None => {
                self.wrong("`)` behind the elements");
                self.array_ends(array);
            }
            Some(b')') => {
                self.src.bump();
                self.array_ends(array);
            }
            Some(b'\n') => {
                self.src.bump();
                self.push(Frame::Array(array));
            }
            Some(b';' | b'&' | b'|' | b'(' | b'<' | b'>') if !opens => {
                self.wrong("`)` behind the elements");
                self.array_ends(array);
            }
            Some(_) => {
                let place = array.place;
                self.push(Frame::Array(array));
                self.open_word(Role::Element, place);
            }
        }
    }

    /// Takes an element.
    pub fn array_takes(&mut self, mut array: Array, done: Done) {
        for word in self.expand(done) {
            if !array.pieces.is_empty() {
                array.pieces.push(Piece::Literal { text: " ".to_owned(), quoted: true });
            }
            array.pieces.extend(word.pieces);
        }
        self.push(Frame::Array(array));
    }

    fn array_ends(&mut self, array: Array) {
        if let Some(Frame::Word(word)) = self.stack.last_mut() {
            word.pieces.extend(array.pieces);
        }
    }
}
