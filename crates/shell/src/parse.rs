//! A bash text → its simple commands, in one pass over the characters with a stack of its own.
//!
//! What a reader of bash does is written up in the POSIX shell grammar and bash's manual; where
//! they leave room, what bash 5.2 does counts.

mod braces;
mod compound;
mod heredoc;
mod list;
mod operators;
mod quotes;
mod word;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use crate::{Command, Inside, Piece, Place, Script, Unclear};
use list::{Close, List};

/// The longest text that is read, in bytes.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;
/// How deep groups, substitutions and quotes may nest.
pub const DEPTH_MAX: usize = 64;
/// How many commands a text may hold.
pub const COMMANDS_MAX: usize = 256;
/// How many commands are still looked at once there are too many: what forbids is searched in
/// them too.
const COMMANDS_KEPT: usize = 1024;
/// How many shells are told apart; what is past them counts as the last.
const SHELLS_MAX: usize = 4096;
/// How many redirections are handed on from groups to the commands in them.
const SHARED_REDIRECTS_MAX: usize = 1024;

/// The simple commands of a text, and what could not be understood.
#[must_use]
pub fn parse(text: &str) -> Script {
    let mut run = Run::default();
    if text.len() > TEXT_BYTES_MAX {
        run.unclear(Unclear::Limit("bytes"));
    }
    let text = text.get(..floor(text, TEXT_BYTES_MAX)).unwrap_or_default();
    let control = |it: &char| it.is_control() && !matches!(it, '\t' | '\n');
    if let Some(it) = text.chars().find(control) {
        run.unclear(Unclear::Control(it));
    }
    run.jobs.push_back(Job { text: text.to_owned(), ..Job::default() });
    while let Some(job) = run.jobs.pop_front() {
        Parser::new(&job, &mut run).run();
    }
    run.script.fork_bomb = run.is_fork_bomb();
    run.script.functions =
        std::mem::take(&mut run.functions).into_iter().map(|it| it.name).collect();
    run.script
}

/// The last boundary between two characters at or before a place.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|it| text.is_char_boundary(*it)).unwrap_or(0)
}

/// A text that is to be parsed: the whole, or one that is known only after its escapes are gone.
#[derive(Debug, Default)]
struct Job {
    text: String,
    /// Whether it is the body of a here-document, so that only its expansions count.
    body: bool,
    place: Place,
    depth: usize,
    /// Where it stands in the outermost text, if it is not that text.
    source: Option<std::ops::Range<usize>>,
    /// The redirections whose target its body is.
    targets: Vec<(usize, usize)>,
}

/// What all texts of one call add to.
#[derive(Debug, Default)]
struct Run {
    script: Script,
    jobs: VecDeque<Job>,
    functions: Vec<Function>,
    shared_redirects: usize,
}

/// A function and the commands of its body.
#[derive(Debug)]
struct Function {
    name: String,
    commands: std::ops::Range<usize>,
}

impl Run {
    fn unclear(&mut self, unclear: Unclear) {
        let unclears = &mut self.script.unclear;
        if unclears.len() < 16 && !unclears.contains(&unclear) {
            unclears.push(unclear);
        }
    }

    /// A new shell inside of another.
    fn shell(&mut self, parent: u32) -> u32 {
        let shells = &mut self.script.shells;
        if shells.len() < SHELLS_MAX {
            shells.push(parent);
        }
        u32::try_from(shells.len()).unwrap_or(u32::MAX)
    }

    fn emit(&mut self, command: Command) {
        let commands = &mut self.script.commands;
        if commands.len() < COMMANDS_KEPT {
            commands.push(command);
        }
        if commands.len() > COMMANDS_MAX {
            self.unclear(Unclear::Limit("commands"));
        }
    }

    /// A function that pipes itself into itself in the background, and a call of it.
    fn is_fork_bomb(&self) -> bool {
        let calls = |it: &Command, name: &str| {
            it.words.first().and_then(crate::Word::literal).is_some_and(|it| it == name)
        };
        self.functions.iter().any(|function| {
            let commands = &self.script.commands;
            let body = commands.get(function.commands.clone()).unwrap_or_default();
            let bursts = |it: &Command| it.place.fed && it.place.background;
            let called = commands
                .iter()
                .enumerate()
                .any(|(at, it)| !function.commands.contains(&at) && calls(it, &function.name));
            called
                && body.iter().any(|it| bursts(it) && calls(it, &function.name))
                && body.iter().filter(|it| calls(it, &function.name)).count() > 1
        })
    }
}

/// What is open at a place, innermost last. What stands inside of an expansion is no piece of the
/// word, whose pieces `before` it wait in its frame.
#[derive(Debug)]
enum Frame {
    /// Commands; the newest list holds them.
    List,
    /// `"…"`.
    Double,
    /// The body of a here-document.
    Body,
    /// `${…}` behind its name. Inside of double quotes, single quotes stand for themselves.
    Parameter { quoted: bool, start: usize, what: crate::Dynamic, before: Vec<Piece> },
    /// `$((…))`, `((…))`, `$[…]` and subscripts, with how many parentheses are open.
    Arithmetic { end: Arithmetic, open: usize, quoted: bool, start: usize, before: Vec<Piece> },
    /// `?(…)` and its kin, with how many parentheses are open.
    Pattern { open: usize, start: usize, before: Vec<Piece> },
}

/// How an arithmetic text ends, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arithmetic {
    /// `$((…))`.
    Expansion,
    /// `$[…]`.
    Bracket,
    /// `((…))`, and the header of a loop.
    Command,
    /// `name[…]=`.
    Subscript,
}

/// One text being parsed.
struct Parser<'r> {
    run: &'r mut Run,
    job: &'r Job,
    chars: Vec<char>,
    /// Where each character begins, in bytes; empty where each is one byte.
    offsets: Vec<usize>,
    at: usize,
    frames: Vec<Frame>,
    /// The commands that are being read.
    list: List,
    /// The lists around it, innermost last.
    outer: Vec<List>,
    heredocs: Vec<heredoc::Pending>,
    stopped: bool,
}

impl<'r> Parser<'r> {
    fn new(job: &'r Job, run: &'r mut Run) -> Self {
        Parser {
            run,
            job,
            chars: job.text.chars().collect(),
            offsets: match job.text.is_ascii() {
                true => Vec::new(),
                false => job.text.char_indices().map(|it| it.0).collect(),
            },
            at: 0,
            frames: Vec::new(),
            list: List::new(Close::Text, job.place),
            outer: Vec::new(),
            heredocs: Vec::new(),
            stopped: false,
        }
    }

    fn run(mut self) {
        self.frames.push(if self.job.body { Frame::Body } else { Frame::List });
        while !self.stopped && self.at < self.chars.len() {
            let before = (self.at, self.frames.len(), self.outer.len());
            self.step();
            if before == (self.at, self.frames.len(), self.outer.len()) && !self.stopped {
                // Nothing was taken: whatever stands here is not known.
                self.syntax("something else");
                self.at = self.at.saturating_add(1);
            }
        }
        self.end();
    }

    fn step(&mut self) {
        match self.frames.last() {
            Some(Frame::List) | None => self.in_list(),
            Some(Frame::Double) => self.in_double(),
            Some(Frame::Body) => self.in_body(),
            Some(Frame::Parameter { .. }) => self.in_parameter(),
            Some(Frame::Arithmetic { .. }) => self.in_arithmetic(),
            Some(Frame::Pattern { .. }) => self.in_pattern(),
        }
    }

    fn end(mut self) {
        if self.job.body {
            let word = self.list.take_body();
            for (command, redirect) in &self.job.targets {
                let commands = &mut self.run.script.commands;
                let found =
                    commands.get_mut(*command).and_then(|it| it.redirects.get_mut(*redirect));
                if let Some(redirect) = found {
                    redirect.target.pieces.clone_from(&word);
                }
            }
            if self.frames.len() > 1 {
                self.syntax("the end of a substitution in a here-document");
            }
            return;
        }
        if self.frames.len() > 1 && !self.stopped {
            self.syntax("the end of a quote or a substitution");
        }
        loop {
            self.finish_command();
            if self.list.is_open() && !self.stopped {
                self.syntax("the end of a compound command");
            }
            let Some(list) = self.outer.pop() else { break };
            self.list = list;
        }
        self.settle_heredocs();
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at.saturating_add(ahead)).copied()
    }

    /// Takes a line that goes on behind a backslash as one line.
    fn join_lines(&mut self) {
        while self.peek() == Some('\\') && self.peek_at(1) == Some('\n') {
            self.skip(2);
        }
    }

    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// Takes a character, if it comes next but for lines that go on.
    fn take(&mut self, wanted: char) -> bool {
        let before = self.at;
        self.join_lines();
        if self.peek() == Some(wanted) {
            self.skip(1);
            return true;
        }
        self.at = before;
        false
    }

    fn text(&self, from: usize, to: usize) -> String {
        self.chars.get(from..to.min(self.chars.len())).unwrap_or_default().iter().collect()
    }

    fn syntax(&mut self, expected: &'static str) {
        let at = self.offset(self.at);
        self.run.unclear(Unclear::Syntax { at, expected });
    }

    /// Where a character stands in the outermost text, in bytes.
    fn offset(&self, at: usize) -> usize {
        match &self.job.source {
            Some(source) => source.start,
            None if self.offsets.is_empty() => at,
            None => self.offsets.get(at).copied().unwrap_or(self.job.text.len()),
        }
    }

    /// The bytes between two characters, in the outermost text.
    fn source(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        match &self.job.source {
            Some(source) => source.clone(),
            None => self.offset(from)..self.offset(to),
        }
    }

    /// Opens something, unless it is too deep.
    fn push(&mut self, frame: Frame) -> bool {
        if self.depth() >= DEPTH_MAX {
            self.run.unclear(Unclear::Limit("nesting"));
            self.stopped = true;
            return false;
        }
        self.frames.push(frame);
        true
    }

    /// The pieces of the word so far, which wait until an expansion is over.
    fn set_aside(&mut self) -> Vec<Piece> {
        self.list.word.as_mut().map(|it| std::mem::take(&mut it.pieces)).unwrap_or_default()
    }

    /// Leaves an expansion: the word goes on with the pieces from before it.
    fn leave(&mut self) {
        if let Some(
            Frame::Parameter { before, .. }
            | Frame::Arithmetic { before, .. }
            | Frame::Pattern { before, .. },
        ) = self.frames.pop()
        {
            let at = self.at;
            self.list.word_at(at).pieces = before;
        }
    }

    fn depth(&self) -> usize {
        let compounds: usize = self.outer.iter().map(List::depth).sum();
        let here = self.list.depth().saturating_add(compounds);
        self.job.depth.saturating_add(self.frames.len()).saturating_add(here)
    }

    /// Opens the commands of a substitution.
    fn push_list(&mut self, close: Close, start: usize) {
        let inside = match self.list.is_at_program() {
            true => Inside::ProgramWord,
            false => Inside::Substitution,
        };
        let conditional = self.list.place().conditional;
        let shell = self.run.shell(self.list.stage.shell);
        let place = Place { inside, subshell: true, shell, conditional, ..Place::default() };
        if self.push(Frame::List) {
            let mut list = List::new(close, place);
            list.start = start;
            self.outer.push(std::mem::replace(&mut self.list, list));
        }
    }

    /// Closes the commands of a substitution: the list around them goes on.
    fn pop_list(&mut self) -> Option<List> {
        let outer = self.outer.pop()?;
        self.frames.pop();
        Some(std::mem::replace(&mut self.list, outer))
    }

    /// Adds to the word that is being read.
    fn piece(&mut self, piece: Piece) {
        let at = self.at;
        self.list.word_at(at).push(piece);
    }
}
