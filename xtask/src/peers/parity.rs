//! Replay is live: what a live door says of a call equals the check of the recording cut there.

mod policies;

use std::collections::BTreeSet;
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, check, live};
use lawbook_event::{Call, Event, Hindsight, What};
use lawbook_rule::Profile;

use policies::Seen;

/// How many calls of one session are cut at; the steps are spread evenly.
const CUTS_MAX: usize = 24;

/// Compares over one session; gives the number of calls compared and what differs.
pub fn compare(events: &[Event<'_>]) -> Result<(u64, Vec<String>), String> {
    let calls: Vec<u32> = events.iter().filter_map(|it| call(it).map(|it| it.step)).collect();
    let stride = calls.len().div_ceil(CUTS_MAX).max(1);
    let steps: BTreeSet<u32> = calls.iter().copied().step_by(stride).collect();
    let mut wrong = Vec::new();
    for engine in engines(events)? {
        for (step, said) in said_live(&engine, events) {
            if !steps.contains(&step) {
                continue;
            }
            let checked = said_by_check(&engine, &cut(events, step), step);
            if said != checked {
                wrong.push(format!("step {step}: live {said:?}, cut {checked:?}"));
            }
        }
    }
    Ok((steps.len() as u64, wrong))
}

/// What is said of every call at a live door, findings before unknowns.
pub(super) fn said_live(engine: &Engine, events: &[Event<'_>]) -> Vec<(u32, Vec<String>)> {
    let mut said = Vec::new();
    live(engine, events, |event, judgement| {
        if let Some(call) = call(event) {
            let held = judgement.held.iter().map(|it| &it.finding);
            let findings = held.map(|it| line(&it.rule, &it.message));
            let unknowns = judgement.unknowns.iter().map(|it| line(&it.rule, &it.message));
            said.push((call.step, findings.chain(unknowns).collect()));
        }
        true
    });
    said
}

/// What a check says of one call.
pub(super) fn said_by_check(engine: &Engine, events: &[Event<'_>], step: u32) -> Vec<String> {
    let checked = check(engine, events);
    let findings = checked.findings.iter().filter(|it| it.step == Some(step));
    let unknowns = checked.unknowns.iter().filter(|it| it.step == Some(step));
    let findings = findings.map(|it| line(&it.rule, &it.message));
    findings.chain(unknowns.map(|it| line(&it.rule, &it.message))).collect()
}

fn line(rule: &str, message: &str) -> String {
    format!("{rule}: {message}")
}

/// The engines that a session is judged by: one of a native policy, and those of a policy of
/// faultgate's and one of pmstack's in the strict reading, which is the reading of live doors.
pub(super) fn engines(events: &[Event<'_>]) -> Result<[Engine; 3], String> {
    let seen = Seen::of(events);
    Ok([
        loaded("lawbook", &policies::native(&seen))?,
        loaded("faultgate", &policies::faultgate(&seen))?,
        loaded("pmstack", &policies::pmstack(&seen))?,
    ])
}

fn loaded(dialect: &'static str, text: &str) -> Result<Engine, String> {
    let dialect = Some(dialect);
    let options = Options { dialect, profile: Some(Profile::Strict), ..Options::default() };
    let loaded = load("parity", text.as_bytes(), &options);
    let problem = loaded.problems.first().map(ToString::to_string);
    let policy = loaded.policy.ok_or_else(|| problem.unwrap_or_default())?;
    Ok(Engine::new(vec![Arc::new(policy)], None))
}

fn call<'c, 'e>(event: &'c Event<'e>) -> Option<&'c Call<'e>> {
    match &event.what {
        What::Call(call) => Some(call),
        _ => None,
    }
}

/// The recording as it stood when a call was made: later events are gone, and calls that were not
/// answered by then, the call itself among them, have no answer.
fn cut<'e>(events: &[Event<'e>], step: u32) -> Vec<Event<'e>> {
    let end = events.iter().position(|it| call(it).is_some_and(|it| it.step == step));
    let past = events.get(..=end.unwrap_or(0)).unwrap_or(events);
    let answered: BTreeSet<u32> = past.iter().filter_map(answers).collect();
    past.iter().map(|it| without_later_answer(it, &answered)).collect()
}

fn answers(event: &Event<'_>) -> Option<u32> {
    match &event.what {
        What::Answer { step, .. } => Some(*step),
        _ => None,
    }
}

fn without_later_answer<'e>(event: &Event<'e>, answered: &BTreeSet<u32>) -> Event<'e> {
    match &event.what {
        What::Call(call) if !answered.contains(&call.step) => {
            let hindsight = call.hindsight.as_ref().map(|_| Hindsight::Unanswered);
            Event { what: What::Call(Call { hindsight, ..call.clone() }), ..*event }
        }
        _ => event.clone(),
    }
}
