//! What reading a text of either shell leaves, before wrappers and payloads are looked through.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{cmd, names, powershell};
use crate::{COMMANDS_MAX, Dynamic, PARSED_WORDS_MAX, Piece, Unclear, Word};

/// How many commands of a text are looked at; those behind the limit for their programs alone.
const COMMANDS_SEEN_MAX: usize = 2 * COMMANDS_MAX;
/// How many constructs of a text are read.
const STEPS_MAX: usize = 4 * 1024;
/// How many texts that stand inside of others are kept.
const INNER_MAX: usize = 256;
/// How many pieces a word may have.
const PIECES_MAX: usize = 256;

/// Whose text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    PowerShell,
    Cmd,
    /// What `bash -c` and `wsl` are given.
    Bash,
}

impl Language {
    /// The commands of a text.
    pub(super) fn scan(self, text: &str) -> Scan {
        match self {
            Language::PowerShell => powershell::scan(text),
            Language::Cmd => cmd::scan(text),
            Language::Bash => bash(text),
        }
    }

    /// The program that a word names.
    pub(super) fn program(self, word: &str) -> String {
        match self {
            Language::PowerShell => names::resolve(word),
            Language::Cmd => names::resolve_cmd(word),
            Language::Bash => word.rsplit('/').next().unwrap_or(word).to_owned(),
        }
    }
}

/// What was seen in a text.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) commands: Vec<Seen>,
    pub(super) unclear: Vec<Unclear>,
    /// Texts of the same shell that stand inside of others, to be read by themselves.
    pub(super) inner: Vec<String>,
    /// How many words, commands and constructs were read.
    words: usize,
    seen: usize,
    steps: usize,
    /// The programs that were seen once there were too many commands.
    late: BTreeSet<String>,
}

/// A command that was seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) words: Vec<Word>,
    pub(super) source: Range<usize>,
}

impl Scan {
    /// Adds a command. Past a bound only programs that were not seen yet are kept.
    pub(super) fn command(&mut self, words: Vec<Word>) {
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        let source = first.source.start..last.source.end;
        self.seen = self.seen.saturating_add(1);
        if self.commands.len() > COMMANDS_MAX {
            let is_new = self.late.insert(first.shown());
            if !is_new {
                return self.note(Unclear::Limit("commands"));
            }
        }
        self.commands.push(Seen { words, source });
    }

    /// Adds a word to those of a command.
    pub(super) fn word(&mut self, words: &mut Vec<Word>, word: Word) {
        if word.pieces.len() >= PIECES_MAX {
            self.note(Unclear::Limit("pieces"));
        }
        self.words = self.words.saturating_add(1);
        words.push(word);
    }

    /// Whether the reading ends here; what stands behind is searched for what is denied.
    pub(super) fn is_cut(&mut self) -> bool {
        let past = |count: usize, most: usize| count > most;
        let limit = if past(self.words, PARSED_WORDS_MAX) {
            "words"
        } else if past(self.seen, COMMANDS_SEEN_MAX) {
            "commands"
        } else if past(self.steps, STEPS_MAX) {
            "steps"
        } else {
            return false;
        };
        self.note(Unclear::Limit(limit));
        true
    }

    /// Adds a text that stands inside of another.
    pub(super) fn inside(&mut self, text: String) {
        if self.inner.len() < INNER_MAX {
            self.inner.push(text);
        } else {
            self.note(Unclear::Limit("payloads"));
        }
    }

    /// Notes a construct that goes beyond plain words.
    pub(super) fn construct(&mut self, name: &'static str) {
        self.steps = self.steps.saturating_add(1);
        self.note(Unclear::Construct(name));
    }

    pub(super) fn note(&mut self, unclear: Unclear) {
        // A limit is told however much else is.
        let fits = self.unclear.len() < 16 || matches!(unclear, Unclear::Limit(_));
        if fits && !self.unclear.contains(&unclear) {
            self.unclear.push(unclear);
        }
    }
}

/// A word that stands for itself.
pub(super) fn literal(text: &str, source: Range<usize>) -> Word {
    Word { pieces: vec![Piece::Literal { text: text.to_owned(), quoted: false }], source }
}

/// A word, while it is read.
#[derive(Debug, Default)]
pub(super) struct Building {
    pieces: Vec<Piece>,
    start: usize,
    /// Whether its first character was quoted.
    pub(super) quoted: bool,
}

impl Building {
    pub(super) fn new(start: usize, quoted: bool) -> Self {
        Building { pieces: Vec::new(), start, quoted }
    }

    /// Adds a character that stands for itself.
    pub(super) fn push(&mut self, it: char, is_quoted: bool) {
        let is_full = self.pieces.len() >= PIECES_MAX;
        match self.pieces.last_mut() {
            Some(Piece::Literal { text, quoted }) if *quoted == is_quoted => text.push(it),
            _ if !is_full => {
                self.pieces.push(Piece::Literal { text: it.to_string(), quoted: is_quoted });
            }
            _ => {}
        }
    }

    /// Adds what is known only when the text runs.
    pub(super) fn dynamic(&mut self, text: &str, name: &str, quoted: bool) {
        if self.pieces.len() >= PIECES_MAX {
            return;
        }
        let what = Dynamic::Parameter { name: name.to_owned(), plain: true };
        self.pieces.push(Piece::Dynamic { what, quoted, text: text.to_owned() });
    }

    /// Whether nothing but what is known only when the text runs stands in it.
    pub(super) fn starts_dynamic(&self) -> bool {
        matches!(self.pieces.first(), Some(Piece::Dynamic { .. }))
    }

    /// The literal text so far, if nothing of it is dynamic or quoted.
    pub(super) fn bare(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Literal { text, quoted: false }] => Some(text),
            _ => None,
        }
    }

    pub(super) fn finish(mut self, end: usize) -> Word {
        // Most words have one piece, and a hostile text has many words.
        self.pieces.shrink_to_fit();
        Word { pieces: self.pieces, source: self.start..end }
    }
}

/// The start of a text, of so many bytes at most.
pub(super) fn head(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|it| text.is_char_boundary(*it));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

fn bash(text: &str) -> Scan {
    let script = crate::parse(text);
    let seen = |it: crate::Command| Seen { words: it.words, source: it.source };
    Scan {
        commands: script.commands.into_iter().map(seen).collect(),
        unclear: script.unclear,
        ..Scan::default()
    }
}
