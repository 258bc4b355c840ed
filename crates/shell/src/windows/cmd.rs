//! cmd's text → the commands that can be seen in it, in one pass.

use super::names::resolve_cmd;
use super::scan::{Building, Scan, literal};
use crate::Word;

/// The commands of a text.
pub(super) fn scan(text: &str) -> Scan {
    let mut reader = Reader { text, chars: text.char_indices().collect(), ..Reader::default() };
    while let Some(it) = reader.peek(0) {
        if reader.scan.is_cut() {
            break;
        }
        reader.step(it);
    }
    reader.end_command(0);
    if let Some(it) = reader.quoted.and_then(|it| text.get(it..)) {
        let at = text.len();
        reader.scan.note(crate::Unclear::Syntax { at, expected: "the end of a quote" });
        reader.scan.inside(it.to_owned());
    }
    reader.scan
}

#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    chars: Vec<(usize, char)>,
    at: usize,
    /// Where the text behind the open quote begins.
    quoted: Option<usize>,
    word: Option<Building>,
    words: Vec<Word>,
    /// Whether the next word is the target of a redirection.
    redirects: bool,
    scan: Scan,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at.saturating_add(ahead)).map(|it| it.1)
    }

    fn place(&self) -> usize {
        self.chars.get(self.at).map_or(self.text.len(), |it| it.0)
    }

    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    fn word(&mut self) -> &mut Building {
        let (place, quoted) = (self.place(), self.quoted.is_some());
        self.word.get_or_insert_with(|| Building::new(place, quoted))
    }

    fn step(&mut self, it: char) {
        let quoted = self.quoted.is_some();
        match it {
            '%' | '!' => self.variable(it, quoted),
            '"' => {
                self.skip(1);
                let place = self.place();
                self.quoted = if quoted { None } else { Some(place) };
                self.word();
            }
            '\n' | '\r' => {
                let rest = self.quoted.take().and_then(|it| self.text.get(it..));
                if rest.is_some() {
                    let at = self.place();
                    self.scan.note(crate::Unclear::Syntax { at, expected: "the end of a quote" });
                }
                self.end_command(1);
            }
            '^' => self.caret(quoted),
            _ if quoted => self.push(it),
            '&' | '|' => self.end_command(1),
            '(' | ')' => {
                self.scan.construct("a group");
                self.end_command(1);
            }
            '<' | '>' => self.redirect(),
            '@' if self.word.is_none() && self.words.is_empty() => self.skip(1),
            ',' | ';' | '=' => self.end_word(1),
            _ if it.is_whitespace() => self.end_word(1),
            '/' if self.names_program() => self.end_word(0),
            _ => self.push(it),
        }
    }

    fn push(&mut self, it: char) {
        let quoted = self.quoted.is_some();
        self.word().push(it, quoted);
        self.skip(1);
    }

    /// Whether a slash ends the name of a program, as in `rd/s`; in a path it does not.
    fn names_program(&self) -> bool {
        let bare = self.word.as_ref().and_then(Building::bare);
        let is_program = |it: &str| !it.contains([':', '.', '\\', '/']);
        self.words.is_empty() && !self.redirects && bare.is_some_and(is_program)
    }

    fn caret(&mut self, quoted: bool) {
        self.scan.construct("`^`");
        if quoted {
            return self.push('^');
        }
        self.skip(1);
        match self.peek(0) {
            Some('\r') if self.peek(1) == Some('\n') => self.skip(2),
            Some('\n') | None => self.skip(1),
            Some(it) => self.push(it),
        }
    }

    fn variable(&mut self, mark: char, quoted: bool) {
        self.scan.construct(if mark == '%' { "`%`" } else { "`!`" });
        let rest = self.chars.get(self.at.saturating_add(1)..).unwrap_or(&[]);
        let name: String = rest
            .iter()
            .map(|it| it.1)
            .take(256)
            .take_while(|it| *it != mark && !"\n\r\"&|<>() ".contains(*it))
            .collect();
        let length = name.chars().count();
        let closed = rest.get(length).is_some_and(|it| it.1 == mark);
        if length > 0 && (closed || mark == '%') {
            self.word().dynamic(&format!("{mark}{name}{mark}"), &name, quoted);
            return self.skip(length.saturating_add(if closed { 2 } else { 1 }));
        }
        self.push(mark);
    }

    fn redirect(&mut self) {
        self.scan.construct("a redirection");
        let digit = |it: &str| it.len() == 1 && it.chars().all(|it| it.is_ascii_digit());
        if self.word.as_ref().and_then(Building::bare).is_some_and(digit) {
            self.word = None;
        }
        self.end_word(1);
        if self.peek(0) == Some('>') {
            self.skip(1);
        }
        if self.peek(0) == Some('&') {
            return self.skip(2);
        }
        self.redirects = true;
    }

    fn end_word(&mut self, count: usize) {
        let end = self.place();
        self.skip(count);
        let Some(word) = self.word.take() else { return };
        if std::mem::take(&mut self.redirects) {
            return;
        }
        let word = word.finish(end);
        if !self.words.is_empty() {
            return self.scan.word(&mut self.words, word);
        }
        let shown = word.shown();
        let cut = shown.find(['.', ':', '[', ']', '+', '\\']).unwrap_or(shown.len());
        match shown.split_at_checked(cut) {
            Some((name, rest))
                if !rest.is_empty() && GLUED.contains(&resolve_cmd(name).as_str()) =>
            {
                self.words.push(literal(name, word.source.clone()));
                self.words.push(literal(rest, word.source));
            }
            _ => self.scan.word(&mut self.words, word),
        }
    }

    fn end_command(&mut self, count: usize) {
        self.end_word(0);
        self.skip(count);
        self.redirects = false;
        if self.words.is_empty() {
            return;
        }
        let mut words = std::mem::take(&mut self.words);
        let shown: Vec<String> = words.iter().take(8).map(|it| it.shown().to_lowercase()).collect();
        if let Some(at) = self.command_start(&shown) {
            words.drain(..at.min(words.len()));
            self.scan.command(words);
        }
    }

    /// Where the command begins behind the keywords of a statement.
    fn command_start(&mut self, words: &[String]) -> Option<usize> {
        let mut at = 0_usize;
        loop {
            let it = words.get(at)?.as_str();
            if it.starts_with(':') {
                self.scan.construct("a label");
                return None;
            }
            at = match it {
                "else" | "do" | "in" => at.saturating_add(1),
                "if" => past_condition(words, at),
                "for" => {
                    self.scan.construct("a keyword");
                    return None;
                }
                "goto" | "setlocal" | "shift" => {
                    self.scan.construct("a keyword");
                    return Some(at);
                }
                _ => return Some(at),
            };
            self.scan.construct("a keyword");
        }
    }
}

/// What stands behind `if` and its condition.
fn past_condition(words: &[String], at: usize) -> usize {
    let mut at = at.saturating_add(1);
    while words.get(at).is_some_and(|it| it == "/i" || it == "not") {
        at = at.saturating_add(1);
    }
    let unary = ["exist", "defined", "errorlevel", "cmdextversion"];
    let compares = ["equ", "neq", "lss", "leq", "gtr", "geq"];
    let is = |at: usize, all: &[&str]| words.get(at).is_some_and(|it| all.contains(&it.as_str()));
    let binary = is(at.saturating_add(1), &compares);
    at.saturating_add(if binary && !is(at, &unary) { 3 } else { 2 })
}

/// Commands of cmd itself, whose name a dot, a colon or a path ends.
const GLUED: [&str; 14] = [
    "rd", "del", "md", "cd", "dir", "copy", "move", "ren", "type", "echo", "set", "call", "start",
    "rem",
];
