//! One policy and one trace, judged by faultgate and by us.

use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, Held, check, live};
use lawbook_event::{Event, What};
use lawbook_rule::{Policy, Profile, Report};
use lawbook_trace::{Limits, Reading, Source, named, read};
use serde_json::Value;

/// Something that faultgate says and we don't, or the other way round.
#[derive(Debug)]
pub struct Difference {
    /// Where it shows: `policy`, `settled`, `at_call` (a recording cut at a call) or `live`.
    pub place: &'static str,
    /// What faultgate says.
    pub theirs: String,
    /// What we say.
    pub ours: String,
}

/// A pair and what faultgate made of it.
pub struct Pair<'a> {
    answer: &'a Value,
}

impl<'a> Pair<'a> {
    /// One line of `ask_faultgate.py`.
    pub fn new(answer: &'a Value) -> Self {
        Pair { answer }
    }

    /// Where the two differ. Where faultgate crashed there is nothing to compare: we judge all the
    /// same, and a panic of ours would end the run.
    pub fn differences(&self) -> Vec<Difference> {
        let text = |key: &str| self.answer[key].as_str().unwrap_or_default();
        let (policy, refusal) = self.policy(text("policy"));
        if let Some(theirs) = self.answer["refused"].as_str() {
            return differs(
                "policy",
                theirs.to_string(),
                refusal.unwrap_or("accepted".to_string()),
            );
        }
        let Some(policy) = policy else {
            let crashed = self.answer["crash"].is_string();
            let ours = refusal.unwrap_or_default();
            return if crashed { vec![] } else { differs("policy", "accepted".to_string(), ours) };
        };
        let engine = Engine::new(vec![Arc::new(policy)], None);
        let mut out = Vec::new();
        if let Err(problem) = with_events(text("trace"), |events| {
            out = self.judged(&engine, events);
        }) {
            out.extend(differs("settled", "read".to_string(), problem));
        }
        if self.answer["crash"].is_string() { Vec::new() } else { out }
    }

    fn policy(&self, text: &str) -> (Option<Policy>, Option<String>) {
        let options = Options {
            dialect: Some("faultgate"),
            profile: Some(Profile::Compatible),
            ..Options::default()
        };
        let loaded = load("policy.json", text.as_bytes(), &options);
        (loaded.policy, loaded.problems.into_iter().next().map(|it| it.message))
    }

    fn judged(&self, engine: &Engine, events: &[Event<'_>]) -> Vec<Difference> {
        let mut out = differs("settled", list(&self.answer["settled"]), settled(engine, events));
        for cut in self.answer["cuts"].as_array().into_iter().flatten() {
            let step = cut["step"].as_u64().unwrap_or_default();
            let theirs = list(&cut["reasons"]);
            out.extend(differs("live", theirs.clone(), at_the_time(engine, events, step)));
            let mut ours = String::new();
            let read = with_events(cut["trace"].as_str().unwrap_or_default(), |past| {
                ours = of_step(&settled(engine, past), step);
            });
            out.extend(differs("at_call", theirs, read.err().unwrap_or(ours)));
        }
        out
    }
}

fn differs(place: &'static str, theirs: String, ours: String) -> Vec<Difference> {
    if theirs == ours { Vec::new() } else { vec![Difference { place, theirs, ours }] }
}

/// The events of the one session of an OTLP text, as faultgate reads it.
fn with_events(text: &str, take: impl FnOnce(&[Event<'_>])) -> Result<(), String> {
    let mut take = Some(take);
    let (source, limits) = (Source::new("trace.json"), Limits::default());
    let reading = Reading::Faultgate;
    let problems =
        read(text.as_bytes(), named("otlp"), reading.into(), &source, &limits, &mut |session| {
            if let Some(take) = take.take() {
                take(&session.events);
            }
        });
    match problems.into_iter().next() {
        Some(problem) => Err(problem.to_string()),
        None if take.is_some() => Err("no session".to_string()),
        None => Ok(()),
    }
}

/// Our list over the whole recording, in faultgate's words.
fn settled(engine: &Engine, events: &[Event<'_>]) -> String {
    let checked = check(engine, events);
    let lines: Vec<String> =
        checked.findings.iter().map(|it| reason(it.step, &it.message)).collect();
    lines.join("\n")
}

/// What a live door would have said of one call, when it was made.
fn at_the_time(engine: &Engine, events: &[Event<'_>], step: u64) -> String {
    let mut lines = Vec::new();
    live(engine, events, |event, judgement| match &event.what {
        What::Call(call) if u64::from(call.step) == step => {
            let said = judgement.held.iter().filter(|it| is_listed(it));
            lines.extend(said.map(|it| reason(it.finding.step, &it.finding.message)));
            false
        }
        _ => true,
    });
    lines.join("\n")
}

/// Live, every call over a cap is objected to; faultgate lists the first for each value, and the
/// run as a whole where the cap is on the run.
fn is_listed(held: &Held) -> bool {
    match held.report {
        Report::Each => true,
        Report::Run => false,
        Report::First => held.key.is_none() || is_first_over(&held.finding.message),
    }
}

/// Whether `3 successful pay calls for k '1' > max 2 (steps 1, 2, 3)` is the first of its kind.
fn is_first_over(message: &str) -> bool {
    let count = message.split(' ').next().and_then(|it| it.parse::<u64>().ok());
    let max = message.rsplit_once("> max ").and_then(|(_, rest)| rest.split(' ').next());
    let max = max.and_then(|it| it.parse::<u64>().ok());
    count.zip(max).is_none_or(|(count, max)| count == max + 1)
}

fn reason(step: Option<u32>, message: &str) -> String {
    step.map_or_else(|| message.to_string(), |step| format!("step {step}: {message}"))
}

fn of_step(lines: &str, step: u64) -> String {
    let start = format!("step {step}: ");
    let mine: Vec<&str> = lines.split('\n').filter(|it| it.starts_with(&start)).collect();
    mine.join("\n")
}

fn list(reasons: &Value) -> String {
    let lines = reasons.as_array().into_iter().flatten().filter_map(Value::as_str);
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{is_first_over, of_step};

    #[test]
    fn the_first_call_over_a_cap_is_told_from_later_ones() {
        assert!(is_first_over("2 successful pay calls for k '1' > max 1 (steps 1, 2)"));
        assert!(!is_first_over("3 successful pay calls for k '1' > max 1 (steps 1, 2, 3)"));
    }

    #[test]
    fn reasons_are_picked_by_step() {
        assert_eq!(of_step("step 1: a\nstep 11: b\nrun incomplete", 1), "step 1: a");
    }
}
