//! Replay is live: what a live door says of a call equals the check of the recording cut there.

use std::collections::BTreeSet;
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, check, live};
use lawbook_event::{Call, Event, Hindsight, What};
use serde_json::json;

/// How many calls of one session are cut at; the steps are spread evenly.
const CUTS_MAX: usize = 24;

/// Compares over one session; gives the number of calls compared and what differs.
pub fn compare(events: &[Event<'_>]) -> Result<(u64, Vec<String>), String> {
    let names: BTreeSet<&str> =
        events.iter().filter_map(|it| call(it).map(|it| &*it.tool)).collect();
    let engine = policy(names.into_iter().collect())?;
    let calls: Vec<u32> = events.iter().filter_map(|it| call(it).map(|it| it.step)).collect();
    let stride = calls.len().div_ceil(CUTS_MAX).max(1);
    let steps: BTreeSet<u32> = calls.iter().copied().step_by(stride).collect();
    let mut wrong = Vec::new();
    let mut at_the_time = Vec::new();
    live(&engine, events, |event, judgement| {
        if let Some(call) = call(event).filter(|it| steps.contains(&it.step)) {
            let findings = judgement.held.iter().map(|it| it.finding.message.clone());
            let unknowns = judgement.unknowns.iter().map(|it| it.message.clone());
            at_the_time.push((call.step, findings.chain(unknowns).collect::<Vec<_>>()));
        }
        true
    });
    for (step, said) in &at_the_time {
        let past = check(&engine, &cut(events, *step));
        let findings = past.findings.iter().filter(|it| it.step == Some(*step));
        let unknowns = past.unknowns.iter().filter(|it| it.step == Some(*step));
        let findings = findings.map(|it| it.message.clone());
        let checked: Vec<_> = findings.chain(unknowns.map(|it| it.message.clone())).collect();
        if said != &checked {
            wrong.push(format!("step {step}: live {said:?}, cut {checked:?}"));
        }
    }
    Ok((at_the_time.len() as u64, wrong))
}

fn call<'c, 'e>(event: &'c Event<'e>) -> Option<&'c Call<'e>> {
    match &event.what {
        What::Call(call) => Some(call),
        _ => None,
    }
}

/// A native policy with a rule of every kind that concerns the tools of the session.
pub(super) fn policy(names: Vec<&str>) -> Result<Engine, String> {
    let names: Vec<&str> =
        names.into_iter().filter(|it| !it.is_empty() && !it.contains('*')).collect();
    let first = names.first().copied().unwrap_or("none");
    let last = names.last().copied().unwrap_or("none");
    let text = json!({"lawbook": 1, "default": "allow", "rules": [
        {"id": "order", "require_before": {"tools": [last], "first": [first], "success": true}},
        {"id": "fresh", "require_before": {"tools": [first], "first": [last], "latest": true}},
        {"id": "void", "require_before": {"tools": [last], "first": [first], "voided_by": [last]}},
        {"id": "two", "at_most": {"tools": [first], "max": 2, "successes": true}},
        {"id": "each", "at_most": {"max": 3, "per": "tool"}},
        {"id": "batch", "at_most": {"max": 1, "per": "batch"}},
        {"id": "turn", "at_most": {"max": 2, "per": "turn"}},
        {"id": "yes", "confirm": {"tools": [last]}},
        {"id": "size", "arg_size": {"max_chars": 40}},
        {"id": "text", "arg_never_matches": {"pattern": "[0-9]{4}"}},
    ]});
    let loaded = load("parity", text.to_string().as_bytes(), &Options::default());
    let problem = loaded.problems.first().map(ToString::to_string);
    let policy = loaded.policy.ok_or_else(|| problem.unwrap_or_default())?;
    Ok(Engine::new(vec![Arc::new(policy)], None))
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
