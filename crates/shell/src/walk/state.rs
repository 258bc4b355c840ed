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
    /// Variables that have no other values, and the shell that set them.
    sure: BTreeMap<String, u32>,
    /// How many commands of the text assign each variable.
    assigned: BTreeMap<String, usize>,
    /// Whether the text may set variables in ways that are not followed.
    unsure: bool,
}

/// What a text holds that sets variables in ways that are not followed.
const SETTING: &[&str] = &[
    "read", "mapfile", "getopts", "printf", "let", "wait", "eval", "source", ". ", "declare",
    "typeset", "local", "unset", "shift", "((", "$[", ":=", "+=", "${!", "coproc", "select",
];

impl State {
    pub fn of(world: &World<'_>) -> State {
        State {
            cwd: Cwd::of(world),
            defined: BTreeSet::new(),
            cwds: BTreeMap::new(),
            parents: vec![0],
            shell: 0,
            values: BTreeMap::new(),
            sure: BTreeMap::new(),
            assigned: BTreeMap::new(),
            unsure: false,
        }
    }

    /// Looks at a script before its commands run: what it may do to variables.
    pub fn foresee(&mut self, text: &str, commands: &[Command]) {
        // Most words assign nothing.
        let assigns = |it: &&Word| match it.pieces.first() {
            Some(Piece::Literal { text, .. }) => text.contains('='),
            _ => false,
        };
        for command in commands {
            let words = command.words.iter().filter(assigns).map(Word::literal_start);
            let words = words.filter_map(|it| it.split_once('=').map(|it| it.0.to_owned()));
            let assigned = command.assignments.iter().map(|it| it.name.clone());
            let names: BTreeSet<String> = assigned.chain(words).collect();
            for name in names {
                let count = self.assigned.entry(name).or_default();
                *count = count.saturating_add(1);
            }
        }
        // What is set in passing matters only where something is set.
        self.unsure |= !self.assigned.is_empty() && SETTING.iter().any(|it| text.contains(it));
    }

    /// Whether all that is known of a command later is known already: its variables have the values
    /// that are kept, and no others.
    pub fn is_told(&self, command: &Command) -> bool {
        let once = |name: &str| self.assigned.get(name).is_some_and(|it| *it == 1);
        let pieces = command.words.iter().flat_map(|it| it.pieces.iter());
        !self.unsure
            && pieces.into_iter().all(|it| match it {
                Piece::Literal { .. } => true,
                Piece::Dynamic { what: Dynamic::Parameter { name, plain: true }, .. } => {
                    self.sure.get(name) == Some(&self.shell) && once(name)
                }
                Piece::Dynamic { what, .. } => matches!(what, Dynamic::Tilde | Dynamic::Glob),
            })
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
        let mut before: Option<&str> = None;
        for it in list.iter().filter(|it| !it.subscript) {
            // A loop gives one variable several values.
            let again = before == Some(it.name.as_str());
            let place = Place { conditional: place.conditional || again, ..*place };
            self.set(&it.name, self.text(&it.value), &place);
            before = Some(&it.name);
        }
    }

    /// The text of a value, the home directory in its place and patterns as they are.
    fn text(&self, value: &Word) -> Option<String> {
        let mut out = String::new();
        for (at, piece) in value.pieces.iter().enumerate() {
            match piece {
                Piece::Literal { text, quoted: false }
                    if at == 0 && (text == "~" || text.starts_with("~/")) =>
                {
                    out.push_str(&self.cwd.home.shown());
                    out.push_str(text.get(1..).unwrap_or_default());
                }
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
        let full = self.values.get(name).is_some_and(|it| it.len() >= VALUES_MAX);
        if value.is_none() || full || place.background {
            self.sure.remove(name);
        } else if !place.conditional {
            self.sure.insert(name.to_owned(), self.shell);
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
            // A home directory that is not known stays what it is.
            if let Some(rest) = value.and_then(|it| it.strip_prefix('~'))
                && (rest.is_empty() || rest.starts_with('/'))
            {
                let text = "~".to_owned();
                push(&mut out, Piece::Dynamic { what: Dynamic::Tilde, quoted: false, text });
                push(&mut out, Piece::Literal { text: rest.to_owned(), quoted: true });
                continue;
            }
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
