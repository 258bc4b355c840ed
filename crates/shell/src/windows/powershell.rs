//! PowerShell's text → the commands that can be seen in it, in one pass with a stack of its own.

mod statement;
mod text;

use super::scan::{Building, Scan};
use crate::{DEPTH_MAX, Unclear};
use statement::Statement;

/// How many brackets are kept open; more are counted alone.
const FRAMES_MAX: usize = 1024;

/// The commands of a text.
pub(super) fn scan(text: &str) -> Scan {
    let mut reader = Reader::new(text);
    while let Some(it) = reader.peek(0) {
        if reader.scan.is_cut() {
            break;
        }
        if reader.top().quote.is_some() {
            reader.in_quotes(it);
        } else {
            reader.outside(it);
        }
    }
    reader.finish()
}

/// What a bracket opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Bracket {
    #[default]
    None,
    /// `(`, `$(` and `@(`.
    Round,
    /// `{`.
    Block,
    /// `@{`.
    Table,
}

#[derive(Debug, Default)]
struct Frame {
    bracket: Bracket,
    /// The quote that is open, and whether it is one of a here-string.
    quote: Option<(Quote, bool, usize)>,
    word: Option<Building>,
    statement: Statement,
    /// Whether the strings in it are read as code.
    code: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quote {
    Single,
    Double,
}

impl Quote {
    /// The quote that a character is: PowerShell reads typographic ones too.
    fn of(it: char) -> Option<Self> {
        match it {
            '\'' | '\u{2018}'..='\u{201b}' => Some(Quote::Single),
            '"' | '\u{201c}'..='\u{201e}' => Some(Quote::Double),
            _ => None,
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    chars: Vec<(usize, char)>,
    at: usize,
    frames: Vec<Frame>,
    outermost: Frame,
    /// The brackets that are open beyond those that are kept.
    uncounted: usize,
    scan: Scan,
    constants: text::Constants,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Reader {
            text,
            chars: text.char_indices().collect(),
            at: 0,
            frames: Vec::new(),
            outermost: Frame::default(),
            uncounted: 0,
            scan: Scan::default(),
            constants: text::Constants::default(),
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at.saturating_add(ahead)).map(|it| it.1)
    }

    /// Where the next character stands in the text.
    fn place(&self) -> usize {
        self.chars.get(self.at).map_or(self.text.len(), |it| it.0)
    }

    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().unwrap_or(&mut self.outermost)
    }

    /// The word that is being read, begun here if there is none.
    fn word(&mut self, quoted: bool) -> &mut Building {
        let place = self.place();
        self.top().word.get_or_insert_with(|| Building::new(place, quoted))
    }

    /// Whether a command may begin here.
    fn at_start(&mut self) -> bool {
        let top = self.top();
        top.word.is_none() && top.statement.at_start()
    }

    fn outside(&mut self, it: char) {
        let next = self.peek(1);
        match it {
            '\n' | ';' | '\r' => self.end_command(false, 1),
            _ if it.is_whitespace() => self.end_word(1),
            '#' if self.top().word.is_none() => self.line_comment(),
            '<' if next == Some('#') => self.block_comment(),
            '<' | '>' => self.redirect(),
            '|' if next == Some('|') => self.end_command(false, 2),
            '|' => self.end_command(true, 1),
            '&' if next == Some('&') => self.end_command(false, 2),
            '&' if self.at_start() => self.call("the call operator"),
            '&' => {
                self.scan.construct("a command in the background");
                self.end_command(false, 1);
            }
            '.' if self.is_dot_operator(next) => self.call("the dot operator"),
            ',' => self.end_word(1),
            '`' => self.backtick(),
            '$' => self.dollar(false),
            '@' if self.top().word.is_none() => self.at_sign(next),
            '(' => self.open(Bracket::Round, 1),
            '{' => self.open(Bracket::Block, 1),
            ')' => self.close(false),
            '}' => self.close(true),
            '=' if self.takes_value() => self.assign(),
            _ => match Quote::of(it) {
                Some(quote) => self.quote(quote, false, 1),
                None => self.plain(it),
            },
        }
    }

    fn plain(&mut self, it: char) {
        if it == '[' && self.at_start() {
            self.scan.construct("a .NET type");
            self.top().statement.expression = true;
        }
        let dash = matches!(it, '\u{2013}' | '\u{2014}' | '\u{2015}');
        self.word(false).push(if dash { '-' } else { it }, false);
        self.skip(1);
    }

    fn call(&mut self, name: &'static str) {
        self.scan.construct(name);
        self.top().statement.called = true;
        self.skip(1);
    }

    fn is_dot_operator(&mut self, next: Option<char>) -> bool {
        let opens = |it: char| it.is_whitespace() || "$({&".contains(it) || Quote::of(it).is_some();
        self.at_start() && next.is_none_or(opens)
    }

    fn open(&mut self, bracket: Bracket, count: usize) {
        self.scan.construct(match bracket {
            Bracket::Block => "a script block",
            Bracket::Table => "a table",
            Bracket::Round | Bracket::None => "a subexpression",
        });
        let top = self.top();
        let bare = top.word.as_ref().and_then(Building::bare).map(str::to_lowercase);
        let code = bare.as_deref().is_some_and(|it| CODE_MEMBERS.iter().any(|m| it.ends_with(m)));
        if bare.is_some() && top.quote.is_none() || bracket == Bracket::Block {
            self.end_word(0);
        }
        if bracket == Bracket::Round && self.at_start() && !self.top().statement.called {
            self.top().statement.expression = true;
        }
        self.skip(count);
        if self.frames.len() >= DEPTH_MAX {
            self.scan.note(Unclear::Limit("depth"));
        }
        if self.frames.len() >= FRAMES_MAX {
            self.uncounted = self.uncounted.saturating_add(1);
            return self.end_command(false, 0);
        }
        let mut frame = Frame { bracket, code, ..Frame::default() };
        frame.statement.expression = bracket == Bracket::Table;
        self.frames.push(frame);
    }

    fn close(&mut self, curly: bool) {
        self.end_command(false, 0);
        let at = self.place();
        self.skip(1);
        if self.uncounted > 0 {
            self.uncounted = self.uncounted.saturating_sub(1);
            return;
        }
        let unpaired = Unclear::Syntax { at, expected: "a bracket that it closes" };
        let Some(frame) = self.frames.pop() else { return self.scan.note(unpaired) };
        if curly == (frame.bracket == Bracket::Round) {
            self.scan.note(unpaired);
        }
        let quoted = self.top().quote.is_some();
        let value = frame.statement.value.filter(|_| frame.bracket == Bracket::Round);
        match value {
            Some(it) => it.chars().for_each(|it| self.word(true).push(it, true)),
            None if frame.bracket == Bracket::Block => {
                if self.top().statement.keyword {
                    self.end_command(false, 0);
                }
            }
            None if self.top().statement.keyword && !quoted => {
                self.top().statement.expression = false;
            }
            None => self.word(false).dynamic("(…)", "", quoted),
        }
    }

    fn finish(mut self) -> Scan {
        let open = self.frames.iter().chain([&self.outermost]).filter_map(|it| it.quote);
        let unclosed = open.map(|it| it.2).min();
        if let Some(it) = unclosed.and_then(|it| self.text.get(it..)) {
            self.scan.inside(it.to_owned());
        }
        if unclosed.is_some() || !self.frames.is_empty() {
            let at = self.text.len();
            self.scan.note(Unclear::Syntax { at, expected: "the end of a quote or a bracket" });
        }
        loop {
            self.end_command(false, 0);
            if self.frames.pop().is_none() {
                self.scan.commands.sort_by_key(|it| it.source.start);
                return self.scan;
            }
        }
    }
}

/// Members of .NET that take code as text.
const CODE_MEMBERS: [&str; 5] =
    ["::create", "invokescript", "newscriptblock", "addscript", "addcommand"];
