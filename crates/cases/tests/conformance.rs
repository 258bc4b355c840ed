//! Every case of the repository, and the cases that the pages of rule kinds show.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::string_slice
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lawbook_cases::{Ended, Replay, Restarted, Settings, Subject, blocks, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
        for path in entries.map(|it| it.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

/// What became of all cases.
#[derive(Default)]
struct Tally {
    passed: usize,
    failures: Vec<String>,
    skipped: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn run(&mut self, name: &str, text: &str, folder: &Path, subject: &dyn Subject) {
        let settings = Settings { folder: folder.to_owned(), profile: None };
        match run(name, text, subject, &settings) {
            Err(problem) => self.failures.push(problem.to_string()),
            Ok(told) => {
                for it in told {
                    match it.ended {
                        Ended::Passed => self.passed += 1,
                        Ended::Skipped(reason) => *self.skipped.entry(reason).or_default() += 1,
                        Ended::Failed(differences) => {
                            let lines: Vec<_> =
                                differences.iter().map(|it| format!("    {it}")).collect();
                            let lines = lines.join("\n");
                            self.failures.push(format!("{name}: {}\n{lines}", it.about));
                        }
                    }
                }
            }
        }
    }

    fn close(self) {
        println!("{} passed", self.passed);
        for (reason, count) in &self.skipped {
            println!("{count} skipped: {reason}");
        }
        assert!(
            self.failures.is_empty(),
            "{} of {} cases failed:\n{}",
            self.failures.len(),
            self.failures.len() + self.passed,
            self.failures.join("\n")
        );
        assert!(self.passed > 0, "no case ran");
    }
}

fn every_case(subject: &dyn Subject) {
    let mut tally = Tally::default();
    let root = root();
    for path in files(&root.join("conformance"), ".yaml") {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        tally.run(&name, &text, path.parent().unwrap(), subject);
    }
    tally.close();
}

fn every_page(subject: &dyn Subject) {
    let mut tally = Tally::default();
    let root = root();
    for path in files(&root.join("crates/rule/src/kinds"), ".md") {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        for (line, case) in blocks(&text) {
            tally.run(&format!("{name}:{line}"), &case, path.parent().unwrap(), subject);
        }
    }
    tally.close();
}

#[test]
fn every_case_holds() {
    every_case(&Replay);
}

#[test]
fn every_case_on_the_page_of_a_kind_holds() {
    every_page(&Replay);
}

#[test]
fn every_case_holds_when_the_door_is_opened_again_before_every_event() {
    every_case(&Restarted);
    every_page(&Restarted);
}
