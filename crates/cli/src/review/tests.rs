//! Review files: what is written reads back, and bounds.

use super::{
    Disposition, Entry, Found, Gathered, Key, Mark, Noted, Proposal, REVIEW_ENTRIES_MAX, Review,
    State,
};

fn full() -> Review {
    let nasty = "yes: 'no' \"maybe\" # & *x\n\ttab \\ \u{1f600} \u{e0041} ##";
    Review {
        policies: vec![("p.yaml".to_owned(), "sha256:00".to_owned())],
        findings: vec![Entry {
            key: Key {
                rule: "null".to_owned(),
                session: "0123".to_owned(),
                step_id: String::new(),
                tool: nasty.to_owned(),
            },
            message: nasty.to_owned(),
            why: "- [x]".to_owned(),
            mark: Mark::RuleToFix,
            note: "~".to_owned(),
            state: State::Unknown,
            edit: Some(Proposal {
                policy: "p.yaml".to_owned(),
                at: String::new(),
                write: "consent: [\"x\"]".to_owned(),
            }),
        }],
        notes: vec![Noted {
            trace: "true".to_owned(),
            said: nasty.to_owned(),
            modes: vec!["a, b".to_owned(), "c".to_owned()],
            disposition: Disposition::WhoElseChecks,
            with: "1e3".to_owned(),
            found: true,
        }],
    }
}

#[test]
fn what_is_written_reads_back_the_same() {
    for review in [full(), Review::default()] {
        let text = super::write::written(&review);
        assert_eq!(super::read::read("r.yaml", &text), Ok(review), "{text}");
    }
}

#[test]
fn findings_past_the_bound_are_counted_and_old_ones_stay() {
    let found = |number: usize| Found {
        key: Key { rule: "r".to_owned(), session: number.to_string(), ..Key::default() },
        ..Found::default()
    };
    let mut run = Gathered::default();
    let first = Gathered { found: (0..10).map(found).collect(), ..Gathered::default() };
    let rest =
        Gathered { found: (10..REVIEW_ENTRIES_MAX + 5).map(found).collect(), ..first.clone() };
    run.add(first);
    run.add(rest);
    assert_eq!((run.found.len(), run.beyond), (REVIEW_ENTRIES_MAX, 5));
    let mut review = full();
    let beyond = review.merge(run, |_| true);
    assert_eq!((review.findings.len(), beyond), (REVIEW_ENTRIES_MAX, 6));
    assert_eq!(review.findings[0].mark, Mark::RuleToFix);
    let text = super::write::written(&review);
    assert_eq!(super::read::read("r.yaml", &text), Ok(review));
}

#[test]
fn a_file_past_the_bound_is_refused() {
    let mut review = Review::default();
    for number in 0..=REVIEW_ENTRIES_MAX {
        let key = Key { rule: "r".to_owned(), session: number.to_string(), ..Key::default() };
        review.findings.push(Entry { key, ..Entry::default() });
    }
    let problems = super::read::read("r.yaml", &super::write::written(&review)).unwrap_err();
    assert_eq!(problems[0].code, "review_entries_max");
}

#[test]
fn a_note_stays_as_it_was_sorted_and_says_when_the_policy_finds_it() {
    let note = |trace: &str| Noted { trace: trace.to_owned(), ..Noted::default() };
    let mut review = Review::default();
    review.merge_notes(vec![note("a"), note("b")], &["b".to_owned()].into());
    assert_eq!(review.notes, [note("a")]);
    review.notes[0].disposition = Disposition::NewRule;
    let again = Noted { said: "more".to_owned(), ..note("a") };
    review.merge_notes(vec![again], &["a".to_owned()].into());
    let kept = &review.notes[0];
    assert_eq!((kept.disposition, kept.found, &*kept.said), (Disposition::NewRule, true, "more"));
}

#[test]
fn every_cut_of_a_file_reads_or_is_refused_with_a_reason() {
    let text = super::write::written(&full());
    for at in (0..=text.len()).filter(|it| text.is_char_boundary(*it)) {
        for part in [&text[..at], &text[at..]] {
            if let Err(problems) = super::read::read("r.yaml", part) {
                assert!(!problems.is_empty(), "{part:?}");
            }
        }
    }
}
