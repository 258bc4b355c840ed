//! Markdown for a comment on a pull request and for the summary of a job.

mod gate;

use lawbook_diag::Verdict;

use crate::said::{self, counted};
use crate::{
    Closing, Grouped, Header, Options, PolicyLine, Reporter, RuleGroup, SessionReport, cut,
};

/// The first line, by which a comment is found again. It is matched together with its author.
pub const MARKER: &str = "<!-- lawbook -->";

/// Bytes of the parts on rules; a comment holds 65,536 characters in all.
pub const RULES_BYTES_MAX: usize = 30_000;

/// Lines of one rule.
const LINES: usize = 3;

/// Problems that are listed.
const PROBLEMS: usize = 10;

/// The reporter.
pub struct Markdown;

impl Reporter for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn page(&self) -> &'static str {
        include_str!("markdown.md")
    }

    fn begin(&self, _header: &Header, _options: Options, out: &mut String) {
        out.push_str(MARKER);
        out.push('\n');
    }

    fn writes(&self, _session: &SessionReport<'_>, _options: Options) -> bool {
        false
    }

    fn between(&self) -> &'static str {
        ""
    }

    fn session(
        &self,
        _header: &Header,
        _session: &SessionReport<'_>,
        _options: Options,
        _out: &mut String,
    ) {
    }

    fn end(&self, header: &Header, closing: &Closing, options: Options, out: &mut String) {
        match &closing.gate {
            Some(it) => out.push_str(&format!("## Lawbook: {}\n\n", it.verdict.word())),
            None => out.push_str(&format!("## Lawbook: {}\n\n", said::broken(&closing.summary))),
        }
        for it in &header.policies {
            out.push_str(&format!("- policy {}\n", policy(it)));
        }
        out.push_str(&format!("- {}\n", said::totals(&closing.summary)));
        if let Some(it) = &closing.gate {
            gate::gate(it, out);
            gate::checks(it, &closing.summary.reasons, out);
        }
        section("Findings", "finding", &closing.summary.found, options, out);
        section("Could not be judged", "unknown", &closing.summary.untold, options, out);
        problems(closing, out);
        let notes: Vec<&String> = header.notes.iter().chain(&closing.notes).collect();
        if !notes.is_empty() {
            out.push_str("\n### Notes\n\n");
            notes
                .iter()
                .take(PROBLEMS)
                .for_each(|it| out.push_str(&format!("- {}\n", code_span(it))));
        }
        unchecked(header, closing, out);
    }
}

/// Text of others as code on one line, in which nothing is a link, an image, a mention, a reference
/// or our marker. It ends where it should, whatever stands in it.
#[must_use]
pub fn code_span(text: &str) -> String {
    let mut text = cut(text).replace("<!--", "<\\u{21}--").replace('@', "\\u{40}");
    if text.is_empty() {
        text.push(' ');
    }
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.saturating_add(1));
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn policy(it: &PolicyLine) -> String {
    let name = it.name.as_deref().map(|it| format!(" ({})", code_span(it))).unwrap_or_default();
    let rules = counted(u64::try_from(it.rules).unwrap_or(u64::MAX), "rule");
    let (source, dialect, profile) =
        (code_span(&it.source), code_span(&it.dialect), code_span(&it.profile));
    format!("{source}{name}: {dialect}, {profile}, {rules}")
}

fn section(title: &str, word: &str, grouped: &Grouped, options: Options, out: &mut String) {
    if grouped.groups().is_empty() {
        return;
    }
    out.push_str(&format!("\n### {title}\n\n"));
    let mut groups: Vec<&RuleGroup> = grouped.groups().iter().collect();
    groups.sort_by_key(|it| (std::cmp::Reverse(it.verdict), std::cmp::Reverse(it.sessions)));
    let end = out.len().saturating_add(RULES_BYTES_MAX / 2);
    let mut left = 0_u64;
    for group in groups {
        let text = rule(group, word, options);
        if out.len().saturating_add(text.len()) > end {
            left = left.saturating_add(1);
        } else {
            out.push_str(&text);
        }
    }
    if left > 0 {
        out.push_str(&format!("- and {}\n", counted(left, "more rule")));
    }
    if grouped.others > 0 {
        out.push_str(&format!("- other rules: {} in all\n", counted(grouped.others, word)));
    }
}

fn rule(group: &RuleGroup, word: &str, options: Options) -> String {
    let sign = match group.verdict {
        Verdict::Deny => "**deny** ",
        Verdict::Ask => "**ask** ",
        Verdict::Allow => "",
    };
    let tool = group.tool.as_deref().map(|it| format!(", {}", code_span(it))).unwrap_or_default();
    let layer = match options.layers {
        true => format!(" of policy {}", group.layer.saturating_add(1)),
        false => String::new(),
    };
    let (number, sessions) = (counted(group.counted, word), counted(group.sessions, "session"));
    let id = code_span(&group.rule);
    let mut out = format!("- {sign}{id}{tool}{layer}: {number} in {sessions}");
    if group.listed_only > 0 {
        out.push_str(&format!(", {} listed only", group.listed_only));
    }
    out.push('\n');
    if let Some(why) = &group.why {
        out.push_str(&format!("  - why: {}\n", code_span(why)));
    }
    for line in group.lines.iter().take(LINES) {
        let aside = match &*line.aside {
            "" => String::new(),
            aside => format!(" ({})", code_span(aside)),
        };
        let (id, place) = (code_span(&line.session), code_span(&line.place));
        out.push_str(&format!("  - {id} {place}{aside}: {}\n", code_span(&line.message)));
    }
    let shown = u64::try_from(group.lines.len().min(LINES)).unwrap_or(u64::MAX);
    let all = group.counted.saturating_add(group.listed_only);
    let more = all.saturating_sub(shown);
    if more > 0 {
        out.push_str(&format!("  - and {more} more\n"));
    }
    out
}

fn problems(closing: &Closing, out: &mut String) {
    if closing.problems.is_empty() {
        return;
    }
    out.push_str("\n### Could not be read\n\n");
    for it in closing.problems.iter().take(PROBLEMS) {
        let line = it.line.map(|it| format!(" line {it}")).unwrap_or_default();
        out.push_str(&format!("- {}{line}: {}\n", code_span(&it.source), code_span(&it.message)));
    }
    let more = closing.problems.len().saturating_sub(PROBLEMS);
    if more > 0 {
        out.push_str(&format!("- and {more} more\n"));
    }
}

fn unchecked(header: &Header, closing: &Closing, out: &mut String) {
    out.push_str("\n### What this does not show\n\n");
    for it in said::unchecked(header, closing) {
        let theirs: Vec<String> = it.theirs.iter().map(|it| code_span(it)).collect();
        let colon = if theirs.is_empty() { "" } else { ": " };
        out.push_str(&format!("- not checked: {}{colon}{}\n", it.ours, theirs.join(", ")));
    }
    out.push_str(&format!("- {}\n", said::not_proved()));
}

#[cfg(test)]
mod tests {
    use super::code_span;

    #[test]
    fn code_ends_where_it_should_and_holds_no_mention_and_no_marker() {
        let table = [
            ("plain", "`plain`"),
            ("a`b", "``a`b``"),
            ("```", "```` ``` ````"),
            ("", "` `"),
            ("![x](http://e)", "`![x](http://e)`"),
            ("@all #1", "`\\u{40}all #1`"),
            ("<!-- lawbook -->", "`<\\u{21}-- lawbook -->`"),
            ("a\n# b", "`a\\u{a}# b`"),
        ];
        for (text, wanted) in table {
            assert_eq!(code_span(text), wanted);
        }
    }
}
