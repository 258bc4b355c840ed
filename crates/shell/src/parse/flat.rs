//! What is left of a text past a limit, searched for words alone, so that what is forbidden is
//! still found.

use super::Parser;
use super::draft::Draft;
use crate::{Dynamic, Piece, Place, Word};

/// How much of a text is searched in this way.
const BYTES_MAX: usize = 1 << 20;

/// Keeps what could be a command from a place of the outermost text on.
pub fn search(parser: &mut Parser<'_>, from: usize) {
    let text = parser.text;
    let end = text.floor_char_boundary(from.saturating_add(BYTES_MAX));
    let from = text.floor_char_boundary(from);
    let rest = text.get(from..end).unwrap_or_default();
    let ends = |it: char| matches!(it, ';' | '&' | '|' | '\n' | '(' | ')' | '{' | '}' | '`');
    let mut at = from;
    for part in rest.split(ends) {
        if let Some(draft) = command(part, at) {
            parser.keep(draft);
        }
        at = at.saturating_add(part.len()).saturating_add(1);
    }
}

fn command(part: &str, at: usize) -> Option<Draft> {
    let mut words = Vec::new();
    let mut begin = at;
    for word in part.split([' ', '\t', '<', '>']) {
        let source = begin..begin.saturating_add(word.len());
        begin = source.end.saturating_add(1);
        let pieces = pieces(word);
        let keyword = words.is_empty() && is_keyword(word);
        if !pieces.is_empty() && !keyword {
            words.push(Word { pieces, source });
        }
    }
    let place = Place { fed: true, subshell: true, conditional: true, ..Place::default() };
    let source = at..at.saturating_add(part.len());
    (!words.is_empty()).then(|| Draft { words, place, source, ..Draft::default() })
}

fn is_keyword(word: &str) -> bool {
    let words = ["!", "do", "elif", "else", "if", "then", "time", "until", "while"];
    words.contains(&word)
}

fn pieces(word: &str) -> Vec<Piece> {
    let (plain, expanded) = word.split_once('$').map_or((word, None), |it| (it.0, Some(it.1)));
    let text: String = plain.chars().filter(|it| !matches!(it, '\'' | '"' | '\\')).collect();
    let mut found = Vec::new();
    if !text.is_empty() {
        found.push(Piece::Literal { text, quoted: false });
    }
    if let Some(name) = expanded.filter(|it| !it.is_empty()) {
        let what = Dynamic::Parameter { name: name.to_owned(), plain: false };
        found.push(Piece::Dynamic { what, quoted: false, text: format!("${name}") });
    }
    found
}
