//! The part of the text report that stands rule by rule.

use std::fmt::Write;

use super::paint::Paint;
use crate::{Grouped, Options, RuleGroup, Summary, shown};

/// Every rule that objected, and every rule that could not be judged.
pub fn groups(summary: &Summary, paint: Paint, options: Options, out: &mut String) {
    section(&summary.found, "finding", paint, options, out);
    if !summary.untold.groups().is_empty() {
        // Writing to a string can't fail.
        let _ = writeln!(out, "{}", paint.unknown("could not be judged"));
        section(&summary.untold, "unknown", paint, options, out);
    }
}

fn section(grouped: &Grouped, word: &str, paint: Paint, options: Options, out: &mut String) {
    for group in grouped.groups() {
        heading(group, word, paint, options, out);
        for line in &group.lines {
            let aside = match &*line.aside {
                "" => String::new(),
                aside => format!("({aside}) "),
            };
            let session = paint.dim("session");
            let (id, place, message) = (&line.session, &line.place, &line.message);
            let _ = writeln!(out, "  {session} {id}  {place}  {aside}{message}");
        }
        if group.more() > 0 {
            let more = format!("and {} more; `--all` lists them", group.more());
            let _ = writeln!(out, "  {}", paint.dim(&more));
        }
        out.push('\n');
    }
    if grouped.others > 0 {
        let _ = writeln!(out, "other rules: {} in all\n", counted(grouped.others, word));
    }
}

fn heading(group: &RuleGroup, word: &str, paint: Paint, options: Options, out: &mut String) {
    let mut name = paint.strong(&shown(&group.rule));
    if let Some(tool) = &group.tool {
        let _ = write!(name, ", {}", shown(tool));
    }
    let kind = match *group.rule == *group.kind {
        true => String::new(),
        false => format!(" ({})", group.kind),
    };
    let layer = match options.layers {
        true => format!(" of policy {}", group.layer.saturating_add(1)),
        false => String::new(),
    };
    let (rule, sessions) = (paint.dim("rule"), counted(group.sessions, "session"));
    let number = counted(group.counted, word);
    let _ = write!(out, "{rule} {name}{layer}{kind}: {number} in {sessions}");
    if group.listed_only > 0 {
        let _ = write!(out, ", {} listed only", group.listed_only);
    }
    out.push('\n');
    if let Some(why) = &group.why {
        let _ = writeln!(out, "  {} {}", paint.dim("why:"), crate::unseen::cut(why));
    }
}

/// A number with its word; what is unknown has no plural.
fn counted(number: u64, word: &str) -> String {
    let plural = if number == 1 || word == "unknown" { "" } else { "s" };
    format!("{number} {word}{plural}")
}
