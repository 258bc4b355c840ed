//! Brace expansion: the words that `{a,b}` and `{1..3}` make of a word, where they are few.

use crate::{Dynamic, Piece};

/// How many words one word may become; one that would become more stays one, and is dynamic.
const WORDS_MAX: usize = 64;
/// How many characters and pieces a word that is expanded may have.
const ATOMS_MAX: usize = 1024;

/// A character that braces may be made of, or what stays together.
#[derive(Clone)]
enum Atom {
    Plain(char),
    Fixed(Piece),
}

/// The words that a word becomes. What it costs is taken from `budget`.
pub fn expand(pieces: Vec<Piece>, budget: &mut usize) -> Vec<Vec<Piece>> {
    let plain = |mark: char| move |it: &Piece| matches!(it, Piece::Literal { text, quoted: false } if text.contains(mark));
    if !(pieces.iter().any(plain('{')) && pieces.iter().any(plain('}'))) {
        return vec![pieces];
    }
    let size: usize = pieces.iter().map(size).fold(0, usize::saturating_add);
    if size > ATOMS_MAX {
        return vec![stays(&pieces)];
    }
    let atoms = atoms(&pieces);
    if group(&atoms).is_none() {
        return vec![pieces];
    }
    words(atoms, budget).unwrap_or_else(|| vec![stays(&pieces)])
}

fn size(piece: &Piece) -> usize {
    match piece {
        Piece::Literal { text, .. } | Piece::Dynamic { text, .. } => text.len(),
    }
}

/// The whole word as something that is known only when it runs.
fn stays(pieces: &[Piece]) -> Vec<Piece> {
    let word = crate::Word { pieces: pieces.to_vec(), source: 0..0 };
    vec![Piece::Dynamic { what: Dynamic::Brace, quoted: false, text: word.shown() }]
}

fn atoms(pieces: &[Piece]) -> Vec<Atom> {
    let mut found = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal { text, quoted: false } => found.extend(text.chars().map(Atom::Plain)),
            other => found.push(Atom::Fixed(other.clone())),
        }
    }
    found
}

fn words(atoms: Vec<Atom>, budget: &mut usize) -> Option<Vec<Vec<Piece>>> {
    let mut open = vec![atoms];
    let mut found = Vec::new();
    while let Some(atoms) = open.pop() {
        *budget = budget.checked_sub(atoms.len())?;
        match group(&atoms) {
            None => found.push(joined(atoms)),
            Some((start, end)) => {
                let alternatives = alternatives(&atoms, start, end)?;
                let before = atoms.get(..start)?;
                let behind = atoms.get(end.saturating_add(1)..)?;
                open.extend(
                    alternatives.into_iter().rev().map(|it| [before, &it, behind].concat()),
                );
            }
        }
        if open.len().saturating_add(found.len()) > WORDS_MAX {
            return None;
        }
    }
    // An empty word that no quotes hold open is no word.
    found.retain(|it| !it.is_empty());
    Some(found)
}

/// The first braces that expand: the places of the opening and of the closing one.
fn group(atoms: &[Atom]) -> Option<(usize, usize)> {
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut found: Option<(usize, usize)> = None;
    for (at, atom) in atoms.iter().enumerate() {
        match atom {
            Atom::Plain('{') => open.push((at, false)),
            Atom::Plain(',') => {
                if let Some(last) = open.last_mut() {
                    last.1 = true;
                }
            }
            Atom::Plain('}') => {
                let Some((start, list)) = open.pop() else { continue };
                let first = found.is_none_or(|it| start < it.0);
                if first && (list || sequence(atoms, start, at).is_some()) {
                    found = Some((start, at));
                }
            }
            _ => {}
        }
    }
    found
}

/// What may stand in place of braces; none where that is too much.
fn alternatives(atoms: &[Atom], start: usize, end: usize) -> Option<Vec<Vec<Atom>>> {
    if let Some(sequence) = sequence(atoms, start, end) {
        return sequence.words();
    }
    let mut found = vec![Vec::new()];
    let mut level = 0_usize;
    for atom in atoms.get(start.saturating_add(1)..end)? {
        match atom {
            Atom::Plain(',') if level == 0 => {
                found.push(Vec::new());
                continue;
            }
            Atom::Plain('{') => level = level.saturating_add(1),
            Atom::Plain('}') => level = level.saturating_sub(1),
            _ => {}
        }
        found.last_mut()?.push(atom.clone());
    }
    (found.len() <= WORDS_MAX).then_some(found)
}

/// The longest sequence as written: two numbers, a step, and the dots between them.
const SEQUENCE_CHARS_MAX: usize = 66;

struct Sequence {
    first: i64,
    last: i64,
    step: i64,
    /// How wide numbers are; none where letters are counted.
    width: Option<usize>,
}

fn sequence(atoms: &[Atom], start: usize, end: usize) -> Option<Sequence> {
    let inner = atoms.get(start.saturating_add(1)..end)?;
    if inner.len() > SEQUENCE_CHARS_MAX {
        return None;
    }
    let char = |it: &Atom| match it {
        Atom::Plain(char) => Some(*char),
        Atom::Fixed(_) => None,
    };
    let text = inner.iter().map(char).collect::<Option<String>>()?;
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?),
        _ => return None,
    };
    let step = step.saturating_abs().max(1);
    if let (Ok(low), Ok(high)) = (first.parse(), last.parse()) {
        let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
        return Some(Sequence { first: low, last: high, step, width: Some(width) });
    }
    let letter = |it: &str| match it.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(i64::from(*byte)),
        _ => None,
    };
    Some(Sequence { first: letter(first)?, last: letter(last)?, step, width: None })
}

fn padded(number: &str) -> bool {
    let digits = number.trim_start_matches(['-', '+']);
    digits.len() > 1 && digits.starts_with('0')
}

impl Sequence {
    fn words(&self) -> Option<Vec<Vec<Atom>>> {
        let count = self.last.abs_diff(self.first).checked_div(self.step.unsigned_abs())?;
        let count = i64::try_from(count).ok().filter(|it| *it < 64)?;
        let step = if self.last < self.first { self.step.checked_neg()? } else { self.step };
        let at = |it: i64| self.first.saturating_add(it.saturating_mul(step));
        Some((0..=count).map(|it| self.word(at(it))).collect())
    }

    fn word(&self, number: i64) -> Vec<Atom> {
        let text = match self.width {
            Some(width) => format!("{number:0width$}"),
            None => u8::try_from(number).map(|it| char::from(it).to_string()).unwrap_or_default(),
        };
        text.chars().map(Atom::Plain).collect()
    }
}

fn joined(atoms: Vec<Atom>) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    for atom in atoms {
        match (atom, found.last_mut()) {
            (Atom::Plain(char), Some(Piece::Literal { text, quoted: false })) => text.push(char),
            (Atom::Plain(char), _) => {
                found.push(Piece::Literal { text: char.to_string(), quoted: false });
            }
            (Atom::Fixed(piece), _) => found.push(piece),
        }
    }
    found
}
