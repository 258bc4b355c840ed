//! The words of a condition.

use lawbook_diag::Span;
use lawbook_event::json::write_string;
use lawbook_rule::Operator;
use lawbook_rule::params::Fault;

use super::fault;

/// One word of a condition, with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    And,
    Or,
    Not,
    In,
    Compare(Operator),
    OpenParen,
    CloseParen,
    OpenList,
    CloseList,
    Comma,
    /// A value, as JSON text.
    Value(String),
    /// A place; its text stands at the span.
    Place,
    End,
}

/// What stands after the last word.
pub(super) const END: Token =
    Token { kind: TokenKind::End, span: Span { start: usize::MAX, end: usize::MAX } };

/// Operators and brackets, longer ones first.
const MARKS: &[(&str, TokenKind)] = &[
    ("==", TokenKind::Compare(Operator::Equal)),
    ("!=", TokenKind::Compare(Operator::NotEqual)),
    ("<=", TokenKind::Compare(Operator::AtMost)),
    (">=", TokenKind::Compare(Operator::AtLeast)),
    ("<", TokenKind::Compare(Operator::Less)),
    (">", TokenKind::Compare(Operator::Greater)),
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("!", TokenKind::Not),
    ("(", TokenKind::OpenParen),
    (")", TokenKind::CloseParen),
    ("[", TokenKind::OpenList),
    ("]", TokenKind::CloseList),
    (",", TokenKind::Comma),
];

/// The words of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|it| !it.is_empty()) {
        let blank = rest.len().saturating_sub(rest.trim_start().len());
        if blank > 0 {
            at = at.saturating_add(blank);
            continue;
        }
        let (kind, length) = next(rest, at)?;
        let end = at.saturating_add(length);
        out.push(Token { kind, span: Span { start: at, end } });
        at = end;
    }
    Ok(out)
}

fn next(rest: &str, at: usize) -> Result<(TokenKind, usize), Fault> {
    if let Some((mark, kind)) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark)) {
        return Ok((kind.clone(), mark.len()));
    }
    match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => quoted(rest, quote, at),
        Some(first) if first.is_ascii_digit() || first == '-' => number(rest, at),
        Some(first) if first.is_alphabetic() || first == '_' => Ok(word(rest)),
        other => {
            let found = other.unwrap_or_default();
            let span = Span { start: at, end: at.saturating_add(found.len_utf8()) };
            let help = match found {
                '=' => "write `==`",
                '&' => "write `and`",
                '|' => "write `or`",
                _ => "a condition holds comparisons, `and`, `or`, `not` and parentheses",
            };
            Err(fault(span, format!("`{found}` has no meaning here"), help))
        }
    }
}

fn quoted(rest: &str, quote: char, at: usize) -> Result<(TokenKind, usize), Fault> {
    let mut value = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((offset, it)) = chars.next() {
        match it {
            _ if it == quote => {
                let mut json = String::new();
                write_string(&mut json, &value);
                return Ok((TokenKind::Value(json), offset.saturating_add(1)));
            }
            '\\' => match chars.next() {
                Some((_, escaped)) if escaped == quote || escaped == '\\' => value.push(escaped),
                _ => {
                    let start = at.saturating_add(offset);
                    let span = Span { start, end: start.saturating_add(1) };
                    let help = "only the quote and the back-slash itself are escaped";
                    return Err(fault(span, "unknown escape", help));
                }
            },
            _ => value.push(it),
        }
    }
    let span = Span { start: at, end: at.saturating_add(1) };
    Err(fault(span, "the text has no closing quote", format!("close it with `{quote}`")))
}

fn number(rest: &str, at: usize) -> Result<(TokenKind, usize), Fault> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '+' | '_');
    let length = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
    let text = rest.get(..length).unwrap_or_default();
    let json = lawbook_rule::Literal::parse(text);
    if json.is_ok_and(|it| it.value().number_text().is_some()) && !text.contains(['I', 'N']) {
        return Ok((TokenKind::Value(text.to_owned()), length));
    }
    let span = Span { start: at, end: at.saturating_add(length) };
    let help = "write it in plain decimal digits, or put text in quotes";
    Err(fault(span, format!("`{text}` is no number"), help))
}

/// A keyword, `true`, `false`, `null`, or a place with its dots and brackets.
fn word(rest: &str) -> (TokenKind, usize) {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '-');
    let mut length = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
    let kind = match rest.get(..length).unwrap_or_default() {
        "and" => TokenKind::And,
        "or" => TokenKind::Or,
        "not" => TokenKind::Not,
        "in" => TokenKind::In,
        value @ ("true" | "false" | "null") => TokenKind::Value(value.to_owned()),
        _ => TokenKind::Place,
    };
    if kind != TokenKind::Place {
        return (kind, length);
    }
    while let Some(close) = bracketed(rest.get(length..).unwrap_or_default()) {
        let after = rest.get(length..).unwrap_or_default();
        let more = after.get(close..).unwrap_or_default();
        let tail = more.find(|it| !is_part(it)).unwrap_or(more.len());
        length = length.saturating_add(close).saturating_add(tail);
    }
    (kind, length)
}

/// The length of a bracket with a quoted name or a number in it, at the start of a text.
fn bracketed(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let close = match inner.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = inner.get(1..)?.find(quote)?.saturating_add(2);
            inner.get(end..)?.starts_with(']').then_some(end)?
        }
        _ => inner.find(']')?,
    };
    Some(close.saturating_add(2))
}
