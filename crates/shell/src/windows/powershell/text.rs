//! Quotes, escapes, variables, comments and redirections of PowerShell.

use std::collections::BTreeMap;

use super::{Bracket, Quote, Reader};

/// The longest constant that is followed, in bytes, and how much may be put in for variables.
const CONSTANT_BYTES_MAX: usize = 64;
const FOLLOWED_BYTES_MAX: usize = 4 * 1024;

/// What variables are known to hold.
#[derive(Debug, Default)]
pub(super) struct Constants {
    values: BTreeMap<String, String>,
    followed: usize,
}

impl Constants {
    pub(super) fn set(&mut self, name: &str, value: &str) {
        if value.len() <= CONSTANT_BYTES_MAX {
            self.values.insert(name.to_lowercase(), value.to_owned());
        } else {
            self.values.remove(&name.to_lowercase());
        }
    }

    fn get(&mut self, name: &str) -> Option<String> {
        let value = self.values.get(&name.to_lowercase())?;
        self.followed = self.followed.saturating_add(value.len());
        (self.followed <= FOLLOWED_BYTES_MAX).then(|| value.clone())
    }
}

impl Reader<'_> {
    pub(super) fn quote(&mut self, quote: Quote, here: bool, count: usize) {
        self.word(true);
        self.skip(count);
        let place = self.place();
        self.top().quote = Some((quote, here, place));
    }

    pub(super) fn in_quotes(&mut self, it: char) {
        let Some((quote, here, _)) = self.top().quote else { return };
        if Quote::of(it) == Some(quote) {
            let doubled = self.peek(1).and_then(Quote::of) == Some(quote);
            return match (here, doubled) {
                (false, true) => self.take(it, 2),
                (true, _) if !self.ends_here() => self.take(it, 1),
                _ => {
                    self.skip(if here { 2 } else { 1 });
                    self.top().quote = None;
                }
            };
        }
        match (quote, it) {
            (Quote::Double, '`') => {
                let next = self.peek(1).unwrap_or('`');
                self.take(unescaped(next), 2);
            }
            (Quote::Double, '$') => self.dollar(true),
            _ => self.take(it, 1),
        }
    }

    fn take(&mut self, it: char, count: usize) {
        self.word(true).push(it, true);
        self.skip(count);
    }

    /// Whether a here-string ends at this quote: it begins its line, and `@` follows.
    fn ends_here(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|it| self.chars.get(it));
        before.is_some_and(|it| it.1 == '\n' || it.1 == '\r') && self.peek(1) == Some('@')
    }

    pub(super) fn at_sign(&mut self, next: Option<char>) {
        match next {
            Some('(') => self.open(Bracket::Round, 2),
            Some('{') => self.open(Bracket::Table, 2),
            Some(it) if Quote::of(it).is_some() => {
                let quote = Quote::of(it).unwrap_or(Quote::Single);
                self.scan.construct("a here-string");
                self.quote(quote, true, 2);
            }
            Some(it) if is_name(it) => {
                self.scan.construct("splatting");
                self.skip(1);
                let name = self.name(is_name);
                self.word(false).dynamic(&format!("@{name}"), &name, false);
            }
            _ => {
                self.word(false).push('@', false);
                self.skip(1);
            }
        }
    }

    pub(super) fn dollar(&mut self, quoted: bool) {
        let next = self.peek(1);
        let starts = !quoted && self.at_start();
        let name = match next {
            Some('(') => return self.open(Bracket::Round, 2),
            Some('{') => {
                self.skip(2);
                let name = self.name(|it| it != '}');
                self.skip(1);
                name
            }
            Some(it) if is_name(it) || ":".contains(it) => {
                self.skip(1);
                self.name(|it| is_name(it) || it == ':')
            }
            Some(it) if "$?^".contains(it) => {
                self.skip(2);
                it.to_string()
            }
            _ => {
                self.word(quoted).push('$', quoted);
                return self.skip(1);
            }
        };
        self.scan.construct("a variable");
        if starts {
            let statement = &mut self.top().statement;
            statement.expression = true;
            statement.variable = Some(name.clone());
        }
        match self.constants.get(&name).filter(|_| !starts) {
            Some(it) => it.chars().for_each(|it| self.word(true).push(it, true)),
            None => self.word(quoted).dynamic(&format!("${name}"), &name, quoted),
        }
    }

    fn name(&mut self, is_part: impl Fn(char) -> bool) -> String {
        let rest = self.chars.get(self.at..).unwrap_or(&[]);
        let name: String = rest.iter().map(|it| it.1).take_while(|it| is_part(*it)).collect();
        self.skip(name.chars().count());
        name
    }

    pub(super) fn backtick(&mut self) {
        let next = self.peek(1);
        let breaks = matches!(next, Some('\n' | '\r'));
        let windows = next == Some('\r') && self.peek(2) == Some('\n');
        if breaks && self.top().word.is_none() {
            return self.skip(if windows { 3 } else { 2 });
        }
        self.scan.construct("a backtick");
        if breaks || next.is_none() {
            return self.end_word(if windows { 3 } else { 2 });
        }
        self.word(false).push(next.unwrap_or('`'), false);
        self.skip(2);
    }

    pub(super) fn line_comment(&mut self) {
        while self.peek(0).is_some_and(|it| it != '\n' && it != '\r') {
            self.skip(1);
        }
    }

    pub(super) fn block_comment(&mut self) {
        self.end_word(2);
        let start = self.place();
        while self.peek(0).is_some() && !(self.peek(0) == Some('#') && self.peek(1) == Some('>')) {
            self.skip(1);
        }
        if self.peek(0).is_none() {
            let at = self.text.len();
            self.scan.note(crate::Unclear::Syntax { at, expected: "`#>`" });
            self.scan.inside(self.text.get(start..).unwrap_or_default().to_owned());
        }
        self.skip(2);
    }

    pub(super) fn redirect(&mut self) {
        self.scan.construct("a redirection");
        let stream = self.top().word.as_ref().and_then(|it| it.bare()).is_some_and(|it| {
            it == "*" || it.len() == 1 && it.chars().all(|it| it.is_ascii_digit())
        });
        if stream {
            self.top().word = None;
        }
        self.end_word(1);
        if self.peek(0) == Some('>') {
            self.skip(1);
        }
        if self.peek(0) == Some('&') {
            return self.skip(2);
        }
        self.top().statement.redirects = true;
    }
}

fn is_name(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

fn unescaped(it: char) -> char {
    match it {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        _ => it,
    }
}
