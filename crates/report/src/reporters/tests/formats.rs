//! What each format for people and for CI systems says, and where it stops.

use std::sync::Arc;

use lawbook_diag::{Finding, Mode, Unknown, Verdict};
use lawbook_event::json::{Document, Grammar, Limits};

use super::hostile::gate;
use super::{finding, unknown, written, written_as};
use crate::reporters::named;
use crate::{
    CheckLine, Closing, Gate, GateVerdict, Header, Options, PolicyLine, Report, SessionReport,
    Summary,
};

fn header() -> Header {
    let lines = Some([("credit-cap".to_owned(), 7)].into());
    let policy = PolicyLine { source: "lawbook.yaml".to_owned(), lines, ..PolicyLine::default() };
    Header { policies: vec![policy], ..Header::default() }
}

/// A report of sessions that all have the same findings.
fn of(format: &str, ids: &[&str], findings: &[Finding], unknown: &[Unknown]) -> String {
    let session = |id| SessionReport {
        id,
        source: id,
        trace_format: "openai_chat",
        calls: 1,
        verdict: findings.iter().map(|it| it.verdict).max().unwrap_or_default(),
        findings,
        unknown,
        scenario: None,
        checks: &[],
    };
    let sessions: Vec<SessionReport<'_>> = ids.iter().copied().map(session).collect();
    let mut summary = Summary::default();
    sessions.iter().for_each(|it| summary.add(it, None));
    let closing = Closing { summary, ..Closing::default() };
    let report = Report { header: header(), sessions, closing };
    let mut out = String::new();
    named(format).unwrap().report(&report, Options::default(), &mut out);
    out
}

/// The values of one key at the end of a path of keys, in each item of a list.
fn values(text: &str, list: &[&str], path: &[&str]) -> Vec<String> {
    let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
    let mut root = document.root();
    for key in list {
        let first = if root.is_array() { root.item(0).unwrap() } else { root };
        root = first.get(key).unwrap();
    }
    let value = |mut it: lawbook_event::json::Value<'_>| {
        for key in path {
            it = if it.is_array() { it.item(0)? } else { it };
            it = it.get(key)?;
        }
        Some(it.as_str().map_or_else(|| it.raw().to_owned(), str::to_owned))
    };
    root.items().map(|it| value(it).unwrap_or_default()).collect()
}

#[test]
fn reports_for_people_say_what_was_not_checked_and_what_is_not_proved() {
    for format in ["text", "markdown", "html", "github", "junit", "sarif"] {
        let said = written(format, &[], &[unknown()]).replace('\n', " ");
        assert!(said.contains("that the recordings are complete"), "{format}: {said}");
        assert!(said.contains("tone"), "{format}: {said}");
        if format != "text" {
            assert!(said.contains("a sample of at most 50 sessions was judged"), "{format}");
            assert!(said.contains("1 time a rule could not be judged"), "{format}");
            assert!(said.contains("1 part of the input could not be read"), "{format}");
        }
        assert!(!said.contains("no call breaks the policy"), "{format}: {said}");
    }
}

#[test]
fn a_result_stands_at_its_rule_with_the_trace_beside_it() {
    let text = written("sarif", &[finding("350 > max 200")], &[unknown()]);
    let results = ["runs", "results"];
    let place = ["locations", "physicalLocation", "artifactLocation", "uri"];
    assert_eq!(values(&text, &results, &place), ["lawbook.yaml", "lawbook.yaml"]);
    let line = ["locations", "physicalLocation", "region", "startLine"];
    assert_eq!(values(&text, &results, &line), ["7", ""]);
    let trace = ["relatedLocations", "physicalLocation", "region", "startLine"];
    assert_eq!(values(&text, &results, &trace), ["1", "1"]);
    assert_eq!(values(&text, &results, &["kind"]), ["fail", "open"]);
    assert_eq!(values(&text, &results, &["level"]), ["error", "none"]);
}

#[test]
fn levels_follow_verdicts_and_what_does_not_count_is_a_note() {
    let ask = Finding { verdict: Verdict::Ask, ..finding("a") };
    let observed = Finding { mode: Mode::Observe, ..finding("b") };
    let waived = Finding { waived: Some(Arc::from("known")), ..finding("c") };
    let all = [finding("d"), ask, observed, waived];
    let text = written("sarif", &all, &[]);
    let levels = values(&text, &["runs", "results"], &["level"]);
    assert_eq!(levels, ["error", "warning", "note", "error"]);
    let waived = values(&text, &["runs", "results"], &["suppressions", "justification"]);
    assert_eq!(waived, ["", "", "", "known"]);
    let text = of("gitlab", &["a"], &all, &[unknown()]);
    let severities = values(&text, &[], &["severity"]);
    assert_eq!(severities, ["critical", "major", "info", "info", "minor"]);
}

#[test]
fn a_fingerprint_stays_when_sessions_stand_in_another_order() {
    let twice = [finding("a"), finding("b")];
    for (format, list, path) in [
        ("sarif", &["runs", "results"][..], &["partialFingerprints", "lawbook/1"][..]),
        ("gitlab", &[], &["fingerprint"]),
    ] {
        let mut one = values(&of(format, &["x", "y"], &twice, &[unknown()]), list, path);
        let mut two = values(&of(format, &["y", "x"], &twice, &[unknown()]), list, path);
        assert_ne!(one, two);
        one.sort();
        two.sort();
        assert_eq!(one, two);
        one.dedup();
        assert_eq!(one.len(), 6, "no two findings share a fingerprint: {one:?}");
    }
}

#[test]
fn formats_with_a_bound_keep_it_and_count_the_rest() {
    let ids: Vec<String> = (0..2_600).map(|it| format!("s-{it}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let twice = [finding("a"), finding("b")];
    let sarif = of("sarif", &ids, &twice, &[]);
    assert_eq!(values(&sarif, &["runs", "results"], &["level"]).len(), 5_000);
    assert!(sarif.contains("200 more results are left out"));
    let gitlab = values(&of("gitlab", &ids, &twice, &[]), &[], &["check_name"]);
    assert_eq!((gitlab.len(), gitlab[5_000].as_str()), (5_001, "left_out"));
    let html = of("html", &ids, &twice, &[]);
    assert_eq!(html.matches("<details>").count(), 500);
    assert!(html.contains("2100 more lines of sessions are left out of this report"));
    let junit = of("junit", &ids, &twice, &[]);
    assert_eq!(junit.matches("<failure").count(), 2_600);
}

#[test]
fn of_one_session_a_bounded_number_is_listed() {
    let many: Vec<Finding> = (0..60).map(|it| finding(&format!("number {it}."))).collect();
    let junit = of("junit", &["a"], &many, &[]);
    assert!(junit.contains("number 49.") && !junit.contains("number 50."), "{junit}");
    assert!(junit.contains("and 10 more"), "{junit}");
    let html = of("html", &["a"], &many, &[]);
    assert!(html.contains("number 49.") && !html.contains("number 50."), "{html}");
    assert!(html.contains("and 10 more"), "{html}");
}

fn rules(number: usize, text: &str) -> Vec<Finding> {
    let rule = |it: usize| Arc::from(format!("rule-{it:04} {text}"));
    (0..number).map(|it| Finding { rule: rule(it), ..finding(text) }).collect()
}

#[test]
fn a_step_gets_ten_annotations_and_the_number_of_the_rest() {
    let text = of("github", &["a"], &rules(13, ""), &[unknown()]);
    assert_eq!(text.matches("::error ").count(), 10);
    assert_eq!(text.matches("::warning ").count(), 1);
    assert!(text.contains("3 more errors not shown here"), "{text}");
    let one = of("github", &["a", "b"], &[finding("350 > max 200")], &[]);
    let wanted = "::error file=lawbook.yaml,line=7,title=rule credit-cap::2 findings in 2 sessions";
    assert!(one.starts_with(wanted), "{one}");
}

#[test]
fn markdown_fits_into_a_comment_whatever_is_found() {
    let long = "`ä@\u{202e}".repeat(400);
    let findings = rules(300, &long);
    let text = of("markdown", &["a"], &findings, &[Unknown { message: long, ..unknown() }]);
    assert!(text.chars().count() < 65_536, "{}", text.chars().count());
    assert!(text.contains(" more rules\n"), "{text}");
}

#[test]
fn what_cannot_be_told_is_no_pass_in_any_format() {
    let junit = of("junit", &["a"], &[], &[unknown()]);
    assert!(junit.contains("errors=\"1\"") && junit.contains("<error type=\"unknown\""), "{junit}");
    let page = of("html", &["a"], &[], &[unknown()]);
    assert!(page.contains("<h1 class=\"unknown\">"), "{page}");
    let github = of("github", &["a"], &[], &[unknown()]);
    assert!(github.starts_with("::warning "), "{github}");
    let noted = Unknown { counts: false, ..unknown() };
    assert!(of("junit", &["a"], &[], &[noted]).contains("errors=\"0\""));
}

#[test]
fn asks_fail_a_case_only_where_they_fail_the_run() {
    let ask = Finding { verdict: Verdict::Ask, ..finding("a") };
    let passes = written("junit", std::slice::from_ref(&ask), &[]);
    assert!(passes.contains("failures=\"0\"") && passes.contains("<system-out>ask "), "{passes}");
    let options = Options { asks_fail: true, ..Options::default() };
    assert!(written_as("junit", options, &[ask], &[]).contains("<failure type=\"ask\""));
}

/// A report of scenarios of which each check says the same, under a gate.
fn gated(format: &str, scenarios: &[&str], checks: &[CheckLine], gate: Gate) -> String {
    let session = |scenario| SessionReport {
        id: "id",
        source: "t.jsonl",
        trace_format: "openai_chat",
        calls: 1,
        verdict: Verdict::Allow,
        findings: &[],
        unknown: &[],
        scenario: Some(scenario),
        checks,
    };
    let sessions: Vec<SessionReport<'_>> = scenarios.iter().copied().map(session).collect();
    let mut summary = Summary::default();
    sessions.iter().for_each(|it| summary.add(it, None));
    let closing = Closing { summary, gate: Some(gate), ..Closing::default() };
    let report = Report { header: header(), sessions, closing };
    let mut out = String::new();
    named(format).unwrap().report(&report, Options::default(), &mut out);
    out
}

fn said(check: &'static str, detected: bool, confidence: f64, reason: &str) -> CheckLine {
    CheckLine { check, detected, confidence, reason: reason.to_owned() }
}

#[test]
fn a_gate_says_which_checks_found_something_and_why() {
    let checks =
        [said("policy", true, 1.0, "step 1"), said("search_loop", true, 1.0, "`find` 4 times")];
    let fired = Gate { fired: [("policy", 9), ("search_loop", 5)].into(), ..gate("worse") };
    let names = ["s0", "s1", "s2", "s3", "s4"];
    let markdown = gated("markdown", &names, &checks, fired.clone());
    let wanted =
        "\n### Found by checks\n\n- `search_loop`: in 5 sessions\n  - `s0`: `` `find` 4 times ``\n";
    assert!(markdown.contains(wanted), "{markdown}");
    assert!(markdown.contains("  - and 2 more\n") && !markdown.contains("`policy`: in"));
    let wanted = "title=check search_loop::found in 5 sessions; s0: `find` 4 times; s1: `find`";
    let github = gated("github", &names, &checks, fired.clone());
    assert!(github.contains(&format!("\n::error {wanted}")), "{github}");
    assert_eq!(github.matches("title=check ").count(), 1, "{github}");
    let passed = Gate { verdict: GateVerdict::Pass, ..fired };
    let github = gated("github", &names, &checks, passed);
    assert!(github.starts_with(&format!("::warning {wanted}")), "{github}");
    let none = Gate { fired: [("policy", 9)].into(), ..gate("worse") };
    assert!(!gated("markdown", &names, &[], none).contains("### Found by checks"));
}

#[test]
fn a_comment_on_a_gate_fits_whatever_checks_and_names_say() {
    const CHECKS: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let long = "`ä@\u{202e}".repeat(400);
    let checks: Vec<CheckLine> = CHECKS.iter().map(|it| said(it, true, 1.0, &long)).collect();
    let fired = CHECKS.iter().map(|it| (*it, 4)).collect();
    let many = || vec![long.clone(); 12];
    let gate = Gate {
        regressions: many(),
        improvements: many(),
        missing: many(),
        added: many(),
        policy_violations: many(),
        warnings: many(),
        fired,
        ..gate(&long)
    };
    let text = gated("markdown", &[&long, &long, &long, &long], &checks, gate);
    // The parts on rules take up to 30,000 more.
    assert!(text.len() < 65_536 - 30_000, "{}", text.len());
    assert!(text.contains(" more checks\n") && text.contains(" and 9 more\n"), "{text}");
}

#[test]
fn a_check_that_cannot_tell_is_no_case_that_passes() {
    let checks = [
        said("search_loop", false, 0.0, "2 of 3 results were not recorded <a>"),
        said("truncation", false, 1.0, "whole"),
    ];
    let junit = gated("junit", &["s0"], &checks, Gate { fired: [].into(), ..gate("worse") });
    let wanted = "<testcase classname=\"lawbook.search_loop\" name=\"s0\"><skipped message=\"unknown: \
                  2 of 3 results were not recorded &lt;a&gt;\"></skipped></testcase>";
    assert!(junit.contains(wanted), "{junit}");
    assert!(junit.contains("tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"1\""), "{junit}");
    assert_eq!(junit.matches("<skipped").count(), 1, "{junit}");
}
