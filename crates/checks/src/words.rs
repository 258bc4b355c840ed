//! White space and phrases, as Python reads them.

use lawbook_event::{PYTHON, Pattern, PatternUse, python};

/// A text with every run of white space as one blank, and none at its ends.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(python::is_space).filter(|it| !it.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Whether nothing but white space is there.
pub fn is_blank(text: &str) -> bool {
    PYTHON.trim(text).is_empty()
}

/// A phrase that is looked for in any case. Nothing when the phrase can't be compiled, which its
/// test would show.
pub fn phrase(pattern: &str) -> Option<Pattern> {
    PYTHON.pattern(pattern, true, PatternUse::Deny).ok()
}

/// The first place of a phrase in a text, as Python quotes it.
pub fn quoted(phrase: Option<&Pattern>, text: &str) -> Option<String> {
    let range = phrase?.find(text)?;
    text.get(range).map(|found| PYTHON.quote(found))
}
