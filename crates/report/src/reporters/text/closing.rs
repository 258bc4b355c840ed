//! How the text report begins and ends.

use std::fmt::Write;

use lawbook_diag::Verdict;

use super::paint::Paint;
use crate::said::{NOT_PROVED, broken, counted, totals};
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

fn by_rule(summary: &Summary, out: &mut String) {
    let width = summary.by_rule.keys().map(|it| shown(it).chars().count()).max().unwrap_or(0);
    for (rule, findings) in &summary.by_rule {
        let rule = shown(rule);
        let _ = writeln!(out, "  rule {rule:width$}  {findings}");
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
        let _ = writeln!(out, "  group {group:width$}  {findings} in {with} of {sessions}");
    }
}

fn limits(header: &Header, paint: Paint, out: &mut String) {
    out.push('\n');
    for text in header.policies.iter().flat_map(|it| &it.not_covered) {
        let _ = writeln!(out, "{} {}", paint.dim("not covered:"), shown(text));
    }
    let _ = writeln!(out, "{}", paint.dim(NOT_PROVED));
}
