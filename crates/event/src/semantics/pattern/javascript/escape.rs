//! Backslashes, inside classes and outside.

use super::{Member, Step, Translator};
use crate::semantics::pattern::PatternError;
use crate::semantics::pattern::charset::Charset;
use crate::semantics::pattern::output::EMPTY;

const WORD: &str = "0-9A-Za-z_";

/// WhiteSpace and LineTerminator; the engines' `\s` has U+0085 too, and lacks U+FEFF.
const SPACE: &str =
    r"\t-\r\x20\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}";
const NO_SPACE: &str =
    r"[^\t-\r\x20\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]";

impl Translator {
    pub(super) fn escape(&mut self, offset: usize) -> Step<()> {
        self.skip();
        match self.peek() {
            None => return Err(PatternError::new(offset, "a backslash ends the pattern")),
            Some('b') => self.boundary(true),
            Some('B') => self.boundary(false),
            Some('1'..='9') if self.number() => {}
            Some('k') if !self.names.is_empty() => self.named(offset)?,
            Some(_) => match self.shared_escape(offset)? {
                Member::Char(it) => self.set(Charset::of(it)),
                Member::Class(class) => self.set(Charset::of_class(class)),
            },
        }
        Ok(())
    }

    pub(super) fn class_member(&mut self, it: char) -> Step<Member> {
        if it != '\\' {
            return Ok(Member::Char(it));
        }
        if self.eat("b") {
            return Ok(Member::Char('\u{8}'));
        }
        // In a class digits and `_` may follow `\c` too.
        let control = self.chars.get(self.at.saturating_add(1)).map(|it| it.1);
        if let Some(control @ ('0'..='9' | '_')) = control
            && self.eat("c")
        {
            self.skip();
            return Ok(Member::Char(char::from_u32(u32::from(control) & 0x1F).unwrap_or(control)));
        }
        if self.peek().is_none() {
            return Err(PatternError::new(self.offset(), "a backslash ends the pattern"));
        }
        let offset = self.offset();
        self.shared_escape(offset)
    }

    fn shared_escape(&mut self, offset: usize) -> Step<Member> {
        let it = self.next().unwrap_or('\\');
        if self.flags.unicode {
            self.check_standard(it, offset)?;
        }
        Ok(match it {
            'd' => Member::Class("0-9"),
            'D' => Member::Class("[^0-9]"),
            'w' => Member::Class(WORD),
            'W' => Member::Class("[^0-9A-Za-z_]"),
            's' => Member::Class(SPACE),
            'S' => Member::Class(NO_SPACE),
            'f' => Member::Char('\u{c}'),
            'n' => Member::Char('\n'),
            'r' => Member::Char('\r'),
            't' => Member::Char('\t'),
            'v' => Member::Char('\u{b}'),
            'x' => Member::Char(self.hex(2).unwrap_or('x')),
            'u' if self.flags.unicode && self.eat("{") => Member::Char(self.braced(offset)?),
            'u' => Member::Char(self.unicode().unwrap_or('u')),
            'c' => match self.peek().filter(char::is_ascii_alphabetic) {
                Some(letter) => {
                    self.skip();
                    Member::Char(char::from_u32(u32::from(letter) & 0x1F).unwrap_or(letter))
                }
                None => {
                    // The backslash stands for itself, and the `c` is read again.
                    self.at = self.at.saturating_sub(1);
                    Member::Char('\\')
                }
            },
            '0'..='7' => Member::Char(self.octal(it)),
            _ => Member::Char(it),
        })
    }

    /// Refuses what the flag `u` does not allow behind a backslash, and what no engine here has.
    fn check_standard(&self, it: char, offset: usize) -> Step<()> {
        let follows = |fits: fn(&char) -> bool| self.peek().as_ref().is_some_and(fits);
        let is_fine = match it {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'f' | 'n' | 'r' | 't' | 'v' | '/' | '-' => true,
            'x' => follows(char::is_ascii_hexdigit),
            'u' => follows(|it| it.is_ascii_hexdigit() || *it == '{'),
            'c' => follows(char::is_ascii_alphabetic),
            '0' => !follows(char::is_ascii_digit),
            'p' | 'P' => {
                let message = "properties of characters, as in `\\p{L}`, are not read";
                return Err(PatternError::new(offset, message));
            }
            _ => "^$\\.*+?()[]{}|".contains(it),
        };
        let bad = || PatternError::new(offset, format!("`\\{it}` is no escape with the flag `u`"));
        is_fine.then_some(()).ok_or_else(bad)
    }

    fn hex(&mut self, digits: usize) -> Option<char> {
        let ahead = self.chars.get(self.at..self.at.checked_add(digits)?)?;
        let code = ahead.iter().try_fold(0_u32, |code, it| {
            Some(code.wrapping_mul(16).wrapping_add(it.1.to_digit(16)?))
        })?;
        self.at = self.at.saturating_add(digits);
        // Half of a surrogate pair never stands in text that was read from UTF-8.
        Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// The rest of `\u{X}`.
    fn braced(&mut self, offset: usize) -> Step<char> {
        let ahead = self.chars.iter().skip(self.at).map(|it| it.1);
        let digits: String = ahead.take(7).take_while(char::is_ascii_hexdigit).collect();
        self.at = self.at.saturating_add(digits.len());
        let code = u32::from_str_radix(&digits, 16).ok().filter(|it| *it <= 0x10_FFFF);
        match code {
            // Half of a surrogate pair never stands in text that was read from UTF-8.
            Some(code) if self.eat("}") => {
                Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            _ => Err(PatternError::new(offset, "`\\u{` needs a code point and `}`")),
        }
    }

    /// `\uXXXX`, and two of them when they are a surrogate pair.
    fn unicode(&mut self) -> Option<char> {
        let here = self.at;
        let unit = |at: usize| {
            let digits = self.chars.get(at..at.checked_add(4)?)?;
            digits.iter().try_fold(0_u32, |code, it| Some((code << 4) | it.1.to_digit(16)?))
        };
        let second = here.saturating_add(6);
        let joins = self.chars.get(here.saturating_add(4)..second);
        let joins = joins.is_some_and(|it| it.iter().map(|it| it.1).eq(['\\', 'u']));
        if joins
            && let (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) =
                (unit(here), unit(second))
        {
            self.at = second.saturating_add(4);
            let code = ((high & 0x3FF) << 10) | (low & 0x3FF);
            return char::from_u32(code.wrapping_add(0x1_0000));
        }
        self.hex(4)
    }

    /// A legacy octal escape of up to three digits, at most 0o377.
    fn octal(&mut self, first: char) -> char {
        let mut code = first.to_digit(8).unwrap_or_default();
        for _ in 0..2 {
            let digit = self.peek().and_then(|it| it.to_digit(8));
            match digit.map(|digit| code.wrapping_mul(8).wrapping_add(digit)) {
                Some(longer) if longer <= 0o377 => {
                    code = longer;
                    self.skip();
                }
                _ => break,
            }
        }
        char::from_u32(code).unwrap_or_default()
    }

    /// A back-reference, if the pattern has a group of that number.
    fn number(&mut self) -> bool {
        let here = self.at;
        let group = self.digits().parse().unwrap_or(usize::MAX);
        if group > self.groups {
            self.at = here;
            return false;
        }
        self.reference(group);
        true
    }

    /// `\k<name>`.
    fn named(&mut self, offset: usize) -> Step<()> {
        let bad = || PatternError::new(offset, "no group has this name");
        if !self.eat("k<") {
            return Err(bad());
        }
        let ahead = self.chars.iter().skip(self.at).map(|it| it.1);
        let name: String = ahead.take(super::NAME_CHARS_MAX).take_while(|it| *it != '>').collect();
        self.at = self.at.saturating_add(name.chars().count()).saturating_add(1);
        let group = self.names.iter().find(|it| it.0 == name).map(|it| it.1);
        self.reference(group.ok_or_else(bad)?);
        Ok(())
    }

    /// A group that took no part matches the empty text.
    fn reference(&mut self, group: usize) {
        self.atom = Some((self.out.mark(), true));
        let fold = if self.fold == super::Fold::None { "(?:" } else { "(?i:" };
        self.out.push_backtracking(&format!("{fold}(?({group})\\{group}|{EMPTY}))"), r"[\s\S]*");
    }

    fn boundary(&mut self, is_edge: bool) {
        self.skip();
        let form = match is_edge {
            true => format!("(?:(?<=[{WORD}])(?![{WORD}])|(?<![{WORD}])(?=[{WORD}]))"),
            false => format!("(?:(?<=[{WORD}])(?=[{WORD}])|(?<![{WORD}])(?![{WORD}]))"),
        };
        if is_edge {
            self.out.push_assertion(r"(?-u:\b)", &form);
        } else {
            self.out.push_backtracking(&form, "");
        }
        self.atom = None;
    }
}
