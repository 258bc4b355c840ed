//! What a report says: a header, one part for each session, and a summary.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawbook_diag::{Finding, Problem, Unknown, Verdict};

use crate::{CheckLine, Gate, Grouped, Reasons, Written};

/// Groups that are told apart; sessions beyond are counted together.
pub const GROUPS_MAX: usize = 1_000;

/// The group of sessions beyond [`GROUPS_MAX`].
const OTHERS: &str = "(all others)";

/// The name and version of the JSON report.
pub const SCHEMA: &str = "lawbook.report/1";

/// What stands before the sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The version of Lawbook.
    pub lawbook: String,
    /// The policies, in the order given.
    pub policies: Vec<PolicyLine>,
    /// What was chosen of rules, sessions and findings.
    pub selection: Selection,
    /// What the reader of the report should know first, as where the policy was found.
    pub notes: Vec<String>,
}

/// What was chosen, so that nobody takes a part for the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The rules that alone were judged; all if there are none.
    pub rules: Vec<String>,
    /// The rules that were left out.
    pub ignore: Vec<String>,
    /// How many sessions were judged at most.
    pub sample: Option<u64>,
    /// The reports whose findings were left out.
    pub known: Vec<String>,
}

/// A policy, as reports name it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyLine {
    /// The policy's own name.
    pub name: Option<String>,
    /// The dialect it is written in.
    pub dialect: String,
    /// `sha256:` and the digest of the file's bytes.
    pub digest: String,
    /// Which reading of the dialect was meant.
    pub profile: String,
    /// The file, as it was named.
    pub source: String,
    /// How many rules it holds.
    pub rules: usize,
    /// What it does not cover, in its owner's words.
    pub not_covered: Vec<String>,
    /// The line of each rule in its file, by id, as far as the file shows it; none where the policy
    /// comes from no file.
    pub lines: Option<BTreeMap<String, u32>>,
}

/// What is reported of one session.
#[derive(Clone, Copy, Debug)]
pub struct SessionReport<'s> {
    /// The session's id.
    pub id: &'s str,
    /// Where it stands.
    pub source: &'s str,
    /// The format it was read as.
    pub trace_format: &'s str,
    /// How many calls it holds, in the full reading.
    pub calls: u64,
    /// The strictest verdict of the findings that count.
    pub verdict: Verdict,
    /// The findings.
    pub findings: &'s [Finding],
    /// What could not be told.
    pub unknown: &'s [Unknown],
    /// The scenario that it ran, where a gate asks for it.
    pub scenario: Option<&'s str>,
    /// What checks say of it, where a gate asks them.
    pub checks: &'s [CheckLine],
}

/// The numbers of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Sessions that were read.
    pub sessions: u64,
    /// Calls in them.
    pub calls: u64,
    /// Sessions with at least one finding that counts.
    pub with_findings: u64,
    /// Findings that count: those that deny and those that ask.
    pub findings: u64,
    /// Findings that count and ask.
    pub asks: u64,
    /// Unknowns that count.
    pub unknown: u64,
    /// Findings that are listed and don't count: observed, waived, or for the audit alone.
    pub listed_only: u64,
    /// Findings that count, by rule.
    pub by_rule: BTreeMap<Arc<str>, u64>,
    /// The same numbers for each value of the attribute that sessions are grouped by.
    pub groups: BTreeMap<String, Tally>,
    /// The findings, rule by rule.
    pub found: Grouped,
    /// The unknowns, rule by rule.
    pub untold: Grouped,
    /// Why checks found something, check by check.
    pub reasons: Reasons,
}

/// The numbers of one group of sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Sessions in it.
    pub sessions: u64,
    /// Sessions with at least one finding that counts.
    pub with_findings: u64,
    /// Findings that count.
    pub findings: u64,
}

/// What the strict profile holds against the same sessions beyond what was reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StrictView {
    /// Findings that it adds.
    pub findings: u64,
    /// Unknowns that it adds.
    pub unknown: u64,
}

/// What stands after the sessions.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// The numbers.
    pub summary: Summary,
    /// The attribute that sessions are grouped by, if they are.
    pub group_by: Option<String>,
    /// What the strict profile adds, if a policy was judged as its own system does.
    pub strict: Option<StrictView>,
    /// The verdict on the release, where a gate was asked for it.
    pub gate: Option<Gate>,
    /// What became of the sessions, in a format that has a bound for them.
    pub written: Written,
    /// What the reader of the report should know last.
    pub notes: Vec<String>,
}

/// A whole report, for callers that hold all of it.
#[derive(Clone, Debug, Default)]
pub struct Report<'s> {
    /// What stands before the sessions.
    pub header: Header,
    /// The sessions, in the order of the input.
    pub sessions: Vec<SessionReport<'s>>,
    /// What stands after them.
    pub closing: Closing,
}

impl SessionReport<'static> {
    /// What stands for the run itself, where a format has sessions alone.
    #[must_use]
    pub(crate) fn of_the_run() -> Self {
        SessionReport {
            id: "run",
            source: "-",
            trace_format: "",
            calls: 0,
            verdict: Verdict::Allow,
            findings: &[],
            unknown: &[],
            scenario: None,
            checks: &[],
        }
    }
}

impl Summary {
    /// Takes in one session. `group` is its value of the attribute that sessions are grouped by.
    pub fn add(&mut self, session: &SessionReport<'_>, group: Option<&str>) {
        let mut counting: u64 = 0;
        for finding in session.findings {
            self.found.finding(session.id, self.sessions, finding);
            if !finding.counts() {
                self.listed_only = self.listed_only.saturating_add(1);
                continue;
            }
            counting = counting.saturating_add(1);
            if finding.verdict == Verdict::Ask {
                self.asks = self.asks.saturating_add(1);
            }
            count(&mut self.by_rule, &finding.rule, 1);
        }
        for unknown in session.unknown {
            self.untold.unknown(session.id, self.sessions, unknown);
        }
        self.reasons.add(session);
        let unknown = session.unknown.iter().filter(|it| it.counts).count();
        self.sessions = self.sessions.saturating_add(1);
        self.calls = self.calls.saturating_add(session.calls);
        self.findings = self.findings.saturating_add(counting);
        self.with_findings = self.with_findings.saturating_add(u64::from(counting > 0));
        self.unknown = self.unknown.saturating_add(u64::try_from(unknown).unwrap_or(u64::MAX));
        if let Some(group) = group {
            let one =
                Tally { sessions: 1, with_findings: u64::from(counting > 0), findings: counting };
            self.group(group, one);
        }
    }

    /// Takes in the numbers of other sessions.
    pub fn merge(&mut self, other: Summary) {
        self.sessions = self.sessions.saturating_add(other.sessions);
        self.calls = self.calls.saturating_add(other.calls);
        self.with_findings = self.with_findings.saturating_add(other.with_findings);
        self.findings = self.findings.saturating_add(other.findings);
        self.asks = self.asks.saturating_add(other.asks);
        self.unknown = self.unknown.saturating_add(other.unknown);
        self.listed_only = self.listed_only.saturating_add(other.listed_only);
        for (rule, findings) in other.by_rule {
            count(&mut self.by_rule, &rule, findings);
        }
        for (group, tally) in other.groups {
            self.group(&group, tally);
        }
        self.found.merge(other.found);
        self.untold.merge(other.untold);
        self.reasons.merge(other.reasons);
    }

    fn group(&mut self, name: &str, more: Tally) {
        let full = self.groups.len() >= GROUPS_MAX && !self.groups.contains_key(name);
        let name = if full { OTHERS } else { name };
        let tally = match self.groups.get_mut(name) {
            Some(tally) => tally,
            None => self.groups.entry(name.to_owned()).or_default(),
        };
        tally.sessions = tally.sessions.saturating_add(more.sessions);
        tally.with_findings = tally.with_findings.saturating_add(more.with_findings);
        tally.findings = tally.findings.saturating_add(more.findings);
    }
}

fn count(by_rule: &mut BTreeMap<Arc<str>, u64>, rule: &Arc<str>, more: u64) {
    let sum = by_rule.entry(rule.clone()).or_default();
    *sum = sum.saturating_add(more);
}

impl StrictView {
    /// Takes in the view of other sessions.
    pub fn merge(&mut self, other: StrictView) {
        self.findings = self.findings.saturating_add(other.findings);
        self.unknown = self.unknown.saturating_add(other.unknown);
    }
}

#[cfg(test)]
mod tests {
    use super::{GROUPS_MAX, OTHERS, SessionReport, Summary};

    #[test]
    fn groups_beyond_the_bound_are_counted_together() {
        let session = SessionReport {
            id: "s",
            source: "t",
            trace_format: "openai_chat",
            calls: 1,
            verdict: lawbook_diag::Verdict::Allow,
            findings: &[],
            unknown: &[],
            scenario: None,
            checks: &[],
        };
        let mut summary = Summary::default();
        for number in 0..GROUPS_MAX + 3 {
            summary.add(&session, Some(&number.to_string()));
        }
        summary.add(&session, Some("0"));
        assert_eq!(summary.groups[OTHERS].sessions, 3);
        assert_eq!(summary.groups["0"].sessions, 2);
        assert_eq!(summary.groups.len(), GROUPS_MAX + 1);
    }
}
