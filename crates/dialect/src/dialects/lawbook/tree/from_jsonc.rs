//! JSON with comments and trailing commas as a tree.

use lawbook_diag::Span;
use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_rule::params::{Fault, Node};

use super::from_json;

/// Reads a text.
pub(super) fn read(text: &str, faults: &mut Vec<Fault>) -> Option<Node> {
    let plain = plain(text);
    match Document::parse(&plain, Grammar::Strict, &Limits::DEFAULT) {
        Ok(document) => from_json::read(&document, &plain, faults),
        Err(error) => {
            let span = Span { start: error.offset, end: error.offset };
            let message = format!("the policy is no JSON: {error}");
            faults.push(Fault::new(span, "not_json", message));
            None
        }
    }
}

/// The same text with blanks where comments and trailing commas stand, byte for byte as long.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // The comma behind which only white space and comments have stood so far.
    let mut comma = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '"' => quoted(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            // A comment that is not closed is left to the reader, which refuses it.
            '/' if rest.starts_with("/*") => {
                rest.find("*/").map_or(first.len_utf8(), |it| it.saturating_add(2))
            }
            it => it.len_utf8(),
        };
        let (piece, after) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        let is_comment = first == '/' && taken > 1;
        match first {
            ',' => comma = Some(out.len()),
            '}' | ']' => {
                if let Some(at) = comma.take() {
                    out.replace_range(at..at.saturating_add(1), " ");
                }
            }
            it if is_comment || it.is_whitespace() => {}
            _ => comma = None,
        }
        if is_comment {
            out.extend(piece.bytes().map(|it| if it == b'\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(piece);
        }
        rest = after;
    }
    out
}

/// How many bytes a quoted text at the start takes.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, it) in rest.char_indices().skip(1) {
        if it == '"' && !escaped {
            return at.saturating_add(1);
        }
        escaped = it == '\\' && !escaped;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn comments_and_trailing_commas_become_blanks() {
        for (text, out) in [
            ("{} // x", "{}     "),
            ("{/* a\nb */}", "{    \n    }"),
            (r#"{"a": "// no", "b": 1,}"#, r#"{"a": "// no", "b": 1 }"#),
            ("[1, /* x */ ]", "[1          ]"),
            ("[1, /* x */ 2]", "[1,         2]"),
            (r#"{"a": "\"//"}"#, r#"{"a": "\"//"}"#),
            ("{/* x", "{/* x"),
            ("{,}", "{ }"),
        ] {
            assert_eq!(plain(text), out, "{text}");
        }
    }
}
