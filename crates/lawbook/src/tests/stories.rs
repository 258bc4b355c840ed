//! Every story of the conformance suite, told at the doors of the facade.
#![allow(clippy::disallowed_methods, reason = "the stories are files")]

mod agent;
mod decide;
mod session;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lawbook_cases::{Ended, Expect, Happening, Heard, Settings, Subject, run};
use lawbook_engine::Engine;
use lawbook_event::Time;

use crate::{Answer, Finding, Policy};

/// A story whose calls say no time is told at this one.
const START: Time = super::NOW;

fn policy(engine: &Engine) -> Policy {
    Policy::new(engine.layers().to_vec(), false, Vec::new(), None)
}

fn heard(answer: &Answer) -> Heard {
    Heard {
        verdict: answer.verdict(),
        findings: answer.findings().iter().filter(|it| Finding::counts(it)).cloned().collect(),
        unknowns: answer.unknown().to_vec(),
        misuse: None,
        charge: None,
    }
}

/// Why a door of the facade can't carry a story about an agent's life, if it can't.
fn of_life(engine: &Engine, story: &[Happening]) -> Option<&'static str> {
    let mut rules = engine.layers().iter().flat_map(|it| &it.rules);
    if rules.any(|it| it.body.past().life) {
        return Some("the life of an agent is not seen here");
    }
    let costs = |it: &Happening| match &it.expect {
        Some(Expect::Said(said)) => said.cost.is_some() || said.remaining.is_some(),
        _ => false,
    };
    story.iter().any(costs).then_some("an answer tells no costs")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "yaml") {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

/// Runs every story, and says how many the door can't carry and why.
fn tell(subject: &dyn Subject) -> (usize, BTreeMap<&'static str, usize>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut skipped: BTreeMap<&'static str, usize> = BTreeMap::new();
    let (mut passed, mut failures) = (0, Vec::new());
    for path in files(&root) {
        let text = std::fs::read_to_string(&path).unwrap();
        let stories = text.lines().any(|it| it == "events:");
        if !stories {
            continue;
        }
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let settings = Settings { folder: path.parent().unwrap().to_owned(), profile: None };
        for told in run(&name, &text, subject, &settings).unwrap() {
            match told.ended {
                Ended::Passed => passed += 1,
                Ended::Skipped(reason) => *skipped.entry(reason).or_default() += 1,
                Ended::Failed(differences) => {
                    let lines: Vec<String> =
                        differences.iter().map(|it| format!("    {it}")).collect();
                    failures.push(format!("{name}: {}\n{}", told.about, lines.join("\n")));
                }
            }
        }
    }
    println!("{}: {passed} passed", subject.name());
    skipped.iter().for_each(|(reason, count)| println!("  {count} skipped: {reason}"));
    let failed = failures.len();
    assert!(failures.is_empty(), "{failed} stories failed:\n{}", failures.join("\n"));
    (passed, skipped)
}

#[test]
fn every_story_holds_in_a_session() {
    let (passed, mut skipped) = tell(&session::Told);
    skipped.retain(|reason, _| !reason.contains("agent"));
    assert!(passed > 50 && skipped.values().sum::<usize>() * 10 < passed, "{skipped:?}");
}

#[test]
fn every_story_holds_in_questions() {
    let (passed, skipped) = tell(&decide::Asked);
    assert!(passed > 50 && skipped.values().sum::<usize>() < passed);
}

#[test]
fn every_story_holds_for_an_agent() {
    let (passed, skipped) = tell(&agent::Living { restarts: false });
    assert!(passed > 150 && skipped.values().sum::<usize>() < passed);
}

#[test]
fn every_story_holds_for_an_agent_that_begins_again_before_every_event() {
    let (passed, skipped) = tell(&agent::Living { restarts: true });
    assert!(passed > 150 && skipped.values().sum::<usize>() < passed);
}
