//! A recorded session, judged with all that is known of it, or as a live door would have.

use std::collections::BTreeMap;

use lawbook_diag::{Finding, Unknown, Verdict};
use lawbook_event::{Call, Event, What};

use crate::settle::{Firsts, settle, waive};
use crate::{Door, Engine, Held, Judgement, State};

/// What is held against a session.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The findings, in the order in which reports list them.
    pub findings: Vec<Finding>,
    /// What could not be told.
    pub unknowns: Vec<Unknown>,
    /// The strictest verdict of all findings that count.
    pub verdict: Verdict,
    /// How many calls were judged.
    pub calls: u64,
}

/// Judges a recording with the whole of it known.
#[must_use]
pub fn check(engine: &Engine, events: &[Event<'_>]) -> Checked {
    let mut state = State::new(engine, Door::Recorded);
    let mut held = Vec::new();
    let mut unknowns = Vec::new();
    let mut firsts = Firsts::default();
    for event in events {
        let judgement = engine.step(&mut state, event);
        held.extend(judgement.held.into_iter().filter(|it| firsts.takes(it)));
        unknowns.extend(judgement.unknowns);
    }
    report(engine, &state, events, held, unknowns)
}

fn report(
    engine: &Engine,
    state: &State,
    events: &[Event<'_>],
    held: Vec<Held>,
    unknowns: Vec<Unknown>,
) -> Checked {
    let mut findings = settle(held);
    waive(engine, state.session.id(), &mut findings);
    if findings.iter().any(|it| !it.evidence.is_empty()) {
        name_evidence(events, &mut findings);
    }
    let counting = findings.iter().filter(|it| it.counts());
    let verdict = counting.map(|it| it.verdict).max().unwrap_or_default();
    Checked { findings, unknowns, verdict, calls: state.calls() }
}

fn name_evidence(events: &[Event<'_>], findings: &mut [Finding]) {
    let calls = events.iter().filter_map(|it| match &it.what {
        What::Call(call) => Some((call.step, &*call.step_id)),
        _ => None,
    });
    let ids: BTreeMap<u32, &str> = calls.collect();
    for evidence in findings.iter_mut().flat_map(|it| &mut it.evidence) {
        evidence.step_id = ids.get(&evidence.step).copied().unwrap_or_default().to_owned();
    }
}

/// Judges a recording as a live door would have judged it at the time: nothing is known of what
/// comes later, and everything happens that the recording shows. Each event's judgement is handed
/// to `each`, which says whether to go on.
pub fn live<'e>(
    engine: &Engine,
    events: impl IntoIterator<Item = &'e Event<'e>>,
    mut each: impl FnMut(&Event<'_>, &Judgement) -> bool,
) {
    let mut state = State::new(engine, Door::Recorded);
    for event in events {
        let event = without_hindsight(event);
        let judgement = engine.judge(&state, &event);
        if !each(&event, &judgement) {
            return;
        }
        engine.advance(&mut state, &event, &judgement);
    }
}

/// The same event, knowing nothing of what comes later.
#[must_use]
pub fn without_hindsight<'e>(event: &Event<'e>) -> Event<'e> {
    match &event.what {
        What::Call(call) if call.hindsight.is_some() => {
            let call = Call { hindsight: None, ..call.clone() };
            Event { what: What::Call(call), ..*event }
        }
        _ => event.clone(),
    }
}
