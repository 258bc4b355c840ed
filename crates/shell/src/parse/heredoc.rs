//! Here-documents: their delimiters, and the lines between them.

use super::list::List;
use super::word::Building;
use super::{Job, Parser};
use crate::{Inside, Piece, Place, Redirect, RedirectKind, Word};

/// How many here-documents a text may hold.
const HEREDOCS_MAX: usize = 256;

/// A here-document of which the redirection was read.
#[derive(Debug)]
pub struct Pending {
    delimiter: String,
    strips: bool,
    /// Whether some of the delimiter was quoted, so that the body is data.
    quoted: bool,
    body: Option<String>,
    source: std::ops::Range<usize>,
    /// The redirections whose target it is: a command, and the place among its redirections.
    pub targets: Vec<(usize, usize)>,
    place: Place,
}

impl Parser<'_> {
    pub fn heredoc(&mut self, strips: bool, word: &Building) {
        if self.heredocs.len() >= HEREDOCS_MAX {
            return self.run.unclear(crate::Unclear::Limit("here-documents"));
        }
        let delimiter = word.pieces.iter().map(Piece::shown).collect();
        let source = self.source(word.start, self.at);
        let id = self.heredocs.len();
        let target = Word { pieces: Vec::new(), source: source.clone() };
        let closed = self.list.closed.clone();
        let redirect = Redirect { what: RedirectKind::Heredoc, target };
        let mut targets = Vec::new();
        match (self.add_redirect(redirect), closed) {
            (Some(place), _) => self.list.heredocs.push((id, place)),
            (None, Some(range)) => {
                let commands = self.run.script.commands.get(range.clone()).unwrap_or_default();
                let last = commands.iter().map(|it| it.redirects.len().saturating_sub(1));
                targets = range.zip(last).collect();
            }
            (None, None) => {}
        }
        let place =
            Place { inside: Inside::Substitution, subshell: true, ..List::place(&self.list) };
        let quoted = word.quoted;
        let pending = Pending { delimiter, strips, quoted, body: None, source, targets, place };
        self.heredocs.push(pending);
    }

    /// Behind the end of a line stand the bodies of the here-documents that it began.
    pub fn read_heredocs(&mut self) {
        let first = self.heredocs.iter().position(|it| it.body.is_none());
        for id in first.unwrap_or(self.heredocs.len())..self.heredocs.len() {
            let mut body = String::new();
            while self.at < self.chars.len() {
                let line = self.line();
                let Some(pending) = self.heredocs.get(id) else { return };
                let line = if pending.strips { line.trim_start_matches('\t') } else { &line };
                if line.strip_suffix('\n').unwrap_or(line) == pending.delimiter {
                    break;
                }
                body.push_str(line);
            }
            if let Some(pending) = self.heredocs.get_mut(id) {
                pending.body = Some(body);
            }
        }
    }

    fn line(&mut self) -> String {
        let from = self.at;
        while self.peek().is_some_and(|it| it != '\n') {
            self.skip(1);
        }
        self.skip(1);
        self.text(from, self.at)
    }

    /// Hands the bodies to their redirections; what expands in one is parsed as a text of its own.
    pub fn settle_heredocs(&mut self) {
        for pending in std::mem::take(&mut self.heredocs) {
            let Pending { quoted, body, source, targets, place, .. } = pending;
            let text = body.unwrap_or_default();
            let depth = self.job.depth.saturating_add(1);
            if !quoted && text.contains(['$', '`', '\\']) {
                if depth >= super::DEPTH_MAX {
                    return self.run.unclear(crate::Unclear::Limit("nesting"));
                }
                let source = self.job.source.clone().unwrap_or(source);
                let job = Job { text, body: true, place, depth, source: Some(source), targets };
                self.run.jobs.push_back(job);
                continue;
            }
            for (command, redirect) in targets {
                let commands = &mut self.run.script.commands;
                let found = commands.get_mut(command).and_then(|it| it.redirects.get_mut(redirect));
                if let Some(redirect) = found {
                    redirect.target.pieces = vec![Piece::Literal { text: text.clone(), quoted }];
                }
            }
        }
    }
}
