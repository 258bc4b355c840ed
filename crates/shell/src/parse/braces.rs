//! Brace expansion: one word that stands for several.

use crate::{Dynamic, Piece};

/// How many words one word may become.
const WORDS_MAX: usize = 64;
/// How many characters of a word are looked through, all expansions of it together.
const CHARS_MAX: usize = 8192;

type Char = (char, bool);

/// The words that a word stands for. One whose braces hold something dynamic, or that stands for
/// too many, is one dynamic word.
pub fn expand(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let opens =
        |it: &Piece| matches!(it, Piece::Literal { text, quoted: false } if text.contains('{'));
    if !pieces.iter().any(opens) {
        return vec![pieces];
    }
    let Some(chars) = flat(&pieces) else { return vec![dynamic(pieces)] };
    let (mut left, mut done, mut looked) = (vec![chars], Vec::new(), 0_usize);
    while let Some(word) = left.pop() {
        looked = looked.saturating_add(word.len());
        if looked > CHARS_MAX || left.len().saturating_add(done.len()) > WORDS_MAX {
            return vec![dynamic(pieces)];
        }
        match first(&word) {
            Some(words) => left.extend(words.into_iter().rev()),
            None => done.push(joined(&word)),
        }
    }
    done
}

fn flat(pieces: &[Piece]) -> Option<Vec<Char>> {
    let mut chars = Vec::new();
    for piece in pieces {
        let Piece::Literal { text, quoted } = piece else {
            return None;
        };
        chars.extend(text.chars().map(|it| (it, *quoted)));
    }
    Some(chars)
}

fn joined(word: &[Char]) -> Vec<Piece> {
    let mut building = super::word::Building::default();
    for (it, quoted) in word {
        building.push(Piece::Literal { text: it.to_string(), quoted: *quoted });
    }
    building.pieces
}

/// Marks the braces of a word as dynamic, if they can stand for several words.
fn dynamic(pieces: Vec<Piece>) -> Vec<Piece> {
    let plain = |it: &Piece| match it {
        Piece::Literal { text, quoted: false } => text.clone(),
        _ => String::new(),
    };
    let all: String = pieces.iter().map(plain).collect();
    let several = all.contains('}') && (all.contains(',') || all.contains(".."));
    let turn = |piece| match piece {
        Piece::Literal { text, quoted: false } if several && text.contains('{') => {
            Piece::Dynamic { what: Dynamic::Brace, quoted: false, text }
        }
        piece => piece,
    };
    pieces.into_iter().map(turn).collect()
}

/// The words of the first braces that stand for several.
fn first(word: &[Char]) -> Option<Vec<Vec<Char>>> {
    let mut opened: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut found: Option<(usize, usize, Vec<usize>)> = None;
    for (at, it) in word.iter().enumerate() {
        match it {
            ('{', false) => opened.push((at, Vec::new())),
            (',', false) => {
                if let Some(last) = opened.last_mut() {
                    last.1.push(at);
                }
            }
            ('}', false) => {
                let Some((start, commas)) = opened.pop() else { continue };
                let inner = word.get(start.saturating_add(1)..at).unwrap_or_default();
                let several = !commas.is_empty() || range(inner).is_some();
                if several && found.as_ref().is_none_or(|it| start < it.0) {
                    found = Some((start, at, commas));
                }
                if opened.is_empty() && found.is_some() {
                    break;
                }
            }
            _ => {}
        }
    }
    let (start, end, commas) = found?;
    let (before, after) = (word.get(..start)?, word.get(end.saturating_add(1)..)?);
    let inner = word.get(start.saturating_add(1)..end)?;
    let parts: Vec<Vec<Char>> = if commas.is_empty() {
        range(inner)?
    } else {
        let mut from = start.saturating_add(1);
        let mut parts = Vec::new();
        for comma in commas.into_iter().chain([end]) {
            parts.push(word.get(from..comma)?.to_vec());
            from = comma.saturating_add(1);
        }
        parts
    };
    Some(parts.into_iter().map(|part| [before, &part, after].concat()).collect())
}

/// The members of `1..3` or `a..c`.
fn range(inner: &[Char]) -> Option<Vec<Vec<Char>>> {
    if inner.len() > 48 || inner.iter().any(|it| it.1) {
        return None;
    }
    let text: String = inner.iter().map(|it| it.0).collect();
    let mut parts = text.split("..");
    let (from, to, step) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let step = step.map_or(Some(1), |it| it.parse::<i64>().ok())?.unsigned_abs().max(1);
    let one = |it: &str| {
        let mut chars = it.chars();
        let first = chars.next()?;
        (chars.next().is_none() && first.is_ascii_alphabetic())
            .then_some(i64::from(u32::from(first)))
    };
    let (low, high, letters) = match (from.parse::<i64>(), to.parse::<i64>()) {
        (Ok(from), Ok(to)) => (from, to, false),
        _ => (one(from)?, one(to)?, true),
    };
    let count = low.abs_diff(high).checked_div(step)?.min(WORDS_MAX as u64);
    let members = (0..=count).filter_map(|it| {
        let far = i64::try_from(it.checked_mul(step)?).ok()?;
        let value = if low <= high { low.checked_add(far)? } else { low.checked_sub(far)? };
        let text = match letters {
            true => char::from_u32(u32::try_from(value).ok()?)?.to_string(),
            false => value.to_string(),
        };
        Some(text.chars().map(|it| (it, false)).collect())
    });
    Some(members.collect())
}
