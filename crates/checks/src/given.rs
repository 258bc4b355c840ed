//! What somebody states about runs beside the recordings: expected answers and outcomes.

use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_event::PYTHON;
use lawbook_event::json::{Document, Grammar, Limits, Value};

use crate::words::is_blank;
use crate::{Run, Told};

/// What checks are given beside the run itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'g> {
    /// The expected answers.
    pub golden: Option<&'g Golden>,
    /// What each run came to.
    pub outcomes: Option<&'g Outcomes>,
    /// What the judge said of this run.
    pub judged: Option<&'g Told>,
}

/// Expected answers, by scenario or by prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Golden {
    answers: BTreeMap<String, String>,
}

/// What runs came to, by scenario or by prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    came_to: BTreeMap<String, bool>,
}

impl Golden {
    /// The answers of a file: a JSON object of text to text.
    ///
    /// # Errors
    /// When the text is something else.
    pub fn parse(source: &str, text: &str) -> Result<Self, Problem> {
        let wanted = "a JSON object of scenarios or prompts and the answers expected of them";
        let answers = entries(source, text, wanted, |value| value.as_str().map(str::to_owned))?;
        Ok(Golden { answers })
    }

    /// The answer that is expected of a run. An empty one of the scenario counts as none, and one
    /// of the prompt as one, as in faultgate.
    #[must_use]
    pub fn of(&self, run: &Run<'_>) -> Option<&str> {
        let of_scenario = self.answers.get(&run.scenario()).filter(|it| !it.is_empty());
        of_scenario.or_else(|| self.answers.get(run.prompt)).map(String::as_str)
    }

    /// The answer that is expected of a run that can be graded; what is said of one that can't.
    pub(crate) fn gradable(&self, run: &Run<'_>) -> Result<&str, Told> {
        let expected =
            self.of(run).ok_or_else(|| Told::unknown("no golden answer for this scenario"))?;
        if !run.is_sure_of_scenario() {
            return Err(unsure_of_scenario());
        }
        if is_blank(run.answer) {
            return Err(Told::clean_unless(run.answer_gap(), "no answer to grade"));
        }
        Ok(expected)
    }
}

/// What names the scenario of a run is not all recorded.
pub(crate) fn unsure_of_scenario() -> Told {
    Told::unknown("which scenario it ran is not recorded whole")
}

impl Outcomes {
    /// The outcomes of a file: a JSON object of text to `true` or `false`.
    ///
    /// # Errors
    /// When the text is something else.
    pub fn parse(source: &str, text: &str) -> Result<Self, Problem> {
        let wanted = "a JSON object of scenarios or prompts and `true` or `false`";
        Ok(Outcomes { came_to: entries(source, text, wanted, |value| value.as_bool())? })
    }

    /// What a run came to, if the file says so.
    #[must_use]
    pub fn of(&self, run: &Run<'_>) -> Option<bool> {
        self.came_to.get(&run.scenario()).or_else(|| self.came_to.get(run.prompt)).copied()
    }
}

fn entries<T>(
    source: &str,
    text: &str,
    wanted: &str,
    read: impl Fn(Value<'_>) -> Option<T>,
) -> Result<BTreeMap<String, T>, Problem> {
    let problem =
        |message: String| Problem::new(source, "not_read", message).help(format!("write {wanted}"));
    let document = Document::parse(text, Grammar::Python, &Limits::DEFAULT)
        .map_err(|error| problem(error.to_string()))?;
    if let Some(why) = PYTHON.refuses(&document) {
        return Err(problem(format!("values {why}")));
    }
    if !document.root().is_object() {
        return Err(problem("the file is no JSON object".to_owned()));
    }
    let mut all = BTreeMap::new();
    for (key, value) in document.root().entries() {
        let value = read(value).ok_or_else(|| problem(format!("`{key}` has another value")))?;
        all.insert(key.to_owned(), value);
    }
    Ok(all)
}
