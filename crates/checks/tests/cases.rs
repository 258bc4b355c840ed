//! Runs every case of every check, and compares the shelf with its cases.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    // The cases are files.
    clippy::disallowed_methods
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lawbook_checks::{CHECKS, Check, Given, Golden, Group, Outcomes, Run, Told, judge, named};
use lawbook_event::RecordingPart;
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_trace::{Reading, Readings, Source, read};

fn folder(check: &dyn Check) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/checks").join(check.name())
}

fn cases(check: &dyn Check) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder(check)).unwrap_or_else(|e| {
        panic!("{}: {e}", folder(check).display());
    });
    let mut files: Vec<PathBuf> = files.map(|it| it.unwrap().path()).collect();
    files.sort();
    files
}

/// The keys that a case may have.
const KEYS: [&str; 7] = ["about", "golden", "outcomes", "reading", "reply", "expect", "trace"];

struct Case<'d>(Value<'d>);

fn told_in(said: Value<'_>) -> Option<Told> {
    Some(Told {
        detected: said.get("detected")?.as_bool()?,
        confidence: said.get("confidence")?.number_text()?.parse().ok()?,
        reason: said.get("reason")?.as_str()?.to_owned(),
    })
}

impl<'d> Case<'d> {
    fn get(&self, key: &str) -> Option<Value<'d>> {
        self.0.get(key)
    }

    fn text(&self, key: &str) -> &'d str {
        self.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    fn expected(&self) -> Option<Told> {
        told_in(self.get("expect").expect("a case expects something"))
    }

    /// What the check says of the only run of the case.
    fn told(&self, check: &dyn Check) -> Option<Told> {
        let golden = self.get("golden").map(|it| Golden::parse("golden", it.raw()).unwrap());
        let outcomes = self.get("outcomes").map(|it| Outcomes::parse("it", it.raw()).unwrap());
        let judged = self.get("reply").and_then(|it| judge::told(it.raw()));
        let given =
            Given { golden: golden.as_ref(), outcomes: outcomes.as_ref(), judged: judged.as_ref() };
        let reading = match self.text("reading") {
            "" => Reading::Faultgate,
            "full" => Reading::Full,
            other => panic!("no reading is called {other}"),
        };
        let wanted = Readings::from(reading).with(RecordingPart::Measures);
        let mut told = Vec::new();
        let trace = self.get("trace").expect("a case has a trace").raw().as_bytes();
        let problems = read(
            trace,
            None,
            wanted,
            &Source::new("case"),
            &lawbook_trace::Limits::default(),
            &mut |session| told.push(check.of(&Run::of(session.under(reading)), &given)),
        );
        assert_eq!((told.len(), problems.len()), (1, 0), "{problems:?}");
        told.pop().flatten()
    }
}

#[test]
fn every_case_holds() {
    let mut abouts = BTreeSet::new();
    let mut wrong = Vec::new();
    for check in CHECKS {
        for path in cases(*check) {
            let text = std::fs::read_to_string(&path).unwrap();
            let document = Document::parse(&text, Grammar::Strict, &Limits::DEFAULT)
                .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let case = Case(document.root());
            for (key, _) in case.0.entries() {
                assert!(KEYS.contains(&key), "{}: no case has a `{key}`", path.display());
            }
            assert!(case.text("about").ends_with('.'), "{}", path.display());
            assert!(abouts.insert(case.text("about").to_owned()), "{} again", path.display());
            let (told, expected) = (case.told(*check), case.expected());
            if told != expected {
                wrong.push(format!("{}:\n  {told:?}\n  {expected:?}", path.display()));
            }
        }
    }
    assert!(abouts.len() > 60, "only {} cases were found", abouts.len());
    assert!(wrong.is_empty(), "{} cases differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_answers_of_faultgate_to_generated_recordings_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/checks");
    let table = std::fs::read_to_string(path.join("generated.jsonl")).unwrap();
    let mut answers = 0;
    for line in table.lines() {
        let document = Document::parse(line, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let case = Case(document.root());
        let seed = case.get("seed").unwrap().raw();
        let golden = Golden::parse("golden", case.get("golden").unwrap().raw()).unwrap();
        let outcomes = Outcomes::parse("outcomes", case.get("outcomes").unwrap().raw()).unwrap();
        let given = Given { golden: Some(&golden), outcomes: Some(&outcomes), judged: None };
        let wanted = Readings::from(Reading::Faultgate).with(RecordingPart::Measures);
        let (trace, limits) = (case.text("trace").as_bytes(), lawbook_trace::Limits::default());
        read(trace, None, wanted, &Source::new("case"), &limits, &mut |session| {
            let run = Run::of(session.under(Reading::Faultgate));
            assert_eq!(run.scenario(), case.text("scenario"), "{seed}");
            let measures = case.get("measures").unwrap();
            let measured = |key| measures.get(key).and_then(Value::number_text)?.parse().ok();
            assert_eq!(run.usage.tokens, measured("tokens"), "{seed}");
            assert_eq!(run.usage.latency_ms, measured("latency_ms"), "{seed}");
            assert_eq!(run.usage.cost_usd, measured("cost_usd"), "{seed}");
            for (name, said) in case.get("told").unwrap().entries() {
                let told = named(name).unwrap().of(&run, &given);
                assert_eq!(told, told_in(said), "{seed}: {name}");
                answers += 1;
            }
        });
    }
    assert!(answers > 300, "only {answers} answers were compared");
}

#[test]
fn every_check_has_cases_of_both_kinds() {
    for check in CHECKS {
        let expected = |path: PathBuf| {
            let text = std::fs::read_to_string(path).unwrap();
            let document = Document::parse(&text, Grammar::Strict, &Limits::DEFAULT).unwrap();
            Case(document.root()).expected().is_some_and(|it| it.detected)
        };
        let kinds: BTreeSet<bool> = cases(*check).into_iter().map(expected).collect();
        assert_eq!(
            kinds.len(),
            2,
            "{} needs a run that is wrong and one that is not",
            check.name()
        );
    }
}

#[test]
fn a_check_without_what_it_needs_says_nothing() {
    let run = Run::of(&[]);
    for check in CHECKS {
        let told = check.of(&run, &Given::default());
        assert_eq!(told.is_some(), check.group() == Group::Rule, "{}", check.name());
    }
}
