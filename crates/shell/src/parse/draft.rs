//! Commands before they are complete: what stands behind them may still change them.

use std::ops::Range;

use super::{COMMANDS_MAX, Parser};
use crate::{Assignment, Place, Redirect, RedirectKind, Word};

/// A simple command, before it is complete.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// What stands in front of the program.
    pub assignments: Vec<Assignment>,
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// Its redirections.
    pub redirects: Vec<Redir>,
    /// Where it stands.
    pub place: Place,
    /// The bytes that it takes in the outermost text.
    pub source: Range<usize>,
    /// The number of its pipeline.
    pub pipeline: u32,
}

/// A redirection whose here-document may not have been read.
#[derive(Clone, Debug)]
pub struct Redir {
    /// What it does.
    pub what: RedirectKind,
    /// The file, the descriptor or the text.
    pub target: Word,
    /// The number of the here-document that is its target.
    pub body: Option<usize>,
}

impl Redir {
    /// The redirection, its here-document among those that were read.
    pub fn complete(self, bodies: &[Word]) -> Redirect {
        let body = self.body.and_then(|it| bodies.get(it)).cloned();
        Redirect { what: self.what, target: body.unwrap_or(self.target) }
    }
}

/// A function that a text defines.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name; none where it is known only when the text runs.
    pub name: Option<String>,
    /// The drafts of its body.
    pub drafts: Range<usize>,
    /// Where its definition ends in the outermost text.
    pub end: usize,
}

impl Parser<'_> {
    /// Keeps a draft; past the limit of commands no more is read.
    pub fn keep(&mut self, mut draft: Draft) {
        if self.drafts.len() >= COMMANDS_MAX {
            if !self.cut {
                self.limit("commands");
                self.cut();
            }
            return;
        }
        draft.words.shrink_to_fit();
        self.drafts.push(draft);
    }

    /// The drafts from one on.
    pub fn drafts_from(&mut self, from: usize) -> impl Iterator<Item = &mut Draft> {
        self.drafts.iter_mut().skip(from)
    }
}
