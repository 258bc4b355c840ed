//! A pattern for words of a user that were not taken for a yes.

/// Words that make an offer of consent absurd. A person decides in the end; these are not even
/// offered.
const REFUSALS: &[&str] = &[
    "no", "nope", "not", "never", "cannot", "dont", "cant", "wont", "wait", "stop", "cancel",
    "unless", "until", "but", "if", "hold",
];

/// Characters of a pattern that is offered.
const PHRASE_CHARS: usize = 60;

/// A pattern for the first sentence of these words; none where they refuse or ask.
pub fn phrase(words: Option<&str>) -> Option<String> {
    let words = words?.to_lowercase().replace(['\u{2019}', '\u{2018}'], "'");
    let refuses = |it: &str| REFUSALS.contains(&it) || it.ends_with("n't");
    let parts = words.split(|it: char| !it.is_alphanumeric() && it != '\'');
    // Digits are somebody's name or number, not a yes.
    let tells = |it: char| it == '?' || it.is_numeric();
    if words.contains(tells) || parts.into_iter().any(refuses) {
        return None;
    }
    let first = words.split(['.', '!', '\n', ';']).map(str::trim).find(|it| !it.is_empty())?;
    let mut kept = String::new();
    for word in first.split_whitespace() {
        let length = kept.chars().count().saturating_add(word.chars().count());
        if length >= PHRASE_CHARS {
            break;
        }
        kept.push_str(if kept.is_empty() { "" } else { " " });
        kept.push_str(word);
    }
    let kept = kept.trim_end_matches(',');
    let edge = |it: Option<char>| it.is_some_and(|it| it.is_ascii_alphanumeric());
    let (before, after) = (edge(kept.chars().next()), edge(kept.chars().next_back()));
    let bound = |it: bool| if it { "\\b" } else { "" };
    let inner = escaped(kept);
    (!kept.is_empty()).then(|| format!("{}{inner}{}", bound(before), bound(after)))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::phrase;

    #[test]
    fn a_yes_becomes_a_pattern_and_a_no_does_not() {
        let table = [
            ("Sure, book it", Some(r"\bsure, book it\b")),
            ("OK!! And thanks for the help", Some(r"\bok\b")),
            ("s\u{ed}, adelante", Some(r"\bs\u{ed}, adelante\b")),
            ("Fine (for $x)", Some(r"\bfine \(for \$x\)")),
            ("account A, 97312", None),
            ("no, don't", None),
            ("yes, but not now", None),
            ("could you?", None),
            ("I don\u{2019}t mind", None),
            (" \n ", None),
        ];
        for (words, wanted) in table {
            let wanted = wanted.map(|it| it.replace(r"\u{ed}", "\u{ed}"));
            assert_eq!(phrase(Some(words)), wanted, "{words}");
        }
        let long = phrase(Some(&"go on ".repeat(100))).unwrap();
        assert!(long.chars().count() < 70, "{long}");
    }
}
