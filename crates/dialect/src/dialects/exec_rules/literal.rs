//! Texts in quotes: one quote or three, raw or with escapes.

/// A text that was read.
pub(super) struct Found {
    /// What it says; or where, in bytes, what is wrong, and the way out.
    pub text: Result<String, (usize, String, &'static str)>,
    /// How many bytes it takes.
    pub length: usize,
}

/// Reads the text that stands at the start, behind its prefix.
pub(super) fn text(rest: &str, prefix: &str) -> Found {
    let body = rest.get(prefix.len()..).unwrap_or_default();
    let quote = body.get(..1).unwrap_or_default();
    let triple = quote.repeat(3);
    let mark = if body.starts_with(&triple) { triple.as_str() } else { quote };
    let inner = body.get(mark.len()..).unwrap_or_default();
    let Some(end) = end(inner, mark) else {
        let message = "a text is not closed".to_owned();
        return Found { text: Err((0, message, "close its quotes")), length: rest.len() };
    };
    let inner = inner.get(..end).unwrap_or_default();
    let start = prefix.len().saturating_add(mark.len());
    let length = start.saturating_add(end).saturating_add(mark.len());
    let lower = prefix.to_ascii_lowercase();
    let text = if lower.contains('f') {
        Err((0, "an f-string can't be read".to_owned(), "write the text out"))
    } else if lower.contains(['b', 'u']) {
        Err((0, format!("a text with the prefix `{prefix}` can't be read"), "write a plain text"))
    } else if lower.contains('r') {
        Ok(inner.to_owned())
    } else {
        decoded(inner).map_err(|(at, message)| {
            (start.saturating_add(at), message, "double the back-slash, or write a raw text r\"…\"")
        })
    };
    Found { text, length }
}

/// Where a text ends.
fn end(inner: &str, mark: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, it) in inner.char_indices() {
        if !escaped && inner.get(at..)?.starts_with(mark) {
            return Some(at);
        }
        if it == '\n' && mark.len() == 1 && !escaped {
            return None;
        }
        escaped = it == '\\' && !escaped;
    }
    None
}

/// A text without its escapes.
fn decoded(inner: &str) -> Result<String, (usize, String)> {
    let mut out = String::new();
    let mut chars = inner.char_indices();
    while let Some((at, it)) = chars.next() {
        if it != '\\' {
            out.push(it);
            continue;
        }
        let Some((_, code)) = chars.next() else { continue };
        let digits = match code {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let one = match code {
            '\n' => continue,
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'a' => Some('\u{7}'),
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'v' => Some('\u{b}'),
            '\\' | '\'' | '"' => Some(code),
            'x' | 'u' | 'U' => {
                let hex: String = chars.by_ref().take(digits).map(|it| it.1).collect();
                let whole = hex.len() == digits;
                u32::from_str_radix(&hex, 16).ok().filter(|_| whole).and_then(char::from_u32)
            }
            _ => None,
        };
        out.push(one.ok_or_else(|| (at, format!("the escape `\\{code}` can't be read")))?);
    }
    Ok(out)
}
