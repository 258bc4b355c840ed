//! Patterns in words: which names a shell could put in the place of one.

use crate::judge::RUNS;
use crate::{Dynamic, Piece, Word};

/// What one part of a pattern stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    /// A character, in lower case.
    Char(char),
    /// Any one character.
    Any,
    /// Any run of characters.
    Run,
    /// The end of a folder's name.
    Slash,
}

/// Whether a word holds a pattern that a shell fills in, or braces that were not taken apart.
pub(crate) fn is_live(word: &Word) -> bool {
    word.pieces
        .iter()
        .any(|it| matches!(it, Piece::Dynamic { what: Dynamic::Glob | Dynamic::Brace, .. }))
}

/// Whether a pattern in a word may lead out of the folder that it stands in, or into a folder whose
/// files run or decide when others open them.
pub(crate) fn may_leave(word: &Word) -> bool {
    if !is_live(word) {
        return false;
    }
    let tokens = tokens(word);
    let parts = tokens.split(|it| *it == Token::Slash);
    let live = |it: &&[Token]| it.iter().any(|it| matches!(it, Token::Any | Token::Run));
    parts.filter(live).any(|part| may_be(part, "..") || RUNS.iter().any(|it| may_be(part, it)))
}

fn tokens(word: &Word) -> Vec<Token> {
    let mut out = Vec::new();
    for piece in &word.pieces {
        match piece {
            Piece::Dynamic { what: Dynamic::Glob, text, .. } => {
                out.push(if matches!(text.as_str(), "?") || text.starts_with('[') {
                    Token::Any
                } else {
                    Token::Run
                });
            }
            Piece::Dynamic { .. } => out.push(Token::Run),
            Piece::Literal { text, .. } => out.extend(text.chars().map(|it| match it {
                '/' => Token::Slash,
                it => Token::Char(it.to_ascii_lowercase()),
            })),
        }
    }
    out
}

/// Whether a part of a path can become a name that begins with a dot, which no pattern begins for.
fn may_be(part: &[Token], name: &str) -> bool {
    if part.first() != name.chars().next().map(Token::Char).as_ref() {
        return false;
    }
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut to) = (0_usize, 0_usize);
    let mut run: Option<(usize, usize)> = None;
    while let Some(it) = name.get(to) {
        match part.get(at) {
            Some(Token::Run) => {
                run = Some((at, to));
                at = at.saturating_add(1);
            }
            Some(Token::Any) => (at, to) = (at.saturating_add(1), to.saturating_add(1)),
            Some(Token::Char(wanted)) if wanted == it => {
                (at, to) = (at.saturating_add(1), to.saturating_add(1));
            }
            _ => {
                let Some((place, from)) = run else { return false };
                let from = from.saturating_add(1);
                run = Some((place, from));
                (at, to) = (place.saturating_add(1), from);
            }
        }
    }
    part.get(at..).unwrap_or_default().iter().all(|it| *it == Token::Run)
}

#[cfg(test)]
mod tests {
    use super::{is_live, may_leave};

    #[test]
    fn a_pattern_for_a_guarded_folder_is_told_from_one_for_files() {
        let word = |text: &str| crate::parse(&format!("a {text}")).commands[0].words[1].clone();
        for text in [".gi?/x", ".g*", ".[a-z]it/x", "a/.?/b", ".*", ".hus*/a", ".GI?", ".c*e/x"] {
            assert!(may_leave(&word(text)), "{text}");
        }
        for text in ["*.rs", "src/*/x", ".e*", "'.gi?'", "a.gi?", "?git", ".github/*", ".git/x"] {
            assert!(!may_leave(&word(text)), "{text}");
        }
        assert!(is_live(&word("a?")) && !is_live(&word("'a?'")));
    }
}
