//! Patterns over files as regular expressions over what stands below their folder.

use super::GlobStyle;

/// A pattern as a regular expression over a whole text.
pub(super) fn translate(text: &str, style: GlobStyle) -> String {
    match style {
        GlobStyle::Plain => format!(r"(?s)\A{}\z", plain(text)),
        GlobStyle::Ignore => ignore(text),
    }
}

fn plain(text: &str) -> String {
    let mut source = String::new();
    for it in text.chars() {
        match it {
            '*' => source.push_str(".*"),
            '?' => source.push('.'),
            it => push_literal(&mut source, it),
        }
    }
    source
}

fn ignore(text: &str) -> String {
    let inner = text.strip_prefix("./").unwrap_or(text);
    let is_folder = inner.ends_with('/');
    let inner = inner.trim_end_matches('/');
    let mut source = String::from(r"(?s)\A");
    if !inner.contains('/') {
        source.push_str("(?:.*/)?");
    }
    let inner = inner.trim_start_matches('/');
    let mut rest = inner;
    while let Some(first) = rest.chars().next() {
        rest = if let Some(after) = rest.strip_prefix("**/") {
            source.push_str("(?:.*/)?");
            after
        } else if let Some(after) = rest.strip_prefix("**") {
            source.push_str(".*");
            after
        } else {
            one(&mut source, first, rest.get(first.len_utf8()..).unwrap_or_default())
        };
    }
    // A folder means everything in it; `a/**` means that alone.
    source.push_str(if is_folder { "/.*" } else { "(?:/.*)?" });
    source.push_str(r"\z");
    source
}

/// Adds one character of a pattern, with what belongs to it; gives what is left.
fn one<'t>(source: &mut String, first: char, rest: &'t str) -> &'t str {
    match first {
        '*' => source.push_str("[^/]*"),
        '?' => source.push_str("[^/]"),
        '\\' => {
            let mut chars = rest.chars();
            push_literal(source, chars.next().unwrap_or('\\'));
            return chars.as_str();
        }
        '[' => {
            // A bracket that is not closed stands for itself; the first character inside may be one.
            let negated = rest.starts_with(['!', '^']);
            let inner = if negated { rest.get(1..).unwrap_or_default() } else { rest };
            let skip = usize::from(inner.starts_with(']'));
            let close = inner.get(skip..).and_then(|it| it.find(']'));
            if let Some(close) = close.map(|it| it.saturating_add(skip)) {
                source.push_str(if negated { "[^/" } else { "[" });
                for it in inner.get(..close).unwrap_or_default().chars() {
                    if matches!(it, '[' | ']' | '\\' | '^' | '&' | '~') {
                        source.push('\\');
                    }
                    source.push(it);
                }
                source.push(']');
                return inner.get(close.saturating_add(1)..).unwrap_or_default();
            }
            source.push_str(r"\[");
        }
        it => push_literal(source, it),
    }
    rest
}

fn push_literal(source: &mut String, it: char) {
    if it.is_ascii_punctuation() && it != '_' && it != '/' && it != '-' {
        source.push('\\');
    }
    source.push(it);
}
