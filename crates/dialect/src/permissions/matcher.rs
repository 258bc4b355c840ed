//! Patterns over commands, as the permission files write them.

use lawbook_shell::{Glob, Matcher, MatcherError, Prefix, Verdict};

/// What a shell would read as more than plain words.
const SHELL: &[char] = &['\'', '"', '\\', '$', '`', '|', '&', ';', '<', '>', '(', ')', '{', '}'];

/// A matcher that every command fits.
pub(crate) fn everything() -> Matcher {
    Matcher::Glob(Glob { text: "*".to_owned(), question: false })
}

/// A pattern in which `*` stands for any run of characters and, where `question` says so, `?` for
/// one. A pattern that means leading words is read as those, so that what denies sees through the
/// order of options; with an option in it, what allows stays as strict as it is written.
pub(crate) fn glob(text: &str, question: bool, verdict: Verdict) -> Matcher {
    let words = text.strip_suffix(" *").filter(|it| !it.contains('*') && is_plain(it));
    let words = words.filter(|it| !question || !it.contains('?'));
    match words.map(|it| leading(it, verdict)) {
        Some(Ok(matcher)) => matcher,
        _ => Matcher::Glob(Glob { text: text.to_owned(), question }),
    }
}

/// Leading words.
///
/// # Errors
///
/// There are none.
pub(crate) fn leading(text: &str, verdict: Verdict) -> Result<Matcher, MatcherError> {
    let prefix = Prefix::parse(text)?;
    let strict = verdict == Verdict::Allow && !prefix.options().is_empty();
    if prefix.words().is_empty() || strict || !is_plain(text) {
        let text = format!("{} *", text.split_whitespace().collect::<Vec<_>>().join(" "));
        return Ok(Matcher::Glob(Glob { text, question: false }));
    }
    Ok(Matcher::Prefix(prefix))
}

/// A regular expression over a whole command.
///
/// # Errors
///
/// It is none.
pub(crate) fn regex(pattern: &str) -> Result<Matcher, MatcherError> {
    Matcher::regex(pattern)
}

/// A text as a regular expression that it alone matches.
pub(crate) fn escaped(text: &str) -> String {
    let mut source = String::new();
    for it in text.chars() {
        if it.is_ascii_punctuation() && !matches!(it, '_' | '-' | '/') {
            source.push('\\');
        }
        source.push(it);
    }
    source
}

/// Whether a text is no more than words to a shell.
fn is_plain(text: &str) -> bool {
    !text.contains(SHELL)
}
