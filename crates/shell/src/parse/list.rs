//! A list of commands while it is read: the text itself, or what stands in a substitution.

use super::compound::Compound;
use super::word::{self, Building, is_name, with_brackets};
use super::{Parser, braces};
use crate::{
    Assignment, Command, Dynamic, Inside, Piece, Place, Redirect, RedirectKind, Unclear, Word,
};

/// What ends a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// The end of the text.
    Text,
    /// A parenthesis: it is a substitution of this sort.
    Substitution(Sort),
    /// A parenthesis: it is the value of an array, and its words are no commands.
    Array,
}

/// The sorts of substitutions that are lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Command { quoted: bool },
    Process,
}

/// How commands that follow each other hang together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stage {
    /// A pipe feeds what comes next.
    pub fed: bool,
    /// The same for the compound command around it.
    pub base_fed: bool,
    pub negated: bool,
    /// What comes next stands behind `&&` or `||`.
    pub chained: bool,
    /// The shell that what comes next runs in, and the one around its pipeline.
    pub shell: u32,
    pub base_shell: u32,
    /// The first command of this part of a pipeline.
    pub member: usize,
    /// The first command of this list of `&&` and `||`.
    pub first: usize,
    /// An operator waits for a command.
    pub waits: bool,
}

/// A list of commands while it is read.
#[derive(Debug)]
pub struct List {
    pub close: Close,
    /// The character at which the substitution begins.
    pub start: usize,
    base: Place,
    pub word: Option<Building>,
    pub command: Command,
    /// The characters that the command takes.
    pub span: Option<(usize, usize)>,
    /// A redirection that waits for its target.
    pub redirect: Option<Opened>,
    /// Here-documents of the command, with the place of their redirection.
    pub heredocs: Vec<(usize, usize)>,
    pub compounds: Vec<Compound>,
    pub stage: Stage,
    /// The commands of a compound command that has just ended: redirections may follow.
    pub closed: Option<std::ops::Range<usize>>,
    /// The name of a function whose body comes next.
    pub function: Option<String>,
    /// `function` stands before the next word.
    pub names_function: bool,
    pub coproc: bool,
    /// `time` stands before: its options may follow.
    pub timed: bool,
    /// Inside of `[[ … ]]`.
    pub test: bool,
}

/// Words that open a compound command behind the name of a coprocess.
const OPENING: [&str; 7] = ["{", "if", "while", "until", "for", "select", "case"];

/// A redirection that waits for its target.
#[derive(Clone, Copy, Debug)]
pub struct Opened {
    pub what: RedirectKind,
    /// `>&` and `<&`: whether it copies a descriptor shows in the target.
    pub copies: bool,
    /// `<<-`.
    pub strips: bool,
}

impl Stage {
    /// What follows an operator that ends a pipeline, its first command standing here.
    pub fn next(self, first: usize) -> Stage {
        let Stage { base_fed: fed, base_shell: shell, .. } = self;
        Stage {
            fed,
            base_fed: fed,
            shell,
            base_shell: shell,
            member: first,
            first,
            ..Stage::default()
        }
    }
}

impl List {
    pub fn new(close: Close, base: Place) -> Self {
        List {
            close,
            start: 0,
            base,
            word: None,
            command: Command::default(),
            span: None,
            redirect: None,
            heredocs: Vec::new(),
            compounds: Vec::new(),
            stage: Stage {
                fed: base.fed,
                base_fed: base.fed,
                shell: base.shell,
                base_shell: base.shell,
                ..Stage::default()
            },
            closed: None,
            function: None,
            names_function: false,
            coproc: false,
            timed: false,
            test: false,
        }
    }

    pub fn depth(&self) -> usize {
        self.compounds.len()
    }

    pub fn is_open(&self) -> bool {
        !self.compounds.is_empty() || self.stage.waits || self.test || self.function.is_some()
    }

    /// The word that is being read; one begins at `at` where there is none.
    pub fn word_at(&mut self, at: usize) -> &mut Building {
        self.word.get_or_insert_with(|| Building::new(at))
    }

    pub fn take_body(&mut self) -> Vec<Piece> {
        self.word.take().map(|it| it.pieces).unwrap_or_default()
    }

    /// Whether nothing of the next command was read yet.
    pub fn is_fresh(&self) -> bool {
        let it = &self.command;
        it.words.is_empty() && it.assignments.is_empty() && it.redirects.is_empty()
    }

    /// Whether the word that is read, or comes next, is a program.
    pub fn is_at_program(&self) -> bool {
        let in_value = self.word.as_ref().is_some_and(|it| it.assigns.is_some());
        self.close != Close::Array
            && self.command.words.is_empty()
            && self.redirect.is_none()
            && !in_value
            && !self.test
            && self.compounds.last().is_none_or(|it| it.phase.holds_commands())
    }

    /// Where a command stands that is read now.
    pub fn place(&self) -> Place {
        let within = |test: fn(&Compound) -> bool| self.compounds.iter().any(test);
        let function = within(|it| it.function.is_some());
        Place {
            inside: if function { Inside::Function } else { self.base.inside },
            fed: self.stage.fed,
            negated: self.stage.negated,
            background: self.base.background || self.coproc,
            shell: self.stage.shell,
            subshell: self.base.subshell
                || self.stage.shell != self.stage.base_shell
                || self.coproc
                || within(|it| it.subshell()),
            conditional: self.base.conditional
                || self.stage.chained
                || within(|it| it.conditional || it.function.is_some()),
        }
    }
}

impl Parser<'_> {
    /// Ends the word that is being read, if there is one.
    pub fn finish_word(&mut self) {
        let Some(word) = self.list.word.take() else { return };
        let end = self.at;
        if self.list.redirect.is_none() && self.list.close != Close::Array && self.takes(&word) {
            return;
        }
        let span = self.list.span.get_or_insert((word.start, end));
        span.1 = end;
        if let Some(opened) = self.list.redirect.take() {
            return self.redirected(opened, word);
        }
        if self.list.close == Close::Array {
            self.list.command.words.clear();
            return;
        }
        if self.list.closed.is_some() {
            return self.syntax("an operator behind a compound command");
        }
        let source = self.source(word.start, end);
        match word.assigns {
            Some(name) if self.list.command.words.is_empty() => {
                let value = Word { pieces: word.pieces, source };
                let word::Name { name, subscript, .. } = name;
                self.list.command.assignments.push(Assignment { name, subscript, value });
            }
            Some(name) => {
                let mut whole = Building::default();
                whole.push(Piece::Literal { text: name.written, quoted: false });
                word.pieces.into_iter().for_each(|it| whole.push(it));
                self.list.command.words.push(Word { pieces: whole.pieces, source });
            }
            None => {
                for pieces in braces::expand(word.pieces) {
                    let pieces = with_brackets(pieces);
                    self.list.command.words.push(Word { pieces, source: source.clone() });
                }
            }
        }
    }

    /// Whether a word is taken by what stands around it, and is no word of a command.
    fn takes(&mut self, word: &Building) -> bool {
        if self.list.test {
            return self.in_test(word);
        }
        if self.list.names_function {
            self.list.names_function = false;
            self.list.function = Some(word.pieces.iter().map(Piece::shown).collect());
            return true;
        }
        if let Some(phase) = self.list.compounds.last().map(|it| it.phase)
            && !phase.holds_commands()
        {
            self.header(phase, word);
            return true;
        }
        let Some(plain) = word.plain() else { return false };
        if self.list.closed.is_some() {
            return self.closes(plain);
        }
        if OPENING.contains(&plain) && self.is_coproc_name() {
            self.list.command = Command::default();
        }
        if std::mem::take(&mut self.list.timed) && matches!(plain, "-p" | "--") {
            self.list.timed = true;
            return true;
        }
        self.list.is_fresh() && word.assigns.is_none() && self.keyword(plain)
    }

    /// Words between `[[` and `]]` are operands.
    fn in_test(&mut self, word: &Building) -> bool {
        if word.plain() == Some("]]") {
            self.list.test = false;
        }
        false
    }

    /// Ends the command that is being read, if there is one.
    pub fn finish_command(&mut self) {
        self.finish_word();
        if self.list.redirect.take().is_some() {
            self.syntax("the target of a redirection");
        }
        if self.list.close == Close::Array {
            return;
        }
        let closed = self.list.closed.take();
        let (start, end) = self.list.span.take().unwrap_or((self.at, self.at));
        let fresh = self.list.is_fresh();
        let heredocs = std::mem::take(&mut self.list.heredocs);
        if fresh {
            if closed.is_some() {
                self.done();
            }
            return;
        }
        let mut command = std::mem::take(&mut self.list.command);
        if self.list.function.take().is_some() {
            self.syntax("the body of a function");
        }
        command.place = self.list.place();
        command.source = self.source(start, end);
        let at = self.run.script.commands.len();
        for (heredoc, redirect) in heredocs {
            if let Some(pending) = self.heredocs.get_mut(heredoc) {
                pending.targets.push((at, redirect));
            }
        }
        self.run.emit(command);
        self.done();
    }

    /// A command has ended.
    fn done(&mut self) {
        self.list.stage.waits = false;
        (self.list.coproc, self.list.timed) = (false, false);
        if let Some(compound) = self.list.compounds.last_mut() {
            compound.filled = true;
        }
    }

    /// Adds a redirection, to the command or to all of the compound command that has just ended.
    pub fn redirected(&mut self, opened: Opened, word: Building) {
        let source = self.source(word.start, self.at);
        if opened.what == RedirectKind::Heredoc {
            return self.heredoc(opened.strips, &word);
        }
        let target = Word { pieces: word.pieces, source };
        let is_copy = |it: &str| {
            let digits = it.trim_end_matches('-');
            it == "-" || (!digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()))
        };
        let copies = opened.copies && target.literal().is_none_or(|it| is_copy(&it));
        let known = target.literal().is_some();
        let what = match opened.what {
            // `>&$x` may be a file.
            RedirectKind::Write if copies && known => RedirectKind::Duplicate,
            RedirectKind::Read if opened.copies => RedirectKind::Duplicate,
            what => what,
        };
        self.add_redirect(Redirect { what, target });
    }

    /// Adds a redirection; its place among those of the command comes back, where it stands on one.
    pub fn add_redirect(&mut self, redirect: Redirect) -> Option<usize> {
        let Some(range) = self.list.closed.clone() else {
            self.list.command.redirects.push(redirect);
            return Some(self.list.command.redirects.len().saturating_sub(1));
        };
        self.run.shared_redirects = self.run.shared_redirects.saturating_add(range.len());
        if self.run.shared_redirects > super::SHARED_REDIRECTS_MAX {
            self.run.unclear(Unclear::Limit("redirections"));
            return None;
        }
        for command in self.run.script.commands.get_mut(range).unwrap_or_default() {
            command.redirects.push(redirect.clone());
        }
        None
    }

    /// `=` behind a name makes an assignment.
    pub fn equals(&mut self) {
        let at = self.at;
        self.skip(1);
        let word = self.list.word_at(at);
        let name = word.plain().map(|it| it.strip_suffix('+').unwrap_or(it));
        match name.filter(|it| word.assigns.is_none() && is_name(it)).map(str::to_owned) {
            Some(name) => {
                let written = format!("{}=", word.plain().unwrap_or_default());
                word.assigns = Some(word::Name { name, written, subscript: false });
                word.pieces.clear();
                self.tilde();
            }
            None => word.push_plain('='),
        }
    }

    /// `~` at the start of a word or a value.
    pub fn tilde(&mut self) {
        if self.peek() != Some('~') {
            return;
        }
        let from = self.at;
        let part = |it: char| it.is_alphanumeric() || matches!(it, '~' | '_' | '-' | '+' | '.');
        while self.peek().is_some_and(part) {
            self.skip(1);
        }
        let text = self.text(from, self.at);
        let word = self.list.word_at(from);
        word.push(Piece::Dynamic { what: Dynamic::Tilde, quoted: false, text });
    }
}
