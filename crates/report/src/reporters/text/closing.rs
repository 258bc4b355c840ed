//! How the text report begins and ends.

use std::fmt::Write;

use lawbook_diag::Verdict;

use super::paint::Paint;
use crate::{Closing, Header, Options, PolicyLine, Summary, shown};

/// Which policies were judged, and what should be known first.
pub fn heading(header: &Header, paint: Paint, out: &mut String) {
    for (number, policy) in (1_usize..).zip(&header.policies) {
        let word = match header.policies.len() {
            1 => "policy".to_owned(),
            _ => format!("policy {number}"),
        };
        // Writing to a string can't fail.
        let _ = writeln!(out, "{} {}", paint.dim(&word), line(policy));
    }
    for note in &header.notes {
        let _ = writeln!(out, "{} {}", paint.dim("note"), shown(note));
    }
    out.push('\n');
}

fn line(policy: &PolicyLine) -> String {
    let name = policy.name.as_deref().map(|it| format!(" `{}`", shown(it))).unwrap_or_default();
    let rules = counted(u64::try_from(policy.rules).unwrap_or(u64::MAX), "rule");
    format!(
        "{}{name}: {}, {}, {rules}",
        shown(&policy.source),
        shown(&policy.dialect),
        shown(&policy.profile)
    )
}

/// What could not be read, the numbers, and what they do not prove.
pub fn closing(
    header: &Header,
    closing: &Closing,
    paint: Paint,
    options: Options,
    out: &mut String,
) {
    let summary = &closing.summary;
    if options.all && (summary.findings > 0 || summary.unknown > 0 || summary.listed_only > 0) {
        out.push('\n');
    }
    problems(closing, paint, out);
    let _ = writeln!(out, "{}", paint.strong(&totals(summary)));
    if options.all {
        by_rule(summary, out);
    }
    groups(closing, out);
    if let Some(strict) = closing.strict {
        let what = match (strict.findings, strict.unknown) {
            (0, 0) => "nothing".to_owned(),
            (findings, 0) => counted(findings, "finding"),
            (findings, unknown) => {
                format!("{} and {unknown} unknown", counted(findings, "finding"))
            }
        };
        let _ = writeln!(out, "the full reading (`--profile strict`) would add {what}");
    }
    for note in &closing.notes {
        let _ = writeln!(out, "{} {}", paint.dim("note"), shown(note));
    }
    let _ = writeln!(out, "{}", paint.strong(&broken(summary)));
    limits(header, paint, out);
}

/// In how many traces the policy is broken. What could not be told is no pass.
fn broken(summary: &Summary) -> String {
    let traces = counted(summary.sessions, "trace");
    match (summary.with_findings, summary.unknown) {
        (0, _) if summary.calls == 0 => format!("no call was judged in {traces}"),
        (0, 0) => format!("no call breaks the policy in {traces}"),
        (0, unknown) => {
            format!("no call is known to break the policy in {traces}, and {unknown} unknown")
        }
        (with, _) => format!("breaks the policy in {with} of {traces}"),
    }
}

fn problems(closing: &Closing, paint: Paint, out: &mut String) {
    for it in &closing.problems {
        let place = match (it.line, it.column) {
            (Some(line), Some(column)) => format!(":{line}:{column}"),
            (Some(line), None) => format!(":{line}"),
            (None, _) => String::new(),
        };
        let word = paint.verdict(Verdict::Deny, "problem");
        let _ = writeln!(out, "{word} {}{place}: {}", shown(&it.source), shown(&it.message));
        if let Some(help) = &it.help {
            let _ = writeln!(out, "  {} {}", paint.dim("help:"), shown(help));
        }
    }
    if !closing.problems.is_empty() {
        out.push('\n');
    }
}

fn totals(summary: &Summary) -> String {
    let mut out = format!(
        "{}, {}: {} in {}",
        counted(summary.sessions, "session"),
        counted(summary.calls, "call"),
        counted(summary.findings, "finding"),
        counted(summary.with_findings, "session"),
    );
    let denies = summary.findings.saturating_sub(summary.asks);
    if summary.asks > 0 {
        let _ = write!(out, " ({denies} deny, {} ask)", summary.asks);
    }
    if summary.unknown > 0 {
        let _ = write!(out, ", {} unknown", summary.unknown);
    }
    if summary.listed_only > 0 {
        let _ = write!(out, ", {} listed only", summary.listed_only);
    }
    out
}

fn by_rule(summary: &Summary, out: &mut String) {
    let width = summary.by_rule.keys().map(|it| shown(it).chars().count()).max().unwrap_or(0);
    for (rule, findings) in &summary.by_rule {
        let rule = shown(rule);
        let _ = writeln!(out, "  {rule:width$}  {findings}");
    }
}

fn groups(closing: &Closing, out: &mut String) {
    let Some(attribute) = &closing.group_by else { return };
    let _ = writeln!(out, "by `{}`:", shown(attribute));
    let names = closing.summary.groups.keys();
    let width = names.map(|it| shown(it).chars().count()).max().unwrap_or(0);
    for (group, tally) in &closing.summary.groups {
        let group = shown(group);
        let findings = counted(tally.findings, "finding");
        let sessions = counted(tally.sessions, "session");
        let with = tally.with_findings;
        let _ = writeln!(out, "  {group:width$}  {findings} in {with} of {sessions}");
    }
}

fn limits(header: &Header, paint: Paint, out: &mut String) {
    out.push('\n');
    for text in header.policies.iter().flat_map(|it| &it.not_covered) {
        let _ = writeln!(out, "{} {}", paint.dim("not covered:"), shown(text));
    }
    let _ = writeln!(out, "{}", paint.dim(NOT_PROVED));
}

/// What stands under every report.
const NOT_PROVED: &str = "\
what a clean result does not prove: that the recordings are complete, that the rules say all that
matters, or that what the agent told its user was true";

fn counted(number: u64, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}
