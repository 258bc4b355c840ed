//! What an analysis says of a text: one segment for each command that can run, wrappers looked
//! through.

use std::ops::Range;

use crate::path::{Cwd, Path};
use crate::reading::Reading;
use crate::{Unclear, Word};

/// A text, analysed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// Every command that can run, in the order in which they stand; what a wrapper or a payload
    /// runs follows it.
    pub segments: Vec<Segment>,
    /// What could not be understood.
    pub unclear: Vec<Unclear>,
    /// The catastrophic shapes that it holds, in words.
    pub catastrophes: Vec<String>,
    /// The text, for what is searched where it could not be understood.
    pub(crate) text: String,
    /// The texts of payloads that could not be understood and are not part of the text.
    pub(crate) hidden: Vec<String>,
}

impl Analysis {
    /// What is searched where something could not be understood.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.text.as_str()).chain(self.hidden.iter().map(String::as_str))
    }
}

/// One command that can run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Segment {
    /// The program and its arguments, as the shell would hand them over.
    pub argv: Vec<Word>,
    /// The program's name: the last part of its path; none where it is known only when it runs.
    pub program: Option<String>,
    /// Whether the program is named by a path that is not trusted, so that it is known by its
    /// path alone.
    pub by_path: bool,
    /// The files that redirections feed it.
    pub reads: Vec<Word>,
    /// What it would do beyond running the program.
    pub effects: Vec<Effect>,
    /// The segment of the wrapper that runs this one, by its place in the list.
    pub wrapper: Option<usize>,
    /// Whether this is a wrapper that changes nothing for what it runs, so that it needs no rule
    /// of its own where what it runs is covered.
    pub transparent: bool,
    /// The bytes of the command in the text.
    pub source: Range<usize>,
    /// Its words behind the program, read.
    pub(crate) reading: Reading,
    /// Which operand of its wrapper is the program of this one.
    pub(crate) operand: Option<usize>,
    /// Whether it is its wrapper once more, with variables known that earlier commands set.
    pub shadow: bool,
}

/// What a command would do beyond running its program. Each asks for a person unless a rule names
/// it or a root covers it.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// What sort it is.
    pub kind: EffectKind,
    /// What it is about, as written: a file, an option, a name.
    pub subject: String,
    /// The same as a sentence.
    pub message: String,
    /// The file that it writes, resolved, where that is known.
    pub path: Option<String>,
    /// What a rule must name to cover it.
    pub(crate) named: Named,
    /// Every file that it may write; empty where that is not known.
    pub(crate) places: Vec<Path>,
}

/// What a rule must name to cover an effect.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Named {
    /// No rule covers it.
    #[default]
    Never,
    /// The option, by the name that reports use and as written.
    Option(String, String),
    /// So many words, the program among them.
    Words(usize),
}

/// The sorts of effects. Their names are those of `lawbook shell`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EffectKind {
    /// Writes a file; the path is resolved against the working directory where that is known.
    Writes,
    /// Runs code that the program takes from an option, a script or its input.
    Executes,
    /// Sets a variable that changes what programs do.
    Environment,
    /// Reaches the network through the shell itself (`/dev/tcp`).
    Network,
    /// Works in a directory outside of the workspace, or one that is not known.
    Elsewhere,
    /// Can't be told: its program, an argument that matters or its name's meaning is known only
    /// when it runs.
    Unknown,
}

impl Effect {
    /// An effect that no rule covers.
    pub(crate) fn new(kind: EffectKind, subject: impl Into<String>, message: String) -> Effect {
        let (path, named, places) = (None, Named::Never, Vec::new());
        Effect { kind, subject: subject.into(), message, path, named, places }
    }

    /// The same effect, which a rule covers that names something.
    pub(crate) fn named(self, named: Named) -> Effect {
        Effect { named, ..self }
    }

    /// A change to files that are there and that a word names, perhaps with a pattern: what it
    /// stands for lies where the pattern does.
    pub(crate) fn changes(target: &Word, cwd: &Cwd) -> Option<Effect> {
        let (places, lost) = cwd.resolve(target);
        let mut effect = Effect::writes(target, cwd)?;
        if crate::wild::is_live(target) && !lost && !crate::wild::may_leave(target) {
            effect.path = places.first().map(Path::shown);
            effect.message = format!("writes `{}`", target.shown());
            effect.places = places;
        }
        Some(effect)
    }

    /// A write to a file that a word names; none where that changes nothing that stays.
    pub(crate) fn writes(target: &Word, cwd: &Cwd) -> Option<Effect> {
        let shown = target.shown();
        if target.literal().as_deref().is_some_and(crate::path::is_neutral) {
            return None;
        }
        let (places, lost) = cwd.resolve(target);
        let lost = lost || crate::wild::is_live(target);
        let path = if lost { None } else { places.first().map(Path::shown) };
        let message = match &path {
            Some(path) => format!("writes `{path}`"),
            None => format!("writes `{shown}`, and where that is can't be told"),
        };
        let places = if lost { Vec::new() } else { places };
        Some(Effect { path, places, ..Effect::new(EffectKind::Writes, shown, message) })
    }
}

impl EffectKind {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EffectKind::Writes => "writes",
            EffectKind::Executes => "executes",
            EffectKind::Environment => "environment",
            EffectKind::Network => "network",
            EffectKind::Elsewhere => "elsewhere",
            EffectKind::Unknown => "unknown",
        }
    }
}
