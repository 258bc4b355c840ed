//! The few shapes that wipe a drive or a home folder, whatever is allowed.

use super::names::base;
use super::scan::Language;
use crate::{Word, raw};

/// How many words of a text past a limit are looked at.
const LOOKED_MAX: usize = 4 * 1024;
/// The programs that may wipe something.
const WIPERS: [&str; 5] = ["Remove-Item", "rd", "del", "format", "rm"];

/// The shapes in the words of a text past a limit, wherever they stand.
pub(super) fn search(language: Language, text: &str) -> Option<String> {
    let mut left = LOOKED_MAX;
    let mut found = None;
    raw::each(text, true, |words| {
        for (at, word) in words.from(0).enumerate() {
            if left == 0 || found.is_some() || !may_wipe(word) {
                continue;
            }
            let behind = words.from(at.saturating_add(1)).take(raw::WORDS_MAX);
            if !behind.clone().any(may_be_root) {
                continue;
            }
            let args: Vec<Word> = behind.map(Word::plain).collect();
            left = left.saturating_sub(args.len().saturating_add(1));
            found = of(language, &language.program(word), &args);
        }
    });
    found
}

/// Whether a word could be a root or a home folder, told cheaply.
fn may_be_root(word: &str) -> bool {
    let second = word.as_bytes().get(1).map(u8::to_ascii_lowercase);
    let starts = match word.bytes().next() {
        Some(b'~') => true,
        Some(b'$') => matches!(second, Some(b'h' | b'e' | b'{')),
        Some(b'%') => matches!(second, Some(b'u' | b's' | b'h')),
        Some(b'\\' | b'/') => word.bytes().all(|it| matches!(it, b'\\' | b'/' | b'.' | b'*')),
        _ => false,
    };
    starts || word.contains([':', ','])
}

fn may_wipe(word: &str) -> bool {
    let name = base(word);
    let is = |it: &&str| it.eq_ignore_ascii_case(&name);
    let first = name.bytes().next().map(|it| it.to_ascii_lowercase());
    matches!(first, Some(b'r' | b'd' | b'e' | b'f'))
        && (WIPERS.iter().any(&is) || ["ri", "rmdir", "erase"].iter().any(&is))
}

/// The shape that a command has, in words.
pub(super) fn of(language: Language, program: &str, args: &[Word]) -> Option<String> {
    if !WIPERS.contains(&program) {
        return None;
    }
    let shown: Vec<String> = args.iter().map(Word::shown).collect();
    let target = shown.iter().flat_map(|it| it.split(',')).find(|it| is_root(it))?;
    let wipes = match (language, program) {
        (Language::PowerShell, "Remove-Item") => shown.iter().any(|it| recurses(it)),
        (Language::Cmd, "rd" | "del") => shown.iter().any(|it| has_switch(it, 's')),
        (Language::Cmd, "format") | (Language::PowerShell, "format") => is_drive(target),
        (_, "rm") => shown.iter().any(|it| recurses(it) || clustered(it)),
        _ => false,
    };
    wipes.then(|| format!("`{program}` would wipe `{target}`"))
}

/// `-Recurse` and what it may be shortened to.
fn recurses(it: &str) -> bool {
    let it = it.to_lowercase().replace(['\u{2013}', '\u{2014}', '\u{2015}'], "-");
    let (name, value) = it.split_once(':').unwrap_or((&it, ""));
    name.len() > 1 && "-recurse".starts_with(name) && !value.contains("false")
        || it == "--recursive"
}

/// A cluster of short options that holds `r`, as `rm` of POSIX reads it.
fn clustered(it: &str) -> bool {
    it.starts_with('-') && !it.starts_with("--") && it.contains(['r', 'R'])
}

/// Whether a switch of cmd stands in a word, also one of several: `/s/q`.
fn has_switch(it: &str, switch: char) -> bool {
    it.starts_with('/') && it.to_lowercase().split('/').any(|it| it.starts_with(switch))
}

fn is_drive(it: &str) -> bool {
    let mut chars = it.chars();
    chars.next().is_some_and(|it| it.is_ascii_alphabetic()) && chars.as_str() == ":"
}

/// Whether a path is the root of a drive or a home folder, or all that stands in it.
fn is_root(path: &str) -> bool {
    let path = path.to_lowercase().replace('/', "\\").replace(['{', '}'], "");
    let path = path.strip_prefix("-path:").or(path.strip_prefix("-literalpath:")).unwrap_or(&path);
    let path = path.strip_prefix("\\\\?\\").unwrap_or(path);
    let rest = path.strip_suffix("\\*.*").or_else(|| path.strip_suffix("\\*"));
    let trimmed = rest.unwrap_or(path);
    let mut bare = trimmed.trim_end_matches(['\\', '.']);
    while let Some(it) = bare.strip_suffix("\\.") {
        bare = it.trim_end_matches('\\');
    }
    let is_rooted = path.starts_with('\\') && bare.is_empty();
    is_rooted || is_drive(bare) || is_drive(bare.trim_end_matches('*')) || HOMES.contains(&bare)
}

const HOMES: [&str; 10] = [
    "~",
    "$home",
    "$env:userprofile",
    "$env:homepath",
    "$env:home",
    "$env:systemdrive",
    "$env:homedrive$env:homepath",
    "%userprofile%",
    "%systemdrive%",
    "%homedrive%%homepath%",
];
