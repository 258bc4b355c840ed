//! Patterns in words of a command: whether a shell could fill one in with what is protected.

use lawbook_shell::{Dynamic, Piece, Word};

/// Whether a word holds a pattern that a shell fills in.
pub(super) fn is_live(word: &Word) -> bool {
    let live =
        |it: &Piece| matches!(it, Piece::Dynamic { what: Dynamic::Glob | Dynamic::Brace, .. });
    word.pieces.iter().any(live)
}

/// Whether a text holds characters of a pattern.
pub(super) fn has_signs(text: &str) -> bool {
    text.contains(['*', '?', '[', '('])
}

/// Whether the last part of a path is a pattern that says nothing of a name.
pub(super) fn says_nothing(text: &str) -> bool {
    let last = text.trim_end_matches('/').rsplit('/').next().unwrap_or(text);
    tokens(last).iter().all(|it| !matches!(it, Token::Char(_)))
}

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// This character.
    Char(char),
    /// Any one character.
    Any,
    /// Any run of characters.
    Run,
}

/// How long a name of a file can be.
const NAME_CHARS: usize = 255;

/// Whether a part of a path in which signs of a pattern stand, and a name in which `*` may, can be
/// the same.
pub(super) fn overlaps(part: &str, name: &str) -> bool {
    let part = tokens(part);
    if part.len() > NAME_CHARS.saturating_mul(2).saturating_add(1) {
        return false;
    }
    let of = |it| if it == '*' { Token::Run } else { Token::Char(it) };
    let name: Vec<Token> = name.chars().map(of).collect();
    // Which ends of the part the name read so far may stand at.
    let mut at = vec![false; part.len().saturating_add(1)];
    if let Some(first) = at.first_mut() {
        *first = true;
    }
    open(&part, &mut at);
    for token in name {
        let mut next = vec![false; at.len()];
        if token == Token::Run {
            // The name may take any run of the part.
            let mut seen = false;
            for (to, from) in next.iter_mut().zip(&at) {
                seen |= *from;
                *to = seen;
            }
        } else {
            for (place, is_there) in at.iter().enumerate() {
                let Some(it) = part.get(place).filter(|_| *is_there) else { continue };
                let stays = *it == Token::Run;
                if (*it == token || *it == Token::Any || stays)
                    && let Some(to) = next.get_mut(place.saturating_add(usize::from(!stays)))
                {
                    *to = true;
                }
            }
        }
        open(&part, &mut next);
        at = next;
    }
    at.last().copied().unwrap_or_default()
}

/// A run of characters may be empty.
fn open(part: &[Token], at: &mut [bool]) {
    for (place, it) in part.iter().enumerate() {
        let here = at.get(place).copied().unwrap_or_default();
        if *it == Token::Run
            && here
            && let Some(next) = at.get_mut(place.saturating_add(1))
        {
            *next = true;
        }
    }
}

fn tokens(part: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = part.chars();
    while let Some(it) = rest.next() {
        let behind = rest.as_str();
        let token = match it {
            '[' if behind.contains(']') => {
                rest.by_ref().skip(1).find(|it| *it == ']');
                Token::Any
            }
            '*' | '+' | '@' | '!' | '?' if behind.starts_with('(') && behind.contains(')') => {
                rest.by_ref().find(|it| *it == ')');
                Token::Run
            }
            '*' => Token::Run,
            '?' => Token::Any,
            it => Token::Char(it),
        };
        if token != Token::Run || out.last() != Some(&Token::Run) {
            out.push(token);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{overlaps, says_nothing};

    #[test]
    fn a_pattern_overlaps_the_names_that_it_can_become() {
        for (part, name) in [
            ("lawb?ok.yaml", "lawbook.yaml"),
            ("*.yaml", "lawbook.yaml"),
            ("l*k.y*l", "lawbook.yaml"),
            ("[kl]awbook.yaml", "lawbook.yaml"),
            ("@(law|x)book.yaml", "lawbook.yaml"),
            ("settings.l*.json", "settings*.json"),
            ("s*n", "settings*.json"),
            ("*", ".claude"),
            ("lawbook.yaml", "lawbook.yaml"),
        ] {
            assert!(overlaps(part, name), "{part} {name}");
        }
        for (part, name) in [
            ("lawb?k.yaml", "lawbook.yaml"),
            ("*.rs", "lawbook.yaml"),
            ("lawbook.yaml?", "lawbook.yaml"),
            ("x*", "settings*.json"),
            ("settings*.yaml", "settings*.json"),
        ] {
            assert!(!overlaps(part, name), "{part} {name}");
        }
        assert!(says_nothing("a/*") && says_nothing("?") && !says_nothing("*.json"));
    }
}
