//! Running a case file.

use std::fmt;
use std::path::{Path, PathBuf};

use lawbook_diag::Problem;
use lawbook_rule::Profile;

use crate::case::{self, Case};
use crate::{Subject, reading, recording, story, table};

/// How cases are run.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The folder that paths in a case start from.
    pub folder: PathBuf,
    /// The reading of foreign dialects, for cases that don't say.
    pub profile: Option<Profile>,
}

/// What became of one case, or of one entry of a table.
#[derive(Clone, Debug)]
pub struct Told {
    /// What must hold.
    pub about: String,
    /// How it ended.
    pub ended: Ended,
}

/// How a case ended.
#[derive(Clone, Debug)]
pub enum Ended {
    /// It holds.
    Passed,
    /// It does not hold.
    Failed(Vec<Difference>),
    /// The door can't carry it, for this reason.
    Skipped(&'static str),
}

/// One difference between what must hold and what came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where in the case: a line, and what happens there.
    pub at: Option<(u32, String)>,
    /// What differs: `verdict`, `rules`, `settled[2]`.
    pub what: String,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub got: String,
}

impl Difference {
    /// A difference of the whole case.
    #[must_use]
    pub fn new(what: &str, expected: &str, got: &str) -> Self {
        Difference {
            at: None,
            what: what.to_owned(),
            expected: expected.to_owned(),
            got: got.to_owned(),
        }
    }

    /// The same at an event.
    #[must_use]
    pub fn at(mut self, line: u32, event: &str) -> Self {
        self.at = Some((line, event.to_owned()));
        self
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, event)) = &self.at {
            write!(f, "line {line}, {event}: ")?;
        }
        write!(f, "{}: expected {}, got {}", self.what, self.expected, self.got)
    }
}

/// Runs a case file. A table tells of each of its entries.
///
/// # Errors
/// When the file can't be read as a case, or names a file that can't be read.
pub fn run(
    source: &str,
    text: &str,
    subject: &dyn Subject,
    settings: &Settings,
) -> Result<Vec<Told>, Problem> {
    let (about, ended) = match case::parse(source, text)? {
        Case::Story(it) => {
            let ended = story::run(source, &it, subject, settings)?;
            (it.about, ended)
        }
        Case::Recording(it) => {
            let ended = recording::run(source, &it, subject, settings)?;
            (it.about, ended)
        }
        Case::Reading(it) => {
            let ended = reading::run(source, &it, settings)?;
            (it.about, ended)
        }
        Case::Table(it) => return Ok(table::run(source, &it)),
    };
    Ok(vec![Told { about, ended }])
}

/// The end of a case with these differences.
pub(crate) fn ended(differences: Vec<Difference>) -> Ended {
    if differences.is_empty() { Ended::Passed } else { Ended::Failed(differences) }
}

/// The bytes that a case means: the text itself, or the file that it names.
pub(crate) fn given(source: &str, text: &str, folder: &Path) -> Result<(String, Vec<u8>), Problem> {
    let inline = text.trim_end().contains('\n') || text.trim_start().starts_with(['{', '[']);
    if inline || text.trim().is_empty() {
        return Ok((source.to_owned(), text.as_bytes().to_vec()));
    }
    let path = folder.join(text.trim());
    let name = path.display().to_string();
    match std::fs::read(&path) {
        Ok(bytes) => Ok((name, bytes)),
        Err(error) => Err(Problem::new(source, "unreadable", format!("`{name}`: {error}"))
            .help("paths in a case start from its own folder")),
    }
}
