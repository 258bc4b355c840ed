//! The reserved words of bash.

use super::source::{Source, is_meta};

const WORDS: &[&str] = &[
    "!", "{", "}", "[[", "]]", "if", "then", "elif", "else", "fi", "while", "until", "for", "do",
    "done", "case", "esac", "in", "select", "function", "coproc", "time",
];

/// The longest reserved word.
const BYTES_MAX: usize = 8;

/// The reserved word that comes next, and the place behind it.
pub fn next(src: &Source<'_>) -> Option<(&'static str, usize)> {
    let mut found = [0_u8; BYTES_MAX];
    let mut len = 0_usize;
    let mut at = src.pos;
    while let Some(byte) = src.raw(at).filter(|it| !is_meta(*it)) {
        *found.get_mut(len)? = byte;
        len = len.saturating_add(1);
        at = src.after(at);
    }
    let found = found.get(..len)?;
    WORDS.iter().find(|it| it.as_bytes() == found).map(|it| (*it, at))
}

/// Whether a reserved word begins a compound command.
pub fn begins_compound(word: &str) -> bool {
    matches!(
        word,
        "{" | "[[" | "if" | "while" | "until" | "for" | "case" | "select" | "function" | "coproc"
    )
}

/// Whether a reserved word ends a list of commands.
pub fn ends_list(word: &str) -> bool {
    matches!(word, "}" | "then" | "elif" | "else" | "fi" | "do" | "done" | "esac")
}
