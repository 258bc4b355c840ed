//! A case as its file writes it.

mod file;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_saphyr::Spanned;

use crate::happening::Happening;

pub use file::parse;

/// A case: one sentence that must hold, and how to see whether it does.
#[derive(Debug)]
pub enum Case {
    /// Events, told one after another.
    Story(Story),
    /// A recording that a policy is held against.
    Recording(Recording),
    /// What a reader makes of a recording.
    Reading(Reading),
    /// Policy files that are accepted or refused.
    Table(Table),
}

/// What a case says about the policy it is run with.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The policy's text, or its path.
    pub policy: String,
    /// The dialect, if the case forces one.
    pub dialect: Option<String>,
    /// The reading of the dialect.
    pub profile: Option<Profile>,
    /// What the user is called, and which rules are kept.
    pub options: Choices,
}

/// A reading of a foreign dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// What the system itself finds.
    Compatible,
    /// The full reading.
    Strict,
}

/// Choices that a caller would make with flags.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    /// What the user is called in messages.
    pub user_word: Option<String>,
    /// The rules that are kept.
    pub rules: Option<Vec<String>>,
}

/// What decides whether a call happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The verdict.
    #[default]
    Enforce,
    /// It all happened.
    Observe,
}

/// The session that events belong to.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionFacts {
    /// Its id.
    #[serde(default)]
    pub id: String,
    /// Its attributes.
    pub attributes: Option<serde_json::Map<String, Value>>,
    /// Its metadata.
    pub metadata: Option<serde_json::Map<String, Value>>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The workspace.
    pub workspace: Option<String>,
}

/// Events, told one after another.
#[derive(Debug)]
pub struct Story {
    /// What must hold.
    pub about: String,
    /// The policy.
    pub wanted: Wanted,
    /// What decides whether a call happened.
    pub mode: Mode,
    /// The session.
    pub session: SessionFacts,
    /// What happens.
    pub happenings: Vec<Happening>,
    /// What `check` lists over the whole of it.
    pub settled: Option<Vec<Settled>>,
}

/// A recording that a policy is held against.
#[derive(Debug)]
pub struct Recording {
    /// What must hold.
    pub about: String,
    /// The policy.
    pub wanted: Wanted,
    /// The recording's text, or its path.
    pub trace: String,
    /// The reader, if the case forces one.
    pub trace_format: Option<String>,
    /// What `check` lists.
    pub settled: Vec<Settled>,
    /// What it can't tell, where the case says so.
    pub unknown: Option<Vec<Settled>>,
}

/// What a reader makes of a recording.
#[derive(Debug)]
pub struct Reading {
    /// What must hold.
    pub about: String,
    /// The recording's text, or its path.
    pub trace: String,
    /// The reader, if the case forces one.
    pub trace_format: Option<String>,
    /// The name that detection must give.
    pub detected: Option<String>,
    /// Whose reading is meant.
    pub reading: Whose,
    /// The sessions; none if the recording must be refused.
    pub normalised: Option<Vec<Normalised>>,
}

/// Whose reading of a recording is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    /// Our own.
    #[default]
    Full,
    /// The one that faultgate makes.
    Faultgate,
    /// The one that pmstack makes.
    Pmstack,
}

/// One session, as a reader understood it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Normalised {
    /// Its id.
    pub id: String,
    /// The first words of the user.
    pub user: Option<String>,
    /// The final answer.
    pub answer: Option<String>,
    /// Its attributes.
    pub attributes: Option<serde_json::Map<String, Value>>,
    /// Tool, arguments and result of each call.
    pub calls: Vec<(String, String, String)>,
}

/// Policy files that are accepted or refused.
#[derive(Debug)]
pub struct Table {
    /// The dialect of all of them.
    pub dialect: String,
    /// The files.
    pub entries: Vec<Spanned<Entry>>,
}

/// One policy file of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What must hold.
    pub about: String,
    /// Where it came from.
    #[allow(dead_code, reason = "a link for people; it is part of the format")]
    pub source: Option<String>,
    /// The file.
    pub policy_text: String,
    /// It must be accepted.
    pub accepted: Option<bool>,
    /// It must be refused, perhaps with this message.
    pub refused: Option<Value>,
}

/// A finding of `check`: the printed id of its step, its rule, and perhaps its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The printed id of the step; none for the run.
    pub step_id: Option<String>,
    /// The rule's id.
    pub rule: String,
    /// The exact message.
    pub message: Option<String>,
}

impl<'de> Deserialize<'de> for Settled {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let cells: Vec<Option<String>> = Vec::deserialize(from)?;
        let (step_id, rule, message) = match cells.as_slice() {
            [step, Some(rule)] => (step, rule, None),
            [step, Some(rule), Some(message)] => (step, rule, Some(message)),
            _ => {
                return Err(serde::de::Error::custom(
                    "a finding is `[step_id, rule]` or `[step_id, rule, message]`",
                ));
            }
        };
        Ok(Settled { step_id: step_id.clone(), rule: rule.clone(), message: message.cloned() })
    }
}

/// What must be said of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Expect {
    /// A verdict and what stands beside it.
    Said(Expectation),
    /// The event can't follow what came before, with this code.
    Misuse(String),
}

/// What is compared; what is not named is not.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The verdict.
    pub verdict: Option<String>,
    /// The rules that object, in order.
    pub rules: Option<Vec<String>>,
    /// The rules that can't tell, in order.
    pub unknown: Option<Vec<String>>,
    /// The first rule that objects.
    pub code: Option<String>,
    /// The argument path of the first finding.
    pub path: Option<String>,
    /// What the call costs.
    pub cost: Option<u64>,
    /// What is left after it.
    pub remaining: Option<u64>,
}
