//! Compound commands: the words that open, divide and close them.

use super::list::Stage;
use super::word::{Building, is_name};
use super::{Function, Parser};
use crate::{Piece, Word};

/// A compound command that is open.
#[derive(Debug)]
pub struct Compound {
    pub kind: Kind,
    pub phase: Phase,
    /// How its list hung together around it.
    stage: Stage,
    /// The first command in it.
    start: usize,
    /// The function whose body it is.
    pub function: Option<String>,
    /// Whether what is read now may not run.
    pub conditional: bool,
    /// Whether a command stands in the part that is read now.
    pub filled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    If,
    Loop,
    For,
    Case,
    Brace,
    Paren,
}

/// The part of a compound command that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Commands that decide.
    Condition,
    /// Commands.
    Body,
    /// The last part of a condition.
    Otherwise,
    /// `for NAME`.
    ForName,
    /// `for NAME in`, or `do`.
    ForIn,
    /// The words of a loop.
    ForWords,
    /// `do`, behind the words.
    ForDo,
    /// `case WORD`.
    Subject,
    /// `case WORD in`.
    CaseIn,
    /// A pattern, or the end.
    Pattern,
    /// Behind a pattern.
    Patterns,
}

impl Phase {
    pub fn holds_commands(self) -> bool {
        matches!(self, Phase::Condition | Phase::Body | Phase::Otherwise)
    }
}

impl Compound {
    pub fn subshell(&self) -> bool {
        self.kind == Kind::Paren
    }
}

impl Parser<'_> {
    pub fn open(&mut self, kind: Kind, phase: Phase) {
        if self.depth() >= super::DEPTH_MAX {
            self.run.unclear(crate::Unclear::Limit("nesting"));
            self.stopped = true;
            return;
        }
        let start = self.run.script.commands.len();
        let stage = self.list.stage;
        let shell = match kind {
            Kind::Paren => self.run.shell(stage.shell),
            _ => stage.shell,
        };
        self.list.span = None;
        let inner = Stage { base_fed: stage.fed, base_shell: shell, ..stage };
        self.list.stage = inner.next(start);
        let function = self.list.function.take();
        let compound =
            Compound { kind, phase, stage, start, function, conditional: false, filled: false };
        self.list.compounds.push(compound);
    }

    /// Closes the innermost compound command, if it is of this kind and may end here.
    pub fn close(&mut self, kind: Kind, may: fn(&Compound) -> bool, expected: &'static str) {
        let fits = self.list.compounds.last().is_some_and(|it| it.kind == kind && may(it));
        if !fits || self.list.stage.waits {
            self.syntax(expected);
        }
        if self.list.compounds.last().is_none_or(|it| it.kind != kind) {
            return;
        }
        let Some(compound) = self.list.compounds.pop() else { return };
        let commands = compound.start..self.run.script.commands.len();
        if let Some(name) = compound.function {
            self.run.functions.push(Function { name, commands: commands.clone() });
        }
        self.list.stage = compound.stage;
        self.list.stage.waits = false;
        self.list.closed = Some(commands);
    }

    fn phase(&mut self, kind: Kind, from: &[Phase], to: Phase, expected: &'static str) {
        let waits = self.list.stage.waits;
        let first = self.run.script.commands.len();
        match self.list.compounds.last_mut() {
            Some(it) if it.kind == kind && from.contains(&it.phase) && !waits => {
                if it.phase.holds_commands() && !it.filled {
                    return self.syntax("a command");
                }
                it.phase = to;
                it.filled = false;
                it.conditional = it.conditional || kind == Kind::If || to == Phase::Body;
                self.list.stage = self.list.stage.next(first);
            }
            _ => self.syntax(expected),
        }
    }

    /// Takes a reserved word where a command may begin.
    pub fn keyword(&mut self, word: &str) -> bool {
        match word {
            "if" => self.open(Kind::If, Phase::Condition),
            "then" => self.phase(Kind::If, &[Phase::Condition], Phase::Body, "`if` before `then`"),
            "elif" => {
                self.phase(Kind::If, &[Phase::Body], Phase::Condition, "`then` before `elif`")
            }
            "else" => {
                self.phase(Kind::If, &[Phase::Body], Phase::Otherwise, "`then` before `else`")
            }
            "while" | "until" => self.open(Kind::Loop, Phase::Condition),
            "for" | "select" => self.open(Kind::For, Phase::ForName),
            "do" => self.phase(Kind::Loop, &[Phase::Condition], Phase::Body, "a loop before `do`"),
            "case" => self.open(Kind::Case, Phase::Subject),
            "{" => self.open(Kind::Brace, Phase::Body),
            "!" => self.list.stage.negated = !self.list.stage.negated,
            "time" => self.list.timed = true,
            "function" => self.list.names_function = true,
            "coproc" => {
                self.list.coproc = true;
                self.list.stage.shell = self.run.shell(self.list.stage.base_shell);
            }
            "[[" => {
                self.list.test = true;
                return false;
            }
            "fi" | "done" | "esac" | "}" => return self.closes(word),
            _ => return false,
        }
        if !matches!(word, "!" | "time" | "coproc" | "function") {
            self.list.coproc = false;
        }
        true
    }

    /// Takes a word that closes a compound command.
    pub fn closes(&mut self, word: &str) -> bool {
        // What has just ended is a command of the compound command around it.
        if self.list.closed.is_some()
            && matches!(word, "fi" | "done" | "esac" | "}" | "then" | "do" | "else" | "elif")
        {
            self.finish_command();
            if matches!(word, "then" | "do" | "else" | "elif") {
                return self.keyword(word);
            }
        }
        let filled = |it: &Compound| it.filled;
        match word {
            "fi" => {
                let may = |it: &Compound| it.filled && it.phase != Phase::Condition;
                self.close(Kind::If, may, "`then` and a command before `fi`");
            }
            "done" => {
                let kind = match self.list.compounds.last().map(|it| it.kind) {
                    Some(Kind::For) => Kind::For,
                    _ => Kind::Loop,
                };
                let may = |it: &Compound| it.filled && it.phase == Phase::Body;
                self.close(kind, may, "`do` and a command before `done`");
            }
            "esac" => self.close(Kind::Case, |_| true, "`case` before `esac`"),
            "}" => match self.list.compounds.last().map(|it| it.kind) {
                Some(Kind::For) => self.close(Kind::For, filled, "a command before `}`"),
                _ => self.close(Kind::Brace, filled, "`{` and a command before `}`"),
            },
            _ => return false,
        }
        true
    }

    /// Takes a word between the name of a compound command and its commands.
    pub fn header(&mut self, phase: Phase, word: &Building) {
        let plain = word.plain();
        let next = match (phase, plain) {
            (Phase::ForName, Some(name)) if is_name(name) => Some(Phase::ForIn),
            (Phase::ForIn, Some("in")) => Some(Phase::ForWords),
            (Phase::ForIn | Phase::ForDo, Some("do" | "{")) => Some(Phase::Body),
            (Phase::ForWords, _) => Some(Phase::ForWords),
            (Phase::Subject, _) => Some(Phase::CaseIn),
            (Phase::CaseIn, Some("in")) => Some(Phase::Pattern),
            (Phase::Pattern, Some("esac")) => {
                self.close(Kind::Case, |_| true, "`case` before `esac`");
                return;
            }
            (Phase::Pattern, _) => Some(Phase::Patterns),
            _ => None,
        };
        match (next, self.list.compounds.last_mut()) {
            (Some(next), Some(compound)) => {
                compound.phase = next;
                compound.conditional |= next == Phase::Body;
            }
            _ => self.syntax("the header of a loop or a `case`"),
        }
    }

    /// A separator between the header of a loop and `do`.
    pub fn header_separator(&mut self, phase: Phase) {
        if let (Phase::ForIn | Phase::ForWords, Some(it)) = (phase, self.list.compounds.last_mut())
        {
            it.phase = Phase::ForDo;
        }
    }

    /// The name of a coprocess is no program where a compound command follows it.
    pub fn is_coproc_name(&self) -> bool {
        let [name] = self.list.command.words.as_slice() else { return false };
        let names = |it: &Word| matches!(it.pieces.as_slice(), [Piece::Literal { text, quoted: false }] if is_name(text));
        self.list.coproc && names(name)
    }
}
