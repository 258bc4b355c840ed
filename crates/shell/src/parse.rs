//! Text to [`Script`]: a parser of bash that keeps its own stack and reads each byte a bounded
//! number of times.
//!
//! Each construct that is open is a [`Frame`] on one stack. A step takes the frame on top, reads a
//! token or a few characters, and leaves the stack as the text has it then. What a frame made goes
//! to the frame beneath. Where the text is wrong, that is noted and the reading goes on. Past a
//! limit the reading ends; what is forbidden is then searched for in the words of the text.

mod ansi;
mod array;
mod block;
mod brace;
mod compound;
mod cond;
mod draft;
mod finish;
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

pub(crate) use ansi::decoded;
use draft::{Draft, Function};
use frame::{Block, Frame, Kind};
use heredoc::Pending;
use source::Source;

use crate::{Place, Script, Unclear, Word};

/// The longest text that is parsed; what stands behind is searched for words alone.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;
/// How deep constructs may stand in each other; what stands deeper is searched for words alone.
pub const DEPTH_MAX: usize = 64;
/// How many commands of a text are kept; what stands behind is searched for words alone.
pub const COMMANDS_MAX: usize = 256;
/// How many words of commands are kept; what stands behind is searched for words alone.
pub const PARSED_WORDS_MAX: usize = 2048;

/// How many words a redirection counts for, which costs more to judge.
const REDIRECT_WORDS: usize = 4;
/// How many steps a text may take, so that nothing in it costs much which is no word.
const STEPS_MAX: usize = 16 * 1024;
/// How many pieces a word may have.
const PIECES_MAX: usize = 1024;
/// How often redirections behind groups are given to the commands in them.
const COPIES_MAX: usize = 1024;
/// How many characters of words are looked at for brace expansion.
const BRACES_MAX: usize = 16 * 1024;

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
    /// The whole text.
    text: &'t str,
    /// What is read now: the text, or what stands in backticks or a here-document of it.
    src: Source<'t>,
    stack: Vec<Frame<'t>>,
    /// How many frames of the stack are constructs that others can stand in.
    depth: usize,
    drafts: Vec<Draft>,
    functions: Vec<Function>,
    /// For each subshell the number of the shell that it stands in.
    shells: Vec<u32>,
    /// Here-documents whose bodies begin at the next end of a line.
    pending: Vec<Pending>,
    /// The bodies that were read, by the number of their here-document.
    bodies: Vec<Word>,
    unclear: Vec<Unclear>,
    /// The number of the newest pipe.
    pipes: u32,
    /// The number of the newest pipeline.
    pipelines: u32,
    /// How many bytes may still be read a second time, where `((` turned out to be two subshells.
    again: usize,
    /// How many characters of words may still be looked at for brace expansion.
    braces: usize,
    /// How many redirections of groups may still be given to commands in them.
    copies: usize,
    steps: usize,
    /// How many words were kept.
    words: usize,
    /// Whether the reading ended at a limit.
    cut: bool,
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
            functions: Vec::new(),
            shells: Vec::new(),
            pending: Vec::new(),
            bodies: Vec::new(),
            unclear: Vec::new(),
            pipes: 0,
            pipelines: 0,
            again: TEXT_BYTES_MAX,
            braces: BRACES_MAX,
            copies: COPIES_MAX,
            steps: 0,
            words: 0,
            cut: false,
        };
        parser.push(Frame::Block(Box::new(Block::new(Kind::Top, Place::default(), 0))));
        parser
    }

    /// Notes each control character that no shell text needs.
    fn controls(&mut self) {
        let odd = |it: &u8| *it < 0x20 && *it != b'\t' && *it != b'\n';
        // One bit for each of the 32 that there are.
        let found = self.text.bytes().filter(odd).fold(0_u32, |out, it| out | (1 << (it & 0x1F)));
        let each = (0_u8..0x20).filter(|it| found & (1 << it) != 0);
        self.unclear.extend(each.map(|it| Unclear::Control(char::from(it))));
    }

    fn run(&mut self) {
        while let Some(frame) = self.pop() {
            self.steps = self.steps.saturating_add(1);
            if self.steps > STEPS_MAX {
                self.limit("steps");
                self.cut();
            }
            // What is open ends in far fewer steps; a mistake in a step is a question and no hang.
            if self.steps > STEPS_MAX.saturating_mul(2) {
                break;
            }
            self.step(frame);
        }
        if self.text.len() > TEXT_BYTES_MAX {
            self.limit("text");
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

    /// Opens a construct that stands in the one on top.
    fn open(&mut self, frame: Frame<'t>) {
        self.push(frame);
        if self.depth > DEPTH_MAX.saturating_add(1) && !self.cut {
            self.limit("nesting");
            self.cut();
        }
    }

    fn pop(&mut self) -> Option<Frame<'t>> {
        let frame = self.stack.pop()?;
        if frame.nests() {
            self.depth = self.depth.saturating_sub(1);
        }
        Some(frame)
    }

    /// Reads no more, and lets what is open end here.
    fn cut(&mut self) {
        self.cut = true;
        self.src.end();
    }

    /// Counts words that are kept.
    fn count(&mut self, words: usize) {
        self.words = self.words.saturating_add(words);
        if self.words > PARSED_WORDS_MAX && !self.cut {
            self.limit("words");
            self.cut();
        }
    }

    fn limit(&mut self, name: &'static str) {
        self.note(Unclear::Limit(name));
    }

    /// Notes that the text is wrong here. One note is enough: the first has the best place.
    fn wrong(&mut self, expected: &'static str) {
        let known = self.unclear.iter().any(|it| matches!(it, Unclear::Syntax { .. }));
        if !known && !self.cut {
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
