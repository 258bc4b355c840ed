//! The shells of Windows: what PowerShell and cmd would run, as far as it can be seen.
//!
//! Neither text is ever read as bash. Plain words, pipelines and separators are understood; of all
//! else the verdict is at least ask, and the commands that can still be seen are listed so that
//! what forbids finds them.

mod catastrophe;
mod cmd;
mod names;
mod payload;
mod powershell;
mod scan;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::{Analysis, COMMANDS_MAX, Piece, Segment, TEXT_BYTES_MAX, Unclear, Word};
use payload::Carried;
use scan::{Language, Scan, literal};

pub(crate) use names::{aliases, base, programs, resolve};

/// How deep shells and wrappers may run each other.
const NESTING_MAX: usize = 8;
/// How many words of one command are looked through for what it carries.
const WORDS_MAX: usize = 1024;
/// How many words of what lies too deep are taken for programs.
const NAMES_MAX: usize = 512;
/// How many bytes are read, payloads and what they carry counted each.
const READ_BYTES_MAX: usize = 2 * TEXT_BYTES_MAX;

/// Reads a text of PowerShell as the commands that it can reach.
pub(crate) fn powershell(text: &str) -> Analysis {
    analyse(Language::PowerShell, text)
}

/// Reads a text of cmd as the commands that it can reach.
pub(crate) fn cmd(text: &str) -> Analysis {
    analyse(Language::Cmd, text)
}

fn analyse(language: Language, text: &str) -> Analysis {
    let mut run = Run::default();
    let what = Carried::Text(language, text.to_owned());
    run.open.push(Open { what, under: Under::default() });
    while let Some(open) = run.open.pop() {
        run.step(open);
    }
    if run.analysis.unclear.iter().any(|it| matches!(it, Unclear::Limit(_)))
        && let Some(it) = catastrophe::search(language, text)
    {
        run.catastrophe(it);
    }
    run.analysis
}

/// What is still to be read, innermost last.
struct Open {
    what: Carried,
    under: Under,
}

/// Where something stands that is read.
#[derive(Clone, Debug, Default)]
struct Under {
    wrapper: Option<usize>,
    depth: usize,
    /// Its place in the outermost text, if it is not that text.
    source: Option<Range<usize>>,
}

#[derive(Default)]
struct Run {
    analysis: Analysis,
    open: Vec<Open>,
    /// The programs that were seen once there were too many commands.
    late: BTreeSet<String>,
    read: usize,
    /// How many words of what lies too deep were looked at.
    named: usize,
}

impl Run {
    fn step(&mut self, open: Open) {
        let Open { what, under } = open;
        if let Carried::Text(_, text) = &what {
            self.read = self.read.saturating_add(text.len().min(TEXT_BYTES_MAX));
        }
        if under.depth > NESTING_MAX || self.read > READ_BYTES_MAX {
            self.unclear(Unclear::Limit("depth"));
            return self.names(&what, &under);
        }
        match what {
            Carried::Words(language, words) => self.command(language, words, &under),
            Carried::Text(language, text) => self.text(language, &text, &under),
        }
    }

    fn text(&mut self, language: Language, text: &str, under: &Under) {
        if text.len() > TEXT_BYTES_MAX {
            self.unclear(Unclear::Limit("bytes"));
        }
        if let Some(it) = text.chars().find(|it| it.is_control() && !"\t\r\n".contains(*it)) {
            self.unclear(Unclear::Control(it));
        }
        if text.replace("\r\n", "\n").contains('\r') {
            self.unclear(Unclear::Control('\r'));
        }
        let Scan { commands, unclear, inner, .. } = language.scan(scan::head(text, TEXT_BYTES_MAX));
        if commands.is_empty() && unclear.is_empty() && inner.is_empty() {
            self.unclear(Unclear::Syntax { at: 0, expected: "a command" });
        }
        unclear.into_iter().for_each(|it| self.unclear(it));
        self.open.extend(inner.into_iter().rev().map(|it| Open {
            what: Carried::Text(language, it),
            under: Under { depth: under.depth.saturating_add(1), ..under.clone() },
        }));
        self.open.extend(commands.into_iter().rev().map(|it| Open {
            what: Carried::Words(language, it.words),
            under: Under {
                source: Some(under.source.clone().unwrap_or(it.source)),
                ..under.clone()
            },
        }));
    }

    /// One command, and what it carries for another shell or another program.
    fn command(&mut self, language: Language, argv: Vec<Word>, under: &Under) {
        let Some(first) = argv.first() else { return };
        let written = written(first);
        let program = (!written.is_empty()).then(|| language.program(&written));
        let by_path = written.contains(['\\', '/', ':', '\'', '`']);
        let name = program.clone().unwrap_or_default();
        let source = under.source.clone().unwrap_or_default();
        let wrapper = under.wrapper;
        let mut segment = Segment { argv, program, by_path, source, wrapper, ..Segment::default() };
        if let (Some(word), false) = (segment.argv.first_mut(), by_path || name.is_empty()) {
            *word = literal(&name, word.source.clone());
        }
        if name.is_empty() {
            self.unclear(Unclear::Construct("a program known only when it runs"));
        }
        if let Some(it) = catastrophe::of(language, &name, segment.argv.get(1..).unwrap_or(&[])) {
            self.catastrophe(it);
        }
        if segment.argv.len() > WORDS_MAX && payload::carries(language, &name) {
            self.unclear(Unclear::Limit("words"));
            let words = segment.argv.split_off(1);
            let wrapper = self.emit(segment);
            let under = Under { wrapper, ..under.clone() };
            return self.names(&Carried::Words(language, words), &under);
        }
        let carries = payload::of(language, &name, segment.argv.get(1..).unwrap_or(&[]));
        if let Some(it) = carries.why {
            self.unclear(Unclear::Construct(it));
        }
        let source = Some(segment.source.clone());
        let wrapper = self.emit(segment).or(under.wrapper);
        let inner = Under { wrapper, depth: under.depth.saturating_add(1), source };
        let opened = carries.what.into_iter().rev();
        self.open.extend(opened.map(|what| Open { what, under: inner.clone() }));
    }

    /// Adds a segment. Past the limit only programs that were not seen yet are added: what forbids
    /// is searched in them too.
    fn emit(&mut self, segment: Segment) -> Option<usize> {
        let at = self.analysis.segments.len();
        if at >= COMMANDS_MAX {
            self.unclear(Unclear::Limit("commands"));
            let name = segment.program.clone().unwrap_or_default();
            if self.late.len() >= COMMANDS_MAX || !self.late.insert(name) {
                return None;
            }
        }
        self.analysis.segments.push(segment);
        Some(at)
    }

    /// What lies too deep: each word of it may be a program.
    fn names(&mut self, what: &Carried, under: &Under) {
        let shown: Vec<String> = match what {
            Carried::Text(_, text) => vec![text.clone()],
            Carried::Words(_, words) => words.iter().map(Word::shown).collect(),
        };
        let source = under.source.clone().unwrap_or_default();
        let apart = |it: char| it.is_whitespace() || "'\"|&;(){}".contains(it);
        let mut seen = BTreeSet::new();
        for name in shown.iter().flat_map(|it| it.split(apart)).filter(|it| !it.is_empty()) {
            if self.named >= NAMES_MAX {
                return self.unclear(Unclear::Limit("names"));
            }
            if !seen.insert(name) {
                continue;
            }
            self.named = self.named.saturating_add(1);
            let program = resolve(name);
            let argv = vec![literal(&program, source.clone())];
            let (program, source, wrapper) = (Some(program), source.clone(), under.wrapper);
            self.emit(Segment { argv, program, source, wrapper, ..Segment::default() });
        }
    }

    fn unclear(&mut self, unclear: Unclear) {
        let unclears = &mut self.analysis.unclear;
        let fits = unclears.len() < 16 || matches!(unclear, Unclear::Limit(_));
        if fits && !unclears.contains(&unclear) {
            unclears.push(unclear);
        }
    }

    fn catastrophe(&mut self, message: String) {
        let all = &mut self.analysis.catastrophes;
        if all.len() < 16 && !all.contains(&message) {
            all.push(message);
        }
    }
}

/// What of a program's word names the program: all of it, or the end of a path whose beginning is
/// known only when it runs.
fn written(word: &Word) -> String {
    let end = || match word.pieces.last() {
        Some(Piece::Literal { text, .. }) if text.contains(['\\', '/']) => text.clone(),
        _ => String::new(),
    };
    word.literal().unwrap_or_else(end)
}
