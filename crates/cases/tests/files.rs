//! What a case file is read as, and what is said of one that can't be read.

#![allow(clippy::unwrap_used, clippy::panic)]

use lawbook_cases::{Ended, Replay, Settings, run};

/// The differences of a case file of one case; none if it holds.
fn differences(text: &str) -> Vec<String> {
    let told = run("case.yaml", text, &Replay, &Settings::default()).unwrap();
    match &told[..] {
        [it] => match &it.ended {
            Ended::Passed => Vec::new(),
            Ended::Failed(differences) => differences.iter().map(ToString::to_string).collect(),
            Ended::Skipped(reason) => panic!("skipped: {reason}"),
        },
        other => panic!("{} cases", other.len()),
    }
}

fn refusal(text: &str) -> String {
    run("case.yaml", text, &Replay, &Settings::default()).unwrap_err().to_string()
}

#[test]
fn plain_words_of_older_yaml_are_text() {
    for word in ["no", "yes", "on", "off", "n", "y", "NO", "Off", "007", "1_000"] {
        let case = |policy: &str, word: &str, verdict: &str| {
            format!(
                "about: A word.\npolicy:{policy}\nevents:\n  - {{call: t, args: {{a: {word}}}, \
                 expect: {verdict}}}\n"
            )
        };
        let quoted = format!(
            " {{lawbook: 1, default: allow, rules: [{{id: w, arg_in: {{arg: a, values: [\"{word}\"]}}}}]}}"
        );
        assert_eq!(differences(&case(&quoted, word, "allow")), [""; 0], "args: {{a: {word}}}");
        assert_eq!(differences(&case(&quoted, "true", "deny")), [""; 0], "not {word}");
    }
}

#[test]
fn a_policy_that_is_a_mapping_means_what_the_same_text_means() {
    let policy = "lawbook: 1\n  default: allow\n  rules:\n    - {id: n, arg_in: {arg: a, values: [no, on]}}\n";
    let events = "events:\n  - {call: t, args: {a: \"no\"}}\n  - {call: t, args: {a: false}, \
                  expect: {verdict: deny, rules: [n]}}\n";
    for start in ["policy:\n  ", "policy: |\n  "] {
        let case = format!("about: A policy.\n{start}{policy}{events}");
        assert_eq!(differences(&case), [""; 0], "{case}");
    }
}

#[test]
fn a_truth_value_is_written_as_one() {
    let case = "about: It did not run.\npolicy: {lawbook: 1, default: allow}\nmode: observe\n\
                events:\n  - {call: t, ran: no}\n";
    assert!(refusal(case).contains("bool"), "{}", refusal(case));
}

#[test]
fn a_table_without_entries_is_refused() {
    let said = refusal("about: Nothing.\ndialect: lawbook\ncases: []\n");
    assert!(said.contains("`cases` is empty"), "{said}");
    let said = refusal("{cases: []}\n");
    assert!(said.contains("about"), "{said}");
}

#[test]
fn sessions_that_are_no_list_are_told_in_words() {
    for wrong in ["{id: s}", "~", "s"] {
        let said = refusal(&format!("about: A map.\ntrace: '[]'\nnormalised: {wrong}\n"));
        assert!(said.contains("`normalised` to be a list of sessions"), "{said}");
    }
}
