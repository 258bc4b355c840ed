//! The examples of a rule: commands that it must match, or must not.

use lawbook_rule::params::Node;

/// An example as words.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn words(example: &Node) -> Result<Vec<String>, &'static str> {
    let words = match example.words() {
        Some(text) => split(text).ok_or("its quotes are not closed")?,
        None => {
            let texts = example.items().iter().map(|it| it.words().map(str::to_owned));
            texts.collect::<Option<Vec<_>>>().ok_or("an example is a text or a list of texts")?
        }
    };
    if words.is_empty() { Err("an example is never empty") } else { Ok(words) }
}

/// Whether a pattern matches a command: word by word from the first on, whatever follows.
pub(super) fn matches(pattern: &[Vec<String>], command: &[String]) -> bool {
    command.len() >= pattern.len()
        && pattern.iter().zip(command).all(|(wanted, word)| wanted.contains(word))
}

/// A text as words, split as a shell does it.
fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(it) = chars.next() {
        match (quote, it) {
            (Some(open), it) if it == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(it);
                word.get_or_insert_default();
            }
            (None, '\\') => word.get_or_insert_default().push(chars.next()?),
            (Some('"'), '\\') => {
                let next = chars.next()?;
                let word = word.get_or_insert_default();
                if !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
            }
            (None, it) if it.is_whitespace() => words.extend(word.take()),
            (_, it) => word.get_or_insert_default().push(it),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn texts_split_as_a_shell_splits_them() {
        for (text, words) in [
            ("git  push", Some(vec!["git", "push"])),
            ("echo 'a b' \"c\\\"d\" e\\ f ''", Some(vec!["echo", "a b", "c\"d", "e f", ""])),
            ("echo 'a", None),
            ("", Some(vec![])),
        ] {
            let found = split(text);
            assert_eq!(
                found,
                words.map(|it| it.into_iter().map(str::to_owned).collect()),
                "{text}"
            );
        }
    }
}
