//! Groups: captures, look-around, conditionals, inline flags, comments.

use super::{DEPTH_MAX, Flags, Frame, Kind, Step, Translator, Width};
use crate::semantics::pattern::PatternError;
use crate::semantics::pattern::output::EMPTY;

impl Translator {
    pub(super) fn open(&mut self, offset: usize) -> Step<()> {
        self.at = self.at.saturating_add(1);
        if self.frames.len() > DEPTH_MAX {
            return Err(PatternError::new(offset, "groups are nested too deeply"));
        }
        if !self.eat('?') {
            return self.capture(None, offset);
        }
        let Some(it) = self.next() else { return Err(unexpected_end(offset)) };
        match it {
            'P' => self.named(offset),
            ':' => self.enter(Kind::Plain, offset, "(?:"),
            '#' => self.comment(offset),
            '=' => self.enter_backtracking(Kind::Look, offset, "(?="),
            '!' => self.enter_backtracking(Kind::Look, offset, "(?!"),
            '<' if self.is_native && !self.peek().is_some_and(|it| matches!(it, '=' | '!')) => {
                let name = self.name('>', offset)?;
                self.capture(Some(name), offset)
            }
            '<' => {
                let kind = Kind::Behind(self.groups.len());
                match self.next() {
                    Some('=') => self.enter_backtracking(kind, offset, "(?<="),
                    Some('!') => self.enter_backtracking(kind, offset, "(?<!"),
                    Some(it) => Err(unknown(&format!("<{it}"), offset)),
                    None => Err(unexpected_end(offset)),
                }
            }
            '>' => self.enter_backtracking(Kind::Atomic, offset, "(?>"),
            '(' => self.conditional(offset),
            'i' | 'L' | 'm' | 's' | 'x' | 'a' | 'u' | '-' => self.inline_flags(it, offset),
            _ => Err(unknown(&it.to_string(), offset)),
        }
    }

    fn enter(&mut self, kind: Kind, offset: usize, text: &str) -> Step<()> {
        let start = self.out.mark();
        self.out.push(text);
        self.frames.push(Frame::new(kind, offset, self.flags, start));
        Ok(())
    }

    fn enter_backtracking(&mut self, kind: Kind, offset: usize, text: &str) -> Step<()> {
        let start = self.out.mark();
        self.out.push_backtracking(text, "(?:");
        self.frames.push(Frame::new(kind, offset, self.flags, start));
        Ok(())
    }

    fn capture(&mut self, name: Option<String>, offset: usize) -> Step<()> {
        self.groups.push(None);
        let group = self.groups.len();
        if let Some(name) = name {
            if self.names.iter().any(|(other, _)| *other == name) {
                let message = format!("two groups are called `{name}`");
                return Err(PatternError::new(offset, message));
            }
            self.names.push((name, group));
        }
        self.enter(Kind::Capture(group), offset, "(")
    }

    pub(super) fn close(&mut self, offset: usize) -> Step<()> {
        self.at = self.at.saturating_add(1);
        if self.frames.len() < 2 {
            return Err(PatternError::new(offset, "no `(` for this `)`"));
        }
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        self.flags = frame.outer;
        self.out.push(")");
        let width = frame.width();
        match frame.kind {
            Kind::Look | Kind::Behind(_) => self.out.forget(frame.start),
            Kind::Conditional(false) => self.out.superset.push('?'),
            _ => {}
        }
        let outer = match frame.kind {
            Kind::Look => Width::ZERO,
            Kind::Behind(_) if width.is_fixed() => Width::ZERO,
            Kind::Behind(_) => {
                let message = "a look-behind needs matches of one length";
                return Err(PatternError::new(frame.offset, message));
            }
            // Without a second branch nothing at all may match.
            Kind::Conditional(false) => width.or(Width::ZERO),
            Kind::Capture(group) => {
                if let Some(slot) = self.groups.get_mut(group.wrapping_sub(1)) {
                    *slot = Some(width);
                }
                width
            }
            Kind::Root | Kind::Plain | Kind::Atomic | Kind::Conditional(true) => width,
        };
        self.item(frame.start, outer);
        Ok(())
    }

    /// `(?P<name>…)` and `(?P=name)`.
    fn named(&mut self, offset: usize) -> Step<()> {
        match self.next() {
            Some('<') => {
                let name = self.name('>', offset)?;
                self.capture(Some(name), offset)
            }
            Some('=') => {
                let name = self.name(')', offset)?;
                let group = self.group_called(&name, offset)?;
                self.reference(group, offset)
            }
            Some(it) => Err(unknown(&format!("P{it}"), offset)),
            None => Err(unexpected_end(offset)),
        }
    }

    fn until(&mut self, end: char, offset: usize) -> Step<String> {
        let mut text = String::new();
        loop {
            match self.next() {
                Some(it) if it == end => break,
                Some(it) => text.push(it),
                None => {
                    let message = format!("missing `{end}` after the group name");
                    return Err(PatternError::new(offset, message));
                }
            }
        }
        if text.is_empty() {
            return Err(PatternError::new(offset, "a group name is missing"));
        }
        Ok(text)
    }

    pub(super) fn name(&mut self, end: char, offset: usize) -> Step<String> {
        let name = self.until(end, offset)?;
        if !is_identifier(&name) {
            return Err(PatternError::new(offset, format!("`{name}` cannot name a group")));
        }
        Ok(name)
    }

    pub(super) fn group_called(&self, name: &str, offset: usize) -> Step<usize> {
        let found = self.names.iter().find(|(other, _)| other == name).map(|it| it.1);
        found.ok_or_else(|| PatternError::new(offset, format!("no group is called `{name}`")))
    }

    fn comment(&mut self, offset: usize) -> Step<()> {
        loop {
            match self.next() {
                Some(')') => return Ok(()),
                Some(_) => {}
                None => return Err(PatternError::new(offset, "a comment does not end")),
            }
        }
    }

    /// `(?(1)yes|no)` and `(?(name)yes|no)`.
    fn conditional(&mut self, offset: usize) -> Step<()> {
        let name = self.until(')', offset)?;
        let group = if is_identifier(&name) {
            self.group_called(&name, offset)?
        } else {
            let number = name.bytes().all(|byte| byte.is_ascii_digit());
            let number = if number { name.parse().ok() } else { None };
            let Some(group) = number.filter(|group| *group > 0) else {
                return Err(PatternError::new(offset, format!("`{name}` is no group")));
            };
            self.tests.push((group, offset));
            group
        };
        self.check_behind(group, offset)?;
        let head = format!("(?({group}){EMPTY}");
        self.enter_backtracking(Kind::Conditional(false), offset, &head)
    }

    /// `(?i)` at the start, `(?i-s:…)` anywhere.
    fn inline_flags(&mut self, first: char, offset: usize) -> Step<()> {
        let mut on = String::new();
        let mut off = String::new();
        let mut it = first;
        let mut is_off = false;
        loop {
            match it {
                '-' if !is_off => is_off = true,
                'i' | 'm' | 's' | 'x' if is_off => off.push(it),
                'i' | 'm' | 's' | 'x' | 'a' | 'u' if !is_off => on.push(it),
                ':' | ')' => break,
                'L' => return Err(PatternError::new(offset, "the flag `L` is for bytes only")),
                'a' | 'u' => {
                    return Err(PatternError::new(offset, format!("`{it}` cannot be turned off")));
                }
                _ => return Err(PatternError::new(offset, format!("unknown flag `{it}`"))),
            }
            let next = self.next();
            it = next.ok_or_else(|| PatternError::new(offset, "missing `:` or `)` after flags"))?;
        }
        let twice = on.chars().any(|it| off.contains(it)) || (on.contains('a') && on.contains('u'));
        if twice {
            return Err(PatternError::new(offset, "flags contradict each other"));
        }
        if is_off && (off.is_empty() || it == ')') {
            return Err(PatternError::new(offset, "a flag or `:` is missing after `-`"));
        }
        if it == ')' {
            return self.global_flags(&on, offset);
        }
        let outer = self.flags;
        self.enter(Kind::Plain, offset, "(?:")?;
        self.flags = outer.with(&on, true).with(&off, false);
        Ok(())
    }

    fn global_flags(&mut self, on: &str, offset: usize) -> Step<()> {
        let at_start = match self.frames.as_slice() {
            [root] => root.branches.is_none() && matches!(root.atom, super::Atom::Nothing),
            _ => false,
        };
        if !at_start {
            let message = "flags for the whole pattern must stand at its start";
            return Err(PatternError::new(offset, message));
        }
        self.flags = self.flags.with(on, true);
        Ok(())
    }
}

impl Flags {
    fn with(mut self, names: &str, value: bool) -> Self {
        for name in names.chars() {
            match name {
                'i' => self.ignore_case = value,
                'm' => self.multi_line = value,
                's' => self.dot_all = value,
                'x' => self.verbose = value,
                'a' => self.ascii = value,
                'u' => self.ascii = false,
                _ => {}
            }
        }
        self
    }
}

/// `str.isidentifier`, for names that people give to groups.
fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|it| it.is_alphabetic() || it == '_')
        && chars.all(|it| it.is_alphanumeric() || it == '_')
}

fn unknown(extension: &str, offset: usize) -> PatternError {
    PatternError::new(offset, format!("unknown extension `?{extension}`"))
}

fn unexpected_end(offset: usize) -> PatternError {
    PatternError::new(offset, "the pattern ends inside a group's head")
}
