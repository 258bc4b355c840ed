//! What an analysis says of a text: one segment for each command that can run, wrappers looked
//! through.

use std::ops::Range;

use crate::{Unclear, Word, World};

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
    /// What it would do beyond running the program.
    pub effects: Vec<Effect>,
    /// The segment of the wrapper that runs this one, by its place in the list.
    pub wrapper: Option<usize>,
    /// Whether this is a wrapper that changes nothing for what it runs, so that it needs no rule
    /// of its own where what it runs is covered.
    pub transparent: bool,
    /// The bytes of the command in the text.
    pub source: Range<usize>,
}

/// What a command would do beyond running its program. Each asks for a person unless a rule names
/// it or a root covers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What sort it is.
    pub kind: EffectKind,
    /// What it is about, as written: a file, an option, a name.
    pub subject: String,
    /// The same as a sentence.
    pub message: String,
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

/// Reads a text as the programs that it can reach and what they would do.
#[must_use]
pub fn analyse(_text: &str, _world: &World<'_>) -> Analysis {
    Analysis { unclear: vec![Unclear::Construct("text")], ..Analysis::default() }
}
