//! The summary for people.

use lawbook_report::shown;

use super::summary::{RuleTally, Summary};
use crate::masking;
use crate::moment;
use crate::print::counted;

/// The summary as text.
pub fn text(summary: &Summary) -> String {
    let counts = summary.counts;
    let mut out = format!("decisions since {}\n", moment::text(summary.since));
    out.push_str(&format!(
        "  {}: {} allowed, {} asked about, {} denied; {} blocked for want of evidence alone\n",
        counted(counts.decisions, "decision"),
        counts.allowed,
        counts.asked,
        counts.denied,
        counts.only_unknown,
    ));
    for (error, count) in &summary.errors {
        out.push_str(&format!("  {count} could not be decided: {}\n", shown(error)));
    }
    if summary.rules.is_empty() {
        out.push_str("\nno rule stood in the way\n");
        return out;
    }
    out.push_str("\nby rule\n");
    for (rule, tally) in summary.by_weight() {
        rule_lines(&mut out, rule, tally);
    }
    out.push_str("\nmost blocked sessions\n");
    for (session, tally) in summary.most_blocked() {
        let rules: Vec<_> = tally.rules.iter().map(|it| shown(it)).collect();
        let calls = counted(tally.blocked, "call");
        out.push_str(&format!(
            "  {}: {calls}, by {}\n",
            shown(&masking::key(session)),
            rules.join(", ")
        ));
    }
    out.push_str("\nread these first\n");
    for (session, why) in summary.read_first() {
        out.push_str(&format!(
            "  {}: {}\n",
            shown(&masking::key(session)),
            shown(&masking::text(&why))
        ));
    }
    out
}

fn rule_lines(out: &mut String, rule: &str, tally: &RuleTally) {
    out.push_str(&format!(
        "  {}: {} denied, {} asked about, {} unknown, in {}, {} to {}\n",
        shown(rule),
        tally.denied,
        tally.asked,
        tally.unknown,
        counted(tally.sessions.len() as u64, "session"),
        moment::text(tally.first),
        moment::text(tally.last),
    ));
    for (tool, count) in &tally.tools {
        out.push_str(&format!("    {}: {count}\n", shown(&masking::key(tool))));
    }
}
