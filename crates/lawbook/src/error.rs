//! Why a question has no answer.

use std::fmt;

use lawbook_diag::Problem;
use lawbook_event::json::Writer;
use lawbook_report::quote;

use crate::answer::SCHEMA;

/// Why a policy could not be loaded, a question not be judged, or a session not be told something.
///
/// No call may run on an error: a door that has no answer lets nothing through.
///
/// ```
/// let error = lawbook::Policy::from_text("p.yaml", "lawbook: 1\nrulse: []\n").unwrap_err();
/// assert_eq!(error.code(), "unknown_key");
/// assert_eq!(error.problems()[0].line, Some(2));
/// assert!(error.to_string().contains("did you mean"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    problems: Vec<Problem>,
}

impl Error {
    /// The code of the first problem, as in `unknown_key` or `unknown_action`.
    ///
    /// ```
    /// let error = lawbook::Policy::load("not-there.yaml").unwrap_err();
    /// assert_eq!(error.code(), "unreadable");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.problems.first().map_or("no_answer", |it| it.code)
    }

    /// Everything that is wrong, each with its place and the way out where there is one.
    ///
    /// ```
    /// let error = lawbook::Policy::load("not-there.yaml").unwrap_err();
    /// assert!(error.problems()[0].help.is_some());
    /// ```
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// What a door hands to a host that must be told something: an answer of the schema
    /// `lawbook.answer/1` that denies, with the problems as notes.
    ///
    /// ```
    /// # let error = lawbook::Policy::from_text("p.yaml", "").unwrap_err();
    /// assert!(error.to_answer_json().contains(r#""verdict":"deny""#));
    /// ```
    #[must_use]
    pub fn to_answer_json(&self) -> String {
        let mut writer = Writer::new();
        writer.object().key("schema").string(SCHEMA).key("verdict").string("deny");
        writer.key("findings").array().end_array().key("unknown").array().end_array();
        writer.key("notes").array();
        for problem in &self.problems {
            writer.raw(&quote(&problem.to_string()));
        }
        writer.end_array();
        writer.key("reply").string("blocked by policy: this call could not be judged");
        writer.key("policy").null().key("calls").array().end_array().end_object();
        writer.finish()
    }
}

impl From<Vec<Problem>> for Error {
    fn from(problems: Vec<Problem>) -> Self {
        Error { problems }
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Error { problems: vec![problem] }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.problems.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
