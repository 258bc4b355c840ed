//! Text to [`Script`]: a parser of bash that keeps its own stack, reads each byte a bounded number
//! of times, and never stops looking for commands.
//!
//! Each construct that is open is a [`Frame`] on one stack. A step takes the frame on top, reads a
//! token or a few characters, and leaves the stack as the text has it then. What a frame made goes
//! to the frame beneath. Where the text is wrong, that is noted and the reading goes on.

mod ansi;
mod array;
mod block;
mod brace;
mod compound;
mod cond;
mod draft;
mod finish;
mod flat;
mod frame;
mod heredoc;
mod keyword;
mod parameter;
mod pattern;
mod redirect;
mod simple;
mod skim;
mod source;
#[cfg(test)]
mod tests;
mod word;

use std::collections::BTreeSet;

use draft::{Draft, Function};
use frame::{Block, Frame, Kind};
use heredoc::Pending;
use source::Source;

use crate::{Place, Script, Unclear, Word};

/// The longest text that is parsed; what stands behind is searched for words alone.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;
/// How deep constructs may stand in each other; what stands deeper is searched for words alone.
pub const DEPTH_MAX: usize = 64;
/// How many commands a text may hold before it is past a limit. More are still found.
pub const COMMANDS_MAX: usize = 256;
/// How many different commands are kept of a text that holds more than [`COMMANDS_MAX`].
pub const COMMANDS_KEPT_MAX: usize = 8192;

/// How far the search behind the longest text goes back, so that no word is cut in two.
const OVERLAP_BYTES: usize = 1024;
/// How often redirections behind groups are given to the commands in them.
const COPIES_MAX: usize = 4096;

/// The simple commands of a text, and what could not be understood.
#[must_use]
pub fn parse(text: &str) -> Script {
    let mut parser = Parser::new(text);
    parser.controls();
    parser.run();
    finish::script(parser)
}

/// A parser in the middle of a text.
struct Parser<'t> {
    /// The whole text, for what has to be searched without parsing.
    text: &'t str,
    /// What is read now: the text, or what stands in backticks or a here-document of it.
    src: Source<'t>,
    stack: Vec<Frame<'t>>,
    /// How many frames of the stack are constructs that others can stand in.
    depth: usize,
    drafts: Vec<Draft>,
    /// What has been seen past the limit of commands, so that each is kept once.
    kept: BTreeSet<u64>,
    functions: Vec<Function>,
    /// For each subshell the number of the shell that it stands in.
    shells: Vec<u32>,
    /// Here-documents whose bodies begin at the next end of a line.
    pending: Vec<Pending>,
    /// The bodies that were read, by the number of their here-document.
    bodies: Vec<Word>,
    unclear: Vec<Unclear>,
    /// The number of the newest pipeline.
    pipelines: u32,
    /// How many bytes may still be read a second time, where `((` turned out to be two subshells.
    again: usize,
    /// How many characters of words may still be looked at for brace expansion.
    braces: usize,
    /// How many redirections of groups may still be given to commands in them.
    copies: usize,
    steps: usize,
    /// Whether the rest is searched for words alone.
    flat: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        let end = text.floor_char_boundary(TEXT_BYTES_MAX);
        let head = text.get(..end).unwrap_or_default();
        let mut parser = Parser {
            text,
            src: Source::of(head),
            stack: Vec::new(),
            depth: 0,
            drafts: Vec::new(),
            kept: BTreeSet::new(),
            functions: Vec::new(),
            shells: Vec::new(),
            pending: Vec::new(),
            bodies: Vec::new(),
            unclear: Vec::new(),
            pipelines: 0,
            again: TEXT_BYTES_MAX,
            braces: TEXT_BYTES_MAX,
            copies: COPIES_MAX,
            steps: 0,
            flat: false,
        };
        parser.push(Frame::Block(Box::new(Block::new(Kind::Top, Place::default(), 0))));
        parser
    }

    /// Notes each control character that no shell text needs.
    fn controls(&mut self) {
        let odd = |it: &u8| *it < 0x20 && *it != b'\t' && *it != b'\n';
        let found: BTreeSet<u8> = self.text.bytes().filter(odd).collect();
        self.unclear.extend(found.into_iter().map(|it| Unclear::Control(char::from(it))));
    }

    fn run(&mut self) {
        // Each step reads a byte, or opens or closes a frame that a byte opened, so that this bound
        // is never met; it stands here so that a mistake in a step is a question and no hang.
        let bound = self.text.len().min(TEXT_BYTES_MAX).saturating_add(16).saturating_mul(32);
        while let Some(frame) = self.pop() {
            self.steps = self.steps.saturating_add(1);
            if self.steps > bound {
                self.limit("steps");
                self.flatten();
                break;
            }
            self.step(frame);
        }
        if self.text.len() > TEXT_BYTES_MAX {
            self.limit("text");
            if !self.flat {
                flat::search(self, TEXT_BYTES_MAX.saturating_sub(OVERLAP_BYTES));
            }
        }
    }

    fn step(&mut self, frame: Frame<'t>) {
        match frame {
            Frame::Block(it) => self.block(it),
            Frame::Simple(it) => self.simple(it),
            Frame::Word(it) => self.word(it),
            Frame::Skim(it) => self.skim(it),
            Frame::Cond(it) => self.cond(it),
            Frame::Array(it) => self.array(it),
            Frame::Body(it) => self.body(it),
        }
    }

    fn push(&mut self, frame: Frame<'t>) {
        if frame.nests() {
            self.depth = self.depth.saturating_add(1);
        }
        self.stack.push(frame);
    }

    /// Opens a construct that stands in the one on top; past the limit the rest is searched flat.
    fn open(&mut self, frame: Frame<'t>) {
        self.push(frame);
        if self.depth > DEPTH_MAX.saturating_add(1) && !self.flat {
            self.limit("nesting");
            self.flatten();
        }
    }

    fn pop(&mut self) -> Option<Frame<'t>> {
        let frame = self.stack.pop()?;
        if frame.nests() {
            self.depth = self.depth.saturating_sub(1);
        }
        Some(frame)
    }

    /// Searches what is left for words alone, and lets what is open end here.
    fn flatten(&mut self) {
        self.flatten_from(self.src.pos);
    }

    /// The same from a place of the source on, where something begins that has no end.
    fn flatten_from(&mut self, at: usize) {
        if !self.flat {
            self.flat = true;
            let from = self.src.outer(at);
            flat::search(self, from);
            self.src.end();
        }
    }

    fn limit(&mut self, name: &'static str) {
        self.note(Unclear::Limit(name));
    }

    /// Notes that the text is wrong here. One note is enough: the first has the best place.
    fn wrong(&mut self, expected: &'static str) {
        let known = self.unclear.iter().any(|it| matches!(it, Unclear::Syntax { .. }));
        if !known && !self.flat {
            let at = self.src.outer(self.src.pos);
            self.unclear.push(Unclear::Syntax { at, expected });
        }
    }

    fn note(&mut self, what: Unclear) {
        if !self.unclear.contains(&what) {
            self.unclear.push(what);
        }
    }
}
