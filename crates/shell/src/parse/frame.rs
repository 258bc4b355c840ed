//! What can be open while a text is read.

use super::draft::{Draft, Redir};
use super::source::Source;
use crate::{Assignment, Dynamic, Inside, Piece, Place, RedirectKind, Word};

/// Something that is open.
pub enum Frame<'t> {
    /// A list of commands, and the compound command or substitution that it stands in.
    Block(Box<Block<'t>>),
    /// A simple command.
    Simple(Simple),
    /// A word.
    Word(Box<WordFrame<'t>>),
    /// A text of which only the substitutions matter.
    Skim(Skim),
    /// `[[ … ]]`.
    Cond(Box<Cond>),
    /// `name=( … )`.
    Array(Array),
    /// The body of a here-document, before it is begun.
    Body(Body<'t>),
}

impl Frame<'_> {
    /// Whether it is a construct that others can stand in.
    pub fn nests(&self) -> bool {
        matches!(self, Frame::Block(_) | Frame::Skim(_) | Frame::Cond(_) | Frame::Array(_))
    }
}

/// A list of commands.
pub struct Block<'t> {
    /// What the list stands in.
    pub kind: Kind<'t>,
    /// What comes next.
    pub state: State,
    /// What its commands inherit.
    pub place: Place,
    /// Whether the list runs in a shell of its own, whatever its pipelines do.
    pub subshell: bool,
    /// Whether the list holds a command already.
    pub seen: bool,
    /// The first draft of the and-or list that is being read.
    pub list: usize,
    /// The first draft of the member of a pipeline that is being read.
    pub pipeline: usize,
    /// The number of that pipeline.
    pub number: u32,
    /// The drafts of the compound command that was read last, for redirections behind it.
    pub compound: (usize, usize),
    /// The redirections behind that command.
    pub redirects: Vec<Redir>,
    /// Whether a pipe feeds the next command.
    pub fed: bool,
    /// The number of that pipe.
    pub pipe: u32,
    /// Whether `!` stands before the next command.
    pub negated: bool,
    /// Whether `&&` or `||` stands before the next command.
    pub joined: bool,
    /// How many here-documents were pending when it was opened.
    pub pending: usize,
    /// Where a substitution begins in its source; the first draft of a compound command.
    pub start: usize,
    /// What a loop over words makes of its variable, one assignment for each word.
    pub values: Vec<Assignment>,
}

impl<'t> Block<'t> {
    /// A block that begins.
    pub fn new(kind: Kind<'t>, place: Place, drafts: usize) -> Self {
        Block {
            kind,
            state: State::Start,
            place,
            subshell: place.subshell,
            seen: false,
            list: drafts,
            pipeline: drafts,
            number: 0,
            compound: (drafts, drafts),
            redirects: Vec::new(),
            fed: false,
            pipe: 0,
            negated: false,
            joined: false,
            pending: 0,
            start: drafts,
            values: Vec::new(),
        }
    }

    /// Where the next command stands.
    pub fn next_place(&self) -> Place {
        Place {
            fed: self.place.fed || self.fed,
            reads: if self.fed { self.pipe } else { self.place.reads },
            negated: self.place.negated || self.negated,
            conditional: self.place.conditional || self.joined,
            ..self.place
        }
    }
}

/// What a list of commands stands in.
pub enum Kind<'t> {
    /// The text itself.
    Top,
    /// `{ … }`.
    Brace,
    /// `( … )`.
    Subshell,
    /// `$( … )`.
    Command,
    /// `${ …; }`.
    Funsub,
    /// `<( … )` or `>( … )`.
    Process,
    /// Backticks; what is read behind them.
    Backtick(Box<Source<'t>>),
    /// `if`.
    If(IfPart),
    /// `while` and `until`.
    Loop(LoopPart),
    /// `for` and `select`.
    For(ForPart),
    /// `case`.
    Case(CasePart),
    /// A function: the draft and the place at which its definition begins.
    Function(FunctionPart),
    /// `coproc`.
    Coproc,
}

impl Kind<'_> {
    /// Whether its output or its descriptor becomes part of a word.
    pub fn is_substitution(&self) -> bool {
        matches!(self, Kind::Command | Kind::Funsub | Kind::Process | Kind::Backtick(_))
    }
}

/// Which part of `if` is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum IfPart {
    /// Between `if` or `elif` and `then`.
    Condition,
    /// Behind `then`.
    Then,
    /// Behind `else`.
    Else,
}

/// Which part of a loop is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LoopPart {
    /// Before `do`.
    Condition,
    /// Behind `do`.
    Body,
}

/// Which part of `for` is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ForPart {
    /// The name, or `((`.
    Name,
    /// Behind the name.
    In,
    /// The words.
    Words,
    /// Before `do`; whether a `;` may still come.
    Do(bool),
    /// Behind `do`, or behind `{`.
    Body {
        /// Whether `}` ends it.
        brace: bool,
    },
}

/// Which part of `case` is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CasePart {
    /// The word.
    Subject,
    /// `in`.
    In,
    /// Before the first pattern of an item.
    Item,
    /// Before another pattern of an item.
    Pattern,
    /// Behind a pattern.
    Close,
    /// The commands of an item.
    Body,
}

/// Which part of a function is being read.
#[derive(Clone, PartialEq, Eq)]
pub enum FunctionPart {
    /// The name.
    Name,
    /// The body of the function of this name; none where the name is dynamic.
    Body(Option<String>),
}

/// What comes next in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A command, or the end of the list.
    Start,
    /// A command, perhaps on a later line.
    Need,
    /// A command on this line, or nothing: behind `!` and `time`.
    Prefixed,
    /// What follows a simple command.
    After,
    /// What follows a compound command.
    AfterCompound,
    /// The head of a compound command.
    Head,
}

/// A simple command.
pub struct Simple {
    /// What is known of it.
    pub draft: Draft,
    /// Whether it declares variables, so that its arguments may be assignments.
    pub declares: bool,
    /// Where its last token ends in the outermost text.
    pub end: usize,
}

/// A word.
pub struct WordFrame<'t> {
    /// What it is for.
    pub role: Role,
    /// Its pieces so far.
    pub pieces: Vec<Piece>,
    /// Characters that are not in a piece yet.
    pub literal: Vec<u8>,
    /// Whether those are quoted.
    pub quoted: bool,
    /// Whether double quotes are open, and how many pieces there were before them.
    pub double: Option<usize>,
    /// How many parentheses of a regular expression are open.
    pub level: usize,
    /// Whether it may be an assignment.
    pub assignable: bool,
    /// The assignment that it is, and the text in front of its value.
    pub assigned: Option<Assigned>,
    /// The name and the text of a subscript that stands before what comes next.
    pub subscript: Option<Subscript>,
    /// Whether an unquoted character was seen that may be expanded.
    pub special: bool,
    /// What the commands in it inherit.
    pub place: Place,
    /// Where it begins in its source.
    pub start: usize,
    /// What is read behind it, where it is the body of a here-document.
    pub outer: Option<Box<Source<'t>>>,
}

/// The left side of an assignment.
#[derive(Clone, Debug)]
pub struct Assigned {
    /// The name.
    pub name: String,
    /// Whether a subscript stands behind it.
    pub subscript: bool,
    /// All that stands before the value, as written.
    pub text: String,
}

/// A subscript behind a name.
#[derive(Clone, Debug)]
pub struct Subscript {
    /// The name.
    pub name: String,
    /// The subscript with its brackets, as written.
    pub text: String,
}

/// What a word is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The program.
    Program,
    /// An argument.
    Argument,
    /// The target of a redirection.
    Target(RedirectKind, Copies),
    /// An element of an array.
    Element,
    /// A word of a head: of `for`, `select`, `case` or a function.
    Head,
    /// A pattern of `case`.
    Pattern,
    /// A word of `[[ … ]]`.
    Operand,
    /// The right side of `=~`.
    Regex,
    /// The body of a here-document, by its number.
    Body(usize),
}

/// Whether a redirection copies a descriptor where its target is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// It never does.
    No,
    /// It does, and no descriptor stands before it: `>&`.
    Bare,
    /// It does, and a descriptor stands before it: `2>&`.
    Numbered,
}

/// A text of which only the substitutions matter.
pub struct Skim {
    /// What it is.
    pub kind: SkimKind,
    /// How many of its own opening characters are open.
    pub level: usize,
    /// Whether it stands in double quotes, so that single quotes in it do not hide substitutions.
    pub live: bool,
    /// Whether double quotes are open in it.
    pub double: bool,
    /// Whether single quotes are open in it.
    pub single: bool,
    /// What the commands in it inherit.
    pub place: Place,
    /// Where it begins in its source.
    pub start: usize,
    /// What to go back to where it turns out not to be arithmetic.
    pub retry: Retry,
}

impl Skim {
    /// A text that begins.
    pub fn new(kind: SkimKind, place: Place, start: usize, live: bool) -> Self {
        let retry = Retry::default();
        Skim { kind, level: 0, live, double: false, single: false, place, start, retry }
    }
}

/// What a text of which only the substitutions matter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkimKind {
    /// `${ … }`.
    Parameter,
    /// `$(( … ))`.
    Arithmetic,
    /// `$[ … ]`.
    Bracket,
    /// `name[ … ]`.
    Subscript,
    /// `@( … )` and its kin.
    Pattern,
    /// `(( … ))` as a command.
    Evaluate,
    /// `(( … ))` behind `for`.
    Header,
}

/// How much there was of everything before something was tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Retry {
    /// Where in the source.
    pub pos: usize,
    /// Drafts.
    pub drafts: usize,
    /// Functions.
    pub functions: usize,
    /// Pending here-documents.
    pub pending: usize,
    /// Notes.
    pub unclear: usize,
}

/// `[[ … ]]`.
pub struct Cond {
    /// What comes next.
    pub state: CondState,
    /// How many parentheses are open.
    pub level: usize,
    /// How many drafts there were before it.
    pub drafts: usize,
    /// The condition as a command whose arguments are the operands.
    pub draft: Draft,
    /// What the commands in it inherit.
    pub place: Place,
}

/// What comes next in `[[ … ]]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CondState {
    /// A term.
    Term,
    /// What follows a word that may be an operator with one operand.
    Unary,
    /// An operator with two operands, or the end of the term.
    Operator,
    /// The second operand.
    Second,
    /// The second operand, a regular expression.
    Regex,
    /// `&&`, `||`, `)` or the end.
    Done,
}

/// `name=( … )`.
pub struct Array {
    /// The pieces of its elements, a blank between them.
    pub pieces: Vec<Piece>,
    /// What the commands in it inherit.
    pub place: Place,
}

/// The body of a here-document, before it is begun.
pub struct Body<'t> {
    /// The number of the here-document.
    pub number: usize,
    /// Its text.
    pub source: Source<'t>,
    /// What the commands in it inherit.
    pub place: Place,
}

/// A word that is complete.
pub struct Done {
    /// The word; of an assignment, its value.
    pub word: Word,
    /// The assignment that it is.
    pub assigned: Option<Assigned>,
    /// Whether an unquoted brace was seen.
    pub special: bool,
}

impl Done {
    /// The assignment and its value, if it is one.
    pub fn assignment(self) -> Option<Assignment> {
        let Assigned { name, subscript, .. } = self.assigned?;
        Some(Assignment { name, subscript, value: self.word })
    }
}

/// Where commands stand that are in a substitution which stands at a place.
pub fn substituted(place: Place, program: bool) -> Place {
    let inside = if program { Inside::ProgramWord } else { Inside::Substitution };
    Place { inside, negated: false, background: false, subshell: true, ..place }
}

/// A dynamic piece.
pub fn dynamic(what: Dynamic, quoted: bool, text: String) -> Piece {
    Piece::Dynamic { what, quoted, text }
}
