//! What earlier commands of a text leave behind for later ones: directories, variables, names.

use std::collections::{BTreeMap, BTreeSet};

use crate::path::Cwd;
use crate::programs::Move;
use crate::{Assignment, Command, Dynamic, Piece, Place, Word, World};

/// How many values of a variable are kept.
const VALUES_MAX: usize = 16;
/// How many variables are kept.
const VARIABLES_MAX: usize = 64;

/// What earlier commands leave behind.
#[derive(Debug)]
pub(super) struct State {
    /// Where the current command works.
    pub cwd: Cwd,
    /// Names that stand for something else than the program of that name.
    pub defined: BTreeSet<String>,
    /// Where each shell works that was left again.
    cwds: BTreeMap<u32, Cwd>,
    /// The shell that each shell was started by.
    parents: Vec<u32>,
    shell: u32,
    /// Values that variables may have.
    values: BTreeMap<String, Vec<String>>,
}

impl State {
    pub fn of(world: &World<'_>) -> State {
        State {
            cwd: Cwd::of(world),
            defined: BTreeSet::new(),
            cwds: BTreeMap::new(),
            parents: vec![0],
            shell: 0,
            values: BTreeMap::new(),
        }
    }

    /// Makes numbers of this text for the shells of a script, and gives them to its commands.
    pub fn number(&mut self, commands: &mut [Command], shells: &[u32], own: bool) {
        let first = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        let this = if own { first } else { self.shell };
        if own {
            self.parents.push(self.shell);
        }
        let base = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        let global = |it: u32| match it {
            0 => this,
            it => base.saturating_add(it).saturating_sub(1),
        };
        self.parents.extend(shells.iter().map(|it| global(*it)));
        for command in commands {
            // A member of a pipeline runs in a shell of its own that has no number.
            command.place.conditional |= command.place.subshell && command.place.shell == 0;
            command.place.shell = global(command.place.shell);
        }
    }

    /// Goes to the shell that a command runs in.
    pub fn place(&mut self, place: &Place) {
        if place.shell == self.shell {
            return;
        }
        self.cwds.insert(self.shell, self.cwd.clone());
        let mut from = place.shell;
        for _ in 0..self.parents.len() {
            if let Some(cwd) = self.cwds.get(&from) {
                self.cwd = cwd.clone();
                break;
            }
            from = self.parents.get(usize::try_from(from).unwrap_or(0)).copied().unwrap_or(0);
        }
        self.shell = place.shell;
    }

    /// Follows what a command does to the directory.
    pub fn go(&mut self, to: &Move, place: &Place) {
        match to {
            Move::To(word) => self.cwd.go(word.as_ref(), place.conditional),
            Move::Lost => self.cwd.lost = true,
        }
    }

    /// Keeps what assignments make of variables.
    pub fn assign(&mut self, list: &[Assignment], place: &Place) {
        for it in list.iter().filter(|it| !it.subscript) {
            self.set(&it.name, self.text(&it.value), place);
        }
    }

    /// The text of a value, the home directory in its place and patterns as they are.
    fn text(&self, value: &Word) -> Option<String> {
        let mut out = String::new();
        for (at, piece) in value.pieces.iter().enumerate() {
            match piece {
                Piece::Literal { text, .. } => out.push_str(text),
                Piece::Dynamic { what: Dynamic::Glob, text, .. } => out.push_str(text),
                Piece::Dynamic { what: Dynamic::Tilde, text, .. } if at == 0 && text == "~" => {
                    out.push_str(&self.cwd.home.shown());
                }
                Piece::Dynamic { what: Dynamic::Parameter { name, .. }, .. } if name == "HOME" => {
                    out.push_str(&self.cwd.home.shown());
                }
                Piece::Dynamic { .. } => return None,
            }
        }
        Some(out)
    }

    /// Keeps what a variable is set to.
    pub fn set(&mut self, name: &str, value: Option<String>, place: &Place) {
        if self.values.len() >= VARIABLES_MAX && !self.values.contains_key(name) {
            return;
        }
        let values = self.values.entry(name.to_owned()).or_default();
        if !place.conditional {
            values.clear();
        }
        if let Some(value) = value.filter(|it| values.len() < VALUES_MAX && !values.contains(it)) {
            values.push(value);
        }
    }

    /// The words of a command with its variables known, once for each value that they may have.
    ///
    /// Behind as many words as may still be read, one more is enough to tell that there are more.
    pub fn shadows(&self, command: &Command, words: usize) -> Vec<Vec<Word>> {
        let known = |it: &Piece| self.known(it).map_or(0, <[String]>::len);
        let pieces = || command.words.iter().flat_map(|it| it.pieces.iter());
        let count = pieces().map(known).max().unwrap_or_default();
        let fits = words.checked_div(command.words.len()).unwrap_or_default();
        let count = count.min(fits.saturating_add(1));
        let shadow = |number| command.words.iter().flat_map(|it| self.filled(it, number)).collect();
        (0..count).map(shadow).collect()
    }

    fn known(&self, piece: &Piece) -> Option<&[String]> {
        match piece {
            Piece::Dynamic { what: Dynamic::Parameter { name, plain: true }, .. } => {
                self.values.get(name).map(Vec::as_slice)
            }
            _ => None,
        }
    }

    /// A word with its variables known: several words, where a value holds spaces.
    fn filled(&self, word: &Word, number: usize) -> Vec<Word> {
        let mut out = vec![Word { pieces: Vec::new(), source: word.source.clone() }];
        for piece in &word.pieces {
            let values = self.known(piece).unwrap_or_default();
            let value = values.get(number).or(values.last());
            let spread = match piece {
                Piece::Dynamic { quoted: true, what: Dynamic::Parameter { name, .. }, .. } => {
                    name == "@"
                }
                Piece::Dynamic { quoted, .. } => !quoted,
                Piece::Literal { .. } => false,
            };
            let parts: Vec<&str> = match value {
                Some(value) if spread => value.split_whitespace().collect(),
                Some(value) => vec![value.as_str()],
                None => {
                    push(&mut out, piece.clone());
                    continue;
                }
            };
            for (at, part) in parts.into_iter().enumerate() {
                if at > 0 {
                    out.push(Word { pieces: Vec::new(), source: word.source.clone() });
                }
                push(&mut out, Piece::Literal { text: part.to_owned(), quoted: !spread });
            }
        }
        out.retain(|it| !it.pieces.is_empty());
        out
    }
}

fn push(words: &mut [Word], piece: Piece) {
    if let Some(word) = words.last_mut() {
        word.pieces.push(piece);
    }
}
