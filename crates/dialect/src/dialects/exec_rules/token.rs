//! The tokens of a `.rules` file.

use lawbook_diag::Span;
use lawbook_rule::params::Fault;

use super::literal;

/// A token with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub what: What,
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Name(String),
    Text(String),
    Number(String),
    Sign(char),
    /// The end of a statement.
    Break,
    /// Something that was told already.
    Odd,
}

/// The tokens of a text. What is none is told and stands among them as [`What::Odd`].
pub(super) fn tokens(text: &str, faults: &mut Vec<Fault>) -> Vec<Token> {
    let mut out = Vec::new();
    let mut depth = 0_usize;
    let mut at = 0_usize;
    while let Some(rest) = text.get(at..).filter(|it| !it.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let (what, length) = match first {
            '\n' | ';' if depth == 0 => (Some(What::Break), 1),
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            '\\' if rest.starts_with("\\\n") => (None, 2),
            it if it.is_whitespace() => (None, it.len_utf8()),
            it if it.is_ascii_digit() => {
                let (word, length) = run(rest);
                (Some(What::Number(word.to_owned())), length)
            }
            it if it.is_alphabetic() || it == '_' => named(rest, at, faults),
            '"' | '\'' => quoted(rest, "", at, faults),
            '(' | '[' | '{' => {
                depth = depth.saturating_add(1);
                (Some(What::Sign(first)), 1)
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                (Some(What::Sign(first)), 1)
            }
            it => (Some(What::Sign(it)), it.len_utf8()),
        };
        let end = at.saturating_add(length.max(1));
        if let Some(what) = what {
            out.push(Token { what, span: Span { start: at, end } });
        }
        at = end;
    }
    out
}

/// A name, or a text with a prefix.
fn named(rest: &str, at: usize, faults: &mut Vec<Fault>) -> (Option<What>, usize) {
    let (word, length) = run(rest);
    let after = rest.get(length..).unwrap_or_default();
    let is_prefix = word.len() <= 2 && word.chars().all(|it| "rRbBfFuU".contains(it));
    if is_prefix && after.starts_with(['"', '\'']) {
        return quoted(rest, word, at, faults);
    }
    (Some(What::Name(word.to_owned())), length)
}

/// The letters, digits and low lines at the start of a text.
fn run(rest: &str) -> (&str, usize) {
    let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
    (rest.get(..end).unwrap_or_default(), end)
}

fn quoted(rest: &str, prefix: &str, at: usize, faults: &mut Vec<Fault>) -> (Option<What>, usize) {
    let found = literal::text(rest, prefix);
    let what = match found.text {
        Ok(text) => What::Text(text),
        Err((offset, message, help)) => {
            let start = at.saturating_add(offset);
            let span = Span { start, end: start };
            faults.push(Fault::new(span, "not_read", message).help(help));
            What::Odd
        }
    };
    (Some(what), found.length)
}
