//! Python's `re` syntax (CPython 3.11): what it refuses is refused, the rest is translated.

mod escape;
mod group;
mod repeat;
mod width;

use std::borrow::Cow;

use super::PatternError;
use super::charset::{Charset, Fold};
use super::output::{Mark, Output};
use width::Width;

/// Groups inside groups; CPython's own parser recurses and ends somewhere near.
const DEPTH_MAX: usize = 100;

/// Translates `source`.
pub(super) fn translate(source: &str, ignore_case: bool) -> Result<Output, PatternError> {
    run(source, ignore_case, false)
}

/// Translates a pattern for native rules that has look-around or back-references: Python's
/// syntax, with the `regex` crate's `$`, `\z`, `\w`, `\p{…}`, `\k<name>` and `(?<name>…)`.
pub(super) fn translate_native(source: &str, ignore_case: bool) -> Result<Output, PatternError> {
    run(source, ignore_case, true)
}

fn run(source: &str, ignore_case: bool, is_native: bool) -> Result<Output, PatternError> {
    let flags = Flags { ignore_case, ..Flags::default() };
    let mut translator = Translator {
        chars: source.char_indices().collect(),
        length: source.len(),
        at: 0,
        out: Output::new(),
        flags,
        frames: vec![Frame::new(Kind::Root, 0, flags, Mark::default())],
        groups: vec![],
        names: vec![],
        tests: vec![],
        is_native,
    };
    translator.run()?;
    Ok(translator.out)
}

type Step<T> = Result<T, PatternError>;

#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    ignore_case: bool,
    multi_line: bool,
    dot_all: bool,
    verbose: bool,
    ascii: bool,
}

impl Flags {
    fn fold(self) -> Fold {
        match (self.ignore_case, self.ascii) {
            (false, _) => Fold::None,
            (true, false) => Fold::Python,
            (true, true) => Fold::Ascii,
        }
    }
}

/// What the next quantifier would repeat.
#[derive(Clone, Copy, Debug)]
enum Atom {
    Nothing,
    /// An anchor; Python repeats none.
    Anchor,
    /// Something that has a quantifier already.
    Repeated,
    /// Anything else: where it begins in the translation, how long its matches are.
    Item(Mark, Width),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Root,
    /// A capturing group with its number.
    Capture(usize),
    Plain,
    Look,
    /// A look-behind, and how many groups were open or closed before it.
    Behind(usize),
    Atomic,
    /// A conditional; whether its second branch has begun.
    Conditional(bool),
}

/// An open group.
#[derive(Debug)]
struct Frame {
    kind: Kind,
    /// Where its bracket stands in the pattern.
    offset: usize,
    /// The flags to return to.
    outer: Flags,
    start: Mark,
    /// The widths of the branches before the last one.
    branches: Option<Width>,
    branch: Width,
    atom: Atom,
}

impl Frame {
    fn new(kind: Kind, offset: usize, outer: Flags, start: Mark) -> Self {
        let branch = Width::ZERO;
        Frame { kind, offset, outer, start, branches: None, branch, atom: Atom::Nothing }
    }

    fn width(&self) -> Width {
        self.branches.map_or(self.branch, |width| width.or(self.branch))
    }
}

struct Translator {
    chars: Vec<(usize, char)>,
    length: usize,
    at: usize,
    out: Output,
    flags: Flags,
    /// The open groups; the first one is the pattern itself.
    frames: Vec<Frame>,
    /// The width of each group, none while it is open.
    groups: Vec<Option<Width>>,
    names: Vec<(String, usize)>,
    /// Group numbers that conditionals ask for, with their places; checked at the end.
    tests: Vec<(usize, usize)>,
    /// The pattern is a native rule's.
    is_native: bool,
}

impl Translator {
    fn run(&mut self) -> Step<()> {
        while let Some(it) = self.peek() {
            let offset = self.offset();
            if self.flags.verbose && self.skip_verbose(it) {
                continue;
            }
            match it {
                '|' => self.branch(offset)?,
                ')' => self.close(offset)?,
                '(' => self.open(offset)?,
                '[' => self.class(offset)?,
                '\\' => self.escape(offset)?,
                '*' | '+' | '?' | '{' => self.repeat(offset)?,
                '^' => self.begin_anchor(),
                '$' => self.end_anchor(),
                '.' => self.dot(),
                _ => self.literal(it),
            }
        }
        if let [_, .., open] = self.frames.as_slice() {
            return Err(PatternError::new(open.offset, "missing `)`"));
        }
        match self.tests.iter().find(|(group, _)| *group > self.groups.len()) {
            Some((_, offset)) => Err(PatternError::new(*offset, "no group has this number")),
            None => Ok(()),
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|it| it.1)
    }

    /// The place of the next character in the pattern.
    fn offset(&self) -> usize {
        self.chars.get(self.at).map_or(self.length, |it| it.0)
    }

    fn next(&mut self) -> Option<char> {
        let it = self.peek()?;
        self.at = self.at.saturating_add(1);
        Some(it)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at = self.at.saturating_add(1);
        }
        found
    }

    fn skip_verbose(&mut self, it: char) -> bool {
        match it {
            ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' => {
                self.at = self.at.saturating_add(1);
                true
            }
            '#' => {
                while self.next().is_some_and(|it| it != '\n') {}
                true
            }
            _ => false,
        }
    }

    /// Takes up what was written since `mark` as the item that a quantifier repeats.
    fn item(&mut self, mark: Mark, width: Width) {
        if let Some(frame) = self.frames.last_mut() {
            frame.branch = frame.branch.then(width);
            frame.atom = Atom::Item(mark, width);
        }
    }

    fn anchor(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.atom = Atom::Anchor;
        }
    }

    fn literal(&mut self, it: char) {
        self.at = self.at.saturating_add(1);
        self.set(Charset::of(it));
    }

    fn set(&mut self, set: Charset) {
        let mark = self.out.mark();
        self.out.push(&set.write(self.flags.fold()));
        self.item(mark, Width::ONE);
    }

    fn dot(&mut self) {
        self.at = self.at.saturating_add(1);
        let mark = self.out.mark();
        self.out.push(if self.flags.dot_all { r"[\s\S]" } else { r"[^\n]" });
        self.item(mark, Width::ONE);
    }

    fn begin_anchor(&mut self) {
        self.at = self.at.saturating_add(1);
        let form = if self.flags.multi_line { "(?m:^)" } else { r"\A" };
        self.out.push_assertion(form, form);
        self.anchor();
    }

    /// `$` also stands before a line break at the very end.
    fn end_anchor(&mut self) {
        self.at = self.at.saturating_add(1);
        if self.flags.multi_line {
            self.out.push_assertion("(?m:$)", "(?m:$)");
        } else if self.is_native {
            self.out.push_assertion(r"\z", r"\z");
        } else {
            self.out.has_end_anchor = true;
            self.out.push_assertion(r"\z", r"(?=\n?\z)");
        }
        self.anchor();
    }

    fn branch(&mut self, offset: usize) -> Step<()> {
        self.at = self.at.saturating_add(1);
        if let Some(frame) = self.frames.last_mut() {
            if let Kind::Conditional(second) = &mut frame.kind {
                if *second {
                    let message = "a conditional has more than two branches";
                    return Err(PatternError::new(offset, message));
                }
                *second = true;
            }
            frame.branches = Some(frame.width());
            frame.branch = Width::ZERO;
            frame.atom = Atom::Nothing;
        }
        self.out.push("|");
        Ok(())
    }

    fn class(&mut self, offset: usize) -> Step<()> {
        self.at = self.at.saturating_add(1);
        let mut set = Charset::open(self.eat('^'));
        let unterminated = || PatternError::new(offset, "missing `]`");
        let mut is_first = true;
        loop {
            let from = self.offset();
            let it = self.next().ok_or_else(unterminated)?;
            if it == ']' && !is_first {
                break;
            }
            is_first = false;
            let low = self.class_member(it, from)?;
            if !self.eat('-') {
                low.add_to(&mut set);
                continue;
            }
            let place = self.offset();
            let it = self.next().ok_or_else(unterminated)?;
            if it == ']' {
                low.add_to(&mut set);
                set.add_range('-', '-');
                break;
            }
            match (low, self.class_member(it, place)?) {
                (Member::Char(low), Member::Char(high)) if low <= high => {
                    set.add_range(low, high);
                }
                _ => return Err(PatternError::new(from, "bad character range")),
            }
        }
        self.set(set);
        Ok(())
    }

    fn class_member(&mut self, it: char, offset: usize) -> Step<Member> {
        if it == '\\' { self.class_escape(offset) } else { Ok(Member::Char(it)) }
    }
}

/// One member of a class.
enum Member {
    Char(char),
    Class(Cow<'static, str>),
}

impl Member {
    fn add_to(self, set: &mut Charset) {
        match self {
            Member::Char(it) => set.add_range(it, it),
            Member::Class(class) => set.add_class(&class),
        }
    }
}
