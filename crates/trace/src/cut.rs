//! Whether a text of arguments is all of it.

use lawbook_event::ArgsState;

/// Endings that exporters put where they cut a text.
const MARKS: [&str; 6] = ["…", "...", "[truncated]", "<truncated>", "(truncated)", "[TRUNCATED]"];
/// Texts that exporters write instead of content that they do not record.
const HIDDEN: [&str; 6] =
    ["<elided>", "<redacted>", "[redacted]", "[REDACTED]", "<REDACTED>", "<not specified>"];

/// How much of the arguments stands in `text`: an object or list that never closes is cut.
pub fn state(text: &str) -> ArgsState {
    let trimmed = text.trim();
    let whole = match trimmed.as_bytes().first() {
        Some(b'{') => trimmed.ends_with('}'),
        Some(b'[') => trimmed.ends_with(']') || hidden(trimmed),
        _ => true,
    };
    match whole {
        _ if hidden(trimmed) => ArgsState::Unrecorded,
        true => ArgsState::Whole,
        false if MARKS.iter().any(|mark| trimmed.ends_with(mark)) || unclosed(trimmed) => {
            ArgsState::Cut
        }
        false => ArgsState::Whole,
    }
}

/// How much of the arguments stands in `text` where it is the model's own: it is cut only if it
/// says so. A model that breaks off wrote arguments that nobody can read.
pub fn of_message(text: &str) -> ArgsState {
    match state(text) {
        ArgsState::Cut if !MARKS.iter().any(|mark| text.trim().ends_with(mark)) => ArgsState::Whole,
        state => state,
    }
}

/// Whether a text only says that content is not recorded.
pub fn hidden(text: &str) -> bool {
    HIDDEN.contains(&text)
}

/// Whether brackets or a string are still open at the end of the text.
fn unclosed(text: &str) -> bool {
    let (mut depth, mut inside, mut escaped) = (0_i64, false, false);
    for byte in text.bytes() {
        match (inside, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => inside = !inside,
            (false, b'{' | b'[') => depth = depth.saturating_add(1),
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    inside || depth > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_breaks_off_is_not_cut() {
        assert_eq!(of_message("{\"amount\": 9"), ArgsState::Whole);
        assert_eq!(of_message("{\"amount\": 9…"), ArgsState::Cut);
        assert_eq!(of_message("<elided>"), ArgsState::Unrecorded);
    }

    #[test]
    fn states() {
        for (text, expected) in [
            ("", ArgsState::Whole),
            ("{}", ArgsState::Whole),
            ("{\"a\": \"b", ArgsState::Cut),
            ("{\"a\": 1, \"b\": [1, 2", ArgsState::Cut),
            ("{\"a\": \"b...", ArgsState::Cut),
            ("{a: 1} or so", ArgsState::Whole),
            ("free text {", ArgsState::Whole),
            ("<elided>", ArgsState::Unrecorded),
            ("[REDACTED]", ArgsState::Unrecorded),
        ] {
            assert_eq!(state(text), expected, "{text}");
        }
    }
}
