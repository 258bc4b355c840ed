//! The result for people at a terminal.

use std::cmp::Reverse;

use lawbook_engine::Which;
use lawbook_report::{cut, shown};

use super::Outcome;
use super::gather::{Group, Sort};
use super::lines::Line;
use crate::print::counted;

/// Groups that are printed; the rest is counted.
const GROUPS: usize = 50;
/// Flips of a group that are printed.
const EXAMPLES: usize = 5;
/// Edits that are printed.
const EDITS: usize = 200;

/// What a clean result does not say.
pub const LIMITS: &str = "what this does not say: what an agent does that is refused a call, \
whether these traces hold every case that a rule is for, and whether a flip is right";

/// The whole of it.
pub fn text(outcome: &Outcome) -> String {
    let mut out = String::new();
    for (word, which) in [("old", Which::Old), ("new", Which::New)] {
        let line = outcome.line(which);
        let (source, digest) = (shown(&line.source), shown(&line.digest));
        out.push_str(&format!("{word} {source} ({}, {}, {digest})\n", line.dialect, line.profile));
    }
    for note in &outcome.notes {
        out.push_str(&format!("note: {}\n", cut(note)));
    }
    let all: Vec<(&Sort, &Group)> = outcome.gathered.groups.iter().collect();
    for (sort, group) in all.iter().take(GROUPS) {
        out.push_str(&format!("\n{}\n", heading(sort, group)));
        for place in group.examples.iter().take(EXAMPLES) {
            if let Some(line) = outcome.gathered.lines.get(*place) {
                out.push_str(&example(line));
            }
        }
        let shown = group.examples.len().min(EXAMPLES);
        let more = group.calls.saturating_sub(u64::try_from(shown).unwrap_or(u64::MAX));
        if more > 0 {
            out.push_str(&format!("  and {more} more\n"));
        }
    }
    if let Some(left) = left_out(outcome, GROUPS) {
        out.push_str(&format!("\n{left}\n"));
    }
    edits(outcome, &mut out);
    out.push_str(&format!("\n{}\n{LIMITS}\n", closing(outcome)));
    out
}

fn heading(sort: &Sort, group: &Group) -> String {
    let rules: Vec<_> = sort.rules.iter().map(|it| cut(it)).collect();
    format!("{}: {} by {}", title(sort), counted(group.calls, "call"), rules.join(", "))
}

/// What the flips of a group have in common, without their rules.
pub fn title(sort: &Sort) -> String {
    let Sort { knock_on, to: Reverse(to), from, .. } = sort;
    let knock_on = if *knock_on { "knock-on, " } else { "" };
    format!("{knock_on}{} -> {}", from.word(), to.word())
}

fn example(line: &Line) -> String {
    let mut out = format!("  {} {}", cut(&line.session), place(line));
    if !line.tool.is_empty() {
        out.push_str(&format!(" {}", cut(&line.tool)));
    }
    if !line.message.is_empty() {
        out.push_str(&format!(": {}", cut(&line.message)));
    }
    out.push('\n');
    if let Some(aside) = line.aside() {
        out.push_str(&format!("    {aside}\n"));
    }
    out
}

/// The step, or the run.
pub fn place(line: &Line) -> String {
    match line.step {
        Some(step) if line.step_id.is_empty() => format!("step {step}"),
        Some(step) => format!("step {step} ({})", cut(&line.step_id)),
        None => "the run".to_owned(),
    }
}

/// How many flips stand in groups that are not printed.
pub fn left_out(outcome: &Outcome, printed: usize) -> Option<String> {
    let rest = outcome.gathered.groups.values().skip(printed).map(|it| it.calls);
    let rest = rest.fold(outcome.gathered.ungrouped, u64::saturating_add);
    (rest > 0).then(|| format!("{} by other rules", counted(rest, "more flip")))
}

fn edits(outcome: &Outcome, out: &mut String) {
    out.push_str("\nedits\n");
    if outcome.edits.is_empty() {
        out.push_str("  none: both policies hold the same rules\n");
    }
    for it in outcome.edits.iter().take(EDITS) {
        let (word, rule) = (it.sort.word(), cut(&it.rule));
        out.push_str(&format!("  {word:<8} {rule} ({}): {}\n", it.kind, it.effect()));
    }
    let more = outcome.edits.len().saturating_sub(EDITS);
    if more > 0 {
        out.push_str(&format!("  and {more} more\n"));
    }
}

/// The numbers, in one line.
pub fn closing(outcome: &Outcome) -> String {
    let it = &outcome.gathered;
    let sessions = counted(it.sessions, "session");
    let calls = counted(it.calls, "call");
    let firsts = it.flips.saturating_sub(it.knock_ons);
    let mut out = match it.flips {
        0 => format!("nothing flips: {calls} in {sessions}"),
        flips => format!(
            "{} of {calls} in {} of {sessions}: {}, {}",
            counted(flips, "flip"),
            it.flipped,
            counted(firsts, "first cause"),
            counted(it.knock_ons, "knock-on"),
        ),
    };
    if it.calls == 0 {
        out = format!("there is nothing to judge: no calls in {sessions}");
    }
    if it.unpaired > 0 {
        let unpaired = counted(it.unpaired, "call");
        out.push_str(&format!("; {unpaired} only one of the two systems reads"));
    }
    if outcome.untold() {
        out.push_str("; some calls could not be judged by an edited rule, so they may flip too");
    }
    if it.unread > 0 {
        let problems = counted(it.unread, "problem");
        out.push_str(&format!("; {problems} with the traces"));
    }
    out
}
