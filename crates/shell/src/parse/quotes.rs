//! Quotes and expansions: what stands inside of a word.

use super::list::{Close, Sort};
use super::word::Name;
use super::{Arithmetic, Frame, Job, Parser};
use crate::{Dynamic, Piece, Unclear};

/// Names of parameters of one character.
const SPECIAL: &str = "@*#?-$!0123456789";

impl Parser<'_> {
    /// `'…'`.
    pub fn single(&mut self) {
        let at = self.at;
        self.skip(1);
        let from = self.at;
        while self.peek().is_some_and(|it| it != '\'') {
            self.skip(1);
        }
        let text = self.text(from, self.at);
        if self.peek().is_none() {
            self.syntax("the end of a quote");
        }
        self.skip(1);
        self.list.word_at(at).push(Piece::Literal { text, quoted: true });
    }

    /// `"…"`.
    pub fn double(&mut self) {
        let at = self.at;
        self.list.word_at(at).push(Piece::Literal { text: String::new(), quoted: true });
        if self.push(Frame::Double) {
            self.skip(1);
        }
    }

    /// A backslash outside of quotes.
    pub fn escape(&mut self) {
        let at = self.at;
        self.skip(1);
        let text = self.peek().map_or_else(|| "\\".to_owned(), String::from);
        self.skip(1);
        self.list.word_at(at).push(Piece::Literal { text, quoted: true });
    }

    pub fn in_double(&mut self) {
        if self.peek() == Some('"') {
            self.skip(1);
            self.frames.pop();
            return;
        }
        self.quoted_text(&['$', '`', '"', '\\'], &['"']);
    }

    pub fn in_body(&mut self) {
        self.quoted_text(&['$', '`', '\\'], &[]);
    }

    /// Text in which only expansions and some escapes count.
    fn quoted_text(&mut self, escapable: &[char], stops: &[char]) {
        self.join_lines();
        match self.peek() {
            Some('$') => self.dollar(true),
            Some('`') => self.backtick(true),
            Some('\\') => {
                self.skip(1);
                let escaped = self.peek().filter(|it| escapable.contains(it));
                if escaped.is_some() {
                    self.skip(1);
                }
                let text = escaped.map_or_else(|| "\\".to_owned(), String::from);
                self.piece(Piece::Literal { text, quoted: true });
            }
            Some(_) => {
                let from = self.at;
                let plain = |it: char| !matches!(it, '$' | '`' | '\\') && !stops.contains(&it);
                while self.peek().is_some_and(plain) {
                    self.skip(1);
                }
                let text = self.text(from, self.at);
                self.piece(Piece::Literal { text, quoted: true });
            }
            None => {}
        }
    }

    /// `$`, and what it begins.
    pub fn dollar(&mut self, quoted: bool) {
        let start = self.at;
        self.list.word_at(start);
        self.skip(1);
        self.join_lines();
        match self.peek() {
            Some('(') if self.peek_at(1) == Some('(') && self.is_arithmetic(2) => {
                if self.arithmetic(Arithmetic::Expansion, quoted, start) {
                    self.skip(2);
                }
            }
            Some('(') => {
                self.skip(1);
                self.push_list(Close::Substitution(Sort::Command { quoted }), start);
            }
            Some('[') => {
                if self.arithmetic(Arithmetic::Bracket, quoted, start) {
                    self.skip(1);
                }
            }
            Some('{') => self.parameter(quoted, start),
            Some('\'') if !quoted => self.ansi(),
            Some('"') if !quoted => self.double(),
            Some(it) if it.is_ascii_alphabetic() || it == '_' => {
                let from = self.at;
                while self.peek().is_some_and(|it| it.is_ascii_alphanumeric() || it == '_') {
                    self.skip(1);
                }
                let name = self.text(from, self.at);
                self.expansion(Dynamic::Parameter { name, plain: true }, quoted, start);
            }
            Some(it) if SPECIAL.contains(it) => {
                self.skip(1);
                self.expansion(Dynamic::Parameter { name: it.into(), plain: true }, quoted, start);
            }
            _ => self.list.word_at(start).push(Piece::Literal { text: "$".to_owned(), quoted }),
        }
    }

    fn expansion(&mut self, what: Dynamic, quoted: bool, start: usize) {
        let text = self.text(start, self.at);
        self.piece(Piece::Dynamic { what, quoted, text });
    }

    /// `${`, the name, and what is done with it; what follows is read as a frame of its own.
    fn parameter(&mut self, quoted: bool, start: usize) {
        self.skip(1);
        if self.peek().is_some_and(|it| it.is_whitespace() || it == '|') {
            self.run.unclear(Unclear::Construct("a function substitution"));
        }
        let indirect = self.peek() == Some('!') && self.peek_at(1) != Some('}');
        let counts = self.peek() == Some('#') && self.peek_at(1) != Some('}');
        if indirect || counts {
            self.skip(1);
        }
        let from = self.at;
        if self.peek().is_some_and(|it| SPECIAL.contains(it)) {
            self.skip(1);
        }
        while self.peek().is_some_and(|it| it.is_ascii_alphanumeric() || it == '_') {
            self.skip(1);
        }
        let name = self.text(from, self.at);
        let plain = !counts && self.peek() == Some('}');
        let prompts = self.peek() == Some('@') && self.peek_at(1) == Some('P');
        let what = match indirect || prompts {
            true => Dynamic::Indirect,
            false => Dynamic::Parameter { name, plain },
        };
        let before = self.set_aside();
        self.push(Frame::Parameter { quoted, start, what, before });
    }

    pub fn arithmetic(&mut self, end: Arithmetic, quoted: bool, start: usize) -> bool {
        let before = self.set_aside();
        self.push(Frame::Arithmetic { end, open: 0, quoted, start, before })
    }

    pub fn in_parameter(&mut self) {
        let Some(Frame::Parameter { quoted, start, what, .. }) = self.frames.last() else { return };
        let (quoted, start) = (*quoted, *start);
        match self.chars.get(self.at).copied() {
            Some('}') => {
                let what = what.clone();
                self.skip(1);
                self.leave();
                self.expansion(what, quoted, start);
            }
            Some('\'') if !quoted => self.single(),
            Some('"') => self.double(),
            Some('$') => self.dollar(quoted),
            Some('`') => self.backtick(quoted),
            Some('\\') => self.skip(2),
            Some(_) | None => self.skip(1),
        }
    }

    pub fn in_arithmetic(&mut self) {
        let Some(Frame::Arithmetic { end, open, quoted, start, .. }) = self.frames.last_mut()
        else {
            return;
        };
        let (end, nested, quoted, start) = (*end, *open, *quoted, *start);
        let (opens, closes) = match end {
            Arithmetic::Expansion | Arithmetic::Command => ('(', ')'),
            Arithmetic::Bracket | Arithmetic::Subscript => ('[', ']'),
        };
        let at = self.chars.get(self.at).copied();
        match at {
            Some(it) if it == opens => *open = nested.saturating_add(1),
            Some(it) if it == closes && nested > 0 => *open = nested.saturating_sub(1),
            Some(it) if it == closes => return self.close_arithmetic(end, quoted, start),
            Some('$') => return self.dollar(quoted),
            Some('`') => return self.backtick(quoted),
            Some('\'') if !quoted && end == Arithmetic::Subscript => return self.single(),
            Some('"') if !quoted => return self.double(),
            Some('\\') => self.skip(1),
            _ => {}
        }
        self.skip(1);
    }

    fn close_arithmetic(&mut self, end: Arithmetic, quoted: bool, start: usize) {
        self.skip(1);
        let twice = matches!(end, Arithmetic::Expansion | Arithmetic::Command);
        if twice && !self.take(')') {
            return self.syntax("`))`");
        }
        self.leave();
        match end {
            Arithmetic::Expansion | Arithmetic::Bracket => {
                self.expansion(Dynamic::Arithmetic, quoted, start);
            }
            Arithmetic::Command => {
                self.list.word = None;
                let at = self.run.script.commands.len();
                if self.list.compounds.last().is_none_or(|it| it.phase.holds_commands()) {
                    self.list.closed = Some(at..at);
                }
            }
            Arithmetic::Subscript => {
                self.take('+');
                self.take('=');
                let word = self.list.word_at(start);
                let name = word.pieces.iter().map(Piece::shown).collect();
                let from = word.start;
                word.pieces.clear();
                let written = self.text(from, self.at);
                self.list.word_at(start).assigns = Some(Name { name, written, subscript: true });
                self.tilde();
            }
        }
    }

    /// Whether the text behind two parentheses ends with two that close both.
    pub fn is_arithmetic(&self, ahead: usize) -> bool {
        let (mut open, mut at) = (0_usize, self.at.saturating_add(ahead));
        let mut quote = None;
        while let Some(it) = self.chars.get(at) {
            match (quote, it) {
                (_, '\\') => at = at.saturating_add(1),
                (Some(end), it) if *it == end => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(*it),
                (None, '(') => open = open.saturating_add(1),
                (None, ')') if open > 0 => open = open.saturating_sub(1),
                (None, ')') => return self.chars.get(at.saturating_add(1)) == Some(&')'),
                (None, _) => {}
            }
            at = at.saturating_add(1);
        }
        false
    }

    pub fn in_pattern(&mut self) {
        let Some(Frame::Pattern { open, start, .. }) = self.frames.last_mut() else { return };
        let (nested, start) = (*open, *start);
        match self.chars.get(self.at).copied() {
            Some('(') => *open = nested.saturating_add(1),
            Some(')') if nested > 1 => *open = nested.saturating_sub(1),
            Some(')') => {
                self.skip(1);
                self.leave();
                return self.expansion(Dynamic::Glob, false, start);
            }
            Some('$') => return self.dollar(false),
            Some('`') => return self.backtick(false),
            Some('\'') => return self.single(),
            Some('"') => return self.double(),
            Some('\\') => self.skip(1),
            _ => {}
        }
        self.skip(1);
    }

    /// `` `…` ``: its text is parsed on its own once its escapes are gone.
    pub fn backtick(&mut self, quoted: bool) {
        let start = self.at;
        let starts = self.list.is_at_program();
        let conditional = self.list.place().conditional;
        self.skip(1);
        let mut text = String::new();
        loop {
            match (self.peek(), self.peek_at(1)) {
                (Some('`'), _) => break,
                (Some('\\'), Some(next)) => {
                    let bare = matches!(next, '`' | '\\' | '$') || (quoted && next == '"');
                    if !bare {
                        text.push('\\');
                    }
                    text.push(next);
                    self.skip(2);
                }
                (Some(it), _) => {
                    text.push(it);
                    self.skip(1);
                }
                (None, _) => {
                    self.syntax("the end of a backquote");
                    break;
                }
            }
        }
        self.skip(1);
        let depth = self.depth().saturating_add(1);
        if depth >= super::DEPTH_MAX {
            self.run.unclear(Unclear::Limit("nesting"));
            self.stopped = true;
            return;
        }
        let inside = if starts { crate::Inside::ProgramWord } else { crate::Inside::Substitution };
        let shell = self.run.shell(self.list.stage.shell);
        let place =
            crate::Place { inside, subshell: true, shell, conditional, ..Default::default() };
        let source = Some(self.source(start, self.at));
        self.run.jobs.push_back(Job { text, place, depth, source, ..Job::default() });
        let text = self.text(start, self.at);
        self.list.word_at(start).push(Piece::Dynamic { what: Dynamic::Command, quoted, text });
    }

    /// `$'…'`, its escapes decoded.
    fn ansi(&mut self) {
        let at = self.at;
        self.skip(1);
        let mut text = String::new();
        loop {
            match self.peek() {
                None => {
                    self.syntax("the end of a quote");
                    break;
                }
                Some('\'') => break,
                Some('\\') => {
                    self.skip(1);
                    if let Some(it) = self.ansi_escape() {
                        text.push(it);
                    }
                }
                Some(it) => {
                    text.push(it);
                    self.skip(1);
                }
            }
        }
        self.skip(1);
        self.list.word_at(at).push(Piece::Literal { text, quoted: true });
    }

    fn ansi_escape(&mut self) -> Option<char> {
        let it = self.peek()?;
        self.skip(1);
        let code = match it {
            'a' => 7,
            'b' => 8,
            'e' | 'E' => 27,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'x' => self.digits(16, 2)?,
            'u' => self.digits(16, 4)?,
            'U' => self.digits(16, 8)?,
            'c' => {
                let it = self.peek()?;
                self.skip(1);
                u32::from(it) & 0x1f
            }
            '0'..='7' => {
                self.at = self.at.saturating_sub(1);
                self.digits(8, 3)? & 0xff
            }
            it => u32::from(it),
        };
        char::from_u32(code)
    }

    fn digits(&mut self, radix: u32, most: usize) -> Option<u32> {
        let mut found = None;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|it| it.to_digit(radix)) else { break };
            found = Some(found.unwrap_or(0_u32).saturating_mul(radix).saturating_add(digit));
            self.skip(1);
        }
        found
    }
}
