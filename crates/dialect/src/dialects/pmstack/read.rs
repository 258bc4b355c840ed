//! Problems of a pmstack policy, each at its place.

use lawbook_diag::{Problem, place};
use lawbook_event::json::Value;

use super::near::meant;

/// How many problems of one policy are told.
pub(crate) const PROBLEMS_MAX: usize = 200;

/// Collects what is wrong with a policy.
pub(super) struct Reader<'t> {
    source: &'t str,
    text: &'t str,
    problems: Vec<Problem>,
}

impl<'t> Reader<'t> {
    pub fn new(source: &'t str, text: &'t str) -> Self {
        Reader { source, text, problems: Vec::new() }
    }

    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Says what is wrong at a value.
    pub fn wrong(&mut self, at: Value<'_>, code: &'static str, message: impl Into<String>) {
        self.wrong_at(at.offset(), code, message.into());
    }

    /// The same with the way out.
    pub fn wrong_with(
        &mut self,
        at: Value<'_>,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.wrong(at, code, message);
        self.help(help.into());
    }

    /// Whether no key of an object is probably meant for another. Keys that are like none are
    /// nobody's business.
    pub fn near_keys(&mut self, object: Value<'_>, inside: &str, known: &[&str]) {
        for (key, value) in object.entries().filter(|it| !known.contains(&it.0)) {
            let Some(near) = meant(key, known) else { continue };
            let at = key_offset(self.text, key, value);
            self.wrong_at(at, "unknown_key", format!("unknown key `{key}` in {inside}"));
            self.help(format!("did you mean `{near}`?"));
        }
    }

    fn wrong_at(&mut self, offset: usize, code: &'static str, message: String) {
        if self.problems.len() < PROBLEMS_MAX {
            let (line, column) = place(self.text, offset);
            self.problems.push(Problem::new(self.source, code, message).at(line, column));
        }
    }

    fn help(&mut self, help: String) {
        if let Some(problem) = self.problems.last_mut() {
            problem.help = Some(help);
        }
    }
}

/// Where the key of a value stands.
pub(super) fn key_offset(text: &str, key: &str, value: Value<'_>) -> usize {
    let before = text.get(..value.offset()).unwrap_or_default();
    before.rfind(&format!("\"{key}\"")).unwrap_or(value.offset())
}
