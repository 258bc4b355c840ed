//! Lists of commands: what may begin a command, what may follow one, and how a list ends.

use super::Parser;
use super::draft::{Draft, Function};
use super::frame::{Block, CasePart, Frame, FunctionPart, Kind, Simple, State};
use super::keyword;
use crate::{Dynamic, Unclear};

impl<'t> Parser<'t> {
    /// Reads on in a list of commands.
    pub fn block(&mut self, mut block: Box<Block<'t>>) {
        match block.state {
            State::Start | State::Need | State::Prefixed => self.begin(block),
            State::After | State::AfterCompound => self.follow(block),
            State::Head => {
                self.src.skip_space();
                if self.src.peek().is_none() {
                    self.wrong("the rest of a compound command");
                    block.state = State::Start;
                    return self.close(block);
                }
                self.head(block);
            }
        }
    }

    /// Reads what begins a command, or what ends the list.
    fn begin(&mut self, mut block: Box<Block<'t>>) {
        self.src.skip_space();
        match self.src.peek() {
            None => self.run_out(block),
            Some(b'\n') if block.state == State::Prefixed => {
                block.state = State::After;
                self.push(Frame::Block(block));
            }
            Some(b'\n') => self.newline(block),
            Some(b';') if block.state == State::Prefixed => {
                block.state = State::After;
                self.push(Frame::Block(block));
            }
            Some(b';') if matches!(block.kind, Kind::Case(_)) && self.item_ends() => {
                self.next_item(block);
            }
            Some(b')') => self.parenthesis(block),
            Some(b';' | b'|') => self.stray(block),
            Some(b'&') if self.src.second() != Some(b'>') => self.stray(block),
            Some(b'(') => self.subshell(block),
            _ => self.command(block),
        }
    }

    fn command(&mut self, mut block: Box<Block<'t>>) {
        if let Some((word, end)) = keyword::next(&self.src) {
            if keyword::ends_list(word) {
                return self.closing(block, word, end);
            }
            let plain = word == "]]"
                || word == "in"
                || (word == "time" && block.fed && block.state == State::Need);
            if !plain {
                return self.reserved(block, word, end);
            }
        }
        self.needs_compound(&mut block);
        let place = block.next_place();
        let start = self.src.outer(self.src.pos);
        let draft =
            Draft { place, source: start..start, pipeline: block.number, ..Draft::default() };
        block.state = State::After;
        block.seen = true;
        self.push(Frame::Block(block));
        self.push(Frame::Simple(Simple { draft, declares: false, end: start }));
    }

    /// Notes that a function's body is no compound command.
    pub fn needs_compound(&mut self, block: &mut Block<'t>) {
        if matches!(block.kind, Kind::Function(_)) {
            self.wrong("a compound command as the body of the function");
        }
    }

    fn stray(&mut self, mut block: Box<Block<'t>>) {
        self.wrong("a command");
        self.src.bump();
        block.state = State::Start;
        self.push(Frame::Block(block));
    }

    /// Reads what follows a command.
    fn follow(&mut self, mut block: Box<Block<'t>>) {
        self.src.skip_space();
        if block.state == State::AfterCompound {
            if self.at_redirect() {
                let place = block.next_place();
                self.push(Frame::Block(block));
                return self.redirect(place);
            }
            self.give_redirects(&mut block);
        }
        if matches!(block.kind, Kind::Function(_) | Kind::Coproc) {
            return self.close(block);
        }
        match self.src.peek() {
            None => self.run_out(block),
            Some(b'\n') => {
                self.list_ends(&mut block);
                self.newline(block);
            }
            Some(b';') => self.semicolon(block),
            Some(b'&') => self.ampersand(block),
            Some(b'|') => self.bar(block),
            Some(b')') => self.parenthesis(block),
            Some(_) => self.unexpected(block),
        }
    }

    /// What stands behind a command and neither separates nor redirects.
    fn unexpected(&mut self, mut block: Box<Block<'t>>) {
        let word = keyword::next(&self.src);
        if let Some((word, end)) = word.filter(|it| keyword::ends_list(it.0))
            && block.state == State::AfterCompound
        {
            return self.closing(block, word, end);
        }
        self.wrong("a separator behind the command");
        block.state = State::Start;
        self.push(Frame::Block(block));
    }

    fn semicolon(&mut self, mut block: Box<Block<'t>>) {
        if matches!(block.kind, Kind::Case(_)) && self.item_ends() {
            return self.next_item(block);
        }
        self.src.bump();
        if matches!(self.src.peek(), Some(b';')) {
            self.wrong("one `;`");
        }
        self.list_ends(&mut block);
        self.push(Frame::Block(block));
    }

    fn ampersand(&mut self, mut block: Box<Block<'t>>) {
        self.src.bump();
        if self.src.eat(b'&') {
            return self.joined(block);
        }
        for draft in self.drafts_from(block.list) {
            draft.place.background = true;
            draft.place.subshell = true;
        }
        self.list_ends(&mut block);
        self.push(Frame::Block(block));
    }

    fn bar(&mut self, mut block: Box<Block<'t>>) {
        self.src.bump();
        if self.src.eat(b'|') {
            return self.joined(block);
        }
        self.src.eat(b'&');
        self.pipes = self.pipes.saturating_add(1);
        let pipe = self.pipes;
        for draft in self.drafts_from(block.pipeline) {
            draft.place.subshell = true;
            if draft.place.feeds == 0 {
                draft.place.feeds = pipe;
            }
        }
        block.pipe = pipe;
        block.pipeline = self.drafts.len();
        block.fed = true;
        block.place.subshell = true;
        block.state = State::Need;
        self.push(Frame::Block(block));
    }

    /// Behind `&&` or `||`.
    fn joined(&mut self, mut block: Box<Block<'t>>) {
        self.pipeline_ends(&mut block);
        block.joined = true;
        block.state = State::Need;
        self.push(Frame::Block(block));
    }

    fn pipeline_ends(&mut self, block: &mut Block<'t>) {
        self.pipelines = self.pipelines.saturating_add(1);
        block.number = self.pipelines;
        block.pipeline = self.drafts.len();
        block.fed = false;
        block.negated = false;
        block.place.subshell = block.subshell;
    }

    /// Ends the and-or list that is read.
    pub fn list_ends(&mut self, block: &mut Block<'t>) {
        self.pipeline_ends(block);
        block.list = self.drafts.len();
        block.joined = false;
        block.state = State::Start;
    }

    /// The end of the source: the end of the text, of backticks or of a here-document.
    fn run_out(&mut self, block: Box<Block<'t>>) {
        let ends = matches!(block.kind, Kind::Top | Kind::Backtick(_));
        if !ends || block.state == State::Need {
            self.wrong("the rest of a command that is not finished");
        }
        self.close(block);
    }

    /// A closing parenthesis where a command may begin or has ended.
    fn parenthesis(&mut self, mut block: Box<Block<'t>>) {
        if matches!(block.kind, Kind::Subshell | Kind::Command | Kind::Process) {
            let empty = !block.seen && matches!(block.kind, Kind::Subshell);
            if empty || block.state == State::Need {
                self.wrong("a command");
            }
            self.src.bump();
            return self.close(block);
        }
        self.wrong("no `)`");
        if self.beneath(|it| matches!(it, Kind::Subshell | Kind::Command | Kind::Process)) {
            return self.close(block);
        }
        self.src.bump();
        block.state = State::Start;
        self.push(Frame::Block(block));
    }

    /// Whether one of the blocks that the top one stands in directly is of a kind.
    pub fn beneath(&self, matches: impl Fn(&Kind<'t>) -> bool) -> bool {
        let blocks = self.stack.iter().rev().map_while(|it| match it {
            Frame::Block(block) => Some(block),
            _ => None,
        });
        blocks.into_iter().any(|it| matches(&it.kind))
    }

    /// Takes a block off: what it stands in goes on behind it.
    pub fn close(&mut self, mut block: Box<Block<'t>>) {
        self.give_redirects(&mut block);
        let last = self.src.pos;
        if self.pending.len() > block.pending && block.kind.is_substitution() {
            self.note(Unclear::Construct("here-document whose body stands behind a substitution"));
            self.pending.truncate(block.pending);
        }
        match block.kind {
            Kind::Top => {}
            Kind::Command | Kind::Funsub => self.expanded(Dynamic::Command, block.start, last),
            Kind::Process => self.expanded(Dynamic::Process, block.start, last),
            Kind::Backtick(outer) => {
                self.src = *outer;
                self.resume();
                let last = self.src.pos;
                self.expanded(Dynamic::Command, block.start, last);
            }
            Kind::Function(FunctionPart::Body(name)) => {
                let drafts = block.start..self.drafts.len();
                let end = self.src.outer(last);
                self.functions.push(Function { name, drafts, end });
                self.compound_done(block.start);
            }
            _ => self.compound_done(block.start),
        }
    }

    /// A source that was left is read on, unless the reading ended at a limit.
    pub fn resume(&mut self) {
        if self.cut {
            self.src.end();
        }
    }

    /// A compound command ends; its drafts are those from one on.
    pub fn compound_done(&mut self, from: usize) {
        let to = self.drafts.len();
        if let Some(Frame::Block(block)) = self.stack.last_mut() {
            block.state = State::AfterCompound;
            block.compound = (from.min(to), to);
        }
    }

    fn item_ends(&self) -> bool {
        matches!(self.src.second(), Some(b';' | b'&'))
    }

    /// Behind `;;`, `;&` or `;;&`.
    fn next_item(&mut self, mut block: Box<Block<'t>>) {
        self.src.bump();
        self.src.eat(b';');
        self.src.eat(b'&');
        self.list_ends(&mut block);
        block.kind = Kind::Case(CasePart::Item);
        block.state = State::Head;
        self.push(Frame::Block(block));
    }
}
