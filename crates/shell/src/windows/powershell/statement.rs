//! Words and statements of PowerShell: what is a command, what is an expression, what is a keyword.

use super::super::names::resolve;
use super::{Bracket, Reader};
use crate::{Piece, Word};

/// One statement, or one member of a pipeline.
#[derive(Debug, Default)]
pub(super) struct Statement {
    words: Vec<Word>,
    /// Whether the call or the dot operator stands before it.
    pub(super) called: bool,
    /// Whether it is a value and no command.
    pub(super) expression: bool,
    /// Whether it begins with a keyword, so that a block ends it.
    pub(super) keyword: bool,
    /// Whether the next word is the target of a redirection.
    pub(super) redirects: bool,
    /// Whether a pipe feeds it.
    fed: bool,
    /// The variable that an expression begins with.
    pub(super) variable: Option<String>,
    /// The variable that it assigns to.
    assigned: Option<String>,
    /// The value of an expression, if it is constant.
    pub(super) value: Option<String>,
    /// What the pipeline's last member hands on, if it is constant.
    handed: Option<String>,
}

impl Statement {
    /// Whether nothing of it was read.
    pub(super) fn at_start(&self) -> bool {
        self.words.is_empty() && !self.expression && !self.called && !self.redirects
    }
}

impl Reader<'_> {
    pub(super) fn end_word(&mut self, count: usize) {
        let end = self.place();
        self.skip(count);
        let top = self.top();
        let Some(word) = top.word.take() else { return };
        let statement = &mut top.statement;
        if std::mem::take(&mut statement.redirects) {
            return;
        }
        if statement.expression {
            let goes_on = word.bare().is_some_and(|it| it.eq_ignore_ascii_case("in"));
            if goes_on {
                statement.expression = false;
            }
            return add_constant(&mut statement.value, &word.finish(end));
        }
        if statement.words.is_empty() && !statement.called {
            let bare = word.bare().unwrap_or_default().to_lowercase();
            if word.quoted || word.starts_dynamic() || begins_value(&bare) {
                statement.expression = true;
                add_constant(&mut statement.value, &word.finish(end));
                return self.scan.construct("an expression");
            }
            if is_keyword(&bare) && !statement.fed {
                statement.keyword = true;
                statement.expression = NAMING.contains(&bare.as_str());
                return self.scan.construct("a keyword");
            }
        }
        let word = word.finish(end);
        if statement.words.is_empty() && word.shown().contains("::") {
            self.scan.construct("a .NET member");
        } else if word.literal().is_some_and(|it| it == "--%") {
            return self.verbatim();
        }
        self.add(word);
    }

    /// Adds a word to the statement.
    fn add(&mut self, word: Word) {
        let mut words = std::mem::take(&mut self.top().statement.words);
        self.scan.word(&mut words, word);
        self.top().statement.words = words;
    }

    /// Behind `--%` the rest of the line is handed over as it is.
    fn verbatim(&mut self) {
        self.scan.construct("the stop-parsing token");
        while let Some(it) = self.peek(0).filter(|it| !"\n\r|&".contains(*it)) {
            if self.scan.is_cut() {
                break;
            }
            if it.is_whitespace() {
                self.end_plain_word();
            } else {
                self.word(false).push(it, false);
            }
            self.skip(1);
        }
        self.end_plain_word();
    }

    fn end_plain_word(&mut self) {
        let end = self.place();
        if let Some(word) = self.top().word.take() {
            self.add(word.finish(end));
        }
    }

    pub(super) fn end_command(&mut self, pipes: bool, count: usize) {
        self.end_word(0);
        self.skip(count);
        let table = self.top().bracket == Bracket::Table;
        let code = self.top().code;
        let next = Statement { fed: pipes, expression: table, ..Statement::default() };
        let mut ended = std::mem::replace(&mut self.top().statement, next);
        let words = std::mem::take(&mut ended.words);
        let matters = pipes || ended.handed.is_some();
        if let Some(first) = words.first().filter(|_| matters) {
            let name = first.literal().map(|it| resolve(&it)).unwrap_or_default();
            let runs = ["Invoke-Expression", "powershell", "pwsh"].contains(&name.as_str());
            if let Some(it) = ended.handed.take_if(|_| runs) {
                self.scan.inside(it);
            }
            if pipes && name == "Write-Output" {
                let rest: Vec<String> = words.iter().skip(1).map(Word::shown).collect();
                self.top().statement.handed = Some(rest.join(" "));
            }
        }
        self.scan.command(words);
        let Some(value) = ended.value else { return };
        if let Some(name) = ended.assigned {
            self.constants.set(&name, &value);
        }
        if code {
            self.scan.inside(value.clone());
        }
        let statement = &mut self.top().statement;
        if pipes {
            statement.handed = Some(value);
        } else if count == 0 && !table {
            statement.value = Some(value);
        }
    }

    /// Whether a value is assigned here.
    pub(super) fn takes_value(&mut self) -> bool {
        let statement = &self.top().statement;
        statement.expression && statement.words.is_empty()
    }

    pub(super) fn assign(&mut self) {
        self.end_word(1);
        self.scan.construct("an assignment");
        let fresh = Statement::default();
        let statement = &mut self.top().statement;
        let variable = statement.variable.take();
        let keyword = statement.keyword;
        *statement = Statement { assigned: variable, keyword, ..fresh };
    }
}

/// Adds what a word says to a constant value; what is not constant ends it.
fn add_constant(value: &mut Option<String>, word: &Word) {
    for piece in &word.pieces {
        match piece {
            Piece::Literal { text, quoted: true } => value.get_or_insert_default().push_str(text),
            Piece::Literal { text, .. } if text.chars().all(|it| it == '+') => {}
            _ => return,
        }
    }
}

/// Whether a word begins a value: a number, a type, an operator, a label.
fn begins_value(it: &str) -> bool {
    it.starts_with(['[', '-', '!', '+', ':'])
        || !it.is_empty() && it.chars().all(|it| it.is_ascii_digit() || it == '.') && it != "."
}

fn is_keyword(it: &str) -> bool {
    KEYWORDS.contains(&it) || NAMING.contains(&it)
}

/// Keywords that a command may follow.
const KEYWORDS: [&str; 30] = [
    "if",
    "else",
    "elseif",
    "while",
    "for",
    "foreach",
    "switch",
    "do",
    "until",
    "try",
    "catch",
    "finally",
    "param",
    "begin",
    "process",
    "end",
    "clean",
    "dynamicparam",
    "return",
    "throw",
    "break",
    "continue",
    "exit",
    "trap",
    "default",
    "in",
    "parallel",
    "sequence",
    "inlinescript",
    "data",
];
/// Keywords that a name follows.
const NAMING: [&str; 7] =
    ["function", "filter", "class", "enum", "using", "workflow", "configuration"];
