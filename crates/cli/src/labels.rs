//! What reviewers said of traces, in our own form and in pmstack's.

mod csv;
mod lines;
mod own;
mod pmstack;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lawbook_diag::{Problem, nearest};
use lawbook_event::Time;
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_stats::Truth;

use crate::fields::file_text;
use lawbook::digest;

/// The name and version of our own form.
pub const SCHEMA: &str = "lawbook.labels/1";

/// Labels of one file.
pub const LABELS_MAX: usize = 100_000;

/// The labels of a file.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The file.
    pub source: String,
    /// `sha256:` and the digest of its bytes.
    pub digest: String,
    /// The form that it is in.
    pub form: &'static str,
    /// One label for each trace, in the order of the file.
    pub labels: Vec<Label>,
    /// The failure modes that the file defines.
    pub modes: Vec<FailureMode>,
    /// The failure mode that a policy is compared with; every problem counts if there is none.
    pub mode: Option<String>,
}

/// What a reviewer said of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The trace's id.
    pub id: String,
    /// Good, a problem, or neither.
    pub verdict: Verdict,
    /// The failure modes that the reviewer names.
    pub modes: Vec<String>,
    /// In the reviewer's words.
    pub note: String,
    /// When it was said.
    pub at: Option<Time>,
    /// The part of the labels that it belongs to.
    pub split: String,
    /// What was said of single failure modes, which counts before the rest.
    pub explicit: BTreeMap<String, Truth>,
}

/// A reviewer's verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong.
    Good,
    /// Something is.
    Problem,
    /// The reviewer did not say.
    #[default]
    Skip,
}

/// A way to fail that reviewers look for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureMode {
    /// Its id.
    pub id: String,
    /// The times of its making and of its last definition: a good label that is older says nothing
    /// of it.
    pub defined: Vec<Time>,
    /// Whether it is the one for breaking a policy.
    pub is_policy: bool,
}

/// What a label says of the failure mode that a policy is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// Good, or a problem.
    Truth(Truth),
    /// Good, before the failure mode was defined: the reviewer looks again.
    Waits,
    /// A problem of another sort.
    Other,
    /// Nothing.
    Nothing,
}

impl Labels {
    /// Reads a file of labels in any form, and settles what a policy is compared with.
    ///
    /// # Errors
    /// For everything that is wrong with it, and for a failure mode that it does not know.
    pub fn load(path: &Path, mode: Option<&str>) -> Result<Self, Vec<Problem>> {
        let text = file_text(path).map_err(|it| vec![it])?;
        let mut labels = read(&path.display().to_string(), &text)?;
        labels.digest = digest(text.as_bytes());
        labels.check().and_then(|()| labels.choose(mode)).map_err(|it| vec![it])?;
        Ok(labels)
    }

    fn check(&self) -> Result<(), Problem> {
        if self.labels.len() > LABELS_MAX {
            let message = format!("it holds more than {LABELS_MAX} labels");
            return Err(Problem::new(&self.source, "labels_max", message));
        }
        let mut seen = BTreeSet::new();
        match self.labels.iter().find(|it| !seen.insert(&it.id)) {
            None => Ok(()),
            Some(twice) => {
                let message = format!("trace `{}` has two labels", twice.id);
                Err(Problem::new(&self.source, "repeated_label", message)
                    .help("keep one label for each trace"))
            }
        }
    }

    /// Settles the failure mode: the one that is named, else the one that the file has for
    /// policies.
    fn choose(&mut self, named: Option<&str>) -> Result<(), Problem> {
        let known = self.mode_names();
        match named {
            Some(name) if known.contains(name) => self.mode = Some(name.to_owned()),
            Some(name) => {
                let message = format!("no label or definition has the failure mode `{name}`");
                let help = match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are {}", Vec::from_iter(known).join(", ")),
                };
                return Err(Problem::new("--mode", "unknown_mode", message).help(help));
            }
            None if self.mode.is_none() && self.form != own::FORM => {
                let mut policy = self.modes.iter().filter(|it| it.is_policy);
                match (policy.next(), policy.next()) {
                    (Some(one), None) => self.mode = Some(one.id.clone()),
                    _ => {
                        let message = "which failure mode the policy stands for is not clear";
                        let help =
                            format!("name one with `--mode`: {}", Vec::from_iter(known).join(", "));
                        return Err(Problem::new(&self.source, "no_mode", message).help(help));
                    }
                }
            }
            None => {}
        }
        Ok(())
    }

    /// Every failure mode that is defined or named.
    #[must_use]
    pub fn mode_names(&self) -> BTreeSet<String> {
        let defined = self.modes.iter().map(|it| &it.id);
        let named = self.labels.iter().flat_map(|it| it.modes.iter().chain(it.explicit.keys()));
        defined.chain(named).chain(&self.mode).cloned().collect()
    }

    /// What a label says of the failure mode that is compared.
    #[must_use]
    pub fn says(&self, label: &Label) -> Says {
        let mode = self.mode.as_deref();
        if let Some(truth) = mode.and_then(|it| label.explicit.get(it)) {
            return Says::Truth(*truth);
        }
        match (label.verdict, mode) {
            (Verdict::Skip, _) => Says::Nothing,
            (Verdict::Problem, None) => Says::Truth(Truth::Problem),
            (Verdict::Problem, Some(mode)) if label.modes.iter().any(|it| it == mode) => {
                Says::Truth(Truth::Problem)
            }
            (Verdict::Problem, Some(_)) => Says::Other,
            (Verdict::Good, None) => Says::Truth(Truth::Good),
            (Verdict::Good, Some(mode)) => {
                let defined = self.modes.iter().find(|it| it.id == mode);
                let mut times = defined.into_iter().flat_map(|it| &it.defined);
                match times.all(|it| label.at.is_some_and(|at| at >= *it)) {
                    true => Says::Truth(Truth::Good),
                    false => Says::Waits,
                }
            }
        }
    }
}

/// Reads labels in the form that the text shows.
fn read(source: &str, text: &str) -> Result<Labels, Vec<Problem>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let start = text.trim_start();
    if start.starts_with('{') {
        if let Ok(document) = Document::parse(text, Grammar::Python, &Limits::DEFAULT) {
            let root = document.root();
            if pmstack::fits(root) {
                return pmstack::read(source, root).map_err(|it| vec![it]);
            }
            if root.get("schema").is_some() {
                return own::read(source, text);
            }
        }
        return lines::read(source, text);
    }
    if csv::fits(source, start) { csv::read(source, text) } else { own::read(source, text) }
}

/// The verdict of a word.
fn verdict(word: &str) -> Option<Verdict> {
    match word.trim().to_lowercase().as_str() {
        "good" | "pass" => Some(Verdict::Good),
        "problem" | "fail" => Some(Verdict::Problem),
        "skip" | "" => Some(Verdict::Skip),
        _ => None,
    }
}

/// What is wrong with a word that is no verdict.
fn no_verdict(word: &str) -> String {
    format!("`verdict` is `{word}` and must be `good`, `problem` or `skip`")
}

/// The text of a member; empty where there is none.
fn text_of(value: Value<'_>, key: &str) -> String {
    let found = value.get(key).filter(|it| !it.is_null());
    found.map(|it| it.as_str().unwrap_or_else(|| it.raw()).to_owned()).unwrap_or_default()
}

/// The texts of a member that is a list of them, or one.
fn texts_of(value: Value<'_>, key: &str) -> Vec<String> {
    let Some(found) = value.get(key) else { return Vec::new() };
    match found.as_str() {
        Some(one) => split(one),
        None => found.items().filter_map(Value::as_str).map(str::to_owned).collect(),
    }
}

/// Names in one text, parted by `;` or `|`.
fn split(text: &str) -> Vec<String> {
    let parts = text.split([';', '|']).map(str::trim).filter(|it| !it.is_empty());
    parts.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
