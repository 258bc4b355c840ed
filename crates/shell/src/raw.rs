//! A text that could not be understood, cut into words as well as that goes: enough to find what
//! is forbidden, never to allow anything.

/// How many words behind a program are looked at.
pub(crate) const WORDS_MAX: usize = 48;

/// The words of each piece of a text that could be a command.
pub(crate) fn commands(text: &str) -> Vec<Vec<String>> {
    let joined = text.replace("\\\n", "");
    let ends = |it: char| matches!(it, ';' | '|' | '&' | '(' | ')' | '`' | '\n' | '\r' | '{' | '}') ;
    // Braces of a variable belong to its name.
    let joined = joined.replace("${HOME}", "$HOME");
    let pieces = joined.split(ends).map(words);
    pieces.filter(|it| !it.is_empty()).collect()
}

fn words(piece: &str) -> Vec<String> {
    let bare = |it: &str| it.chars().filter(|it| !matches!(it, '"' | '\'' | '\\' | '\0')).collect();
    piece.split([' ', '\t', '<', '>', '\u{b}', '\u{c}']).filter(|it| !it.is_empty()).map(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn quotes_and_operators_hide_no_word() {
        assert_eq!(
            commands("a 'b' && r\\m -rf \"x\" | $(c)"),
            [vec!["a", "b"], vec!["rm", "-rf", "x"], vec!["$"], vec!["c"]]
        );
    }
}
