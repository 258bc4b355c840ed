//! Labels in every form, and what they say.

use lawbook_stats::Truth;

use super::{LABELS_MAX, Label, Labels, Says, Verdict, read};

const TABLE: &[(&str, &str)] = &[
    (
        "csv",
        "id,verdict,note,modes\r\nt-1,good,,\nt-2,problem,\"he said \"\"no\"\",\nand so on\",late;policy\n\nt-3,skip,,\n",
    ),
    (
        "lines",
        "{\"id\": \"t-1\", \"verdict\": \"good\"}\n\n{\"id\": \"t-2\", \"verdict\": \"problem\", \
         \"note\": \"he said \\\"no\\\",\\nand so on\", \"modes\": [\"late\", \"policy\"]}\n\
         {\"id\": \"t-3\", \"verdict\": \"skip\"}\n",
    ),
    (
        "yaml",
        "schema: lawbook.labels/1\nlabels:\n  - {id: t-1, verdict: good}\n  - id: t-2\n    \
         verdict: problem\n    note: \"he said \\\"no\\\",\\nand so on\"\n    modes: [late, policy]\n  \
         - {id: t-3}\n",
    ),
];

#[test]
fn our_own_form_may_be_a_table_lines_or_a_document() {
    for (name, text) in TABLE {
        let labels = read(name, text).unwrap();
        let wanted = [
            Label { id: "t-1".to_owned(), verdict: Verdict::Good, ..Label::default() },
            Label {
                id: "t-2".to_owned(),
                verdict: Verdict::Problem,
                modes: vec!["late".to_owned(), "policy".to_owned()],
                note: "he said \"no\",\nand so on".to_owned(),
                ..Label::default()
            },
            Label { id: "t-3".to_owned(), ..Label::default() },
        ];
        assert_eq!(labels.labels, wanted, "{name}");
    }
}

/// What the labels say, in order.
fn said(text: &str, mode: Option<&str>) -> Vec<Says> {
    let mut labels = read("l", text).unwrap();
    labels.choose(mode).unwrap();
    labels.labels.iter().map(|it| labels.says(it)).collect()
}

const GOOD: Says = Says::Truth(Truth::Good);
const PROBLEM: Says = Says::Truth(Truth::Problem);

#[test]
fn without_a_failure_mode_every_problem_counts_and_with_one_its_own_do() {
    for (name, text) in TABLE {
        assert_eq!(said(text, None), [GOOD, PROBLEM, Says::Nothing], "{name}");
        assert_eq!(said(text, Some("policy")), [GOOD, PROBLEM, Says::Nothing], "{name}");
    }
    let text = "id,verdict,modes\na,problem,late\nb,problem,policy\nc,problem,\n";
    assert_eq!(said(text, Some("policy")), [Says::Other, PROBLEM, Says::Other]);
}

#[test]
fn a_good_label_older_than_the_definition_waits() {
    let text = "\
schema: lawbook.labels/1
mode: policy
defined: 2026-05-01T10:00:00Z
labels:
  - {id: a, verdict: good, at: 2026-05-01T09:59:59Z}
  - {id: b, verdict: good, at: 2026-05-01T10:00:00Z}
  - {id: c, verdict: good}
  - {id: d, verdict: problem, modes: [policy], at: 2020-01-01}
";
    assert_eq!(said(text, None), [Says::Waits, GOOD, Says::Waits, PROBLEM]);
}

const PROJECT: &str = r#"{"format": "pmstack.project/1",
 "modes": [
  {"id": "fm-1", "name": "Breaks a policy", "template": "policy",
   "createdAt": "2026-05-01T00:00:00Z", "definitionUpdatedAt": "2026-05-03T00:00:00Z"},
  {"id": "fm-2", "createdAt": "2026-05-01T00:00:00Z"}],
 "reviews": {
  "a": {"verdict": "pass", "reviewedAt": "2026-05-04T00:00:00Z"},
  "b": {"verdict": "pass", "reviewedAt": "2026-05-02T00:00:00Z"},
  "c": {"verdict": "pass", "at": "2026-05-03T00:00:00Z"},
  "d": {"verdict": "fail", "modes": ["fm-2", "fm-1"], "note": "no approval"},
  "e": {"verdict": "fail", "modes": ["fm-2"]},
  "f": {"verdict": "skip"},
  "g": {"verdict": "pass", "reviewedAt": "2026-05-02T00:00:00Z"}},
 "labels": {"fm-1": {"g": "fail", "h": "pass"}, "fm-2": {"a": "fail"}}}"#;

#[test]
fn a_project_says_it_with_reviews_labels_and_the_time_of_the_definition() {
    let wanted = [GOOD, Says::Waits, GOOD, PROBLEM, Says::Other, Says::Nothing, PROBLEM, GOOD];
    assert_eq!(said(PROJECT, None), wanted);
    let other = said(PROJECT, Some("fm-2"));
    assert_eq!(other[0], PROBLEM, "an explicit label wins");
    assert_eq!(other[3..5], [PROBLEM, PROBLEM]);
}

#[test]
fn the_reviews_of_one_failure_mode_stand_alone() {
    let text = r#"{"modeId": "fm", "modeCreatedAt": "2026-05-01T00:00:00Z", "labels": {},
 "reviews": {"a": {"verdict": "pass", "reviewedAt": "2026-05-01T00:00:00Z"},
             "b": {"verdict": "pass", "reviewedAt": "2026-04-01T00:00:00Z"},
             "c": {"verdict": "fail", "modes": ["fm"]}}}"#;
    assert_eq!(said(text, None), [GOOD, Says::Waits, PROBLEM]);
}

#[test]
fn an_unclear_or_unknown_failure_mode_is_refused() {
    let two = PROJECT.replace("\"id\": \"fm-2\"", "\"id\": \"fm-2\", \"template\": \"policy\"");
    let mut labels = read("p", &two).unwrap();
    assert_eq!(labels.choose(None).unwrap_err().code, "no_mode");
    let problem = labels.choose(Some("fm-3")).unwrap_err();
    assert_eq!(problem.help.as_deref(), Some("did you mean `fm-1`?"));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (text, code, line) in [
        ("id,verdict\na,good\nb,maybe\n", "no_label", Some(3)),
        ("id,verdict\n\"a\nb\",good\n,good\n", "no_label", Some(4)),
        ("id,verdict,vote\n", "unknown_key", Some(1)),
        ("id,verdict\na,good,x\n", "no_label", Some(2)),
        ("{\"id\": \"a\"}\n{\"verdict\": \"good\"}\n", "no_label", Some(2)),
        ("{\"id\": \"a\", \"verdct\": \"good\"}\n", "no_label", Some(1)),
        ("{\"id\": \"a\", \"at\": \"soon\"}\n", "no_label", Some(1)),
        ("schema: lawbook.labels/1\nlabels:\n  - {id: a, verdict: bad}\n", "unknown_word", Some(3)),
        ("a: 1\n", "other_schema", Some(1)),
        ("", "empty", None),
        ("{\"reviews\": {\"a\": {\"verdict\": \"hm\"}}}", "unknown_word", None),
    ] {
        let problems = read("l", text).unwrap_err();
        assert_eq!((problems[0].code, problems[0].line), (code, line), "{text}");
    }
}

#[test]
fn labels_are_bounded_and_one_for_each_trace() {
    let labels = |ids: Vec<String>| Labels {
        labels: ids.into_iter().map(|id| Label { id, ..Label::default() }).collect(),
        ..Labels::default()
    };
    let many = labels((0..=LABELS_MAX).map(|it| it.to_string()).collect());
    assert_eq!(many.check().unwrap_err().code, "labels_max");
    let twice = labels(vec!["a".to_owned(), "b".to_owned(), "a".to_owned()]);
    assert_eq!(twice.check().unwrap_err().code, "repeated_label");
}

#[test]
fn every_cut_of_a_file_gives_labels_or_problems_with_a_line() {
    let texts = TABLE.iter().map(|it| it.1).chain([PROJECT, "\"", "{", "id,verdict\n\""]);
    for text in texts {
        for at in (0..=text.len()).filter(|it| text.is_char_boundary(*it)) {
            for part in [&text[..at], &text[at..]] {
                if let Err(problems) = read("l", part) {
                    assert!(!problems.is_empty(), "{part:?}");
                }
            }
        }
    }
}
