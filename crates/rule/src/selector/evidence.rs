//! What the success of a command line proves of one command in it.

use lawbook_shell::{Analysis, Command, Inside, Segment, parse};

/// Options and words with which a program only tells what it would do.
const TELLING: &[&str] = &[
    "--help",
    "-h",
    "help",
    "--version",
    "-V",
    "--dry-run",
    "--no-run",
    "--list",
    "--collect-only",
];

/// The command line that a shell is handed as one word: `bash -lc 'cargo test'`.
pub(super) fn payload(text: &str) -> Option<String> {
    let script = parse(text);
    let [command] = script.commands.as_slice() else { return None };
    if !script.unclear.is_empty() || !command.assignments.is_empty() {
        return None;
    }
    let words: Option<Vec<String>> = command.words.iter().map(|it| it.literal()).collect();
    let [shell, flags, payload] = words?.try_into().ok()?;
    let shell = shell.rsplit('/').next().unwrap_or_default();
    let is_shell = matches!(shell, "bash" | "sh" | "zsh" | "dash");
    (is_shell && matches!(flags.as_str(), "-c" | "-lc" | "-ec" | "-euc")).then_some(payload)
}

/// Whether a line that succeeded has run a covered segment to its end, and with success: the line
/// is a chain of simple commands joined by `&&`, and the segment is one of them.
pub(super) fn runs(text: &str, analysis: &Analysis, covered: impl Fn(usize) -> bool) -> bool {
    let script = parse(text);
    let members: Vec<&Command> = chain(&script.commands);
    if !script.unclear.is_empty() || !is_chain(text, &members) {
        return false;
    }
    (0..analysis.segments.len()).filter(|it| covered(*it)).any(|place| {
        let Some(segment) = analysis.segments.get(place) else { return false };
        !is_telling(segment)
            && outermost(analysis, segment)
                .is_some_and(|root| members.iter().any(|it| it.source == root.source))
    })
}

/// The commands that stand in no other.
fn chain(commands: &[Command]) -> Vec<&Command> {
    let within = |inner: &Command, outer: &Command| {
        inner.source != outer.source
            && outer.source.start <= inner.source.start
            && inner.source.end <= outer.source.end
    };
    let alone = |it: &&Command| !commands.iter().any(|outer| within(it, outer));
    let mut members: Vec<&Command> = commands.iter().filter(alone).collect();
    members.sort_by_key(|it| it.source.start);
    members
}

/// Whether nothing but `&&` stands between the members, and nothing around them.
fn is_chain(text: &str, members: &[&Command]) -> bool {
    let plain = |it: &&Command| {
        let place = it.place;
        place.inside == Inside::Text && !place.fed && !place.negated && !place.background
    };
    if members.is_empty() || !members.iter().all(plain) {
        return false;
    }
    let mut at = 0;
    for (nth, member) in members.iter().enumerate() {
        let between = text.get(at..member.source.start).map(str::trim);
        if between != Some(if nth == 0 { "" } else { "&&" }) {
            return false;
        }
        at = member.source.end;
    }
    text.get(at..).is_some_and(|it| it.trim().is_empty())
}

/// The segment that stands in the text itself, where only transparent wrappers run this one.
fn outermost<'a>(analysis: &'a Analysis, segment: &'a Segment) -> Option<&'a Segment> {
    let mut here = segment;
    // A wrapper stands before what it runs, so this ends.
    for _ in 0..analysis.segments.len() {
        let Some(wrapper) = here.wrapper else { return Some(here) };
        here = analysis.segments.get(wrapper).filter(|it| it.transparent)?;
    }
    Some(here).filter(|it| it.wrapper.is_none())
}

fn is_telling(segment: &Segment) -> bool {
    let said = |it: String| TELLING.contains(&it.as_str());
    segment.argv.iter().filter_map(|it| it.literal()).any(said)
}
