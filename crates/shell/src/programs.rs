//! The shelf of programs that need knowledge: one file each, and this list.
//!
//! A program says how it reads its words, which of its options do more than a rule for it covers,
//! and which commands it runs.

mod ag;
mod alias;
mod at;
mod awk;
mod base64;
mod behind_dashes;
mod busybox;
mod bwrap;
mod cargo;
mod cat;
mod cd;
mod chroot;
mod cmake;
mod command;
mod copies;
mod curl;
mod date;
mod dd;
mod deno;
mod docker;
mod echo;
mod entr;
mod env;
mod eslint;
mod eval;
mod export;
mod fd;
mod file;
mod find;
mod flock;
mod formatters;
mod gcc;
mod gdb;
mod git;
mod go;
mod gradle;
mod gzip;
mod hyperfine;
mod interpreter;
mod ionice;
mod javac;
mod jq;
mod kubectl;
mod less;
mod make;
mod man;
mod mkfs;
mod mvn;
mod nice;
mod ninja;
mod noglob;
mod nohup;
mod npm;
mod npx;
mod nsenter;
mod numactl;
mod openssl;
mod options_first;
mod parallel;
mod placed;
mod pytest;
mod reports;
mod rg;
mod rm;
mod rsync;
mod ruff;
mod rustc;
mod script;
mod sed;
mod set;
mod shells;
mod sort;
mod split;
mod ssh;
mod stdbuf;
mod strace;
mod su;
mod sudo;
mod systemd_run;
mod tar;
mod taskset;
mod tcpdump;
mod tee;
mod terraform;
mod time;
mod timeout;
mod touch;
mod tree;
mod tsc;
mod uniq;
mod unshare;
mod unzip;
mod uv;
mod vim;
mod watch;
mod wget;
mod workspace_tools;
mod xargs;
mod xxd;
mod zip;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::path::{Cwd, Path};
use crate::reading::{Does, Given, Grammar, PLAIN, Reading};
use crate::segment::Named;
use crate::{Dynamic, Effect, EffectKind, Piece, Place, Redirect, RedirectKind, Word, wild};

/// Every program that needs knowledge.
const PROGRAMS: &[&dyn Program] = &[
    &ag::PROGRAM,
    &alias::PROGRAM,
    &at::PROGRAM,
    &awk::PROGRAM,
    &base64::PROGRAM,
    &behind_dashes::PROGRAM,
    &busybox::PROGRAM,
    &bwrap::PROGRAM,
    &cargo::PROGRAM,
    &cat::PROGRAM,
    &cd::PROGRAM,
    &chroot::PROGRAM,
    &cmake::PROGRAM,
    &command::PROGRAM,
    &copies::PROGRAM,
    &curl::PROGRAM,
    &date::PROGRAM,
    &dd::PROGRAM,
    &deno::PROGRAM,
    &docker::PROGRAM,
    &echo::PROGRAM,
    &entr::PROGRAM,
    &env::PROGRAM,
    &eslint::PROGRAM,
    &eval::PROGRAM,
    &export::PROGRAM,
    &fd::PROGRAM,
    &file::PROGRAM,
    &find::PROGRAM,
    &flock::PROGRAM,
    &formatters::PROGRAM,
    &gcc::PROGRAM,
    &gdb::PROGRAM,
    &git::PROGRAM,
    &go::PROGRAM,
    &gradle::PROGRAM,
    &gzip::PROGRAM,
    &hyperfine::PROGRAM,
    &interpreter::PROGRAM,
    &ionice::PROGRAM,
    &javac::PROGRAM,
    &jq::PROGRAM,
    &kubectl::PROGRAM,
    &less::PROGRAM,
    &make::PROGRAM,
    &man::PROGRAM,
    &mkfs::PROGRAM,
    &mvn::PROGRAM,
    &nice::PROGRAM,
    &ninja::PROGRAM,
    &noglob::PROGRAM,
    &nohup::PROGRAM,
    &npm::PROGRAM,
    &npx::PROGRAM,
    &nsenter::PROGRAM,
    &numactl::PROGRAM,
    &openssl::PROGRAM,
    &options_first::PROGRAM,
    &parallel::PROGRAM,
    &placed::PROGRAM,
    &pytest::PROGRAM,
    &reports::PROGRAM,
    &rg::PROGRAM,
    &rm::PROGRAM,
    &rsync::PROGRAM,
    &ruff::PROGRAM,
    &rustc::PROGRAM,
    &script::PROGRAM,
    &sed::PROGRAM,
    &set::PROGRAM,
    &shells::PROGRAM,
    &sort::PROGRAM,
    &split::PROGRAM,
    &ssh::PROGRAM,
    &stdbuf::PROGRAM,
    &strace::PROGRAM,
    &su::PROGRAM,
    &sudo::PROGRAM,
    &systemd_run::PROGRAM,
    &tar::PROGRAM,
    &taskset::PROGRAM,
    &tcpdump::PROGRAM,
    &tee::PROGRAM,
    &terraform::PROGRAM,
    &time::PROGRAM,
    &timeout::PROGRAM,
    &touch::PROGRAM,
    &tree::PROGRAM,
    &tsc::PROGRAM,
    &uniq::PROGRAM,
    &unshare::PROGRAM,
    &unzip::PROGRAM,
    &uv::PROGRAM,
    &vim::PROGRAM,
    &watch::PROGRAM,
    &wget::PROGRAM,
    &workspace_tools::PROGRAM,
    &xargs::PROGRAM,
    &xxd::PROGRAM,
    &zip::PROGRAM,
];

/// A program that needs knowledge.
pub(crate) trait Program: Sync {
    /// The names that it is called by.
    fn names(&self) -> &'static [&'static str];

    /// How it reads its words.
    fn grammar(&self) -> &'static Grammar {
        &PLAIN
    }

    /// Whether a word that is known only when it runs could make it do more than a rule covers.
    fn is_careful(&self) -> bool {
        self.grammar().is_armed()
    }

    /// What a call does beyond what its options say.
    fn look(&self, _call: &Call<'_>, _found: &mut Found) {}

    /// The name that rules use for it, which forbids each of its names.
    fn kin(&self) -> Option<&'static str> {
        None
    }

    /// Whether it runs, or takes for words of a command, what a pipe feeds it.
    fn drinks(&self, _name: &str) -> bool {
        false
    }

    /// What a call writes to its output, as far as that can be told. It serves to find what is
    /// forbidden, and allows nothing.
    fn says(&self, _call: &Call<'_>) -> Option<String> {
        None
    }

    /// Whether it passes on what a pipe feeds it.
    fn passes(&self, _call: &Call<'_>) -> bool {
        false
    }

    /// Whether it runs what it is given, so that a yes to one call is no yes to its name.
    fn is_opaque(&self) -> bool {
        false
    }
}

/// A program whose options are all that needs to be known.
pub(crate) struct Table {
    /// The names that it is called by.
    pub names: &'static [&'static str],
    /// How it reads its words.
    pub grammar: &'static Grammar,
    /// Whether it runs what the directory says that it works in.
    pub trusts_directory: bool,
}

impl Program for Table {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn grammar(&self) -> &'static Grammar {
        self.grammar
    }

    fn look(&self, _call: &Call<'_>, found: &mut Found) {
        found.trusts_directory |= self.trusts_directory;
    }
}

/// A call of a program.
pub(crate) struct Call<'c> {
    /// The program's name.
    pub name: &'c str,
    /// The words behind it.
    pub words: &'c [Word],
    /// The same, read.
    pub reading: &'c Reading,
    /// Its redirections.
    pub redirects: &'c [Redirect],
    /// Where it stands.
    pub place: &'c Place,
    /// Where it works.
    pub cwd: &'c Cwd,
    /// The folder that the agent works in.
    pub workspace: &'c Path,
    /// What a pipe feeds it, as far as that can be told and matters to it.
    pub piped: &'c str,
}

/// What is found of a call.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// What it does beyond running its program.
    pub effects: Vec<Effect>,
    /// What it runs.
    pub runs: Vec<Run>,
    /// Whether it changes nothing for what it runs.
    pub transparent: bool,
    /// Directories that it enters before it works, in order.
    pub directories: Vec<Word>,
    /// Whether it runs what the directory says that it works in.
    pub trusts_directory: bool,
    /// Where it leaves the shell.
    pub moves: Option<Move>,
    /// Variables that it sets in the shell.
    pub sets: Vec<(String, Option<String>)>,
    /// Names that stand for something else afterwards.
    pub defines: Vec<String>,
    /// Options that its words amount to.
    pub implies: Vec<&'static str>,
    /// How many leading operands are no part of the action.
    pub skips: usize,
}

/// What a call runs.
#[derive(Debug)]
pub(crate) enum Run {
    /// A command.
    Words {
        /// Its words.
        words: Vec<Word>,
        /// Which operand of the call its program is.
        operand: Option<usize>,
    },
    /// The call itself once more, with what it reads known.
    Known(Vec<Word>),
    /// Code of a shell of its own that is given words.
    Called {
        /// The code.
        text: String,
        /// Its words: its name, then `$1` and so on.
        words: Vec<Word>,
    },
    /// Code of a shell.
    Code {
        /// The code.
        text: String,
        /// Whether it runs in a shell of its own.
        own: bool,
    },
}

/// Where a call leaves the shell.
#[derive(Debug)]
pub(crate) enum Move {
    /// In a directory; the home directory without one.
    To(Option<Word>),
    /// Somewhere.
    Lost,
}

/// How a word names a program.
pub(crate) struct Identity<'w> {
    /// The last part of its path.
    pub name: &'w str,
    /// Whether it is named by a path that is not trusted.
    pub by_path: bool,
}

/// Directories whose programs are those that their names say.
const TRUSTED: &[&str] =
    &["/bin/", "/opt/homebrew/bin/", "/sbin/", "/usr/bin/", "/usr/local/bin/", "/usr/sbin/"];

/// Which program a word names.
pub(crate) fn identity(word: &str) -> Identity<'_> {
    let slash = word.bytes().rposition(|it| it == b'/');
    match slash.and_then(|it| word.split_at_checked(it.saturating_add(1))) {
        Some((folder, name)) => Identity { name, by_path: !TRUSTED.contains(&folder) },
        None => Identity { name: word, by_path: false },
    }
}

/// The programs by their names, since each rule asks for the one that it is compared with.
static BY_NAME: LazyLock<BTreeMap<&str, &dyn Program>> = LazyLock::new(|| {
    let each = |it: &&'static dyn Program| {
        let program = *it;
        program.names().iter().map(move |name| (*name, program))
    };
    PROGRAMS.iter().rev().flat_map(each).collect()
});

/// The knowledge of a program.
pub(crate) fn find(name: &str) -> Option<&'static dyn Program> {
    BY_NAME.get(name).copied()
}

/// The name that rules use for a program which has several.
pub(crate) fn kin(name: &str) -> Option<&'static str> {
    find(name)?.kin()
}

/// Whether a rule that forbids one program means another.
pub(crate) fn means(word: &str, name: &str) -> bool {
    word == name || kin(name) == Some(word)
}

/// Looks at a call: at its options, at words that may become options, then as its program does.
pub(crate) fn look(program: &dyn Program, call: &Call<'_>, found: &mut Found) {
    for given in &call.reading.options {
        call.option(given, found);
    }
    if program.is_careful() {
        for word in call.reading.wild.iter().filter_map(|it| call.words.get(*it)) {
            let shown = word.shown();
            let message = format!("`{shown}` could become an option of `{}`", call.name);
            found.effects.push(Effect::new(EffectKind::Unknown, shown, message));
        }
    }
    program.look(call, found);
}

impl Call<'_> {
    /// Notes what an option does.
    fn option(&self, given: &Given, found: &mut Found) {
        let named = Named::Option(given.name.clone(), given.written.clone());
        let (name, option) = (self.name, &given.written);
        let (kind, message) = match given.does {
            Does::Nothing => return,
            Does::Writes => {
                if let Some(value) = &given.value {
                    found.effects.extend(Effect::writes(value, self.cwd).map(|it| it.named(named)));
                    return;
                }
                (EffectKind::Writes, format!("`{name} {option}` writes files"))
            }
            Does::Executes => (EffectKind::Executes, format!("`{name} {option}` can run programs")),
            Does::Changes => {
                (EffectKind::Writes, format!("`{name} {option}` changes what `{name}` works on"))
            }
            Does::Network => (EffectKind::Network, format!("`{name} {option}` sends or fetches")),
            Does::Trusts => {
                if given.value.as_ref().is_none_or(|it| self.is_inside(it)) {
                    return;
                }
                let what = format!("`{name} {option}` follows a file outside of the workspace");
                (EffectKind::Executes, what)
            }
            Does::Directory => {
                found.directories.extend(given.value.clone());
                return;
            }
        };
        found.effects.push(Effect::new(kind, option.clone(), message).named(named));
    }

    /// Whether a word names a place in the workspace for certain.
    pub fn is_inside(&self, word: &Word) -> bool {
        let (places, lost) = self.cwd.resolve(word);
        !lost && !wild::may_leave(word) && places.iter().all(|it| it.is_in(self.workspace))
    }

    /// The text of an operand, by its number.
    pub fn operand(&self, number: usize) -> Option<&str> {
        self.reading.operand(number)
    }

    /// The word of an operand, by its number.
    pub fn word(&self, number: usize) -> Option<&Word> {
        self.words.get(self.reading.operands.get(number)?.at)
    }

    /// The words from an operand on.
    pub fn from(&self, number: usize) -> Vec<Word> {
        let at = self.reading.operands.get(number).map(|it| it.at);
        at.and_then(|it| self.words.get(it..)).unwrap_or_default().to_vec()
    }

    /// The value of an option.
    pub fn value(&self, name: &str) -> Option<&Word> {
        self.reading.options.iter().find(|it| it.name == name)?.value.as_ref()
    }

    /// The first operand and how many words a rule needs to name what stands behind so many.
    pub fn subject(&self) -> String {
        let words = self.reading.operands.iter().map_while(|it| it.text.as_deref()).take(2);
        words.fold(self.name.to_owned(), |out, it| format!("{out} {it}"))
    }

    /// Text that the redirections of the call feed it.
    pub fn fed(&self) -> impl Iterator<Item = &Word> {
        let fed =
            |it: &&Redirect| matches!(it.what, RedirectKind::Heredoc | RedirectKind::HereString);
        self.redirects.iter().filter(fed).map(|it| &it.target)
    }

    /// Whether a file or a command feeds the call.
    pub fn is_fed_unseen(&self) -> bool {
        let reads = |it: &Redirect| {
            matches!(it.what, RedirectKind::Read | RedirectKind::ReadWrite)
                && it.target.literal().as_deref() != Some("/dev/null")
        };
        self.place.fed && self.fed().next().is_none() || self.redirects.iter().any(reads)
    }
}

impl Found {
    /// The call runs the command that begins at an operand, and changes nothing for it.
    pub fn wraps(&mut self, call: &Call<'_>, operand: usize) {
        let words = call.from(operand);
        if !words.is_empty() {
            self.runs.push(Run::Words { words, operand: Some(operand) });
            self.behind(call, operand);
            self.transparent = true;
        }
    }

    /// The call runs the command that begins at an operand, and a rule must name that command.
    pub fn runs(&mut self, call: &Call<'_>, operand: usize) {
        let words = call.from(operand);
        let Some(first) = words.first() else { return };
        let shown = first.shown();
        let message = format!("`{}` runs `{shown}`", call.name);
        let named = Named::Words(operand.saturating_add(2));
        self.effects.push(Effect::new(EffectKind::Executes, shown, message).named(named));
        self.runs.push(Run::Words { words, operand: Some(operand) });
        self.behind(call, operand);
    }

    /// A word behind an option that nobody knows may be its value, and the command behind it.
    fn behind(&mut self, call: &Call<'_>, operand: usize) {
        let doubtful = call.reading.operands.get(operand).is_some_and(|it| it.doubtful);
        let next = call.from(operand).split_off(usize::from(doubtful));
        if doubtful && !next.is_empty() {
            self.runs.push(Run::Known(next));
        }
    }

    /// The call runs a word as code of a shell.
    pub fn code(&mut self, call: &Call<'_>, word: &Word, own: bool) {
        let text = code(word);
        if text.is_none() {
            self.unseen(call, &word.shown());
        }
        self.runs.push(Run::Code { text: text.unwrap_or_else(|| word.shown()), own });
    }

    /// The call runs a word as code of a shell of its own, with words that the code is given.
    pub fn called(&mut self, call: &Call<'_>, word: &Word, words: Vec<Word>) {
        let text = code(word);
        if text.is_none() {
            self.unseen(call, &word.shown());
        }
        self.runs.push(Run::Called { text: text.unwrap_or_else(|| word.shown()), words });
    }

    /// The call runs code that can't be seen.
    pub fn unseen(&mut self, call: &Call<'_>, what: &str) {
        let message = format!("`{}` runs code that can't be seen: `{what}`", call.name);
        self.effects.push(Effect::new(EffectKind::Executes, what, message));
    }

    /// The call does something that a rule covers which names so many of its words.
    pub fn words(&mut self, kind: EffectKind, call: &Call<'_>, words: usize, message: String) {
        let effect = Effect::new(kind, call.subject(), message).named(Named::Words(words));
        self.effects.push(effect);
    }
}

/// The text of a word that is code: variables in it stay what they are, commands in it do not.
fn code(word: &Word) -> Option<String> {
    let text = |it: &Piece| match it {
        Piece::Literal { text, .. } => Some(text.clone()),
        Piece::Dynamic { what: Dynamic::Tilde | Dynamic::Glob, text, .. } => Some(text.clone()),
        Piece::Dynamic { .. } => None,
    };
    word.pieces.iter().map(text).collect()
}

/// A text, and behind it the same with its escapes decoded: some programs do that and some do not.
fn unescaped(text: String) -> String {
    if !text.contains('\\') {
        return text;
    }
    let (decoded, _) = crate::parse::decoded(&text.replace('\'', "\\'"));
    format!("{text}\n{decoded}")
}

/// A word that begins with `+` is a command that a pager or an editor starts with.
fn start_commands(call: &Call<'_>, found: &mut Found) {
    let starts = |it: &&crate::reading::Operand| it.start.starts_with('+') && it.start.len() > 1;
    let plain = |it: &str| it.chars().all(|it| it.is_ascii_digit() || it == 'G');
    for operand in call.reading.operands.iter().filter(starts) {
        if operand.start.strip_prefix('+').is_some_and(plain) {
            continue;
        }
        let message = format!("`{}` starts with the command `{}`", call.name, operand.start);
        let effect = Effect::new(EffectKind::Executes, operand.start.clone(), message);
        found.effects.push(effect);
    }
}

/// Whether a word is a process substitution: what it runs is a segment of its own.
pub(crate) fn is_process(word: &Word) -> bool {
    matches!(word.pieces.as_slice(), [Piece::Dynamic { what: Dynamic::Process, .. }])
}

#[cfg(test)]
mod tests {
    use super::PROGRAMS;
    use crate::{Rules, World, analyse, judge, suggest};

    /// Prefixes that no answer may become.
    const NEVER: &str = include_str!("../../../conformance/shell/never_suggested.tsv");

    fn suggested(command: &str) -> Vec<String> {
        let (world, rules) = (World::default(), Rules::default());
        let analysis = analyse(command, &world);
        suggest(&analysis, &judge(&analysis, &rules, &world))
    }

    #[test]
    fn what_runs_whatever_it_is_given_is_never_suggested() {
        let prefixes: Vec<&str> = NEVER.lines().filter(|it| !it.starts_with('#')).collect();
        assert!(prefixes.len() > 46, "the list of others, and what was added to it");
        let opaque = PROGRAMS.iter().filter(|it| it.is_opaque()).flat_map(|it| it.names());
        for prefix in prefixes.into_iter().chain(opaque.copied()) {
            for tail in ["", " x", " x y", " 'x y'", " ./x -v"] {
                let command = format!("{prefix}{tail}");
                // What it runs may be suggested, and never the prefix itself.
                let program = prefix.split(' ').next().unwrap();
                let name = super::identity(program).name;
                for rule in suggested(&command) {
                    let first = rule.split(' ').next().unwrap();
                    assert_ne!(super::identity(first).name, name, "{command}: {rule}");
                }
            }
        }
        assert_eq!(suggested("git status -s && cargo test"), ["cargo test", "git status"]);
    }
}
