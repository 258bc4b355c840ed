//! The words of a call, read as its program reads them: options, their values, and operands.

use crate::{Dynamic, Piece, Word};

/// How many options of one call are told apart.
pub const OPTIONS_MAX: usize = 512;

/// One option that a program knows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Opt {
    /// Its spellings, separated by a space, the one that reports use first.
    pub names: &'static str,
    /// Whether it takes a value.
    pub value: Value,
    /// What it does that a rule for the program does not cover.
    pub does: Does,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// It takes none.
    No,
    /// It takes one, in the same word or the next.
    Must,
    /// It may take one, in the same word.
    Glued,
}

/// What an option does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Does {
    /// Nothing that matters here.
    #[default]
    Nothing,
    /// It writes the file that its value names; without a value, one of the program's choice.
    Writes,
    /// It runs a program, or code.
    Executes,
    /// It changes what its program was only asked to show.
    Changes,
    /// It sends a file, or goes to a place that the program would not go to.
    Network,
    /// It makes its value the directory that the program works in.
    Directory,
    /// It names a file or a folder whose code or settings the program follows, which is as good as
    /// the workspace where it lies in it.
    Trusts,
}

/// An option without a value.
pub(crate) const fn flag(names: &'static str) -> Opt {
    Opt { names, value: Value::No, does: Does::Nothing }
}

/// An option that takes a value.
pub(crate) const fn valued(names: &'static str) -> Opt {
    Opt { names, value: Value::Must, does: Does::Nothing }
}

/// An option that may take a value in its own word.
pub(crate) const fn glued(names: &'static str) -> Opt {
    Opt { names, value: Value::Glued, does: Does::Nothing }
}

impl Opt {
    /// The same option, which writes.
    pub const fn writes(self) -> Opt {
        Opt { does: Does::Writes, ..self }
    }

    /// The same option, which runs something.
    pub const fn executes(self) -> Opt {
        Opt { does: Does::Executes, ..self }
    }

    /// The same option, which changes something.
    pub const fn changes(self) -> Opt {
        Opt { does: Does::Changes, ..self }
    }

    /// The same option, which reaches out.
    pub const fn network(self) -> Opt {
        Opt { does: Does::Network, ..self }
    }

    /// The same option, whose value is a directory to work in.
    pub const fn directory(self) -> Opt {
        Opt { does: Does::Directory, ..self }
    }

    /// The same option, whose value is a file that the program follows.
    pub const fn trusts(self) -> Opt {
        Opt { does: Does::Trusts, ..self }
    }

    fn is(&self, name: &str) -> bool {
        self.names.as_bytes().split(|it| *it == b' ').any(|it| it == name.as_bytes())
    }

    /// The spelling that reports use.
    pub fn name(&self) -> &'static str {
        self.names.split(' ').next().unwrap_or_default()
    }
}

/// How a program reads its words.
#[derive(Debug)]
pub(crate) struct Grammar {
    /// Whether one dash stands before a whole name, as in `find -name`.
    pub one_dash: bool,
    /// Whether options end at the first operand, because what follows is a command.
    pub leads: bool,
    /// Options that stand before the first operand only.
    pub global: &'static [Opt],
    /// Options that stand anywhere.
    pub options: &'static [Opt],
    /// Options behind a first operand.
    pub commands: &'static [(&'static str, &'static [Opt])],
    /// Whether a word `name=value` is an option, wherever it stands.
    pub assigns: bool,
    /// Whether each operand is an action, whatever their order.
    pub goals: bool,
}

const EMPTY: Grammar = Grammar {
    one_dash: false,
    leads: false,
    global: &[],
    options: &[],
    commands: &[],
    assigns: false,
    goals: false,
};

/// How a program reads its words that nothing is known of.
pub(crate) static PLAIN: Grammar = Grammar::of(&[]);

impl Grammar {
    /// Options that stand anywhere.
    pub const fn of(options: &'static [Opt]) -> Grammar {
        Grammar { one_dash: false, leads: false, options, ..EMPTY }
    }

    /// Options that stand anywhere, and words `name=value` that are options too.
    pub const fn assigning(options: &'static [Opt]) -> Grammar {
        Grammar { options, assigns: true, ..EMPTY }
    }

    /// The same grammar, whose operands are actions in any order.
    pub const fn of_goals(self) -> Grammar {
        Grammar { goals: true, ..self }
    }

    /// Options anywhere, one dash before a whole name.
    pub const fn one_dash(options: &'static [Opt]) -> Grammar {
        Grammar { one_dash: true, leads: false, options, ..EMPTY }
    }

    /// Options in front of a command that the program runs.
    pub const fn leading(options: &'static [Opt]) -> Grammar {
        Grammar { one_dash: false, leads: true, options, ..EMPTY }
    }

    /// Whether an option of it does something that a rule for the program does not cover.
    pub fn is_armed(&self) -> bool {
        let armed = |it: &[Opt]| it.iter().any(|it| it.does != Does::Nothing);
        armed(self.global) || armed(self.options) || self.commands.iter().any(|it| armed(it.1))
    }

    /// The option of a name, behind a first operand or before it.
    fn find(&self, name: &str, command: Option<&str>) -> Option<&'static Opt> {
        let (first, own) = self.tables(command);
        first.iter().chain(own).chain(self.options).find(|it| it.is(name))
    }

    /// The option that a shortened long name stands for: one that does something before others.
    fn shortened(&self, name: &str, command: Option<&str>) -> Option<&'static Opt> {
        let (first, own) = self.tables(command);
        let fits = |it: &&Opt| it.names.split(' ').any(|it| it.starts_with(name));
        let mut found = first.iter().chain(own).chain(self.options).filter(fits);
        let any = found.clone().next();
        found.find(|it| it.does != Does::Nothing).or(any)
    }

    fn tables(&self, command: Option<&str>) -> (&'static [Opt], &'static [Opt]) {
        let Some(command) = command else { return (self.global, &[]) };
        let own = self.commands.iter().find(|it| it.0 == command);
        (&[], own.map(|it| it.1).unwrap_or_default())
    }

    /// The name under which an option of a rule is known: `--force` of a rule is `-f` of a call.
    pub fn canonical(&self, written: &str) -> String {
        let tables = self.commands.iter().flat_map(|it| it.1);
        let mut all = self.options.iter().chain(tables).chain(self.global);
        all.find(|it| it.is(written)).map_or(written, |it| it.name()).to_owned()
    }

    /// Every way to write an option that is known by a name.
    pub fn spellings(&self, name: &str) -> Vec<String> {
        let tables = self.commands.iter().flat_map(|it| it.1);
        let all = self.options.iter().chain(tables).chain(self.global);
        let same = all.filter(|it| it.is(name)).flat_map(|it| it.names.split(' '));
        std::iter::once(name).chain(same).map(str::to_owned).collect()
    }

    /// Whether an option of a rule takes the next word of the rule as its value.
    pub fn takes_value(&self, written: &str, command: Option<&str>) -> bool {
        self.find(written, command).is_some_and(|it| it.value == Value::Must)
    }
}

/// The words behind a program, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reading {
    /// What is no option, in order.
    pub operands: Vec<Operand>,
    /// The options, in order.
    pub options: Vec<Given>,
    /// Words in front of `--` that could become options when the text runs, by their place.
    pub wild: Vec<usize>,
    /// Whether there are more options than are told apart.
    pub full: bool,
    /// Whether each operand is an action.
    pub goals: bool,
}

/// A word that is no option.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Operand {
    /// Its place in the words of the call.
    pub at: usize,
    /// Its text, if all of it is known.
    pub text: Option<String>,
    /// What is known of its start.
    pub start: String,
    /// Whether an option that nobody knows stands before it, whose value it may be.
    pub doubtful: bool,
    /// Whether `--` stands before it.
    pub ended: bool,
}

/// An option of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Given {
    /// Its name, as reports use it.
    pub name: String,
    /// Its name as written, without a value.
    pub written: String,
    /// What it does.
    pub does: Does,
    /// Its value.
    pub value: Option<Word>,
}

/// Options that take no value wherever they are used.
const ALWAYS_FLAGS: &[&str] = &[
    "--all",
    "--check",
    "--color",
    "--debug",
    "--dry-run",
    "--fix",
    "--force",
    "--help",
    "--json",
    "--locked",
    "--no-color",
    "--no-pager",
    "--offline",
    "--quiet",
    "--release",
    "--silent",
    "--verbose",
    "--version",
    "--watch",
    "--workspace",
    "--yes",
    "-V",
    "-f",
    "-h",
    "-q",
    "-s",
    "-v",
    "-y",
];

impl Reading {
    /// Reads the words behind a program.
    pub fn of(words: &[Word], grammar: &Grammar) -> Reading {
        let mut reader = Reader {
            grammar,
            words,
            command: None,
            ended: false,
            doubtful: false,
            out: Reading { goals: grammar.goals, ..Reading::default() },
        };
        let mut at = 0_usize;
        while let Some(word) = words.get(at) {
            at = at.saturating_add(reader.read(at, word));
        }
        reader.out
    }

    /// Whether an option is among them.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|it| it.name == name)
    }

    /// Adds options that the words amount to.
    pub fn imply(&mut self, names: &[&'static str]) {
        let given = |it: &&'static str| Given {
            name: (*it).to_owned(),
            written: (*it).to_owned(),
            does: Does::Nothing,
            value: None,
        };
        self.options.extend(names.iter().map(given));
    }

    /// The text of an operand, by its number.
    pub fn operand(&self, number: usize) -> Option<&str> {
        self.operands.get(number)?.text.as_deref()
    }
}

struct Reader<'r> {
    grammar: &'r Grammar,
    words: &'r [Word],
    command: Option<String>,
    ended: bool,
    doubtful: bool,
    out: Reading,
}

impl Reader<'_> {
    /// Reads one word, and says how many it took.
    fn read(&mut self, at: usize, word: &Word) -> usize {
        let start = word.literal_start();
        if self.grammar.assigns
            && let Some((name, _)) = start.split_once('=')
            && is_name(name)
        {
            self.assigned(word, name);
            return 1;
        }
        if self.ended || start.len() < 2 || !start.starts_with('-') {
            self.operand(at, word, start);
            return 1;
        }
        if start == "--" && word.literal().is_some() {
            self.ended = true;
            return 1;
        }
        self.doubtful = false;
        if self.out.options.len() >= OPTIONS_MAX {
            self.out.full = true;
            return 1;
        }
        if start.starts_with("--") || self.grammar.one_dash {
            self.long(at, word, &start)
        } else {
            self.cluster(at, word, &start)
        }
    }

    fn operand(&mut self, at: usize, word: &Word, start: String) {
        let text = word.literal();
        // A home directory begins with a slash.
        let home = matches!(word.pieces.first(), Some(Piece::Dynamic { what: Dynamic::Tilde, .. }));
        if text.is_none() && !home && !self.ended && (start.is_empty() || start == "-") {
            self.out.wild.push(at);
        }
        if self.command.is_none() {
            self.command = Some(text.clone().unwrap_or_default());
        }
        let (doubtful, ended) = (self.doubtful, self.ended);
        self.doubtful = false;
        self.ended |= self.grammar.leads;
        self.out.operands.push(Operand { at, text, start, doubtful, ended });
    }

    /// A word `name=value` where those are options.
    fn assigned(&mut self, word: &Word, name: &str) {
        self.doubtful = false;
        if self.out.options.len() >= OPTIONS_MAX {
            self.out.full = true;
            return;
        }
        let value = Some(tail(word, name.len().saturating_add(1)));
        let known = self.grammar.options.iter().find(|it| it.is(name));
        let does = known.map_or(Does::Nothing, |it| it.does);
        let (name, written) = (name.to_owned(), name.to_owned());
        self.out.options.push(Given { name, written, does, value });
    }

    fn long(&mut self, at: usize, word: &Word, start: &str) -> usize {
        let (written, value) = match start.split_once('=') {
            Some((name, _)) => (name, Some(tail(word, name.len().saturating_add(1)))),
            None => (start, None),
        };
        // A name that is not complete may become any option.
        if value.is_none() && word.is_dynamic() || spreads(word) {
            self.out.wild.push(at);
        }
        let bare = self.grammar.one_dash.then(|| written.trim_start_matches('-'));
        let name = bare.map_or_else(|| written.to_owned(), |it| format!("-{it}"));
        let command = self.command.as_deref();
        let known = self.grammar.find(&name, command).or_else(|| {
            let long = name.len() > 3 && !self.grammar.one_dash;
            long.then(|| self.grammar.shortened(&name, command)).flatten()
        });
        match known {
            Some(opt) if opt.value == Value::Must && value.is_none() => {
                let next = self.words.get(at.saturating_add(1)).cloned();
                self.give(opt, written, next);
                2
            }
            Some(opt) => {
                self.give(opt, written, value);
                1
            }
            None => {
                self.doubtful = value.is_none() && !ALWAYS_FLAGS.contains(&written);
                let written = written.to_owned();
                self.out.options.push(Given { name, written, does: Does::Nothing, value });
                1
            }
        }
    }

    fn cluster(&mut self, at: usize, word: &Word, start: &str) -> usize {
        if word.is_dynamic() && spreads(word) {
            self.out.wild.push(at);
        }
        for (place, letter) in start.char_indices().skip(1) {
            let written = format!("-{letter}");
            let behind = place.saturating_add(letter.len_utf8());
            let more = behind < start.len() || word.is_dynamic();
            match self.grammar.find(&written, self.command.as_deref()) {
                Some(opt) if opt.value != Value::No => {
                    let must = opt.value == Value::Must && !more;
                    let value = if more {
                        Some(tail(word, behind))
                    } else {
                        must.then(|| self.words.get(at.saturating_add(1)).cloned()).flatten()
                    };
                    self.give(opt, &written, value);
                    return if must { 2 } else { 1 };
                }
                Some(opt) => self.give(opt, &written, None),
                None => {
                    self.doubtful = !more && !ALWAYS_FLAGS.contains(&written.as_str());
                    let name = written.clone();
                    self.out.options.push(Given {
                        name,
                        written,
                        does: Does::Nothing,
                        value: None,
                    });
                }
            }
        }
        if word.is_dynamic() && self.out.wild.last() != Some(&at) {
            self.out.wild.push(at);
        }
        1
    }

    fn give(&mut self, opt: &'static Opt, written: &str, value: Option<Word>) {
        let name = opt.name().to_owned();
        self.out.options.push(Given { name, written: written.to_owned(), does: opt.does, value });
    }
}

/// Whether a text may stand before the sign in `name=value`.
pub(crate) fn is_name(text: &str) -> bool {
    let plain = |it: u8| it == b'_' || it == b'.' || it.is_ascii_alphanumeric();
    let name = text.trim_end_matches([':', '+', '?', '!']);
    !name.is_empty() && name.bytes().all(plain)
}

/// Whether a word can become several when the text runs.
pub(crate) fn spreads(word: &Word) -> bool {
    word.pieces.iter().any(|it| matches!(it, Piece::Dynamic { quoted: false, .. }))
}

/// A word without its first bytes, which are literal.
pub(crate) fn tail(word: &Word, bytes: usize) -> Word {
    let mut left = bytes;
    let mut pieces = Vec::new();
    for piece in &word.pieces {
        match piece {
            Piece::Literal { text, .. } if left >= text.len() => {
                left = left.saturating_sub(text.len());
            }
            Piece::Literal { text, quoted } => {
                let text = text.get(left..).unwrap_or_default().to_owned();
                pieces.push(Piece::Literal { text, quoted: *quoted });
                left = 0;
            }
            Piece::Dynamic { .. } => pieces.push(piece.clone()),
        }
    }
    Word { pieces, source: word.source.clone() }
}
