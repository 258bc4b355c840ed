//! Backslashes, inside classes and outside.

use std::borrow::Cow;

use super::{Kind, Member, Step, Translator};
use crate::semantics::pattern::PatternError;
use crate::semantics::pattern::charset::Charset;

/// Python's word characters, in a class of the engines.
const WORD: &str = r"\p{L}\p{N}_";
const ASCII_WORD: &str = "0-9A-Za-z_";

impl Translator {
    pub(super) fn escape(&mut self, offset: usize) -> Step<()> {
        self.at = self.at.saturating_add(1);
        let it = self.next().ok_or_else(|| ends(offset))?;
        match it {
            'A' => self.out.push_assertion(r"\A", r"\A"),
            'Z' if !self.is_native => self.out.push_assertion(r"\z", r"\z"),
            'z' if self.is_native => self.out.push_assertion(r"\z", r"\z"),
            'k' if self.is_native && self.eat('<') => {
                let name = self.name('>', offset)?;
                let group = self.group_called(&name, offset)?;
                return self.reference(group, offset);
            }
            'b' => self.boundary(true),
            'B' => self.boundary(false),
            '0' => {
                let code = self.octal(0, 2);
                self.set(Charset::of(char::from_u32(code).unwrap_or_default()));
                return Ok(());
            }
            '1'..='9' => return self.number(it, offset),
            _ => {
                match self.shared_escape(it, offset)? {
                    Member::Char(it) => self.set(Charset::of(it)),
                    Member::Class(class) => self.set(Charset::of_class(&class)),
                }
                return Ok(());
            }
        }
        self.anchor();
        Ok(())
    }

    /// An escape inside a class.
    pub(super) fn class_escape(&mut self, offset: usize) -> Step<Member> {
        let it = self.next().ok_or_else(|| ends(offset))?;
        match it {
            'b' => Ok(Member::Char('\u{8}')),
            '0'..='7' => {
                let code = self.octal(it.to_digit(8).unwrap_or_default(), 2);
                if code > 0o377 {
                    return Err(PatternError::new(offset, "an octal escape is above 0o377"));
                }
                Ok(Member::Char(char::from_u32(code).unwrap_or_default()))
            }
            '8' | '9' => Err(bad(it, offset)),
            _ => self.shared_escape(it, offset),
        }
    }

    /// The escapes that mean the same everywhere.
    fn shared_escape(&mut self, it: char, offset: usize) -> Step<Member> {
        let ascii = self.flags.ascii;
        let class = |plain: &'static str, narrow| {
            Ok(Member::Class(Cow::Borrowed(if ascii { narrow } else { plain })))
        };
        match it {
            'p' | 'P' if self.is_native => self.property(it, offset),
            's' if self.is_native => class(r"\s", r"\x20\t-\r"),
            'S' if self.is_native => class(r"\S", r"[^\x20\t-\r]"),
            'w' if self.is_native => class(r"\w", ASCII_WORD),
            'W' if self.is_native => class(r"\W", "[^0-9A-Za-z_]"),
            'd' => class(r"\p{Nd}", "0-9"),
            'D' => class(r"\P{Nd}", "[^0-9]"),
            's' => class(r"\s\x1c-\x1f", r"\x20\t-\r"),
            'S' => class(r"[^\s\x1c-\x1f]", r"[^\x20\t-\r]"),
            'w' => class(WORD, ASCII_WORD),
            'W' => class(r"[^\p{L}\p{N}_]", "[^0-9A-Za-z_]"),
            'a' => Ok(Member::Char('\u{7}')),
            'f' => Ok(Member::Char('\u{c}')),
            'n' => Ok(Member::Char('\n')),
            'r' => Ok(Member::Char('\r')),
            't' => Ok(Member::Char('\t')),
            'v' => Ok(Member::Char('\u{b}')),
            'x' => self.hex(2, offset),
            'u' => self.hex(4, offset),
            'U' => self.hex(8, offset),
            'N' => Err(PatternError::new(offset, "named characters (`\\N{…}`) are not supported")),
            _ if it.is_ascii_alphanumeric() => Err(bad(it, offset)),
            _ => Ok(Member::Char(it)),
        }
    }

    /// `\p{…}` or `\pL`, handed on as it is.
    fn property(&mut self, it: char, offset: usize) -> Step<Member> {
        let mut text = format!("\\{it}");
        let mut next = self.next();
        let is_long = next == Some('{');
        while let Some(it) = next.filter(|it| it.is_ascii_alphanumeric() || "{}_= ".contains(*it)) {
            text.push(it);
            if !is_long || it == '}' {
                return Ok(Member::Class(Cow::Owned(text)));
            }
            next = self.next();
        }
        Err(PatternError::new(offset, "a Unicode property is written as `\\p{…}`"))
    }

    fn hex(&mut self, digits: u32, offset: usize) -> Step<Member> {
        let mut code = 0_u32;
        for _ in 0..digits {
            let digit = self.peek().and_then(|it| it.to_digit(16));
            let digit = digit.ok_or_else(|| PatternError::new(offset, "incomplete escape"))?;
            self.at = self.at.saturating_add(1);
            code = code.saturating_mul(16).saturating_add(digit);
        }
        let it = char::from_u32(code);
        it.map(Member::Char).ok_or_else(|| PatternError::new(offset, "no character has this code"))
    }

    /// Takes up to `more` further octal digits.
    fn octal(&mut self, first: u32, more: usize) -> u32 {
        let mut code = first;
        for _ in 0..more {
            let Some(digit) = self.peek().and_then(|it| it.to_digit(8)) else { break };
            self.at = self.at.saturating_add(1);
            code = code.saturating_mul(8).saturating_add(digit);
        }
        code
    }

    /// Three octal digits are a character, anything else is a group of one or two digits.
    fn number(&mut self, first: char, offset: usize) -> Step<()> {
        let digit = |at: usize| self.chars.get(at).and_then(|it| it.1.to_digit(10));
        let first = first.to_digit(10).unwrap_or_default();
        let (second, third) = (digit(self.at), digit(self.at.saturating_add(1)));
        if let (Some(second), Some(third)) = (second, third)
            && first.max(second).max(third) < 8
        {
            let code = self.octal(first, 2);
            if code > 0o377 {
                return Err(PatternError::new(offset, "an octal escape is above 0o377"));
            }
            self.set(Charset::of(char::from_u32(code).unwrap_or_default()));
            return Ok(());
        }
        let mut group = first;
        if let Some(second) = second {
            self.at = self.at.saturating_add(1);
            group = first.saturating_mul(10).saturating_add(second);
        }
        self.reference(usize::try_from(group).unwrap_or(usize::MAX), offset)
    }

    /// Writes a back-reference to a group that is closed.
    pub(super) fn reference(&mut self, group: usize, offset: usize) -> Step<()> {
        let width = match self.groups.get(group.wrapping_sub(1)) {
            None => return Err(PatternError::new(offset, "no group has this number")),
            Some(None) => {
                let message = "a group cannot be referred to while it is open";
                return Err(PatternError::new(offset, message));
            }
            Some(Some(width)) => *width,
        };
        self.check_behind(group, offset)?;
        let mark = self.out.mark();
        let flag = if self.flags.ignore_case { "(?i:" } else { "(?:" };
        self.out.push_backtracking(&format!("{flag}\\{group})"), r"[\s\S]*");
        self.item(mark, width);
        Ok(())
    }

    /// A look-behind cannot refer to a group inside itself.
    pub(super) fn check_behind(&self, group: usize, offset: usize) -> Step<()> {
        let inside = |before: usize| group > before;
        let refused = self.frames.iter().any(|frame| match frame.kind {
            Kind::Behind(before) => inside(before),
            _ => false,
        });
        if refused {
            let message = "a look-behind refers to a group inside itself";
            return Err(PatternError::new(offset, message));
        }
        Ok(())
    }

    fn boundary(&mut self, is_edge: bool) {
        let word = if self.flags.ascii { ASCII_WORD } else { WORD };
        let form = match is_edge {
            true => format!("(?:(?<=[{word}])(?![{word}])|(?<![{word}])(?=[{word}]))"),
            // To Python an empty text has no such place.
            false => {
                format!(r"(?:(?<=[{word}])(?=[{word}])|(?!\A\z)(?<![{word}])(?![{word}]))")
            }
        };
        let plain = if is_edge { r"\b" } else { r"\B" };
        if self.is_native && !self.flags.ascii {
            self.out.push_assertion(plain, plain);
        } else if !self.flags.ascii {
            self.out.has_word_boundary = true;
            self.out.push_assertion(plain, &form);
        } else if is_edge {
            self.out.push_assertion(r"(?-u:\b)", &form);
        } else {
            self.out.push_backtracking(&form, "");
        }
    }
}

fn ends(offset: usize) -> PatternError {
    PatternError::new(offset, "a backslash ends the pattern")
}

fn bad(it: char, offset: usize) -> PatternError {
    PatternError::new(offset, format!("bad escape `\\{it}`"))
}
