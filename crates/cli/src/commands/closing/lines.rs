//! The closing report for people, as text and as a page.

use std::path::Path;

use lawbook_report::shown;

use super::gather::Gathered;
use crate::print::counted;

/// Rules that are named as those that found most.
const TOP: usize = 5;

/// A part of the report: a title, what it says in a line, and more lines.
struct Part {
    title: &'static str,
    says: String,
    more: Vec<String>,
}

/// The report as text.
pub fn text(gathered: &Gathered) -> String {
    let mut out = String::new();
    for part in parts(gathered) {
        out.push_str(&format!("{}: {}\n", part.title, part.says));
        part.more.iter().for_each(|it| out.push_str(&format!("  {it}\n")));
    }
    out
}

/// The report as a page.
pub fn markdown(gathered: &Gathered) -> String {
    let mut out = String::from("# Closing report\n");
    for part in parts(gathered) {
        out.push_str(&format!("\n## {}\n\n{}\n", part.title, escaped(&part.says)));
        if !part.more.is_empty() {
            out.push('\n');
        }
        part.more.iter().for_each(|it| out.push_str(&format!("- {}\n", escaped(it))));
    }
    out
}

/// A line in which nothing is Markdown.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        if "\\`*_[]<>#|!".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn parts(it: &Gathered) -> Vec<Part> {
    let mut parts = vec![policy(it), past(it)];
    parts.extend(review(it));
    parts.extend([check(it), guard(it)]);
    parts.extend(notes(it));
    parts.extend([not_covered(it), read(it)]);
    parts
}

fn policy(it: &Gathered) -> Part {
    let owners: Vec<String> = it.owners().iter().map(|it| shown(it).into_owned()).collect();
    let owner = match owners.is_empty() {
        true => ", no owner is named".to_owned(),
        false => format!(" from {}", owners.join(", ")),
    };
    let files: Vec<String> = it
        .policies
        .lines
        .iter()
        .map(|it| format!("{}, {}", shown(&it.source), counted(it.rules, "rule")))
        .collect();
    Part { title: "Policy", says: format!("{}{owner}", files.join("; ")), more: Vec::new() }
}

fn past(it: &Gathered) -> Part {
    let summary = &it.summary;
    let traces = counted(summary.sessions, "trace");
    let says = match summary.calls {
        0 => format!("no call was judged in {traces}"),
        _ => format!("breaks the policy in {} of {traces}", summary.with_findings),
    };
    let top: Vec<String> =
        it.top_rules().iter().take(TOP).map(|it| format!("{} {}", shown(it.0), it.1)).collect();
    let says = match top.is_empty() {
        true => says,
        false => format!("{says}; top rules: {}", top.join(", ")),
    };
    let mut more = Vec::new();
    if summary.unknown > 0 {
        more.push(format!("{} unknown, which is no pass", summary.unknown));
    }
    if it.unreadable {
        more.push("some of what was named could not be read".to_owned());
    }
    Part { title: "Past traces", says, more }
}

fn review(it: &Gathered) -> Vec<Part> {
    let Some(review) = &it.review else {
        let says = "no review file was named, so nothing is said of it".to_owned();
        return vec![Part { title: "Review", says, more: Vec::new() }];
    };
    let fixed = it.fixed();
    let line = |it: &super::gather::Fixed| {
        let notes: Vec<String> = it.notes.iter().map(|it| shown(it).into_owned()).collect();
        let said = if notes.is_empty() { String::new() } else { format!(": {}", notes.join("; ")) };
        format!("{}, {} cleared{said}", shown(&it.rule), counted(it.findings, "finding"))
    };
    let number = if fixed.is_empty() { "none".to_owned() } else { fixed.len().to_string() };
    let done = match review.standing().is_done() {
        true => "done: ",
        false => "not done: ",
    };
    vec![
        Part {
            title: "Review",
            says: format!("{done}{}", review.standing().line()),
            more: Vec::new(),
        },
        Part {
            title: "Rules fixed after review",
            says: number,
            more: fixed.iter().map(line).collect(),
        },
    ]
}

fn check(it: &Gathered) -> Part {
    let mut more = Vec::new();
    let is_named = |script: &str| {
        let script = script.trim_start_matches("./");
        it.runs_in.iter().any(|it| Path::new(&it.source).ends_with(script))
    };
    for file in &it.runs_in {
        let source = shown(&file.source);
        for check in &file.checks {
            let word = if check.on_change { "yes" } else { "no" };
            let other = match check.same_policy {
                true => "",
                false => "; the policy in it is not the text of this policy",
            };
            more.push(format!(
                "{} on \"{}\" in {source}, runs on every change: {word}{other}",
                shown(&check.id),
                shown(&check.mode)
            ));
        }
        for (line, call) in &file.calls {
            more.push(format!("{source}:{line} calls: {}", shown(call)));
        }
        for (line, script) in file.scripts.iter().filter(|it| !is_named(&it.1)) {
            let script = shown(script);
            more.push(format!("{source}:{line} runs {script}; name it with `--runs-in` too"));
        }
        if file.checks.is_empty() && file.calls.is_empty() && file.scripts.is_empty() {
            more.push(format!("{source} calls no check"));
        }
    }
    let found = it.runs_in.iter().any(|it| !it.checks.is_empty() || !it.calls.is_empty());
    let says = match (it.runs_in.is_empty(), found) {
        (true, _) => "no file was named in which it runs (`--runs-in`)",
        (_, false) => "no check was seen in the files that were named",
        (_, true) => "as these files say; that it ran was not seen",
    };
    Part { title: "Check", says: says.to_owned(), more }
}

fn guard(it: &Gathered) -> Part {
    let Some(proven) = &it.proven else {
        let says = "not set up: no file says which rules are proven (`--proven`)".to_owned();
        return Part { title: "Guard", says, more: Vec::new() };
    };
    let rules: Vec<String> = proven.rules.iter().map(|it| shown(it).into_owned()).collect();
    let rules = if rules.is_empty() { "no rule".to_owned() } else { rules.join(", ") };
    let mut more = Vec::new();
    if !it.is_proven_of_this() {
        more.push("proven of another version of the policy, and not of this one".to_owned());
    }
    if !proven.flagged_good.is_empty() {
        let flagged: Vec<String> =
            proven.flagged_good.iter().map(|it| shown(it).into_owned()).collect();
        more.push(format!("flagged a good trace and stay out: {}", flagged.join(", ")));
    }
    let labels = counted(proven.labels, "labelled trace");
    Part { title: "Guard", says: format!("{rules}, proven on {labels}"), more }
}

fn notes(it: &Gathered) -> Option<Part> {
    let counts = it.review.as_ref()?.note_counts();
    (counts.all > 0).then(|| Part {
        title: "Notes on traces that the policy passed",
        says: format!(
            "{}, {} unsorted, {} found by now",
            counts.all, counts.unsorted, counts.found
        ),
        more: Vec::new(),
    })
}

fn not_covered(it: &Gathered) -> Part {
    let more: Vec<String> = it.not_covered().iter().map(|it| shown(it).into_owned()).collect();
    let says = match more.is_empty() {
        true => "nothing is named, which does not mean that there is nothing".to_owned(),
        false => more.len().to_string(),
    };
    Part { title: "Not covered by rules", says, more }
}

fn read(it: &Gathered) -> Part {
    let line = |it: &super::gather::ReadFile| {
        let digest = it.digest.as_deref().unwrap_or("standard input, of which nothing is kept");
        format!("{} {} {digest}", it.what, shown(&it.source))
    };
    let more: Vec<String> = it.read.iter().map(line).collect();
    Part { title: "Files read", says: more.len().to_string(), more }
}
