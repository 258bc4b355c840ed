//! Findings that an earlier report holds, or a review marks as real, so that only others are
//! reported.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lawbook_diag::{Finding, Problem};
use lawbook_event::json::{Document, Grammar, Limits, Value};

use crate::fields::file_text;
use crate::masking;
use crate::review::{Key, Mark, Review, key};

/// Findings that are known: session, rule, step and message of each.
#[derive(Clone, Debug, Default)]
pub struct Known {
    findings: BTreeSet<[String; 4]>,
    /// Those that a review marks as real.
    real: BTreeSet<Key>,
}

impl Known {
    /// Reads earlier reports in `json` or `jsonl`, and review files; knows nothing without a file.
    ///
    /// # Errors
    /// For everything that is wrong with the files.
    pub fn load(files: &[PathBuf]) -> Result<Self, Vec<Problem>> {
        let mut known = Known::default();
        let wrong = |it: &PathBuf| known.file(it).err().unwrap_or_default();
        let problems: Vec<Problem> = files.iter().flat_map(wrong).collect();
        if problems.is_empty() { Ok(known) } else { Err(problems) }
    }

    fn file(&mut self, path: &Path) -> Result<(), Vec<Problem>> {
        let text = file_text(path).map_err(|it| vec![it])?;
        if text.trim_start().starts_with('{') {
            return self.report(&path.display().to_string(), &text).map_err(|it| vec![it]);
        }
        let review = Review::load(path).map_err(|problems| {
            match problems.iter().any(|it| it.code == "other_schema") {
                true => vec![no_report(&path.display().to_string(), "it is no review file either")],
                false => problems,
            }
        })?;
        let real = review.findings.into_iter().filter(|it| it.mark == Mark::Real);
        self.real.extend(real.map(|it| it.key.masked()));
        Ok(())
    }

    fn report(&mut self, name: &str, text: &str) -> Result<(), Problem> {
        let mut reports = 0_u32;
        match Document::parse(text, Grammar::Strict, &Limits::DEFAULT) {
            Ok(document) => self.take(document.root(), &mut reports),
            Err(_) => {
                for line in text.lines() {
                    let document = Document::parse(line, Grammar::Strict, &Limits::DEFAULT)
                        .map_err(|error| no_report(name, &error.to_string()))?;
                    self.take(document.root(), &mut reports);
                }
            }
        }
        if reports == 0 {
            return Err(no_report(name, "its `schema` is not `lawbook.report/1`"));
        }
        Ok(())
    }

    fn take(&mut self, root: Value<'_>, reports: &mut u32) {
        if root.get("schema").and_then(Value::as_str) == Some("lawbook.report/1") {
            *reports = reports.saturating_add(1);
        }
        match root.get("sessions") {
            Some(sessions) => sessions.items().for_each(|it| self.session(it)),
            None => self.session(root),
        }
    }

    fn session(&mut self, session: Value<'_>) {
        let text = |of: Value<'_>, key: &str| {
            of.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let id = masking::key(&text(session, "id")).into_owned();
        for finding in session.get("findings").into_iter().flat_map(Value::items) {
            // What an earlier run left as it stood is compared as this one writes it.
            let masked = |key: &str| masking::text(&text(finding, key)).into_owned();
            let rule = text(finding, "rule");
            self.findings.insert([id.clone(), rule, masked("step_id"), masked("message")]);
        }
    }

    /// Takes known findings out and says how many there were.
    pub fn leave_out(&self, session: &str, findings: &mut Vec<Finding>) -> u64 {
        if self.findings.is_empty() && self.real.is_empty() {
            return 0;
        }
        let before = findings.len();
        findings.retain(|it| {
            let step = it.step_id.clone().unwrap_or_default();
            let one = [session.to_owned(), it.rule.to_string(), step, it.message.clone()];
            !self.findings.contains(&one) && !self.real.contains(&key(session, it))
        });
        u64::try_from(before.saturating_sub(findings.len())).unwrap_or(u64::MAX)
    }
}

fn no_report(name: &str, why: &str) -> Problem {
    Problem::new(name, "no_report", format!("this is no report of `lawbook check`: {why}"))
        .help("write one with `lawbook check … --format json --output FILE`")
}
