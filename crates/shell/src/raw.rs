//! A text that could not be understood, cut into words as well as that goes: enough to find what
//! is forbidden, never to allow anything.

use std::ops::Range;

use crate::parse::decoded;

/// How many words behind a program are looked at.
pub(crate) const WORDS_MAX: usize = 48;

/// The words of one piece of a text that could be a command.
pub(crate) struct Words<'w> {
    /// The words, joined by one space.
    pub text: &'w str,
    places: &'w [Range<usize>],
}

impl<'w> Words<'w> {
    /// The words from one on.
    pub fn from(&self, at: usize) -> impl Iterator<Item = &'w str> + Clone {
        let (text, places) = (self.text, self.places.get(at..).unwrap_or_default());
        places.iter().filter_map(|it| text.get(it.clone()))
    }
}

/// Shows each piece of a text that could be a command. It costs no memory for each word of the
/// whole, since a hostile text has many.
pub(crate) fn each(text: &str, windows: bool, mut look: impl FnMut(&Words<'_>)) {
    let mut cut = Cut::default();
    let is_special = |it| is_special(it) || windows && it == b'^';
    let mut rest = text;
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, special) = rest.split_at(at);
        cut.add(plain);
        let mut chars = special.chars();
        let found = chars.next().unwrap_or_default();
        rest = chars.as_str();
        match found {
            // Paths hold backslashes there, and other characters hide what follows.
            '\\' if windows => cut.push(found),
            '^' | '`' if windows => {}
            '\\' => rest = rest.strip_prefix('\n').unwrap_or(rest),
            '"' | '\'' | '\0' => {}
            ' ' | '\t' | '<' | '>' | '\u{b}' | '\u{c}' => cut.ends_word(),
            '$' => {
                if let Some(quoted) = rest.strip_prefix('\'') {
                    let (text, behind) = decoded(quoted);
                    // What was decoded is cut as everything else is, but is not decoded again.
                    for it in text.chars() {
                        if it.is_whitespace() { cut.ends_word() } else { cut.push(it) }
                    }
                    rest = behind;
                    continue;
                }
                cut.push('$');
                // Braces of a variable belong to its name.
                if let Some(behind) = rest.strip_prefix("{HOME}") {
                    cut.add("HOME");
                    rest = behind;
                }
            }
            _ => cut.ends_piece(&mut look),
        }
    }
    cut.add(rest);
    cut.ends_piece(&mut look);
}

fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'\\'
            | b'"'
            | b'\''
            | 0
            | b' '
            | b'\t'
            | b'<'
            | b'>'
            | 0x0b
            | 0x0c
            | b'$'
            | b';'
            | b'|'
            | b'&'
            | b'('
            | b')'
            | b'`'
            | b'\n'
            | b'\r'
            | b'{'
            | b'}'
    )
}

/// A piece that is being cut.
#[derive(Default)]
struct Cut {
    text: String,
    places: Vec<Range<usize>>,
    start: usize,
}

impl Cut {
    fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push(&mut self, it: char) {
        self.text.push(it);
    }

    fn ends_word(&mut self) {
        if self.text.len() > self.start {
            self.places.push(self.start..self.text.len());
            self.text.push(' ');
            self.start = self.text.len();
        }
    }

    fn ends_piece(&mut self, look: &mut impl FnMut(&Words<'_>)) {
        self.ends_word();
        if !self.places.is_empty() {
            look(&Words { text: self.text.trim_end_matches(' '), places: &self.places });
        }
        self.text.clear();
        self.places.clear();
        self.start = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::each;

    fn commands(text: &str) -> Vec<Vec<String>> {
        let mut out = Vec::new();
        each(text, false, |it| out.push(it.from(0).map(str::to_owned).collect()));
        out
    }

    #[test]
    fn quotes_and_operators_hide_no_word() {
        assert_eq!(
            commands("a 'b' && r\\m -rf \"x\" | $(c)"),
            [vec!["a", "b"], vec!["rm", "-rf", "x"], vec!["$"], vec!["c"]]
        );
        assert_eq!(commands("$'\\x72m' \\\n-r ${HOME}"), [["rm", "-r", "$HOME"]]);
    }
}
