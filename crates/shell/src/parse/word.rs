//! A word while it is read, and what it turns out to be.

use crate::{Dynamic, Piece};

/// A word while it is read.
#[derive(Debug, Default)]
pub struct Building {
    pub pieces: Vec<Piece>,
    /// The character at which it begins.
    pub start: usize,
    /// Whether something of it was quoted or escaped, so that it is no keyword and no pattern.
    pub quoted: bool,
    /// Whether it is an assignment, up to where its value begins: the pieces of the name are gone.
    pub assigns: Option<Name>,
}

/// The name of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub name: String,
    /// The name as written, with what stands between it and the value.
    pub written: String,
    pub subscript: bool,
}

impl Building {
    pub fn new(start: usize) -> Self {
        Building { start, ..Building::default() }
    }

    pub fn push(&mut self, piece: Piece) {
        self.quoted |= matches!(piece, Piece::Literal { quoted: true, .. });
        match (self.pieces.last_mut(), piece) {
            (
                Some(Piece::Literal { text, quoted }),
                Piece::Literal { text: more, quoted: also },
            ) if *quoted == also => text.push_str(&more),
            (_, piece) => self.pieces.push(piece),
        }
    }

    /// Adds a character that was neither quoted nor escaped.
    pub fn push_plain(&mut self, it: char) {
        match self.pieces.last_mut() {
            Some(Piece::Literal { text, quoted: false }) => text.push(it),
            _ => self.pieces.push(Piece::Literal { text: it.to_string(), quoted: false }),
        }
    }

    /// The whole word, if nothing of it is quoted or dynamic.
    pub fn plain(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Literal { text, quoted: false }] if !self.quoted => Some(text),
            _ => None,
        }
    }

    /// Whether the word so far is `name=` or `name+=`, so that a list of values may follow.
    pub fn awaits_value(&self) -> bool {
        self.assigns.is_some() && self.pieces.is_empty()
    }
}

/// Whether a text is a name of a variable or function of POSIX.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
        && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// Turns brackets that are a pattern into one.
pub fn with_brackets(pieces: Vec<Piece>) -> Vec<Piece> {
    let is_pattern = |text: &str| {
        let rest = text.split_once('[').map(|it| it.1);
        rest.and_then(|it| it.char_indices().skip(1).find(|it| it.1 == ']')).is_some()
    };
    let turn = |piece| match piece {
        Piece::Literal { text, quoted: false } if is_pattern(&text) => {
            Piece::Dynamic { what: Dynamic::Glob, quoted: false, text }
        }
        piece => piece,
    };
    pieces.into_iter().map(turn).collect()
}
