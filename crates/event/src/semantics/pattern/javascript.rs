//! ECMAScript's pattern syntax: without the flag `u` the web's extensions included.

mod escape;

use super::charset::{Charset, Fold};
use super::output::{Mark, Output};
use super::{JavaScriptFlags, PatternError};

/// Groups inside groups.
const DEPTH_MAX: usize = 100;

/// No group's name is longer.
const NAME_CHARS_MAX: usize = 256;

/// Line breaks, and everything else.
const BREAK: &str = r"[\n\r\x{2028}\x{2029}]";
const NO_BREAK: &str = r"[^\n\r\x{2028}\x{2029}]";

/// Translates `source`.
pub(super) fn translate(source: &str, flags: JavaScriptFlags) -> Result<Output, PatternError> {
    let chars: Vec<(usize, char)> = source.char_indices().collect();
    let (groups, names) = count_groups(&chars);
    let mut translator = Translator {
        chars,
        length: source.len(),
        at: 0,
        out: Output::new(),
        flags,
        fold: if flags.ignore_case { Fold::JavaScript } else { Fold::None },
        frames: vec![],
        atom: None,
        groups,
        names,
    };
    translator.run()?;
    Ok(translator.out)
}

type Step<T> = Result<T, PatternError>;

/// An open group: where it begins in the pattern and in the translation.
#[derive(Debug)]
struct Frame {
    offset: usize,
    start: Mark,
    is_look: bool,
    /// A look-behind cannot be repeated.
    is_behind: bool,
}

struct Translator {
    chars: Vec<(usize, char)>,
    length: usize,
    at: usize,
    out: Output,
    flags: JavaScriptFlags,
    fold: Fold,
    frames: Vec<Frame>,
    /// Where the item begins that a quantifier would repeat, and whether it is a group.
    atom: Option<(Mark, bool)>,
    /// How many capturing groups the whole pattern has.
    groups: usize,
    /// Their names, with their numbers.
    names: Vec<(String, usize)>,
}

impl Translator {
    fn run(&mut self) -> Step<()> {
        while let Some(it) = self.peek() {
            let offset = self.offset();
            match it {
                '|' => {
                    self.skip();
                    self.out.push("|");
                    self.atom = None;
                }
                ')' => self.close(offset)?,
                '(' => self.open(offset)?,
                '[' => self.class(offset)?,
                '\\' => self.escape(offset)?,
                '*' | '+' | '?' | '{' => self.repeat(offset)?,
                '^' => self.start(),
                '$' => self.end(),
                '.' => {
                    self.skip();
                    let any = if self.flags.dot_all { r"[\s\S]" } else { NO_BREAK };
                    self.class_item(any);
                }
                ']' | '}' if self.flags.unicode => {
                    return Err(PatternError::new(offset, format!("lone `{it}`")));
                }
                _ => {
                    self.skip();
                    self.set(Charset::of(it));
                }
            }
        }
        match self.frames.last() {
            Some(open) => Err(PatternError::new(open.offset, "missing `)`")),
            None => Ok(()),
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|it| it.1)
    }

    fn offset(&self) -> usize {
        self.chars.get(self.at).map_or(self.length, |it| it.0)
    }

    fn skip(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn next(&mut self) -> Option<char> {
        let it = self.peek()?;
        self.skip();
        Some(it)
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let ahead = self.chars.iter().skip(self.at).map(|it| it.1);
        let found = wanted.chars().eq(ahead.take(wanted.chars().count()));
        if found {
            self.at = self.at.saturating_add(wanted.chars().count());
        }
        found
    }

    fn set(&mut self, set: Charset) {
        let text = set.write(self.fold);
        self.class_item(&text);
    }

    fn class_item(&mut self, text: &str) {
        self.atom = Some((self.out.mark(), false));
        self.out.push(text);
    }

    fn start(&mut self) {
        self.skip();
        self.atom = None;
        match self.flags.multiline {
            true => self.out.push_backtracking(&format!(r"(?:\A|(?<={BREAK}))"), ""),
            false => self.out.push_assertion(r"\A", r"\A"),
        }
    }

    fn end(&mut self) {
        self.skip();
        self.atom = None;
        match self.flags.multiline {
            true => self.out.push_backtracking(&format!(r"(?:\z|(?={BREAK}))"), ""),
            false => self.out.push_assertion(r"\z", r"\z"),
        }
    }

    fn open(&mut self, offset: usize) -> Step<()> {
        self.skip();
        if self.frames.len() >= DEPTH_MAX {
            return Err(PatternError::new(offset, "groups are nested too deeply"));
        }
        let heads = [
            ("?:", "(?:", true),
            ("?=", "(?=", false),
            ("?!", "(?!", false),
            ("?<=", "(?<=", false),
            ("?<!", "(?<!", false),
        ];
        for (head, text, is_linear) in heads {
            if self.eat(head) {
                return self.enter(offset, text, is_linear, head.len() == 3);
            }
        }
        if self.eat("?<") {
            self.group_name(offset)?;
        } else if self.peek() == Some('?') {
            return Err(PatternError::new(offset, "unknown kind of group"));
        }
        self.enter(offset, "(", true, false)
    }

    /// The rest of `(?<name>`. The names were collected before.
    fn group_name(&mut self, offset: usize) -> Step<()> {
        let mut name = String::new();
        loop {
            match self.next() {
                Some('>') => break,
                Some(it) if name.len() < NAME_CHARS_MAX => name.push(it),
                _ => return Err(PatternError::new(offset, "a group name does not end")),
            }
        }
        let starts = |it: char| it.is_alphabetic() || matches!(it, '_' | '$');
        let is_name =
            name.starts_with(starts) && name.chars().all(|it| starts(it) || it.is_alphanumeric());
        if !is_name {
            return Err(PatternError::new(offset, format!("`{name}` cannot name a group")));
        }
        if self.names.iter().filter(|it| it.0 == name).count() > 1 {
            return Err(PatternError::new(offset, format!("two groups are called `{name}`")));
        }
        Ok(())
    }

    fn enter(&mut self, offset: usize, text: &str, is_linear: bool, is_behind: bool) -> Step<()> {
        let start = self.out.mark();
        if is_linear {
            self.out.push(text);
        } else {
            self.out.push_backtracking(text, "(?:");
        }
        self.frames.push(Frame { offset, start, is_look: !is_linear, is_behind });
        self.atom = None;
        Ok(())
    }

    fn close(&mut self, offset: usize) -> Step<()> {
        self.skip();
        let frame = self.frames.pop();
        let frame = frame.ok_or_else(|| PatternError::new(offset, "no `(` for this `)`"))?;
        self.out.push(")");
        if frame.is_look {
            self.out.forget(frame.start);
        }
        let is_bare = frame.is_behind || (frame.is_look && self.flags.unicode);
        self.atom = (!is_bare).then_some((frame.start, true));
        Ok(())
    }

    fn repeat(&mut self, offset: usize) -> Step<()> {
        let nothing = || PatternError::new(offset, "nothing to repeat");
        let counts = match self.next() {
            Some('{') => match self.bounds(offset)? {
                Some(counts) => counts,
                None if self.flags.unicode => return Err(nothing()),
                None => {
                    self.set(Charset::of('{'));
                    return Ok(());
                }
            },
            Some(it) => it.to_string(),
            None => return Ok(()),
        };
        let (mark, is_group) = self.atom.take().ok_or_else(nothing)?;
        if is_group {
            // The backtracking engine repeats nothing that it sees to be empty.
            self.out.wrap_each(mark, "(?:", ")", r"|[^\s\S])");
        } else {
            self.out.wrap(mark, "(?:", ")");
        }
        self.out.push(&counts);
        if self.eat("?") {
            self.out.push("?");
        }
        Ok(())
    }

    /// What stands in braces, if it is a quantifier.
    fn bounds(&mut self, offset: usize) -> Step<Option<String>> {
        let here = self.at;
        let low = self.digits();
        let comma = self.eat(",");
        let high = if comma { self.digits() } else { low.clone() };
        if low.is_empty() || !self.eat("}") {
            self.at = here;
            return Ok(None);
        }
        // Counts beyond all engines mean as much as the greatest one.
        let count = |digits: &str| digits.parse().unwrap_or(u32::MAX);
        let (least, most) = (count(&low), count(&high));
        if high.is_empty() {
            return Ok(Some(format!("{{{least},}}")));
        }
        if most < least {
            let message = "the least count of a repeat is above its greatest";
            return Err(PatternError::new(offset, message));
        }
        Ok(Some(format!("{{{least},{most}}}")))
    }

    fn digits(&mut self) -> String {
        let mut digits = String::new();
        while let Some(it) = self.peek().filter(char::is_ascii_digit) {
            digits.push(it);
            self.skip();
        }
        digits
    }

    fn class(&mut self, offset: usize) -> Step<()> {
        self.skip();
        let mut set = Charset::open(self.eat("^"));
        let unterminated = || PatternError::new(offset, "missing `]`");
        loop {
            let from = self.offset();
            let it = self.next().ok_or_else(unterminated)?;
            if it == ']' {
                break;
            }
            let low = self.class_member(it)?;
            let is_range = self.peek() == Some('-')
                && self.chars.get(self.at.saturating_add(1)).is_some_and(|it| it.1 != ']');
            if !is_range {
                low.add_to(&mut set);
                continue;
            }
            self.skip();
            let it = self.next().ok_or_else(unterminated)?;
            match (low, self.class_member(it)?) {
                (Member::Char(low), Member::Char(high)) if low <= high => set.add_range(low, high),
                (Member::Char(_), Member::Char(_)) => {
                    return Err(PatternError::new(from, "bad character range"));
                }
                (low, high) => {
                    low.add_to(&mut set);
                    high.add_to(&mut set);
                    set.add_range('-', '-');
                }
            }
        }
        self.set(set);
        Ok(())
    }
}

/// One member of a class.
enum Member {
    Char(char),
    Class(&'static str),
}

impl Member {
    fn add_to(self, set: &mut Charset) {
        match self {
            Member::Char(it) => set.add_range(it, it),
            Member::Class(class) => set.add_class(class),
        }
    }
}

/// How many capturing groups a pattern has, and their names: numbers may refer ahead.
fn count_groups(chars: &[(usize, char)]) -> (usize, Vec<(String, usize)>) {
    let mut groups = 0_usize;
    let mut names = Vec::new();
    let mut in_class = false;
    let mut rest = chars.iter().map(|it| it.1);
    while let Some(it) = rest.next() {
        match it {
            '\\' => {
                rest.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let mut ahead = rest.clone();
                let head: String = ahead.by_ref().take(2).collect();
                let is_named = head == "?<" && !matches!(ahead.clone().next(), Some('=' | '!'));
                if is_named || !head.starts_with('?') {
                    groups = groups.saturating_add(1);
                }
                if is_named {
                    let name = ahead.take(NAME_CHARS_MAX).take_while(|it| *it != '>');
                    names.push((name.collect(), groups));
                }
            }
            _ => {}
        }
    }
    (groups, names)
}
