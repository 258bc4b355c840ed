//! Reading a case file: the keys it may have, and which of them belong together.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_saphyr::{DuplicateKeyPolicy, Error, MergeKeyPolicy, Options, Spanned};

use lawbook_diag::Problem;

use super::{
    Case, Choices, Entry, Mode, Normalised, Profile, Reading, Recording, SessionFacts, Settled,
    Story, Table, Wanted, Whose,
};
use crate::happening::{Happening, Raw, Step};

/// Every key that a case may have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    about: String,
    #[allow(dead_code, reason = "a link for people; it is part of the format")]
    source: Option<String>,
    policy: Option<Value>,
    dialect: Option<String>,
    profile: Option<Profile>,
    options: Option<Choices>,
    mode: Option<Mode>,
    session: Option<SessionFacts>,
    events: Option<Vec<Spanned<Raw>>>,
    settled: Option<Vec<Settled>>,
    unknown: Option<Vec<Settled>>,
    trace: Option<String>,
    trace_format: Option<String>,
    detected: Option<String>,
    reading: Option<Whose>,
    refused: Option<bool>,
    #[serde(default, deserialize_with = "sessions")]
    normalised: Option<Vec<Normalised>>,
    cases: Option<Vec<Spanned<Entry>>>,
}

/// Reads the sessions of a reading; anything but a list is told in words of its own.
fn sessions<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Normalised>>, D::Error> {
    struct Sessions;
    impl<'de> Visitor<'de> for Sessions {
        type Value = Vec<Normalised>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("`normalised` to be a list of sessions, each with `- id:` and `calls:`")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(items))
        }
    }
    from.deserialize_any(Sessions).map(Some)
}

/// Reads a case.
pub fn parse(source: &str, text: &str) -> Result<Case, Problem> {
    if text.lines().all(|it| it.trim().is_empty() || it.trim_start().starts_with('#')) {
        return Err(Problem::new(source, "empty", "the file holds no case")
            .help("a case begins with `about:`"));
    }
    let file: File = yaml(text).map_err(|error| problem(source, &error))?;
    case(source, file)
}

/// Plain words mean what they mean in a native policy: `yes`, `no`, `on` and `off` are text, and so
/// is a number that only some readers of YAML take for one.
fn yaml<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let mut options = Options::default();
    options.strict_booleans = true;
    options.leading_zero_numbers_as_strings = true;
    options.underscored_numbers_as_strings = true;
    options.duplicate_keys = DuplicateKeyPolicy::Error;
    options.merge_keys = MergeKeyPolicy::Error;
    options.with_snippet = false;
    serde_saphyr::from_str_with_options(text, options)
}

fn problem(source: &str, error: &Error) -> Problem {
    let said = error.to_string();
    let words = said.rsplit_once(" at line ").map_or(said.as_str(), |(words, _)| words);
    let mut problem = Problem::new(source, "no_case", words.to_owned());
    if let Some(place) = error.location() {
        let cell = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
        problem = problem.at(cell(place.line()), cell(place.column()));
    }
    problem.help("conformance/README.md says what a case may hold")
}

fn case(source: &str, file: File) -> Result<Case, Problem> {
    let refuse = |message: String| Problem::new(source, "no_case", message);
    if file.about.trim().is_empty() {
        return Err(refuse("`about` must say in a sentence what must hold".to_owned()));
    }
    let known = known_keys(&file);
    let present = present(&file);
    let Some(known) = known else {
        return Err(refuse("a case needs `events`, `trace` or `cases`".to_owned()));
    };
    if let Some(extra) = present.iter().find(|it| !known.contains(it)) {
        return Err(refuse(format!(
            "`{extra}` means nothing beside `{}`",
            known.first().copied().unwrap_or_default()
        )));
    }
    build(file).map_err(refuse)
}

const STORY: &[&str] =
    &["events", "policy", "dialect", "profile", "options", "mode", "session", "settled"];
const RECORDING: &[&str] = &[
    "trace",
    "trace_format",
    "policy",
    "dialect",
    "profile",
    "options",
    "mode",
    "settled",
    "unknown",
];
const READING: &[&str] = &["trace", "trace_format", "detected", "reading", "refused", "normalised"];
const TABLE: &[&str] = &["cases", "dialect"];

fn known_keys(file: &File) -> Option<&'static [&'static str]> {
    if file.events.is_some() {
        Some(STORY)
    } else if file.cases.is_some() {
        Some(TABLE)
    } else if file.trace.is_some() && file.policy.is_some() {
        Some(RECORDING)
    } else if file.trace.is_some() {
        Some(READING)
    } else {
        None
    }
}

fn present(file: &File) -> Vec<&'static str> {
    let all = [
        ("events", file.events.is_some()),
        ("policy", file.policy.is_some()),
        ("dialect", file.dialect.is_some()),
        ("profile", file.profile.is_some()),
        ("options", file.options.is_some()),
        ("mode", file.mode.is_some()),
        ("session", file.session.is_some()),
        ("settled", file.settled.is_some()),
        ("unknown", file.unknown.is_some()),
        ("trace", file.trace.is_some()),
        ("trace_format", file.trace_format.is_some()),
        ("detected", file.detected.is_some()),
        ("reading", file.reading.is_some()),
        ("refused", file.refused.is_some()),
        ("normalised", file.normalised.is_some()),
        ("cases", file.cases.is_some()),
    ];
    all.into_iter().filter(|it| it.1).map(|it| it.0).collect()
}

fn build(file: File) -> Result<Case, String> {
    let wanted = Wanted {
        policy: text(file.policy.as_ref())?,
        dialect: file.dialect.clone(),
        profile: file.profile,
        options: file.options.unwrap_or_default(),
    };
    if let Some(events) = file.events {
        if file.policy.is_none() {
            return Err("a story needs a `policy`".to_owned());
        }
        return Ok(Case::Story(Story {
            about: file.about,
            wanted,
            mode: file.mode.unwrap_or_default(),
            session: file.session.unwrap_or_default(),
            happenings: happenings(events)?,
            settled: file.settled,
        }));
    }
    if let Some(entries) = file.cases {
        let dialect = file.dialect.ok_or("a table needs a `dialect`")?;
        if entries.is_empty() {
            return Err("`cases` is empty".to_owned());
        }
        return Ok(Case::Table(Table { dialect, entries }));
    }
    let trace = file.trace.ok_or("a case needs `events`, `trace` or `cases`")?;
    if file.policy.is_some() {
        let settled = file.settled.ok_or("a recording with a policy needs `settled`")?;
        return Ok(Case::Recording(Recording {
            about: file.about,
            wanted,
            trace,
            trace_format: file.trace_format,
            settled,
            unknown: file.unknown,
        }));
    }
    let normalised = match (file.normalised, file.refused) {
        (Some(sessions), None) => Some(sessions),
        (None, Some(true)) => None,
        _ => return Err("a reading needs `normalised` or `refused: true`".to_owned()),
    };
    Ok(Case::Reading(Reading {
        about: file.about,
        trace,
        trace_format: file.trace_format,
        detected: file.detected,
        reading: file.reading.unwrap_or_default(),
        normalised,
    }))
}

/// The policy as its file would hold it: a text is one already, a mapping is written as JSON.
fn text(policy: Option<&Value>) -> Result<String, String> {
    match policy {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(mapping @ Value::Object(_)) => Ok(mapping.to_string()),
        Some(_) => Err("`policy` is a text, a mapping, or a path".to_owned()),
        None => Ok(String::new()),
    }
}

fn happenings(events: Vec<Spanned<Raw>>) -> Result<Vec<Happening>, String> {
    let read = |raw: Spanned<Raw>| {
        let line = u32::try_from(raw.referenced.line()).unwrap_or(u32::MAX);
        Step::read(raw.value, line).map_err(|message| format!("line {line}: {message}"))
    };
    let happenings: Vec<Happening> = events.into_iter().map(read).collect::<Result<_, _>>()?;
    if happenings.is_empty() {
        return Err("`events` is empty".to_owned());
    }
    Ok(happenings)
}
