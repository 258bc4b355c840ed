//! One report in every format.

mod formats;
mod hostile;

use std::sync::Arc;

use lawbook_diag::{Evidence, Finding, Mode, Problem, Unknown, Verdict};

use super::{REPORTERS, named};
use crate::{
    Closing, Header, Options, PolicyLine, Report, Selection, SessionReport, StrictView, Summary,
    Written,
};

fn finding(message: &str) -> Finding {
    Finding {
        rule: Arc::from("credit-cap"),
        kind: "arg_range",
        verdict: Verdict::Deny,
        step: Some(3),
        step_id: Some("m4.c0".to_owned()),
        call_id: None,
        tool: Some("issue_credit".to_owned()),
        path: Some("amount".to_owned()),
        message: message.to_owned(),
        why: Some(Arc::from("a manager decides")),
        ran: true,
        layer: 0,
        mode: Mode::Enforce,
        waived: None,
        evidence: vec![Evidence { step: 1, step_id: "m2.c0".to_owned(), quote: None }],
        evidence_total: 4,
    }
}

fn unknown() -> Unknown {
    Unknown {
        rule: Arc::from("verify-first"),
        kind: "require_before",
        step: Some(2),
        step_id: Some("m3.c0".to_owned()),
        missing: "result of step 1".to_owned(),
        message: "the result of step 1 was not recorded".to_owned(),
        layer: 0,
        counts: true,
        verdict: Verdict::Deny,
    }
}

fn written(format: &str, findings: &[Finding], unknown: &[Unknown]) -> String {
    written_as(format, Options::default(), findings, unknown)
}

const ALL: Options = Options { colour: false, layers: false, all: true, asks_fail: false };

fn written_as(format: &str, options: Options, findings: &[Finding], unknown: &[Unknown]) -> String {
    let sessions = [
        SessionReport {
            id: "s-1",
            source: "t.jsonl:1",
            trace_format: "openai_chat",
            calls: 3,
            verdict: findings.iter().map(|it| it.verdict).max().unwrap_or_default(),
            findings,
            unknown,
            scenario: None,
            checks: &[],
        },
        SessionReport {
            id: "s-2",
            source: "t.jsonl:2",
            trace_format: "openai_chat",
            calls: 1,
            verdict: Verdict::Allow,
            findings: &[],
            unknown: &[],
            scenario: None,
            checks: &[],
        },
    ];
    let mut summary = Summary::default();
    for it in &sessions {
        summary.add(it, Some("gold"));
    }
    let report = Report {
        header: Header {
            lawbook: "0.0.0".to_owned(),
            policies: vec![PolicyLine {
                name: Some("support".to_owned()),
                dialect: "lawbook".to_owned(),
                digest: "sha256:00".to_owned(),
                profile: "native".to_owned(),
                source: "lawbook.yaml".to_owned(),
                rules: 2,
                not_covered: vec!["tone".to_owned()],
                lines: Some([("credit-cap".to_owned(), 7)].into()),
            }],
            selection: Selection { sample: Some(50), ..Selection::default() },
            notes: vec![],
        },
        sessions: sessions.to_vec(),
        closing: Closing {
            problems: vec![
                Problem::new("t.jsonl", "not_json", "a value is missing").at(3, 7).help("mend it"),
            ],
            summary,
            group_by: None,
            strict: Some(StrictView { findings: 1, unknown: 0 }),
            gate: None,
            written: Written::default(),
            notes: vec![],
        },
    };
    let mut out = String::new();
    named(format).unwrap().report(&report, options, &mut out);
    out
}

#[test]
fn text_says_rule_by_rule_what_is_wrong_and_why() {
    let text = written("text", &[finding("issue_credit.amount 350 > max 200")], &[unknown()]);
    let wanted = "\
rule credit-cap (arg_range): 1 finding in 1 session
  why: a manager decides
  session s-1  step m4.c0  issue_credit.amount 350 > max 200

could not be judged
rule verify-first (require_before): 1 unknown in 1 session
  session s-1  step m3.c0  the result of step 1 was not recorded

problem t.jsonl:3:7: a value is missing
  help: mend it

2 sessions, 4 calls: 1 finding in 1 session, 1 unknown
the full reading (`--profile strict`) would add 1 finding
breaks the policy in 1 of 2 traces

not covered: tone
";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn a_rule_is_listed_ten_times_and_the_rest_is_counted() {
    let many: Vec<Finding> = (0..14).map(|it| finding(&format!("number {it}"))).collect();
    let text = written("text", &many, &[]);
    assert!(text.contains("rule credit-cap (arg_range): 14 findings in 1 session\n"), "{text}");
    assert!(text.contains("number 9\n  and 4 more; `--all` lists them\n"), "{text}");
    let text = written_as("text", ALL, &many, &[]);
    assert!(text.contains("number 13 [credit-cap]\n") && !text.contains("more;"), "{text}");
}

#[test]
fn the_last_line_says_how_many_traces_break_the_policy() {
    let clean = written("text", &[], &[]);
    assert!(clean.contains("\nno call breaks the policy in 2 traces\n"), "{clean}");
    let unknown = written("text", &[], &[unknown()]);
    let wanted = "\nno call is known to break the policy in 2 traces, and 1 unknown\n";
    assert!(unknown.contains(wanted), "{unknown}");
}

#[test]
fn text_of_all_says_what_why_and_on_what_it_rests() {
    let findings = [finding("issue_credit.amount 350 > max 200")];
    let text = written_as("text", ALL, &findings, &[unknown()]);
    assert_eq!(
        text,
        "\
policy lawbook.yaml `support`: lawbook, native, 2 rules

session s-1 (t.jsonl:1): deny
  deny step 3 issue_credit: issue_credit.amount 350 > max 200 [credit-cap]
    why: a manager decides
    rests on: step 1 (m2.c0) and 3 more
  unknown step 2: the result of step 1 was not recorded [verify-first]

problem t.jsonl:3:7: a value is missing
  help: mend it

2 sessions, 4 calls: 1 finding in 1 session, 1 unknown
  rule credit-cap  1
the full reading (`--profile strict`) would add 1 finding
breaks the policy in 1 of 2 traces

not covered: tone
what a clean result does not prove: that the recordings are complete, that the rules say all that
matters, or that what the agent told its user was true
"
    );
}

#[test]
fn json_holds_every_key_and_ends_with_the_summary() {
    let text = written("json", &[finding("350 > max 200")], &[unknown()]);
    assert_eq!(
        text,
        concat!(
            r#"{"schema":"lawbook.report/1","lawbook":"0.0.0","policy":{"name":"support","#,
            r#""dialect":"lawbook","digest":"sha256:00","profile":"native","layers":[]},"#,
            r#""selection":{"rules":[],"ignore":[],"sample":50,"known":[]},"#,
            "\n\"sessions\":[\n",
            r#"{"id":"s-1","source":"t.jsonl:1","trace_format":"openai_chat","calls":3,"#,
            r#""verdict":"deny","findings":[{"rule":"credit-cap","kind":"arg_range","#,
            r#""verdict":"deny","step":3,"step_id":"m4.c0","call_id":null,"tool":"issue_credit","#,
            r#""path":"amount","message":"350 > max 200","why":"a manager decides","ran":true,"#,
            r#""layer":0,"mode":"enforce","waived":null,"evidence":[{"step":1,"#,
            r#""step_id":"m2.c0","quote":null}],"evidence_total":4}],"#,
            r#""unknown":[{"rule":"verify-first","kind":"require_before","step":2,"#,
            r#""step_id":"m3.c0","missing":"result of step 1","#,
            r#""message":"the result of step 1 was not recorded"}]},"#,
            "\n",
            r#"{"id":"s-2","source":"t.jsonl:2","trace_format":"openai_chat","calls":1,"#,
            r#""verdict":"allow","findings":[],"unknown":[]}],"#,
            "\n",
            r#""problems":[{"source":"t.jsonl","line":3,"column":7,"code":"not_json","#,
            r#""message":"a value is missing"}],"#,
            "\n",
            r#""summary":{"sessions":2,"calls":4,"with_findings":1,"findings":1,"asks":0,"#,
            r#""unknown":1,"by_rule":{"credit-cap":1}}}"#,
            "\n",
        )
    );
}

#[test]
fn jsonl_is_header_sessions_summary() {
    let text = written("jsonl", &[], &[]);
    let starts: Vec<&str> = text.lines().map(|it| &it[..11]).collect();
    assert_eq!(starts, [r#"{"schema":""#, r#"{"id":"s-1""#, r#"{"id":"s-2""#, r#"{"problems""#]);
}

#[test]
fn an_observed_and_a_waived_finding_are_listed_and_not_counted() {
    let observed = Finding { mode: Mode::Observe, ..finding("a") };
    let waived = Finding { waived: Some(Arc::from("known")), ..finding("b") };
    let text = written_as("text", ALL, &[observed.clone(), waived.clone()], &[]);
    assert!(text.contains("  deny (observed) step 3 issue_credit: a [credit-cap]\n"));
    assert!(text.contains("  deny (waived: known) step 3 issue_credit: b [credit-cap]\n"));
    assert!(text.contains("2 sessions, 4 calls: 0 findings in 0 sessions, 2 listed only\n"));
    let text = written("text", &[observed, waived], &[]);
    assert!(text.contains("0 findings in 0 sessions, 2 listed only\n"), "{text}");
    assert!(text.contains("  session s-1  step m4.c0  (waived: known) b\n"), "{text}");
}

#[test]
fn with_several_policies_a_finding_says_whose_it_is() {
    let options = Options { layers: true, ..ALL };
    let findings = [Finding { layer: 1, ..finding("a") }];
    let session = SessionReport {
        id: "t.jsonl",
        source: "t.jsonl",
        trace_format: "openai_chat",
        calls: 1,
        verdict: Verdict::Deny,
        findings: &findings,
        unknown: &[],
        scenario: None,
        checks: &[],
    };
    let mut out = String::new();
    named("text").unwrap().session(&Header::default(), &session, options, &mut out);
    assert!(out.starts_with("session t.jsonl: deny\n"), "{out}");
    assert!(out.contains("[credit-cap of policy 2]"), "{out}");
}

#[test]
fn a_long_message_is_cut_in_text_and_whole_in_json() {
    let long = "ä".repeat(1000);
    assert!(written("text", &[finding(&long)], &[]).contains("… (600 more characters)"));
    assert!(written("json", &[finding(&long)], &[]).contains(&long));
}

#[test]
fn every_format_has_a_page_under_its_name() {
    for reporter in REPORTERS {
        assert!(reporter.page().starts_with(&format!("# {}\n", reporter.name())));
    }
}
