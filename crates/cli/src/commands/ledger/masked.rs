//! An entry as people may see it: JSON stays JSON, and what places the entry stays readable.

use std::borrow::Cow;

use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_report::quote;

use crate::masking;

/// Numbers of an entry that say where it stands. The mask takes one moment of ten for a card.
const PLACED: [&str; 3] = ["v", "seq", "at"];

/// An entry's JSON text with every text in it masked as it is meant, whatever escapes it is written
/// with.
pub fn masked(json: &str) -> String {
    if Document::parse(json, Grammar::Strict, &Limits::DEFAULT).is_err() {
        return masking::text(json).into_owned();
    }
    // What stands between the numbers that stay; some secrets are told by the name beside them.
    let (mut out, mut open) = (String::new(), String::new());
    let (mut depth, mut name) = (0_usize, Cow::Borrowed(""));
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let token = token(rest, first);
        rest = rest.get(token.len()..).unwrap_or_default();
        match first {
            '"' => {
                name = string(token);
                match masking::text(&name) {
                    Cow::Borrowed(_) => open.push_str(token),
                    Cow::Owned(masked) => open.push_str(&quote(&masked)),
                }
            }
            '-' | '0'..='9' if depth == 1 && PLACED.contains(&name.as_ref()) => {
                out.push_str(&masking::text(&open));
                out.push_str(token);
                open.clear();
            }
            '-' | '0'..='9' => match masking::text(token) {
                Cow::Borrowed(_) => open.push_str(token),
                Cow::Owned(masked) => open.push_str(&quote(&masked)),
            },
            _ => {
                match first {
                    '{' | '[' => depth = depth.saturating_add(1),
                    '}' | ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                open.push_str(token);
            }
        }
    }
    out.push_str(&masking::text(&open));
    out
}

/// The token that a valid text begins with: a string, a number, or one character.
fn token(rest: &str, first: char) -> &str {
    let mut escaped = false;
    let end = match first {
        '"' => rest.char_indices().skip(1).find_map(|(at, it)| {
            let ends = it == '"' && !escaped;
            escaped = it == '\\' && !escaped;
            ends.then(|| at.saturating_add(1))
        }),
        '-' | '0'..='9' => rest.find(|it: char| !it.is_ascii_digit() && !"+-.eE".contains(it)),
        _ => Some(first.len_utf8()),
    };
    end.and_then(|end| rest.get(..end)).unwrap_or(rest)
}

/// What a string says.
fn string(token: &str) -> Cow<'static, str> {
    let document = Document::parse(token, Grammar::Strict, &Limits::DEFAULT).ok();
    let text = document.as_ref().and_then(|it| it.root().as_str());
    Cow::Owned(text.unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn what_holds_nothing_to_mask_stays_to_the_byte() {
        for text in [
            r#"{"v":1,"agent":"a","seq":2,"at":1767225600000000000,"args":"{\"n\": 5}"}"#,
            r#"{"a" : [1.5e3, -2, true, null, "\u0041\"\\", {}], "b":"é"}"#,
            "[]",
        ] {
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn a_moment_is_no_card_and_a_card_is_one_in_any_dress() {
        // Both numbers pass the check of cards.
        let text = r#"{"seq":1,"at":4242424242424242,"args":{"at":4242424242424242}}"#;
        let wanted = r#"{"seq":1,"at":4242424242424242,"args":{"at":"<CREDIT_CARD>"}}"#;
        assert_eq!(masked(text), wanted);
        let text = r#"{"to":"amy\u0040example.com","b@c.de":1}"#;
        assert_eq!(masked(text), r#"{"to":"<EMAIL>","<EMAIL>":1}"#);
        let named = r#"{"secret_access_key":"wJalrXUtnFEMIbPxRfiCYbPxRfiCYEXAMPLEKEY1"}"#;
        assert!(!masked(named).contains("wJalr"), "{}", masked(named));
        assert_eq!(masked("no JSON of amy@example.com"), "no JSON of <EMAIL>");
    }
}
