//! Where a command copies something to, where that is known only when it runs.

use lawbook_shell::{Analysis, Effect, EffectKind, Segment, Word};

use super::places::{Standing, standing};
use super::words::{holds_here, is_told};
use crate::Footing;

/// Programs that write what their last word names, or the word behind `-t`.
const LAST: &[&str] = &[
    "cp",
    "mv",
    "install",
    "ln",
    "link",
    "rsync",
    "scp",
    "copy",
    "xcopy",
    "move",
    "copy-item",
    "move-item",
];

/// Programs that write every file that they are given.
const EACH: &[&str] = &["tee", "sponge", "out-file", "tee-object"];

/// Programs whose first word names what they write.
const FIRST: &[&str] = &["set-content", "add-content"];

/// Programs that set variables in ways that are not followed.
const SETTERS: &[&str] =
    &["read", "mapfile", "readarray", "getopts", "printf", "let", "wait", "eval", "source", "."];

/// What a text holds that sets variables in ways that are not followed.
const SETTING: &[&str] = &["for ", "select ", "((", "$[", ":="];

/// Whether the variables of a text hold what its assignments say.
pub(super) fn variables_are_told(text: &str, analysis: &Analysis) -> bool {
    let sets = |it: &Segment| it.program.as_deref().is_some_and(|it| SETTERS.contains(&it));
    !analysis.segments.iter().any(sets) && !SETTING.iter().any(|it| text.contains(it))
}

/// What a segment writes that may be anywhere.
pub(super) fn untold(segment: &Segment, here: Footing<'_>, named: &[String]) -> Option<String> {
    let effect = |it: &&Effect| it.kind == EffectKind::Writes && it.path.is_none();
    let subjects = segment.effects.iter().filter(effect).map(|it| it.subject.clone());
    let subjects = subjects.filter(|it| it.contains(['$', '`', '*', '?', '[', '(']));
    // What a wrapper fills in stands for anything.
    let filled = |it: &Word| segment.wrapper.is_some() && it.shown().contains("{}");
    let words = copied(segment).into_iter().filter(|it| !is_told(it) || filled(it));
    let shown = words.map(|it| {
        let shown = it.shown();
        let behind = shown.split_once('=').filter(|it| it.0 == "of" || it.0.starts_with('-'));
        behind.map(|it| it.1.to_owned()).unwrap_or(shown)
    });
    subjects.chain(shown).find(|it| leads_anywhere(it, here, named))
}

/// The words that say where a program copies something to; none for a program that writes all of
/// its words.
pub(super) fn targets(segment: &Segment) -> Option<Vec<&Word>> {
    let program = segment.program.as_deref().unwrap_or_default().to_lowercase();
    let is = |list: &[&str]| list.contains(&program.as_str());
    if program == "git" && segment.argv.iter().any(|it| it.literal().as_deref() == Some("mv")) {
        return Some(segment.argv.last().into_iter().collect());
    }
    (is(LAST) || is(EACH) || is(FIRST) || program == "dd").then(|| copied(segment))
}

/// The words that say where a program copies something to.
fn copied(segment: &Segment) -> Vec<&Word> {
    let program = segment.program.as_deref().unwrap_or_default().to_lowercase();
    let is = |list: &[&str]| list.contains(&program.as_str());
    let words = segment.argv.get(1..).unwrap_or_default();
    let operands = || words.iter().filter(|it| !it.literal_start().starts_with('-'));
    if is(LAST) {
        let given = folders(words);
        return if given.is_empty() { operands().next_back().into_iter().collect() } else { given };
    }
    if is(EACH) {
        return operands().filter(|it| !it.shown().starts_with([')', '<', '>'])).collect();
    }
    if is(FIRST) {
        return operands().take(1).collect();
    }
    if program == "dd" {
        return words.iter().filter(|it| it.literal_start().starts_with("of=")).collect();
    }
    Vec::new()
}

/// The folders that `-t` names.
fn folders(words: &[Word]) -> Vec<&Word> {
    let long = |it: &str| it.len() > 3 && "--target-directory".starts_with(it);
    let short = |it: &str| it.starts_with('-') && !it.starts_with("--") && it.ends_with('t');
    let pairs = words.windows(2).filter_map(|it| match it {
        [option, value] => {
            let option = option.shown();
            (long(&option) || short(&option)).then_some(value)
        }
        _ => None,
    });
    let glued = words.iter().filter(|it| {
        let start = it.literal_start();
        start.split_once('=').is_some_and(|it| long(it.0))
    });
    pairs.chain(glued).collect()
}

/// Whether what a word names may lie where something is protected: what it begins with does not
/// lead into a folder that has nothing to do with it.
pub(super) fn leads_anywhere(shown: &str, here: Footing<'_>, named: &[String]) -> bool {
    let known = [("$HOME", "~"), ("${HOME}", "~"), ("$PWD", "."), ("${PWD}", "."), ("$(pwd)", ".")];
    let known = known.iter().find_map(|(name, place)| {
        let rest = shown.strip_prefix(name)?;
        rest.starts_with('/').then(|| format!("{place}{rest}"))
    });
    let shown = known.as_deref().unwrap_or(shown);
    let Some(end) = shown.find(['$', '`', '*', '?', '[', '{', '(']) else { return false };
    let start = shown.get(..end).unwrap_or_default();
    let Some((folder, _)) = start.rsplit_once(['/', '\\']) else { return true };
    let is_near = folder.trim_start_matches('~').chars().all(|it| matches!(it, '.' | '/' | '\\'));
    is_near || holds_here(folder, here) || standing(folder, here, named) != Standing::Apart
}
