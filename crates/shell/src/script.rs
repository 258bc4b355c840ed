//! What the parser leaves of a text: the simple commands that can run when it runs, in the order
//! in which they stand, and what could not be understood.

use std::ops::Range;

/// A text, parsed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// Every simple command that can run: members of lists and pipelines, bodies of groups, loops,
    /// conditions and functions, and what stands in substitutions, wherever they stand.
    pub commands: Vec<Command>,
    /// What makes the text more than its commands tell. Any of them is at least worth asking.
    pub unclear: Vec<Unclear>,
    /// Whether a function calls itself in a pipeline in the background, and is then called.
    pub fork_bomb: bool,
    /// The names of the functions that it defines.
    pub functions: Vec<String>,
    /// Shells that it starts, numbered from 1: for each the number of the one that it stands in.
    pub shells: Vec<u32>,
    /// How many pipes it has.
    pub pipes: u32,
}

/// One simple command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Command {
    /// What stands in front of the program: `NAME=value`.
    pub assignments: Vec<Assignment>,
    /// The program and its arguments, quotes removed.
    pub words: Vec<Word>,
    /// Where it reads from and writes to, its own redirections first, then those of the groups
    /// that it stands in.
    pub redirects: Vec<Redirect>,
    /// Where it stands.
    pub place: Place,
    /// The bytes that it takes in the outermost text.
    pub source: Range<usize>,
}

/// Where a command stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// What it stands inside of.
    pub inside: Inside,
    /// Whether a pipe feeds it.
    pub fed: bool,
    /// The number of the pipe that feeds it, from 1; 0 where none does or that can't be told.
    pub reads: u32,
    /// The number of the pipe that it feeds, from 1; 0 where it feeds none.
    pub feeds: u32,
    /// Whether `!` stands before it.
    pub negated: bool,
    /// Whether it runs in the background.
    pub background: bool,
    /// Whether it runs in a shell of its own, so that a `cd` in it ends with it.
    pub subshell: bool,
    /// The number of that shell; 0 is the one that runs the text.
    pub shell: u32,
    /// Whether it may not run at all: the right side of `&&` and `||`, the body of a condition, a
    /// loop or a function.
    pub conditional: bool,
}

/// What a command stands inside of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inside {
    /// Nothing: it stands in the text itself, in a group or a compound command of it.
    #[default]
    Text,
    /// A substitution whose output is data.
    Substitution,
    /// A substitution that makes up the program word of a command.
    ProgramWord,
    /// The body of a function.
    Function,
}

/// An assignment before a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The name, without a subscript.
    pub name: String,
    /// Whether a subscript stands behind the name.
    pub subscript: bool,
    /// What is assigned.
    pub value: Word,
}

/// A word, quotes removed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// What it is made of.
    pub pieces: Vec<Piece>,
    /// The bytes that it takes in the outermost text.
    pub source: Range<usize>,
}

/// One piece of a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Characters that stand for themselves.
    Literal {
        /// The characters, escapes and ANSI-C quotes decoded.
        text: String,
        /// Whether they were quoted or escaped.
        quoted: bool,
    },
    /// Something that is known only when the text runs.
    Dynamic {
        /// What it is.
        what: Dynamic,
        /// Whether it stands in double quotes, so that it stays one word.
        quoted: bool,
        /// Its text as written.
        text: String,
    },
}

/// What is known only when a text runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dynamic {
    /// `$name`, `${name}`, and with `plain: false` one with an operator.
    Parameter {
        /// The parameter.
        name: String,
        /// Whether nothing stands behind the name.
        plain: bool,
    },
    /// `${!name}` or `${name@P}`: a value that is read as code or as another name.
    Indirect,
    /// `$(…)` or backticks. Its commands are among those of the script.
    Command,
    /// `<(…)` or `>(…)`.
    Process,
    /// `$((…))`.
    Arithmetic,
    /// `*`, `?`, `[…]` or an extended pattern, not quoted.
    Glob,
    /// `{a,b}` or `{1..3}`, not quoted.
    Brace,
    /// `~` or `~user` at the start of a word.
    Tilde,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq)]
pub struct Redirect {
    /// What it does.
    pub what: RedirectKind,
    /// The file, the descriptor or the text.
    pub target: Word,
}

/// What a redirection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<`.
    Read,
    /// `>`, `>|`, `&>` and `>&word`.
    Write,
    /// `>>` and `&>>`.
    Append,
    /// `<>`.
    ReadWrite,
    /// `2>&1`, `<&3`, `3>&-`, `3>&1-`.
    Duplicate,
    /// `<<` and `<<-`: the target is the body.
    Heredoc,
    /// `<<<`.
    HereString,
}

/// What makes a text more than its commands tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// It is not a shell's text, or not one that is known here.
    Syntax {
        /// Where.
        at: usize,
        /// What was expected, in a few words.
        expected: &'static str,
    },
    /// It holds a control character.
    Control(char),
    /// It is past a limit, named.
    Limit(&'static str),
    /// A construct that is valid and not walked here, named.
    Construct(&'static str),
}

impl Word {
    /// A word of plain text.
    pub(crate) fn plain(text: &str) -> Self {
        let piece = Piece::Literal { text: text.to_owned(), quoted: false };
        Word { pieces: vec![piece], ..Word::default() }
    }

    /// The whole word, if nothing of it is dynamic.
    #[must_use]
    pub fn literal(&self) -> Option<String> {
        if let [Piece::Literal { text, .. }] = self.pieces.as_slice() {
            return Some(text.clone());
        }
        self.pieces.iter().map(Piece::literal).collect()
    }

    /// The characters in front of the first dynamic piece.
    #[must_use]
    pub fn literal_start(&self) -> String {
        self.pieces.iter().map_while(Piece::literal).collect()
    }

    /// Whether something of it is known only when it runs.
    #[must_use]
    pub fn is_dynamic(&self) -> bool {
        self.pieces.iter().any(|it| it.literal().is_none())
    }

    /// The word as a reader would write it: literal text, and dynamic pieces as written.
    #[must_use]
    pub fn shown(&self) -> String {
        self.pieces.iter().map(Piece::shown).collect()
    }
}

impl Piece {
    /// The text: what it stands for, or as written where that is known only when it runs.
    #[must_use]
    pub fn shown(&self) -> &str {
        match self {
            Piece::Literal { text, .. } | Piece::Dynamic { text, .. } => text,
        }
    }

    fn literal(&self) -> Option<&str> {
        match self {
            Piece::Literal { text, .. } => Some(text),
            Piece::Dynamic { .. } => None,
        }
    }
}
