//! Characters that don't show, or that make a terminal or a CI system do something.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_general_category::{GeneralCategory, get_general_category};

/// Text of others, fit for one line of a terminal or a CI log: what doesn't show is written as
/// `\u{…}`, and no two number signs stand together, which is how CI systems mark commands.
///
/// ```
/// assert_eq!(lawbook_report::shown("a\u{1b}[31m\nb"), "a\\u{1b}[31m\\u{a}b");
/// assert_eq!(lawbook_report::shown("##vso[x]"), "#\\u{23}vso[x]");
/// ```
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|it| matches!(it, b' '..=b'~')) && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut before = '\0';
    for c in text.chars() {
        if is_unseen(c) || (c == '#' && before == '#') {
            // Writing to a string can't fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
        before = c;
    }
    Cow::Owned(out)
}

/// Whether a character is a control, sets the direction of text, or leaves no mark.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    // Fillers and selectors, which are letters or marks by their category.
    let filler = matches!(
        c,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    );
    filler
        || matches!(
            get_general_category(c),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::PrivateUse
                | GeneralCategory::Surrogate
                | GeneralCategory::Unassigned
        )
}

/// Characters of a text of others that are printed; the rest is counted.
const TEXT_CHARS: usize = 400;

/// Text of others, shown on one line and cut where it is long.
#[must_use]
pub fn cut(text: &str) -> String {
    let shown = shown(text);
    match shown.char_indices().nth(TEXT_CHARS) {
        None => shown.into_owned(),
        Some((end, _)) => {
            let more = shown.chars().count().saturating_sub(TEXT_CHARS);
            format!("{}… ({more} more characters)", shown.get(..end).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn what_does_not_show_is_written_out() {
        let table = [
            ("plain", "plain"),
            ("Grüße, 東京", "Grüße, 東京"),
            ("a\r\nb", "a\\u{d}\\u{a}b"),
            ("\u{1b}]52;c;eA==\u{7}", "\\u{1b}]52;c;eA==\\u{7}"),
            ("user\u{202e}nimda", "user\\u{202e}nimda"),
            ("ze\u{200b}ro", "ze\\u{200b}ro"),
            ("line\u{2028}end", "line\\u{2028}end"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("tag\u{e0041}", "tag\\u{e0041}"),
            ("###[warning]", "#\\u{23}\\u{23}[warning]"),
        ];
        for (text, wanted) in table {
            assert_eq!(shown(text), wanted);
        }
    }
}
