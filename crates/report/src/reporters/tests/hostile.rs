//! Every text that others may choose attacks the reader of each format, and does nothing there.

use std::sync::Arc;

use lawbook_diag::{Evidence, Finding, Mode, Problem, Unknown, Verdict};
use lawbook_event::json::{Document, Grammar, Limits};

use crate::reporters::{REPORTERS, named};
use crate::{
    CheckLine, Closing, Gate, GateTest, GateVerdict, Header, Options, PolicyLine, Report,
    Selection, SessionReport, Summary, is_unseen,
};

const TEXTS: &str = include_str!("../../../../../conformance/reports/hostile.json");

/// What each format makes of them, line by line.
const WANTED: &[(&str, &str)] = &[
    ("github", include_str!("../../../../../conformance/reports/github/hostile.json")),
    ("gitlab", include_str!("../../../../../conformance/reports/gitlab/hostile.json")),
    ("html", include_str!("../../../../../conformance/reports/html/hostile.json")),
    ("json", include_str!("../../../../../conformance/reports/json/hostile.json")),
    ("jsonl", include_str!("../../../../../conformance/reports/jsonl/hostile.json")),
    ("junit", include_str!("../../../../../conformance/reports/junit/hostile.json")),
    ("markdown", include_str!("../../../../../conformance/reports/markdown/hostile.json")),
    ("sarif", include_str!("../../../../../conformance/reports/sarif/hostile.json")),
    ("text", include_str!("../../../../../conformance/reports/text/hostile.json")),
];

const ALL: Options = Options { colour: false, layers: true, all: true, asks_fail: true };

fn strings(json: &str, key: &str) -> Vec<String> {
    let document = Document::parse(json, Grammar::Strict, &Limits::DEFAULT).unwrap();
    let list = document.root().get(key).unwrap();
    list.items().map(|it| it.as_str().unwrap().to_owned()).collect()
}

fn one() -> String {
    let document = Document::parse(TEXTS, Grammar::Strict, &Limits::DEFAULT).unwrap();
    document.root().get("one").unwrap().as_str().unwrap().to_owned()
}

/// Every hostile text.
fn texts() -> Vec<String> {
    let mut texts = strings(TEXTS, "texts");
    texts.push(one());
    texts
}

fn finding(text: &str, place: usize) -> Finding {
    let rule = Arc::from(text);
    Finding {
        rule,
        kind: "arg_range",
        verdict: if place % 3 == 1 { Verdict::Ask } else { Verdict::Deny },
        step: Some(3),
        step_id: Some(text.to_owned()),
        call_id: Some(text.to_owned()),
        tool: Some(text.to_owned()),
        path: Some(text.to_owned()),
        message: text.to_owned(),
        why: Some(Arc::from(text)),
        ran: true,
        layer: 0,
        mode: Mode::Enforce,
        waived: (place % 5 == 4).then(|| Arc::from(text)),
        evidence: vec![Evidence {
            step: 1,
            step_id: text.to_owned(),
            quote: Some(text.to_owned()),
        }],
        evidence_total: 1,
    }
}

fn unknown(text: &str) -> Unknown {
    Unknown {
        rule: Arc::from(text),
        kind: "require_before",
        step: Some(2),
        step_id: Some(text.to_owned()),
        missing: text.to_owned(),
        message: text.to_owned(),
        layer: 1,
        counts: true,
        verdict: Verdict::Deny,
    }
}

pub(super) fn gate(text: &str) -> Gate {
    let names = || vec![text.to_owned()];
    Gate {
        verdict: GateVerdict::Fail,
        because: text.to_owned(),
        clean_rate: 0.8,
        scenarios: 10,
        band: (0.9, 1.0),
        per_run: vec![0.9, 1.0],
        pass_threshold: None,
        fail_threshold: None,
        test: GateTest {
            name: "paired",
            baseline_mean: 0.95,
            drop: 0.15,
            p_value: 0.25,
            alpha: 0.05,
            power: 0.8,
            required_n: Some(40),
            additional_n: Some(30),
            drop_wanted: Some(0.1),
            drop_upper: Some(0.3),
        },
        regressions: names(),
        improvements: names(),
        missing: names(),
        added: names(),
        policy_violations: names(),
        usage: vec![],
        checks: vec![],
        fired: [("search_loop", 1)].into(),
        warnings: names(),
    }
}

fn policy(text: &str) -> PolicyLine {
    PolicyLine {
        name: Some(text.to_owned()),
        dialect: "lawbook".to_owned(),
        digest: "sha256:00".to_owned(),
        profile: "native".to_owned(),
        source: text.to_owned(),
        rules: 2,
        not_covered: vec![text.to_owned()],
        lines: Some([(text.to_owned(), 7)].into()),
    }
}

/// A report in which one text stands wherever others may choose a text.
fn written(format: &str, text: &str, place: usize, with_gate: bool) -> String {
    let (findings, unknown) = ([finding(text, place)], [unknown(text)]);
    let checks = [CheckLine {
        check: "search_loop",
        detected: true,
        confidence: 1.0,
        reason: text.to_owned(),
    }];
    let session = SessionReport {
        id: text,
        source: text,
        trace_format: "openai_chat",
        calls: 3,
        verdict: findings[0].verdict,
        findings: &findings,
        unknown: &unknown,
        scenario: None,
        checks: &checks,
    };
    let mut summary = Summary::default();
    summary.add(&session, Some(text));
    let words = || vec![text.to_owned()];
    let report = Report {
        header: Header {
            lawbook: "0.0.0".to_owned(),
            policies: vec![policy(text), policy(text)],
            selection: Selection {
                rules: words(),
                ignore: words(),
                sample: Some(5),
                known: words(),
            },
            notes: words(),
        },
        sessions: vec![session],
        closing: Closing {
            problems: vec![Problem::new(text, "not_json", text).at(3, 7).help(text)],
            summary,
            group_by: Some(text.to_owned()),
            gate: with_gate.then(|| gate(text)),
            notes: words(),
            ..Closing::default()
        },
    };
    let mut out = String::new();
    named(format).unwrap().report(&report, ALL, &mut out);
    out
}

#[test]
fn every_format_writes_an_attack_as_its_case_says() {
    let names: Vec<&str> = WANTED.iter().map(|it| it.0).collect();
    let mut missing: Vec<&str> = REPORTERS.iter().map(|it| it.name()).collect();
    missing.retain(|it| !names.contains(it));
    assert!(missing.is_empty(), "formats without a case: {missing:?}");
    let mut unlike = Vec::new();
    for (format, case) in WANTED {
        let page = written(format, &one(), 4, true);
        let start = page.find("<header>").filter(|_| *format == "html").unwrap_or(0);
        let lines: Vec<String> = page[start..].lines().map(str::to_owned).collect();
        if lines != strings(case, "wanted") {
            let quoted: Vec<String> = lines.iter().map(|it| crate::quote(it)).collect();
            unlike.push(format!("WANTED {format} [{}]", quoted.join(",")));
        }
    }
    let unlike = unlike.join("\n");
    assert!(unlike.is_empty(), "written otherwise than their cases say:\n{unlike}");
}

fn each(format: &str, check: impl Fn(&str, &str)) {
    for (place, text) in texts().iter().enumerate() {
        for with_gate in [false, true] {
            check(&written(format, text, place, with_gate), text);
        }
    }
}

#[test]
fn no_line_of_any_format_is_a_command_and_nothing_is_hidden() {
    let own = ["::error ", "::warning ", "::notice "];
    for reporter in REPORTERS {
        each(reporter.name(), |page, text| {
            for line in page.lines() {
                let start = line.trim_start();
                let command = start.starts_with("::") && !own.iter().any(|it| line.starts_with(it));
                assert!(!command, "{}: {line}", reporter.name());
                assert!(!start.starts_with("::") || reporter.name() == "github", "{line}");
                assert!(!line.contains("##[") && !line.contains("##vso["), "{line}");
                assert!(!line.chars().any(is_unseen), "{}: {text:?}: {line:?}", reporter.name());
            }
        });
    }
}

/// The names of the tags of a page, in order, and the page's text.
fn tags(page: &str) -> (Vec<String>, String) {
    let (mut tags, mut text, mut rest) = (Vec::new(), String::new(), page);
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = after.split_once('>').unwrap();
        tags.push(tag.to_owned());
        rest = after;
    }
    text.push_str(rest);
    (tags, text)
}

#[test]
fn no_text_adds_a_tag_to_the_page_or_to_the_xml() {
    for format in ["html", "junit"] {
        let plain = |place, gate| tags(&written(format, "plain", place, gate)).0.len();
        for (place, text) in texts().iter().enumerate() {
            for gate in [false, true] {
                let page = written(format, text, place, gate);
                let (tags, said) = tags(&page);
                assert_eq!(tags.len(), plain(place, gate), "{format}: {text}");
                assert!(!said.contains("]]>") && !page.contains("<!["), "{format}: {text}");
                let strange = |it: &String| {
                    it.split_once(['"', '\'']).is_some_and(|it| it.0.contains("on"))
                        && it.contains("onload")
                };
                assert!(!tags.iter().any(strange), "{tags:?}");
            }
        }
    }
}

#[test]
fn the_page_allows_its_own_style_and_nothing_else() {
    let page = written("html", "plain", 0, true);
    assert!(!page.contains(" style=") && !page.contains("<script") && !page.contains("unsafe"));
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("href"));
    let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    let seal = crate::sealed::sealed_style(style);
    assert!(page.contains(&format!("style-src '{seal}'")), "{seal}");
}

/// A line of Markdown without its code, which must end where it began.
fn without_code(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(start) = rest.find('`') {
        out.push_str(&rest[..start]);
        let fence = rest[start..].chars().take_while(|it| *it == '`').count();
        let mut inner = &rest[start + fence..];
        loop {
            let next = inner.find('`').unwrap_or_else(|| panic!("code has no end: {line}"));
            let run = inner[next..].chars().take_while(|it| *it == '`').count();
            inner = &inner[next + run..];
            if run == fence {
                break;
            }
        }
        rest = inner;
    }
    out.push_str(rest);
    out
}

#[test]
fn markdown_holds_texts_as_code_alone_and_its_marker_once() {
    each("markdown", |page, text| {
        assert!(page.starts_with("<!-- lawbook -->\n## "), "{page}");
        assert_eq!(page.matches("<!-- lawbook").count(), 1, "{text}");
        for line in page.lines().skip(1) {
            let plain = without_code(line);
            let plain = plain.trim_start_matches('#');
            assert!(!plain.contains(['<', '[', '!', '@', '#', '&', '|']), "{text}: {plain}");
            assert!(!plain.contains("http") && !plain.contains("GH-1"), "{text}: {plain}");
        }
    });
}

#[test]
fn formats_of_json_stay_json_and_hold_no_link() {
    for format in ["sarif", "gitlab", "json"] {
        each(format, |page, text| {
            let document = Document::parse(page, Grammar::Strict, &Limits::DEFAULT);
            assert!(document.is_ok(), "{format}: {text}: {page}");
            let links = format != "json" && page.contains("](");
            assert!(!links, "{format}: {text}");
        });
    }
}
