//! Reading the members of a question, with a problem at the place of each that is wrong.

use lawbook_diag::{Problem, nearest, place};
use lawbook_event::json::{Kind, Value};

/// How many problems of one question are told.
const PROBLEMS_MAX: usize = 20;

/// The longest time that a question may claim, in bytes.
const MOMENT_BYTES_MAX: usize = 64;

/// What is wrong so far.
#[derive(Debug)]
pub struct Fields<'d> {
    source: &'static str,
    text: &'d str,
    problems: Vec<Problem>,
}

impl<'d> Fields<'d> {
    /// A reader of the text of a question.
    pub fn new(source: &'static str, text: &'d str) -> Self {
        Fields { source, text, problems: Vec::new() }
    }

    /// Everything that was wrong.
    pub fn finish(self) -> Vec<Problem> {
        self.problems
    }

    /// Notes that a value is wrong.
    pub fn wrong(
        &mut self,
        value: Value<'_>,
        code: &'static str,
        what: String,
        help: Option<&str>,
    ) {
        if self.problems.len() >= PROBLEMS_MAX {
            return;
        }
        let (line, column) = place(self.text, value.offset());
        let mut problem = Problem::new(self.source, code, what).at(line, column);
        problem.help = help.map(str::to_owned);
        self.problems.push(problem);
    }

    /// An object that holds no key but these.
    pub fn object(&mut self, value: Value<'d>, what: &str, keys: &[&str]) -> Option<Value<'d>> {
        if !self.is(value, Kind::Object, what, "an object") {
            return None;
        }
        for (key, held) in value.entries() {
            if !keys.contains(&key) {
                let help = match nearest(key, keys.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("its keys are {}", keys.join(", ")),
                };
                let message = format!("{what} has no key `{key}`");
                self.wrong(held, "unknown_key", message, Some(&help));
            }
        }
        Some(value)
    }

    /// Whether a value is of a kind; otherwise that is a problem.
    pub fn is(&mut self, value: Value<'_>, kind: Kind, what: &str, words: &str) -> bool {
        let is = value.kind() == kind;
        if !is {
            self.wrong(value, "wrong_shape", format!("{what} is not {words}"), None);
        }
        is
    }

    /// A text.
    pub fn text(&mut self, value: Value<'d>, what: &str) -> Option<&'d str> {
        self.is(value, Kind::String, what, "a text").then(|| value.as_str().unwrap_or_default())
    }

    /// A text that must be there and not empty.
    pub fn needed(&mut self, object: Value<'d>, key: &str, what: &str) -> Option<&'d str> {
        let Some(value) = object.get(key) else {
            self.wrong(object, "missing_key", format!("{what} has no `{key}`"), None);
            return None;
        };
        let text = self.text(value, &format!("`{key}` of {what}"))?;
        if text.is_empty() {
            self.wrong(value, "wrong_value", format!("`{key}` of {what} is empty"), None);
            return None;
        }
        Some(text)
    }

    /// A time as the caller writes it, a text or a number. It is kept and never read.
    pub fn moment(&mut self, value: Value<'d>) -> Option<&'d str> {
        let text = value.as_str().or_else(|| value.number_text());
        let fits = text.filter(|it| it.len() <= MOMENT_BYTES_MAX);
        if fits.is_none() {
            self.wrong(value, "wrong_shape", "`at` is no time".to_owned(), None);
        }
        fits
    }
}
