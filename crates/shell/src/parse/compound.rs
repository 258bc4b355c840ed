//! Compound commands: how each begins, what its head holds, and which word ends its parts.

use super::Parser;
use super::draft::Draft;
use super::frame::{
    Block, CasePart, Done, ForPart, Frame, FunctionPart, IfPart, Kind, LoopPart, Retry, Role, Skim,
    SkimKind, State,
};
use super::keyword;
use crate::{Assignment, Inside, Place, Word};

impl<'t> Parser<'t> {
    /// Reads a reserved word that stands where a command may begin.
    pub fn reserved(&mut self, mut block: Box<Block<'t>>, word: &'static str, end: usize) {
        if matches!(word, "!" | "time") {
            return self.prefix(block, word, end);
        }
        if matches!(word, "[[" | "{" | "if" | "while" | "until" | "for" | "case" | "select") {
            // These may be the body of a function; `function` and `coproc` may not.
        } else {
            self.needs_compound(&mut block);
        }
        let start = self.src.outer(self.src.pos);
        self.src.go(end);
        let place = block.next_place();
        block.seen = true;
        block.state = State::AfterCompound;
        self.push(Frame::Block(block));
        match word {
            "[[" => self.open_condition(place, start),
            "{" => self.open_block(Kind::Brace, State::Start, place),
            "if" => self.open_block(Kind::If(IfPart::Condition), State::Start, place),
            "for" | "select" => self.open_block(Kind::For(ForPart::Name), State::Head, place),
            "case" => self.open_block(Kind::Case(CasePart::Subject), State::Head, place),
            "function" => self.open_function(FunctionPart::Name, State::Head, place),
            "coproc" => self.coprocess(place),
            _ => self.open_block(Kind::Loop(LoopPart::Condition), State::Start, place),
        }
    }

    /// `!` and `time`.
    fn prefix(&mut self, mut block: Box<Block<'t>>, word: &str, end: usize) {
        if block.fed && block.state == State::Need {
            self.wrong("no `!` behind `|`");
        }
        self.needs_compound(&mut block);
        self.src.go(end);
        if word == "!" {
            block.negated = !block.negated;
        } else {
            self.time_options();
        }
        block.seen = true;
        block.state = State::Prefixed;
        self.push(Frame::Block(block));
    }

    fn time_options(&mut self) {
        for option in [b'p', b'-'] {
            self.src.skip_blanks();
            let second = self.src.after(self.src.pos);
            let third = self.src.after(second);
            let ends = self.src.raw(third).is_none_or(super::source::is_meta);
            if self.src.is(b'-') && self.src.raw(second) == Some(option) && ends {
                self.src.go(third);
            }
        }
    }

    fn open_block(&mut self, kind: Kind<'t>, state: State, place: Place) {
        let mut block = Block::new(kind, place, self.drafts.len());
        block.state = state;
        block.pending = self.pending.len();
        self.pipelines = self.pipelines.saturating_add(1);
        block.number = self.pipelines;
        self.open(Frame::Block(Box::new(block)));
    }

    /// Opens a list that is a substitution, which began at a place of the source.
    pub fn open_substitution(&mut self, kind: Kind<'t>, place: Place, start: usize) {
        let frame = self.substitution_block(kind, place, start);
        self.open(frame);
    }

    /// A list that is a substitution.
    pub fn substitution_block(&mut self, kind: Kind<'t>, place: Place, start: usize) -> Frame<'t> {
        let mut block = Block::new(kind, place, self.drafts.len());
        block.start = start;
        block.pending = self.pending.len();
        self.pipelines = self.pipelines.saturating_add(1);
        block.number = self.pipelines;
        Frame::Block(Box::new(block))
    }

    /// Opens the definition of a function.
    pub fn open_function(&mut self, part: FunctionPart, state: State, place: Place) {
        let inside = if place.inside == Inside::Text { Inside::Function } else { place.inside };
        let place = Place { inside, conditional: true, negated: false, ..place };
        self.open_block(Kind::Function(part), state, place);
    }

    fn coprocess(&mut self, place: Place) {
        self.src.skip_blanks();
        self.coprocess_name();
        let place = Place { fed: true, background: true, subshell: true, ..place };
        self.open_block(Kind::Coproc, State::Need, place);
    }

    /// Steps over the name of a coprocess, which stands only before a compound command.
    fn coprocess_name(&mut self) {
        let start = self.src.pos;
        if self.at_compound() {
            return;
        }
        while self.src.peek().is_some_and(super::source::in_name) {
            self.src.bump();
        }
        self.src.skip_blanks();
        if !self.at_compound() {
            self.src.go(start);
        }
    }

    fn at_compound(&self) -> bool {
        let word = keyword::next(&self.src);
        self.src.is(b'(') || word.is_some_and(|it| keyword::begins_compound(it.0))
    }

    /// An opening parenthesis where a command may begin.
    pub fn subshell(&mut self, mut block: Box<Block<'t>>) {
        let place = self.own_shell(block.next_place());
        let evaluated = block.next_place();
        block.seen = true;
        block.state = State::AfterCompound;
        self.push(Frame::Block(block));
        let start = self.src.pos;
        self.src.bump();
        if !self.src.is(b'(') {
            return self.open_block(Kind::Subshell, State::Start, place);
        }
        let retry = self.retry_here();
        self.src.bump();
        let skim = Skim::new(SkimKind::Evaluate, evaluated, start, true);
        self.open(Frame::Skim(Skim { retry, ..skim }));
    }

    /// What it takes to come back to this place.
    pub fn retry_here(&self) -> Retry {
        Retry {
            pos: self.src.pos,
            drafts: self.drafts.len(),
            functions: self.functions.len(),
            pending: self.pending.len(),
            unclear: self.unclear.len(),
        }
    }

    /// `((` was no arithmetic: a subshell in a subshell.
    pub fn nested_subshell(&mut self, place: Place) {
        let place = self.own_shell(place);
        self.open_block(Kind::Subshell, State::Start, place);
    }

    /// A place in a new shell.
    fn own_shell(&mut self, place: Place) -> Place {
        self.shells.push(place.shell);
        let shell = u32::try_from(self.shells.len()).unwrap_or(u32::MAX);
        Place { subshell: true, shell, ..place }
    }

    /// A reserved word that ends a list.
    pub fn closing(&mut self, mut block: Box<Block<'t>>, word: &'static str, end: usize) {
        if !ends(&block.kind, word) {
            self.wrong("another word to end the list");
            if self.beneath(|it| ends(it, word)) {
                return self.close(block);
            }
            self.src.go(end);
            block.state = State::Start;
            return self.push(Frame::Block(block));
        }
        let empty = !block.seen && !matches!(block.kind, Kind::Case(_));
        if empty || block.state == State::Need {
            self.wrong("a command");
        }
        self.src.go(end);
        self.list_ends(&mut block);
        let next = match (&block.kind, word) {
            (Kind::If(_), "then") => Kind::If(IfPart::Then),
            (Kind::If(_), "elif") => Kind::If(IfPart::Condition),
            (Kind::If(_), "else") => Kind::If(IfPart::Else),
            (Kind::Loop(_), "do") => Kind::Loop(LoopPart::Body),
            _ => return self.close(block),
        };
        block.kind = next;
        block.seen = false;
        block.place.conditional = true;
        self.push(Frame::Block(block));
    }

    /// The end of a line between commands: bodies of here-documents begin there.
    pub fn newline(&mut self, block: Box<Block<'t>>) {
        let substituted = self.in_substitution(&block);
        self.src.bump_raw();
        let bodies = self.bodies_here(block.pending, substituted);
        self.src.join_lines();
        self.push(Frame::Block(block));
        for body in bodies.into_iter().rev() {
            self.push(Frame::Body(body));
        }
    }

    /// Whether the substitution that is read ends with `)`.
    fn in_substitution(&self, block: &Block<'t>) -> bool {
        matches!(block.kind, Kind::Command | Kind::Process)
            || (!block.kind.is_substitution()
                && self.beneath(|it| matches!(it, Kind::Command | Kind::Process)))
    }

    /// Reads the head of a compound command.
    pub fn head(&mut self, block: Box<Block<'t>>) {
        match block.kind {
            Kind::For(part) => self.for_head(block, part),
            Kind::Case(part) => self.case_head(block, part),
            _ => self.head_word(block, Role::Head),
        }
    }

    /// Reads a word of a head, or steps over what is none.
    fn head_word(&mut self, block: Box<Block<'t>>, role: Role) {
        let place = block.place;
        let opens = matches!(self.src.peek(), Some(b'<' | b'>')) && self.src.second() == Some(b'(');
        let meta = self.src.peek().is_some_and(super::source::is_meta);
        self.push(Frame::Block(block));
        if meta && !opens {
            self.wrong("a word");
            self.src.bump();
        } else {
            self.open_word(role, place);
        }
    }

    fn for_head(&mut self, mut block: Box<Block<'t>>, part: ForPart) {
        let next = self.src.peek();
        let word = keyword::next(&self.src);
        match (part, next, word) {
            (ForPart::Name, Some(b'('), _) if self.src.second() == Some(b'(') => {
                self.for_arithmetic(block)
            }
            (ForPart::Name, ..) => self.head_word(block, Role::Head),
            (ForPart::In, _, Some(("in", end))) => {
                self.src.go(end);
                self.for_part(block, ForPart::Words);
            }
            (ForPart::Words, Some(b'\n'), _) => self.for_part(block, ForPart::Do(false)),
            (ForPart::Words, Some(b';'), _) | (ForPart::In | ForPart::Do(true), Some(b';'), _) => {
                self.src.bump();
                self.for_part(block, ForPart::Do(false));
            }
            (ForPart::Words, ..) => self.head_word(block, Role::Head),
            (_, Some(b'\n'), _) => self.newline(block),
            (_, _, Some((opens @ ("do" | "{"), end))) => {
                self.src.go(end);
                self.for_body(block, opens == "{");
            }
            _ => {
                self.wrong("`do`");
                block.seen = true;
                self.for_body(block, false);
            }
        }
    }

    fn for_part(&mut self, mut block: Box<Block<'t>>, part: ForPart) {
        block.kind = Kind::For(part);
        self.push(Frame::Block(block));
    }

    fn for_body(&mut self, mut block: Box<Block<'t>>, brace: bool) {
        block.kind = Kind::For(ForPart::Body { brace });
        self.keep_values(&mut block);
        block.place.conditional = true;
        block.state = State::Start;
        self.push(Frame::Block(block));
    }

    /// A loop over words assigns each of them before its body runs.
    fn keep_values(&mut self, block: &mut Block<'t>) {
        let values = std::mem::take(&mut block.values);
        let assignments: Vec<_> = values.into_iter().skip(1).collect();
        if assignments.is_empty() {
            return;
        }
        let (place, pipeline) = (block.place, block.number);
        let at = self.src.outer(self.src.pos);
        let source = at..at;
        self.keep(Draft { assignments, place, source, pipeline, ..Draft::default() });
    }

    fn for_arithmetic(&mut self, block: Box<Block<'t>>) {
        let (place, start) = (block.place, self.src.pos);
        self.push(Frame::Block(block));
        self.src.bump();
        self.src.bump();
        self.open(Frame::Skim(Skim::new(SkimKind::Header, place, start, true)));
    }

    fn case_head(&mut self, mut block: Box<Block<'t>>, part: CasePart) {
        let next = self.src.peek();
        match (part, next, keyword::next(&self.src)) {
            (CasePart::Subject, ..) => self.head_word(block, Role::Head),
            (CasePart::In | CasePart::Item, Some(b'\n'), _) => self.newline(block),
            (CasePart::In, _, Some(("in", end))) => {
                self.src.go(end);
                self.case_part(block, CasePart::Item);
            }
            (CasePart::Item, _, Some(("esac", end))) => {
                self.src.go(end);
                block.state = State::Start;
                self.close(block);
            }
            (CasePart::Item, Some(b'('), _) | (CasePart::Close, Some(b'|'), _) => {
                self.src.bump();
                self.case_part(block, CasePart::Pattern);
            }
            (CasePart::Item | CasePart::Pattern, ..) => {
                block.kind = Kind::Case(CasePart::Pattern);
                self.head_word(block, Role::Pattern);
            }
            (CasePart::Close, Some(b')'), _) => {
                self.src.bump();
                self.case_body(block);
            }
            (CasePart::In, ..) => {
                self.wrong("`in`");
                self.case_part(block, CasePart::Item);
            }
            (CasePart::Close | CasePart::Body, ..) => {
                self.wrong("`)` behind the pattern");
                self.case_body(block);
            }
        }
    }

    fn case_part(&mut self, mut block: Box<Block<'t>>, part: CasePart) {
        block.kind = Kind::Case(part);
        self.push(Frame::Block(block));
    }

    fn case_body(&mut self, mut block: Box<Block<'t>>) {
        block.kind = Kind::Case(CasePart::Body);
        block.place.conditional = true;
        self.list_ends(&mut block);
        self.push(Frame::Block(block));
    }

    /// Takes a word of a head.
    pub fn head_takes(&mut self, mut block: Box<Block<'t>>, done: Done) {
        match &block.kind {
            Kind::For(ForPart::Name) => {
                block.kind = Kind::For(ForPart::In);
                let name = done.word.literal().unwrap_or_default();
                block.values.push(Assignment { name, subscript: false, value: Word::default() });
            }
            Kind::For(ForPart::Words) => {
                let name = block.values.first().map(|it| it.name.clone()).unwrap_or_default();
                block.values.push(Assignment { name, subscript: false, value: done.word });
            }
            Kind::Case(CasePart::Subject) => block.kind = Kind::Case(CasePart::In),
            Kind::Case(CasePart::Pattern) => block.kind = Kind::Case(CasePart::Close),
            Kind::Function(_) => {
                self.eat_parentheses();
                block.kind = Kind::Function(FunctionPart::Body(done.word.literal()));
                block.state = State::Need;
            }
            _ => {}
        }
        self.push(Frame::Block(block));
    }

    /// Steps over `()` if it comes next.
    pub fn eat_parentheses(&mut self) -> bool {
        let start = self.src.pos;
        self.src.skip_blanks();
        let opens = self.src.eat(b'(');
        self.src.skip_blanks();
        let found = opens && self.src.eat(b')');
        if !found {
            self.src.go(start);
        }
        found
    }
}

/// Whether a reserved word ends the list that is read.
fn ends(kind: &Kind<'_>, word: &str) -> bool {
    match kind {
        Kind::Brace | Kind::Funsub | Kind::For(ForPart::Body { brace: true }) => word == "}",
        Kind::If(IfPart::Condition) => word == "then",
        Kind::If(IfPart::Then) => matches!(word, "elif" | "else" | "fi"),
        Kind::If(IfPart::Else) => word == "fi",
        Kind::Loop(LoopPart::Condition) => word == "do",
        Kind::Loop(LoopPart::Body) | Kind::For(_) => word == "done",
        Kind::Case(_) => word == "esac",
        _ => false,
    }
}
