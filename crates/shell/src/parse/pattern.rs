//! What in the unquoted characters of a word is a pattern or a home directory.

use crate::{Dynamic, Piece};

/// Splits unquoted text into what stands for itself and what does not.
pub fn resolve(pieces: Vec<Piece>, globs: bool) -> Vec<Piece> {
    let mut found = Vec::with_capacity(pieces.len());
    let last = closing_bracket(&pieces);
    let alone = pieces.len() == 1;
    for (at, piece) in pieces.into_iter().enumerate() {
        let Piece::Literal { text, quoted: false } = piece else {
            found.push(piece);
            continue;
        };
        let mut rest = text.as_str();
        if at == 0
            && let Some((tilde, behind)) = tilde(rest, alone)
        {
            push(&mut found, tilde, Some(Dynamic::Tilde));
            rest = behind;
        }
        if globs {
            split(rest, last > Some(at) || last == Some(at), last == Some(at), &mut found);
        } else {
            push(&mut found, rest, None);
        }
    }
    found
}

/// The piece in which the last unquoted `]` stands.
fn closing_bracket(pieces: &[Piece]) -> Option<usize> {
    pieces
        .iter()
        .rposition(|it| matches!(it, Piece::Literal { text, quoted: false } if text.contains(']')))
}

/// `~` or `~user` in front of a word.
fn tilde(text: &str, alone: bool) -> Option<(&str, &str)> {
    if !text.starts_with('~') {
        return None;
    }
    match text.find('/') {
        Some(end) => text.split_at_checked(end),
        None if alone => Some((text, "")),
        None => None,
    }
}

/// Splits at `*`, `?` and brackets. `closed` says that a `]` may follow, `here` that the last one
/// stands in this text.
fn split(text: &str, closed: bool, here: bool, found: &mut Vec<Piece>) {
    let mut rest = text;
    loop {
        let opens = closed && (!here || rest.contains(']'));
        let special = |it: char| matches!(it, '*' | '?') || (opens && it == '[');
        let Some(at) = rest.find(special) else { break };
        let Some((before, glob)) = rest.split_at_checked(at) else { break };
        let len = glob_len(glob);
        let Some((glob, behind)) = glob.split_at_checked(len) else { break };
        push(found, before, None);
        push(found, glob, Some(Dynamic::Glob));
        rest = behind;
    }
    push(found, rest, None);
}

fn glob_len(text: &str) -> usize {
    let closes = |text: &str| text.char_indices().skip(2).find(|it| it.1 == ']').map(|it| it.0);
    if !text.starts_with('[') {
        return 1;
    }
    closes(text).map_or(1, |it| it.saturating_add(1))
}

fn push(found: &mut Vec<Piece>, text: &str, what: Option<Dynamic>) {
    let text = text.to_owned();
    match what {
        Some(what) => found.push(Piece::Dynamic { what, quoted: false, text }),
        None if text.is_empty() => {}
        None => found.push(Piece::Literal { text, quoted: false }),
    }
}
