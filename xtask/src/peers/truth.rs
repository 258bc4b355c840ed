//! Recordings whose makers wrote down what is in them: names, arguments, results, errors and words.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lawbook_event::json::{Document, Grammar, Limits as JsonLimits, Value};
use lawbook_event::{Answer, ArgsState, Call, Hindsight, PYTHON, What};
use lawbook_trace::{Limits, Readings, Source, read};

/// Files whose truth does not look into the spans inside a tool's span, which say that it failed.
const ERRORS_UNSAID: [&str; 1] = ["otlp-kagent/claude_recipe_2turn"];

/// One call, as far as a truth file speaks of it.
#[derive(Debug, Default)]
struct Told {
    tool: String,
    args: Option<String>,
    answer: Option<Answer<'static>>,
}

/// What was read of one file.
#[derive(Debug, Default)]
struct Found {
    told: Vec<Told>,
    user: Vec<String>,
    agent: Vec<String>,
}

/// How a file compares with the truth beside it.
#[derive(Debug, Default)]
pub struct Compared {
    /// What the truth says that was not read, or was read otherwise.
    pub wrong: Vec<String>,
    /// The truth lists no calls, so only its words were compared.
    pub unlisted: bool,
    /// The truth does not say which calls failed, so that was not compared.
    pub errors_unsaid: bool,
}

/// Compares a file with the truth beside it, if there is one.
pub fn compare(root: &Path, path: &str) -> Option<Compared> {
    let stem = path.strip_suffix(".jsonl").or_else(|| path.strip_suffix(".json")).unwrap_or(path);
    let truth = fs::read_to_string(root.join(format!("{stem}.truth.json"))).ok()?;
    let errors_unsaid = ERRORS_UNSAID.iter().any(|it| path.contains(it));
    let mut compared = Compared { errors_unsaid, ..Compared::default() };
    match fs::read(root.join(path)) {
        Ok(bytes) => compared.hold(&find(&bytes, path), &truth),
        Err(error) => compared.wrong.push(error.to_string()),
    }
    Some(compared)
}

fn find(bytes: &[u8], path: &str) -> Found {
    let mut found = Found::default();
    let source = Source::new(path);
    read(bytes, None, Readings::FULL, &source, &Limits::default(), &mut |session| {
        for event in session.events {
            match event.what {
                What::User(text) => found.user.push(text.text.into_owned()),
                What::Agent(text) => found.agent.push(text.text.into_owned()),
                What::Call(call) => found.told.push(told(call)),
                What::End(end) => found.agent.push(end.answer.into_owned()),
                _ => {}
            }
        }
    });
    found
}

fn told(call: Call<'_>) -> Told {
    let call = call.into_owned();
    let recorded = call.args.state != ArgsState::Unrecorded;
    Told {
        tool: call.tool.into_owned(),
        args: recorded.then(|| call.args.text.into_owned()),
        answer: match call.hindsight {
            Some(Hindsight::Answered(answer)) => Some(answer),
            _ => None,
        },
    }
}

fn parse(text: &str) -> Option<Document<'_>> {
    Document::parse(text, Grammar::Python, &JsonLimits::DEFAULT).ok()
}

impl Compared {
    /// Holds what was found against a truth file.
    fn hold(&mut self, found: &Found, truth: &str) {
        let Some(document) = parse(truth) else {
            self.wrong.push("the truth file is not JSON".to_owned());
            return;
        };
        let root = document.root();
        let turns: Vec<Value<'_>> = root.get("turns").into_iter().flat_map(Value::items).collect();
        words(&turns, "user_text", &found.user, &mut self.wrong);
        words(&turns, "final_text", &found.agent, &mut self.wrong);
        let calls: Vec<Value<'_>> =
            turns.iter().filter_map(|turn| turn.get("tool_calls")).flat_map(Value::items).collect();
        // Some truth files do not look into the spans of a coding agent and list no calls.
        self.unlisted = calls.is_empty()
            && !found.told.is_empty()
            && turns.iter().all(|it| it.get("llm_calls").is_some());
        if !self.unlisted {
            self.calls(&calls, &found.told);
        }
    }

    fn calls(&mut self, calls: &[Value<'_>], told: &[Told]) {
        if calls.len() != told.len() {
            self.wrong.push(format!("{} calls are said, {} were read", calls.len(), told.len()));
            return;
        }
        // Parallel calls may stand in either order.
        let mut left: BTreeMap<usize, &Told> = told.iter().enumerate().collect();
        for call in calls {
            let fits = left.iter().find(|(_, told)| same(*call, told, !self.errors_unsaid));
            match fits.map(|(at, _)| *at) {
                Some(at) => drop(left.remove(&at)),
                None => {
                    self.wrong.push(format!("no call is like {}; left are {left:?}", call.raw()));
                }
            }
        }
    }
}

fn words(turns: &[Value<'_>], key: &str, said: &[String], wrong: &mut Vec<String>) {
    for expected in turns.iter().filter_map(|turn| turn.get(key)?.as_str()) {
        if !said.iter().any(|it| it.trim() == expected.trim()) {
            wrong.push(format!("{key} `{expected}` was not read"));
        }
    }
}

fn same(call: Value<'_>, told: &Told, errors: bool) -> bool {
    let name = call.get("name").and_then(Value::as_str).unwrap_or("");
    let bare = told.tool.rsplit("__").next().unwrap_or(&told.tool);
    if name != told.tool && name != bare {
        return false;
    }
    let args = call.get("args").is_none_or(|args| {
        args.is_null() || told.args.as_deref().is_some_and(|text| equal(args, text))
    });
    let result = call.get("result").is_none_or(|result| {
        let answer = told.answer.as_ref().filter(|it| it.recorded);
        result.is_null() || answer.is_some_and(|answer| equal(result, &answer.text))
    });
    let failed = told.answer.as_ref().and_then(|it| it.error) == Some(true);
    let error =
        call.get("is_error").and_then(Value::as_bool).is_none_or(|it| !errors || it == failed);
    args && result && error
}

/// Whether a text says the same as a value: as text, as JSON, or as the single key `result`.
fn equal(value: Value<'_>, text: &str) -> bool {
    if value.as_str() == Some(text) {
        return true;
    }
    let text = if text.is_empty() { "{}" } else { text };
    parse(text).is_some_and(|document| {
        let root = document.root();
        let inner = root.get("result").filter(|_| root.len() == 1);
        PYTHON.equal(root, value) || inner.is_some_and(|it| PYTHON.equal(it, value))
    })
}
