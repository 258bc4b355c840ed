//! Running a reading: what a reader made of a recording is compared with what it must make.

use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_event::{Hindsight, What};
use lawbook_trace::{Limits, Session, Source, read};
use serde_json::{Map, Value};

use crate::case::{Normalised, Reading, Whose};
use crate::recording::known;
use crate::run::{Difference, Ended, Settings, ended, given};

/// Runs a reading.
pub fn run(source: &str, case: &Reading, settings: &Settings) -> Result<Ended, Problem> {
    let forced = case.trace_format.as_deref().map(|it| known(source, it)).transpose()?;
    let (name, bytes) = given(source, &case.trace, &settings.folder)?;
    let wanted = match case.reading {
        Whose::Full => lawbook_event::Reading::Full,
        Whose::Faultgate => lawbook_event::Reading::Faultgate,
        Whose::Pmstack => lawbook_event::Reading::Pmstack,
    };
    let mut sessions = Vec::new();
    let mut formats = Vec::new();
    let limits = Limits::default();
    let problems =
        read(&bytes, forced, wanted.into(), &Source::new(name), &limits, &mut |session| {
            formats.push(session.format);
            sessions.push(normalised(&session));
        });
    let mut out = Vec::new();
    let first = problems.first().map(ToString::to_string);
    match (&case.normalised, first) {
        (None, Some(_)) => {}
        (None, None) => out.push(Difference::new("reading", "a problem", "no problem")),
        (Some(_), Some(problem)) => {
            out.push(Difference::new("reading", "no problem", &problem));
        }
        (Some(wanted), None) => compare(wanted, &sessions, &mut out),
    }
    if let Some(wanted) = &case.detected
        && let Some(came) = formats.iter().find(|it| *it != wanted)
    {
        out.push(Difference::new("detected", wanted, came));
    }
    Ok(ended(out))
}

fn normalised(session: &Session<'_>) -> Normalised {
    let mut out = Normalised {
        id: session.id.clone().into_owned(),
        user: None,
        answer: None,
        attributes: None,
        calls: Vec::new(),
    };
    let mut steps: BTreeMap<u32, usize> = BTreeMap::new();
    for event in &session.events {
        match &event.what {
            What::Start(start) => out.attributes = object(&start.attributes),
            What::User(text) if out.user.is_none() => out.user = Some(text.text.to_string()),
            What::End(end) => out.answer = Some(end.answer.to_string()),
            What::Call(call) => {
                let result = match &call.hindsight {
                    Some(Hindsight::Answered(answer)) => answer.text.to_string(),
                    _ => String::new(),
                };
                steps.insert(call.step, out.calls.len());
                out.calls.push((call.tool.to_string(), call.args.text.to_string(), result));
            }
            What::Answer { step, answer } => {
                let call = steps.get(step).and_then(|it| out.calls.get_mut(*it));
                if let Some((_, _, result)) = call.filter(|it| it.2.is_empty()) {
                    *result = answer.text.to_string();
                }
            }
            _ => {}
        }
    }
    out
}

fn object(text: &str) -> Option<Map<String, Value>> {
    if text.is_empty() { Some(Map::new()) } else { serde_json::from_str(text).ok() }
}

/// What is not named is not compared.
fn compare(wanted: &[Normalised], came: &[Normalised], out: &mut Vec<Difference>) {
    if wanted.len() != came.len() {
        let count = |it: &[Normalised]| {
            let ids: Vec<&str> = it.iter().map(|it| it.id.as_str()).collect();
            format!("{} ({})", ids.len(), ids.join(", "))
        };
        out.push(Difference::new("sessions", &count(wanted), &count(came)));
    }
    for (want, have) in wanted.iter().zip(came) {
        let mut differ = |what: &str, a: String, b: String| {
            if a != b {
                out.push(Difference::new(&format!("{what} of `{}`", want.id), &a, &b));
            }
        };
        differ("id", want.id.clone(), have.id.clone());
        if let Some(user) = &want.user {
            differ("user", quoted(user), quoted(have.user.as_deref().unwrap_or_default()));
        }
        if let Some(answer) = &want.answer {
            differ("answer", quoted(answer), quoted(have.answer.as_deref().unwrap_or_default()));
        }
        for (key, value) in want.attributes.iter().flatten() {
            let found = have.attributes.as_ref().and_then(|it| it.get(key));
            let found = found.unwrap_or(&Value::Null).to_string();
            differ(&format!("attribute `{key}`"), value.to_string(), found);
        }
        let longest = want.calls.len().max(have.calls.len());
        for place in 0..longest {
            let call = |it: &Normalised| match it.calls.get(place) {
                Some(call) => format!("{call:?}"),
                None => "nothing more".to_owned(),
            };
            differ(&format!("calls[{place}]"), call(want), call(have));
        }
    }
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}
