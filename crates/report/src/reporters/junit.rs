//! JUnit XML: each session is a suite, with a case for its policy and one for each check.

use std::fmt::Write;

use lawbook_diag::{Finding, Mode, Unknown, Verdict};

use crate::said::{self, SAID_MAX};
use crate::{CheckLine, Closing, Header, Options, Reporter, SessionReport, cut, shown};

/// The reporter.
pub struct Junit;

impl Reporter for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn page(&self) -> &'static str {
        include_str!("junit.md")
    }

    fn begin(&self, _header: &Header, _options: Options, out: &mut String) {
        out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lawbook\">\n");
    }

    fn writes(&self, _session: &SessionReport<'_>, _options: Options) -> bool {
        true
    }

    fn between(&self) -> &'static str {
        ""
    }

    fn session(
        &self,
        _header: &Header,
        session: &SessionReport<'_>,
        options: Options,
        out: &mut String,
    ) {
        let mut cases = vec![policy(session, options)];
        let own = session.checks.iter().filter(|it| !it.is_policy());
        cases.extend(own.map(|it| checked(session, it)));
        suite(session.id, &cases, &[], out);
    }

    fn end(&self, header: &Header, closing: &Closing, _options: Options, out: &mut String) {
        let mut cases = Vec::new();
        for it in &closing.problems {
            let place = it.line.map(|line| format!(":{line}")).unwrap_or_default();
            let name = format!("{}{place}", it.source);
            let what = tag("error", it.code, &it.message, &[]);
            cases.push(Case { class: "read", name, ended: Ended::Error, body: what });
        }
        if let Some(gate) = &closing.gate {
            let (ended, body) = match gate.verdict {
                crate::GateVerdict::Pass => (Ended::Passed, String::new()),
                crate::GateVerdict::Inconclusive => {
                    (Ended::Error, tag("error", "inconclusive", &gate.because, &[]))
                }
                crate::GateVerdict::Fail => {
                    (Ended::Failed, tag("failure", "fail", &gate.because, &gate.regressions))
                }
            };
            cases.push(Case { class: "gate", name: "gate".to_owned(), ended, body });
        }
        let mut lines = vec![said::totals(&closing.summary), said::broken(&closing.summary)];
        lines.extend(header.notes.iter().chain(&closing.notes).map(|it| format!("note: {it}")));
        for it in said::unchecked(header, closing) {
            let theirs = it.theirs.join("; ");
            let colon = if theirs.is_empty() { "" } else { ": " };
            lines.push(format!("not checked: {}{colon}{theirs}", it.ours));
        }
        lines.push(said::not_proved());
        suite("lawbook", &cases, &lines, out);
        out.push_str("</testsuites>\n");
    }
}

/// Text of others, fit for XML: what doesn't show is written out, so that no character is left
/// which XML does not know.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in shown(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}

/// How a case ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Passed,
    Failed,
    /// It could not be told.
    Error,
    /// A check could not tell. The gate's own case says whether that stops the release.
    Skipped,
}

struct Case {
    class: &'static str,
    name: String,
    ended: Ended,
    /// What stands in the case, as XML.
    body: String,
}

fn suite(name: &str, cases: &[Case], said: &[String], out: &mut String) {
    let count = |ended: Ended| cases.iter().filter(|it| it.ended == ended).count();
    let (failures, errors) = (count(Ended::Failed), count(Ended::Error));
    let (name, tests, skipped) = (escape(name), cases.len(), count(Ended::Skipped));
    // Writing to a string can't fail.
    let _ = writeln!(
        out,
        "<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"{skipped}\">"
    );
    for it in cases {
        let (class, name, body) = (it.class, escape(&it.name), &it.body);
        let _ = write!(out, "<testcase classname=\"lawbook.{class}\" name=\"{name}\">");
        let _ = writeln!(out, "{body}</testcase>");
    }
    if !said.is_empty() {
        let lines: Vec<String> = said.iter().map(|it| escape(it)).collect();
        let _ = writeln!(out, "<system-out>{}</system-out>", lines.join("\n"));
    }
    out.push_str("</testsuite>\n");
}

/// What the policy says of a session. A session that can't be told is an error and no pass.
fn policy(session: &SessionReport<'_>, options: Options) -> Case {
    let failed =
        session.verdict == Verdict::Deny || (options.asks_fail && session.verdict == Verdict::Ask);
    let untold = session.unknown.iter().any(|it| it.counts);
    let ended = match (failed, untold) {
        (true, _) => Ended::Failed,
        (false, true) => Ended::Error,
        (false, false) => Ended::Passed,
    };
    let all: Vec<String> = lines(session);
    let first = all.first().cloned().unwrap_or_default();
    let body = match ended {
        Ended::Failed => tag("failure", session.verdict.word(), &first, &all),
        Ended::Error => tag("error", "unknown", &first, &all),
        Ended::Passed | Ended::Skipped if all.is_empty() => String::new(),
        Ended::Passed | Ended::Skipped => {
            let lines: Vec<String> = all.iter().map(|it| escape(it)).collect();
            format!("<system-out>{}</system-out>", lines.join("\n"))
        }
    };
    let name = session.scenario.unwrap_or(session.id).to_owned();
    Case { class: "policy", name, ended, body }
}

fn checked(session: &SessionReport<'_>, it: &CheckLine) -> Case {
    let name = session.scenario.unwrap_or(session.id).to_owned();
    let (ended, body) = match (it.detected, it.is_unknown()) {
        (true, _) => (Ended::Failed, tag("failure", it.check, &it.reason, &[])),
        (false, true) => {
            let reason = escape(&cut(&it.reason));
            (Ended::Skipped, format!("<skipped message=\"unknown: {reason}\"></skipped>"))
        }
        (false, false) => (Ended::Passed, String::new()),
    };
    Case { class: it.check, name, ended, body }
}

/// An element with a type, a message and lines.
fn tag(element: &str, kind: &str, message: &str, lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|it| escape(&cut(it))).collect();
    let (kind, message) = (escape(kind), escape(&cut(message)));
    let lines = lines.join("\n");
    format!("<{element} type=\"{kind}\" message=\"{message}\">{lines}</{element}>")
}

/// What is said of a session, the strictest first, a bounded number of lines.
fn lines(session: &SessionReport<'_>) -> Vec<String> {
    let mut findings: Vec<&Finding> = session.findings.iter().collect();
    findings.sort_by_key(|it| (!it.counts(), std::cmp::Reverse(it.verdict)));
    let found = findings.into_iter().map(finding);
    let mut all: Vec<String> = found.chain(session.unknown.iter().map(unknown)).collect();
    let more = all.len().saturating_sub(SAID_MAX);
    all.truncate(SAID_MAX);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    all
}

fn finding(it: &Finding) -> String {
    let aside = match (&it.waived, it.mode) {
        (Some(why), _) => format!(" (waived: {})", cut(why)),
        (None, Mode::Observe) => " (observed)".to_owned(),
        (None, Mode::Enforce) => String::new(),
    };
    let step = it.step_id.as_deref().map(|it| format!(" step {it}")).unwrap_or_default();
    let why = it.why.as_deref().map(|it| format!(" (why: {})", cut(it))).unwrap_or_default();
    let tool = it.tool.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
    let (verdict, message, rule) = (it.verdict.word(), cut(&it.message), &it.rule);
    format!("{verdict}{aside}{step}{tool}: {message} [{rule}]{why}")
}

fn unknown(it: &Unknown) -> String {
    let aside = if it.counts { "" } else { " (noted)" };
    let step = it.step_id.as_deref().map(|it| format!(" step {it}")).unwrap_or_default();
    format!("unknown{aside}{step}: {} [{}]", cut(&it.message), it.rule)
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_of_others_ends_an_element_or_is_no_character_of_xml() {
        assert_eq!(
            escape("]]></x a='\"'>&\u{1}\u{fffe}"),
            "]]&gt;&lt;/x a=&apos;&quot;&apos;&gt;&amp;\\u{1}\\u{fffe}"
        );
    }
}
