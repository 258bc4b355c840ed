//! What reports for people say in the same words: numbers, the last line, and what was not checked.

use crate::{Closing, Header, Selection, Summary};

/// What stands under every report.
pub const NOT_PROVED: &str = "\
what a clean result does not prove: that the recordings are complete, that the rules say all that
matters, or that what the agent told its user was true";

/// The same on one line.
pub fn not_proved() -> String {
    NOT_PROVED.replace('\n', " ")
}

/// Findings and unknowns of one session that a format lists; those beyond are counted.
pub const SAID_MAX: usize = 50;

/// Words of others that are listed under one remark; those beyond are counted.
const THEIRS: usize = 20;

/// A remark of ours, and the words of others that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Our words.
    pub ours: String,
    /// Theirs, not yet fit for printing.
    pub theirs: Vec<String>,
}

impl Remark {
    fn new(ours: impl Into<String>) -> Self {
        Remark { ours: ours.into(), theirs: Vec::new() }
    }

    fn with(ours: &str, theirs: &[String]) -> Self {
        let more = theirs.len().saturating_sub(THEIRS);
        let ours = match more {
            0 => ours.to_owned(),
            more => format!("{ours} ({more} more are not listed)"),
        };
        Remark { ours, theirs: theirs.iter().take(THEIRS).cloned().collect() }
    }
}

/// What this report says nothing about.
pub fn unchecked(header: &Header, closing: &Closing) -> Vec<Remark> {
    let mut out = Vec::new();
    let owned: Vec<String> =
        header.policies.iter().flat_map(|it| it.not_covered.iter().cloned()).collect();
    if !owned.is_empty() {
        out.push(Remark::with("the policy does not cover", &owned));
    }
    chosen(&header.selection, &mut out);
    let unknown = closing.summary.unknown;
    if unknown > 0 {
        let times = counted(unknown, "time");
        out.push(Remark::new(format!("{times} a rule could not be judged, which is no pass")));
    }
    let problems = u64::try_from(closing.problems.len()).unwrap_or(u64::MAX);
    if problems > 0 {
        let what = counted(problems, "part");
        out.push(Remark::new(format!("{what} of the input could not be read")));
    }
    if closing.written.left_out > 0 {
        let lines = counted(closing.written.left_out, "more line");
        out.push(Remark::new(format!("{lines} of sessions are left out of this report")));
    }
    out
}

fn chosen(selection: &Selection, out: &mut Vec<Remark>) {
    let Selection { rules, ignore, sample, known } = selection;
    if !rules.is_empty() {
        out.push(Remark::with("only these rules were judged", rules));
    }
    if !ignore.is_empty() {
        out.push(Remark::with("these rules were left out", ignore));
    }
    if let Some(sample) = sample {
        let sessions = counted(*sample, "session");
        out.push(Remark::new(format!("a sample of at most {sessions} was judged")));
    }
    if !known.is_empty() {
        out.push(Remark::with("findings of these reports were left out", known));
    }
}

/// In how many traces the policy is broken. What could not be told is no pass.
pub fn broken(summary: &Summary) -> String {
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

/// The numbers on one line.
pub fn totals(summary: &Summary) -> String {
    let mut out = format!(
        "{}, {}: {} in {}",
        counted(summary.sessions, "session"),
        counted(summary.calls, "call"),
        counted(summary.findings, "finding"),
        counted(summary.with_findings, "session"),
    );
    let denies = summary.findings.saturating_sub(summary.asks);
    if summary.asks > 0 {
        out.push_str(&format!(" ({denies} deny, {} ask)", summary.asks));
    }
    if summary.unknown > 0 {
        out.push_str(&format!(", {} unknown", summary.unknown));
    }
    if summary.listed_only > 0 {
        out.push_str(&format!(", {} listed only", summary.listed_only));
    }
    out
}

/// A number with its word; what is unknown has no plural.
pub fn counted(number: u64, word: &str) -> String {
    let plural = if number == 1 || word == "unknown" { "" } else { "s" };
    format!("{number} {word}{plural}")
}
