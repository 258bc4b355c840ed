//! What a command line would do to what is protected.

use lawbook_shell::{Analysis, EffectKind, Segment, Word};

use super::places::{Standing, mentions, standing, standing_wild};
use super::targets::{leads_anywhere, targets, untold, variables_are_told};
use super::wild::{has_signs, is_live, says_nothing};
use super::words::{holds_here, is_told};
use crate::{Footing, Location};

/// Programs that write what they are given, or make it something else.
const WRITERS: &[&str] = &[
    "rm",
    "mv",
    "cp",
    "ln",
    "link",
    "unlink",
    "install",
    "chmod",
    "chown",
    "chgrp",
    "chattr",
    "setfacl",
    "tee",
    "truncate",
    "dd",
    "touch",
    "mkdir",
    "rmdir",
    "shred",
    "rsync",
    "scp",
    "ed",
    "ex",
    "vi",
    "vim",
    "nano",
    "emacs",
    "patch",
    "split",
    "sponge",
    "srm",
    "wipe",
    "unzip",
    "cpio",
    "unrar",
    "7z",
    "mount",
    "del",
    "erase",
    "move",
    "copy",
    "ren",
    "set-content",
    "add-content",
    "out-file",
    "remove-item",
    "copy-item",
    "move-item",
    "new-item",
    "rename-item",
];

/// Programs that only read what they are given, unless an option says otherwise.
const READERS: &[&str] = &[
    "cat",
    "less",
    "more",
    "head",
    "tail",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "ag",
    "ls",
    "dir",
    "stat",
    "file",
    "wc",
    "diff",
    "cmp",
    "jq",
    "yq",
    "find",
    "fd",
    "tree",
    "echo",
    "printf",
    "test",
    "[",
    "cd",
    "pushd",
    "pwd",
    "which",
    "du",
    "md5sum",
    "sha256sum",
    "sha1sum",
    "sort",
    "uniq",
    "cut",
    "tr",
    "awk",
    "gawk",
    "mawk",
    "sed",
    "bat",
    "nl",
    "od",
    "xxd",
    "hexdump",
    "realpath",
    "readlink",
    "basename",
    "dirname",
    "true",
    "false",
    "export",
    "column",
    "get-content",
];

/// Programs that take away a folder with all that it holds.
const REMOVERS: &[&str] = &["rm", "remove-item"];

/// Programs that move a folder with all that it holds.
const MOVERS: &[&str] = &["mv", "move", "ren", "move-item"];

/// Words of git that write files of the work tree that they name.
const GIT_WRITING: &[&str] =
    &["checkout", "restore", "apply", "am", "mv", "rm", "clean", "update-index", "config"];

/// Programs that run what they are given by name.
const RUNNERS: &[&str] = &["uvx", "uv", "npx", "pipx", "bunx", "pnpm", "yarn", "npm", "cargo"];

/// Words with which lawbook opens a door or writes a record.
const DOORS: &[&str] = &["hook", "serve", "mcp", "ledger", "approve"];

/// What a command line would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// It writes this.
    Writes(String),
    /// It may write something protected; whether it does can't be told.
    May(String),
    /// It copies something to where this leads, which is known only when it runs.
    Untold(String),
    /// It starts one of lawbook's doors.
    Door(String),
}

/// The worst that a command line would do, if anything.
pub(super) fn finding(
    text: &str,
    analysis: &Analysis,
    footing: Footing<'_>,
    named: &[String],
) -> Option<Finding> {
    let mut cwd = footing.cwd.map(str::to_owned);
    let (mut may, mut lost) = (None, None);
    let told = variables_are_told(text, analysis);
    let shadowed =
        |at: usize| told && analysis.segments.iter().any(|it| it.shadow && it.wrapper == Some(at));
    for (at, segment) in analysis.segments.iter().enumerate() {
        let here = Footing { cwd: cwd.as_deref(), ..footing };
        if let Some(door) = door(segment, named) {
            return Some(Finding::Door(door));
        }
        for effect in segment.effects.iter().filter(|it| it.kind == EffectKind::Writes) {
            if standing(&effect.subject, here, named) == Standing::Protected {
                return Some(Finding::Writes(effect.subject.clone()));
            }
            // What a pattern stands for is what it can become; one for anything tells nothing.
            let subject = &effect.subject;
            if effect.path.is_none()
                && has_signs(subject)
                && !says_nothing(subject)
                && standing_wild(subject, here, named) == Standing::Protected
            {
                return Some(Finding::Writes(subject.clone()));
            }
        }
        match written(segment, here, named).or_else(|| filled_in(segment, here, named)) {
            Some(Finding::May(word)) => may = may.or(Some(Finding::May(word))),
            Some(found) => return Some(found),
            None => {}
        }
        if lost.is_none() && !shadowed(at) {
            lost = untold(segment, here, named).map(Finding::Untold);
        }
        if let Some(folder) = entered(segment, here) {
            cwd = Some(folder);
        }
    }
    let mut patched = None;
    crate::patch::headers(text, &mut |path| {
        if standing(path, footing, named) == Standing::Protected {
            patched = Some(Finding::Writes(path.to_owned()));
        }
    });
    let only_reads = analysis.unclear.is_empty() && analysis.segments.iter().all(is_reader);
    let hides = || (!only_reads && mentions(text, named)).then(|| Finding::May(text.to_owned()));
    patched.or(may).or_else(hides).or(lost)
}

/// The door that a segment starts: by lawbook's own name, by that of the program that is
/// protected, whatever it is called, or as a module of Python.
fn door(segment: &Segment, named: &[String]) -> Option<String> {
    let words: Vec<String> = segment.argv.iter().map(Word::shown).collect();
    let is_lawbook = |it: &String| {
        let name = name(it);
        let own = |it: &String| self::name(it.trim_end_matches(['/', '\\'])) == name;
        matches!(name.as_str(), "lawbook" | "lawbook.exe")
            || (!name.is_empty() && named.iter().any(own))
    };
    let program = segment.program.as_deref().unwrap_or_default();
    let runs = RUNNERS.contains(&program);
    let at = words.iter().position(is_lawbook).filter(|at| *at == 0 || runs);
    let at = at.or_else(|| module(program, &words))?;
    let word = words.iter().skip(at).find(|it| DOORS.contains(&it.as_str()))?;
    Some(format!("lawbook {word}"))
}

/// Where an interpreter of Python is told to run lawbook as a module.
fn module(program: &str, words: &[String]) -> Option<usize> {
    let program = program.to_lowercase();
    if !program.starts_with("py") {
        return None;
    }
    let is_module = |it: &str| {
        let top = it.split('.').next().unwrap_or(it);
        top.eq_ignore_ascii_case("lawbook")
    };
    let before = |at: usize| at.checked_sub(1).and_then(|it| words.get(it));
    // `-m lawbook`, and `-mlawbook` with whatever options stand in front of the letter.
    let option = |it: &str| it.starts_with('-') && !it.starts_with("--");
    words.iter().enumerate().skip(1).position(|(at, it)| {
        let apart = before(at).is_some_and(|it| option(it) && it.ends_with('m'));
        let joined = it.split_once('m').filter(|_| option(it)).map(|it| it.1);
        (apart && is_module(it)) || joined.is_some_and(is_module)
    })
}

fn name(word: &str) -> String {
    word.rsplit(['/', '\\']).next().unwrap_or(word).to_lowercase()
}

/// What the arguments of a program that writes can become, where a shell fills in patterns.
fn filled_in(segment: &Segment, here: Footing<'_>, named: &[String]) -> Option<Finding> {
    if !writes(segment) {
        return None;
    }
    let goals = targets(segment);
    let words = segment.argv.iter().skip(1).filter(|it| is_live(it));
    let mut may = None;
    for word in words {
        let shown = word.shown();
        let goal = goals.as_ref().is_some_and(|it| it.contains(&word));
        // What a copy takes is only read.
        if goals.is_some() && !goal && !moves(segment) {
            continue;
        }
        let text = shown.split_once('=').map_or(shown.as_str(), |it| it.1);
        // A pattern for anything is no sign of what is meant, but next to what is protected.
        if says_nothing(text) && !leads_anywhere(text, here, named)
            || standing_wild(text, here, named) != Standing::Protected
        {
            continue;
        }
        if goal && !says_nothing(text) {
            return Some(Finding::Writes(shown));
        }
        may = may.or(Some(Finding::May(shown)));
    }
    may
}

fn moves(segment: &Segment) -> bool {
    let program = segment.program.as_deref().unwrap_or_default().to_lowercase();
    MOVERS.contains(&program.as_str()) || program == "git"
}

/// Whether a program writes what its words name.
fn writes(segment: &Segment) -> bool {
    let program = segment.program.as_deref().unwrap_or_default().to_lowercase();
    WRITERS.contains(&program.as_str())
        || (program == "sed" && edits_in_place(segment))
        || (program == "git" && git_writes(segment))
        || (program.ends_with("tar") && unpacks(segment))
}

/// What the arguments of a program name that it would write.
fn written(segment: &Segment, here: Footing<'_>, named: &[String]) -> Option<Finding> {
    if is_reader(segment) {
        return None;
    }
    let program = segment.program.as_deref().unwrap_or_default().to_lowercase();
    let writes = writes(segment);
    let mut may = None;
    let last = segment.argv.len().saturating_sub(1);
    for (at, word) in segment.argv.iter().enumerate().skip(1) {
        let shown = word.shown();
        // `--output=FILE` and `of=FILE` name a file behind the sign.
        let behind = shown.split_once('=').map(|it| it.1);
        for text in [Some(shown.as_str()), behind].into_iter().flatten() {
            let is_named = is_told(word) || !text.contains(['$', '`', '*', '?', '[', '{']);
            match standing(text, here, named) {
                Standing::Protected if writes => return Some(Finding::Writes(shown.clone())),
                Standing::Around if writes && program != "git" && is_named => {
                    return Some(Finding::Writes(shown.clone()));
                }
                Standing::Protected => may = Some(Finding::May(shown.clone())),
                Standing::Around | Standing::Apart => {}
            }
        }
        // The last word of a move says where to.
        let goes = REMOVERS.contains(&program.as_str())
            || (MOVERS.contains(&program.as_str()) && at < last);
        if goes && is_told(word) && holds_here(&shown, here) {
            may = Some(Finding::May(shown.clone()));
        }
        // What stands behind the folder is known only when it runs.
        if writes && !is_told(word) && leads_around(&word.literal_start(), here, named) {
            may = Some(Finding::May(shown));
        }
    }
    may
}

fn unpacks(segment: &Segment) -> bool {
    segment.argv.iter().skip(1).map(Word::shown).enumerate().any(|(at, it)| {
        let cluster = it.starts_with('-') && !it.starts_with("--") || at == 0;
        cluster && it.contains('x') && !it.contains(['/', '.']) || it.starts_with("--ext")
    })
}

/// Whether a path that starts so stands in a folder that holds what is protected.
fn leads_around(start: &str, here: Footing<'_>, named: &[String]) -> bool {
    let folder = start.rsplit_once('/').map(|it| it.0);
    folder.is_some_and(|it| !it.is_empty() && standing(it, here, named) != Standing::Apart)
}

fn is_reader(segment: &Segment) -> bool {
    let Some(program) = segment.program.as_deref() else { return false };
    match program {
        "git" => !git_writes(segment),
        "sed" => !edits_in_place(segment),
        program => segment.transparent || READERS.contains(&program.to_lowercase().as_str()),
    }
}

fn edits_in_place(segment: &Segment) -> bool {
    segment.argv.iter().skip(1).map(Word::shown).any(|it| {
        it.starts_with("--in-place")
            || (it.starts_with('-') && !it.starts_with("--") && it.contains('i'))
    })
}

fn git_writes(segment: &Segment) -> bool {
    segment.argv.iter().skip(1).map(Word::shown).any(|it| GIT_WRITING.contains(&it.as_str()))
}

/// The folder that a segment goes to.
fn entered(segment: &Segment, here: Footing<'_>) -> Option<String> {
    if !matches!(segment.program.as_deref(), Some("cd" | "pushd")) {
        return None;
    }
    let folder = segment.argv.iter().skip(1).map(Word::shown).find(|it| !it.starts_with('-'))?;
    Location::plain(&folder, here).ok().map(|it| it.text())
}
