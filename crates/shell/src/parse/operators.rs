//! Characters outside of quotes: what separates words and commands, and what directs them.

use super::compound::{Compound, Kind, Phase};
use super::list::{Close, Opened, Sort};
use super::{Arithmetic, Frame, Parser};
use crate::{Dynamic, Piece, RedirectKind};

impl Parser<'_> {
    /// Takes what stands next in a list of commands.
    pub fn in_list(&mut self) {
        self.join_lines();
        let Some(it) = self.peek() else { return };
        match it {
            ' ' | '\t' => {
                self.finish_word();
                self.skip(1);
            }
            '\n' => self.newline(),
            '#' if self.list.word.is_none() => {
                while self.peek().is_some_and(|it| it != '\n') {
                    self.skip(1);
                }
            }
            '(' => self.opens(),
            ')' => self.closes_paren(),
            '<' | '>' => self.redirection(it),
            ';' | '&' | '|' if self.list.test || self.list.close == Close::Array => {
                self.finish_word();
                self.skip(1);
            }
            ';' => self.semicolon(),
            '&' => self.ampersand(),
            '|' => self.pipe(),
            '\'' => self.single(),
            '"' => self.double(),
            '`' => self.backtick(false),
            '$' => self.dollar(false),
            '\\' => self.escape(),
            '=' => self.equals(),
            '~' if self.list.word.is_none() => self.tilde(),
            '[' => self.bracket(),
            '?' | '*' | '+' | '@' | '!'
                if self.peek_at(1) == Some('(') && self.is_in_pattern(it) =>
            {
                let start = self.at;
                self.list.word_at(start);
                let before = self.set_aside();
                if self.push(Frame::Pattern { open: 1, start, before }) {
                    self.skip(2);
                }
            }
            '*' | '?' => {
                self.piece(Piece::Dynamic { what: Dynamic::Glob, quoted: false, text: it.into() });
                self.skip(1);
            }
            it => {
                let at = self.at;
                self.list.word_at(at).push_plain(it);
                self.skip(1);
            }
        }
    }

    /// Whether a mark before a parenthesis begins a pattern: `!(` alone negates a group.
    fn is_in_pattern(&self, it: char) -> bool {
        it != '!' || self.list.word.is_some() || !self.list.is_at_program()
    }

    fn newline(&mut self) {
        if self.list.close == Close::Array || self.list.test {
            self.finish_word();
        } else {
            self.separator(true);
        }
        self.skip(1);
        self.read_heredocs();
    }

    /// Ends a command, its pipeline and its list. Only a line's end may stand where a command is
    /// awaited.
    fn separator(&mut self, line: bool) {
        let bare = self.list.word.is_none() && self.list.is_fresh() && self.list.closed.is_none();
        self.finish_word();
        if let Some(phase) = self.list.compounds.last().map(|it| it.phase)
            && !phase.holds_commands()
            && self.list.is_fresh()
            && self.list.closed.is_none()
        {
            return self.header_separator(phase);
        }
        self.finish_command();
        if bare {
            if !line && !self.list.stage.negated {
                self.syntax("a command before `;`");
            }
            if self.list.stage.waits {
                return;
            }
        }
        self.next_list();
    }

    fn next_list(&mut self) {
        self.list.stage = self.list.stage.next(self.run.script.commands.len());
    }

    /// Moves the commands from a place on that run in the list's own shell into a new one.
    fn into_shell(&mut self, first: usize) {
        let base = self.list.stage.base_shell;
        let shell = self.run.shell(base);
        for command in self.run.script.commands.get_mut(first..).unwrap_or_default() {
            if command.place.shell == base {
                (command.place.shell, command.place.subshell) = (shell, true);
            }
        }
    }

    fn semicolon(&mut self) {
        self.skip(1);
        let twice = self.take(';');
        let falls = self.take('&');
        if !twice && !falls {
            return self.separator(false);
        }
        self.finish_command();
        match self.list.compounds.last_mut() {
            Some(Compound { kind: Kind::Case, phase, filled, .. }) if *phase == Phase::Body => {
                *phase = Phase::Pattern;
                *filled = false;
            }
            _ => self.syntax("a part of a `case` before `;;`"),
        }
        self.next_list();
    }

    fn ampersand(&mut self) {
        self.skip(1);
        if self.take('&') {
            return self.joins(true);
        }
        if self.peek() == Some('>') {
            self.finish_word();
            self.skip(1);
            let what = if self.take('>') { RedirectKind::Append } else { RedirectKind::Write };
            self.list.redirect = Some(Opened { what, copies: false, strips: false });
            return self.mark();
        }
        let bare = self.list.word.is_none() && self.list.is_fresh() && self.list.closed.is_none();
        self.finish_command();
        if bare || self.list.stage.waits {
            self.syntax("a command before `&`");
        }
        let first = self.list.stage.first;
        for command in self.run.script.commands.get_mut(first..).unwrap_or_default() {
            command.place.background = true;
        }
        self.into_shell(first);
        self.next_list();
    }

    fn pipe(&mut self) {
        self.skip(1);
        if self.pattern_goes_on() {
            return;
        }
        if self.take('|') {
            return self.joins(true);
        }
        self.take('&');
        self.joins(false);
    }

    /// Patterns of a `case` stand side by side.
    fn pattern_goes_on(&mut self) -> bool {
        let phase = self.list.compounds.last().map(|it| it.phase);
        let patterns = matches!(phase, Some(Phase::Pattern | Phase::Patterns));
        if patterns {
            self.finish_word();
        }
        patterns
    }

    /// `&&`, `||`, or a pipe: another command must come.
    fn joins(&mut self, chains: bool) {
        let bare = self.list.word.is_none() && self.list.is_fresh() && self.list.closed.is_none();
        self.finish_command();
        if bare || self.list.stage.waits {
            self.syntax("a command before an operator");
        }
        let member = self.run.script.commands.len();
        if !chains {
            self.into_shell(self.list.stage.member);
        }
        let base = self.list.stage.base_shell;
        let shell = if chains { base } else { self.run.shell(base) };
        let stage = &mut self.list.stage;
        stage.waits = true;
        (stage.shell, stage.member) = (shell, member);
        stage.fed = if chains { stage.base_fed } else { true };
        stage.negated = false;
        stage.chained |= chains;
    }

    fn opens(&mut self) {
        if self.list.test {
            self.finish_word();
            return self.skip(1);
        }
        let start = self.at;
        if self.list.word.as_ref().is_some_and(super::word::Building::awaits_value) {
            self.skip(1);
            return self.push_list(Close::Array, start);
        }
        if self.list.compounds.last().is_some_and(|it| it.phase == Phase::Pattern)
            && self.list.word.is_none()
        {
            return self.skip(1);
        }
        if self.list.compounds.last().is_some_and(|it| it.phase == Phase::ForName)
            && self.list.word.is_none()
            && self.peek_at(1) == Some('(')
        {
            if self.arithmetic(Arithmetic::Command, false, start) {
                self.skip(2);
            }
            if let Some(it) = self.list.compounds.last_mut() {
                it.phase = Phase::ForDo;
            }
            return;
        }
        self.finish_word();
        if self.names_function() {
            return;
        }
        if self.is_coproc_name() {
            self.list.command = crate::Command::default();
        }
        if !self.list.is_fresh() || self.list.closed.is_some() || self.list.redirect.is_some() {
            self.syntax("no parenthesis");
            return self.skip(1);
        }
        if self.peek_at(1) == Some('(') && self.is_arithmetic(2) {
            self.list.function = None;
            if self.arithmetic(Arithmetic::Command, false, start) {
                self.skip(2);
            }
            return;
        }
        self.skip(1);
        self.open(Kind::Paren, Phase::Body);
    }

    /// `name ()` names a function.
    fn names_function(&mut self) -> bool {
        let by_keyword = self.list.function.is_some() && self.list.is_fresh();
        let [] = self.list.command.assignments.as_slice() else { return false };
        let [] = self.list.command.redirects.as_slice() else { return false };
        let name = match self.list.command.words.as_slice() {
            [name] => name.shown(),
            [] if by_keyword => String::new(),
            _ => return false,
        };
        let mut ahead = 1;
        while self.peek_at(ahead).is_some_and(|it| matches!(it, ' ' | '\t')) {
            ahead = ahead.saturating_add(1);
        }
        if self.peek_at(ahead) != Some(')') {
            return false;
        }
        self.skip(ahead.saturating_add(1));
        if !by_keyword {
            self.list.function = Some(name);
            self.list.command = crate::Command::default();
            self.list.span = None;
        }
        true
    }

    fn closes_paren(&mut self) {
        if self.list.test {
            self.finish_word();
            return self.skip(1);
        }
        if let Some(phase) = self.list.compounds.last().map(|it| it.phase)
            && matches!(phase, Phase::Pattern | Phase::Patterns)
        {
            self.finish_word();
            self.skip(1);
            if let Some(it) = self.list.compounds.last_mut() {
                (it.phase, it.filled, it.conditional) = (Phase::Body, true, true);
            }
            return self.next_list();
        }
        self.finish_command();
        if self.list.compounds.last().is_some_and(|it| it.kind == Kind::Paren) {
            self.skip(1);
            return self.close(Kind::Paren, |it| it.filled, "a command before `)`");
        }
        match self.list.close {
            Close::Text => {
                self.syntax("`(` before `)`");
                self.skip(1);
            }
            Close::Array => {
                let Some(list) = self.pop_list() else { return };
                self.skip(1);
                let text = self.text(list.start, self.at);
                self.piece(Piece::Literal { text, quoted: true });
            }
            Close::Substitution(sort) => {
                if self.list.is_open() {
                    self.syntax("the end of a compound command before `)`");
                }
                let Some(list) = self.pop_list() else { return };
                self.skip(1);
                let text = self.text(list.start, self.at);
                let (what, quoted) = match sort {
                    Sort::Command { quoted } => (Dynamic::Command, quoted),
                    Sort::Process => (Dynamic::Process, false),
                };
                self.piece(Piece::Dynamic { what, quoted, text });
            }
        }
    }

    /// The command goes on to here.
    fn mark(&mut self) {
        let at = self.at;
        self.list.span.get_or_insert((at, at)).1 = at;
    }

    fn redirection(&mut self, it: char) {
        let start = self.at;
        if self.peek_at(1) == Some('(') {
            let at = self.at;
            self.list.word_at(at);
            self.skip(2);
            return self.push_list(Close::Substitution(Sort::Process), start);
        }
        if self.list.test {
            self.finish_word();
            return self.skip(1);
        }
        self.descriptor();
        let waits = self.list.redirect.is_some();
        self.finish_word();
        if waits && self.list.redirect.take().is_some() {
            self.syntax("the target of a redirection");
        }
        if self.list.close == Close::Array {
            self.syntax("no redirection in a list of values");
        }
        self.list.span.get_or_insert((start, start));
        self.skip(1);
        let (mut copies, mut strips) = (false, false);
        let what = if it == '<' {
            if self.take('<') {
                if self.take('<') {
                    RedirectKind::HereString
                } else {
                    strips = self.take('-');
                    RedirectKind::Heredoc
                }
            } else if self.take('>') {
                RedirectKind::ReadWrite
            } else {
                copies = self.take('&');
                RedirectKind::Read
            }
        } else if self.take('>') {
            RedirectKind::Append
        } else if self.take('|') {
            RedirectKind::Write
        } else {
            copies = self.take('&');
            RedirectKind::Write
        };
        self.list.redirect = Some(Opened { what, copies, strips });
        self.mark();
        while self.peek().is_some_and(|it| matches!(it, ' ' | '\t')) {
            self.skip(1);
            self.join_lines();
        }
    }

    /// A number or `{name}` right before a redirection is the descriptor that it is about.
    fn descriptor(&mut self) {
        let is_descriptor = |word: &str| {
            let name = word.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
            (!word.is_empty() && word.bytes().all(|it| it.is_ascii_digit()))
                || name.is_some_and(super::word::is_name)
        };
        let word = self.list.word.as_ref().filter(|it| it.assigns.is_none());
        if self.list.redirect.is_none() && word.and_then(|it| it.plain()).is_some_and(is_descriptor)
        {
            self.list.word = None;
        }
    }

    fn bracket(&mut self) {
        let at = self.at;
        let names = |it: &super::word::Building| {
            it.assigns.is_none() && it.plain().is_some_and(super::word::is_name)
        };
        if self.list.word.as_ref().is_some_and(names) && self.subscript_end().is_some() {
            if self.arithmetic(Arithmetic::Subscript, false, at) {
                self.skip(1);
            }
            return;
        }
        self.list.word_at(at).push_plain('[');
        self.skip(1);
    }

    /// Where a subscript ends that an assignment follows.
    fn subscript_end(&self) -> Option<usize> {
        let (mut open, mut ahead) = (0_usize, 0_usize);
        loop {
            match self.peek_at(ahead)? {
                '[' => open = open.saturating_add(1),
                ']' => open = open.saturating_sub(1),
                '\n' => return None,
                _ => {}
            }
            ahead = ahead.saturating_add(1);
            if open == 0 {
                let assigns = match self.peek_at(ahead) {
                    Some('=') => true,
                    Some('+') => self.peek_at(ahead.saturating_add(1)) == Some('='),
                    _ => false,
                };
                return assigns.then_some(ahead);
            }
            if ahead > 256 {
                return None;
            }
        }
    }
}
