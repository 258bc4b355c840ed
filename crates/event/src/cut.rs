//! What exporters write where they cut a text or leave it out.

/// Endings that exporters put where they cut a text, and that nobody writes for another reason.
const MARKS: [&str; 4] = ["[truncated]", "<truncated>", "(truncated)", "[TRUNCATED]"];

/// Texts that exporters write instead of content that they do not record.
const HIDDEN: [&str; 6] =
    ["<elided>", "<redacted>", "[redacted]", "[REDACTED]", "<REDACTED>", "<not specified>"];

/// Whether a text only says that content is not recorded. White space around it does not count.
#[must_use]
pub fn is_hidden(text: &str) -> bool {
    HIDDEN.contains(&text.trim())
}

/// Whether a text ends in words that say that it was cut.
#[must_use]
pub fn is_marked(text: &str) -> bool {
    let text = text.trim_end();
    MARKS.iter().any(|mark| text.ends_with(mark))
}

/// Whether a recording holds a part of a text only, or none of it, as far as the text shows.
#[must_use]
pub fn is_cut(text: &str) -> bool {
    is_marked(text) || is_hidden(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_at_the_end_and_what_is_hidden_stands_alone() {
        for (text, marked, hidden) in [
            ("yes [truncated]", true, false),
            ("yes … (truncated) \n", true, false),
            (" <elided>\n", false, true),
            ("[truncated] yes", false, false),
            ("was it <redacted>?", false, false),
            ("let me see...", false, false),
            ("", false, false),
        ] {
            assert_eq!((is_marked(text), is_hidden(text)), (marked, hidden), "{text}");
            assert_eq!(is_cut(text), marked || hidden, "{text}");
        }
    }
}
