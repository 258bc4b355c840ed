//! Replay is live: over random policies and sessions, the live machine says at every call what a
//! check of the recording cut at that call says, and both say what a naive reading of the whole
//! history says.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic
)]

mod flips;
mod naive;
mod notes;
mod random;
mod saved;
mod session;
mod truncation;

use std::collections::BTreeSet;

use lawbook_engine::{Engine, check, live};
use lawbook_event::{Event, Hindsight, What};
use naive::naive;
use random::{Dice, Like, policy};
use session::Session;

const SEEDS: u64 = 1_500;

/// What is said at one call: rule, and the message or what was missing.
type Line = (String, String);

fn said_live(engine: &Engine, events: &[Event<'_>]) -> Vec<(u32, Vec<Line>)> {
    let mut lines = Vec::new();
    live(engine, events, |event, judgement| {
        if let What::Call(call) = &event.what {
            let held = judgement.held.iter().map(|it| &it.finding);
            let mut said: Vec<Line> =
                held.map(|it| (it.rule.to_string(), it.message.clone())).collect();
            said.extend(
                judgement.unknowns.iter().map(|it| (it.rule.to_string(), it.missing.clone())),
            );
            said.sort();
            lines.push((call.step, said));
        }
        true
    });
    lines
}

/// The recording cut after a call: its own answer, later calls and all later events removed.
fn cut<'e>(events: &[Event<'e>], at: usize) -> Vec<Event<'e>> {
    let kept = &events[..=at];
    let answered: BTreeSet<u32> = kept
        .iter()
        .filter_map(|it| match &it.what {
            What::Answer { step, .. } => Some(*step),
            _ => None,
        })
        .collect();
    let mut kept = kept.to_vec();
    for event in &mut kept {
        if let What::Call(call) = &mut event.what
            && !answered.contains(&call.step)
        {
            call.hindsight = Some(Hindsight::Unanswered);
        }
    }
    kept
}

fn said_by_check(engine: &Engine, events: &[Event<'_>], step: u32) -> Vec<Line> {
    let checked = check(engine, events);
    let on_step = checked.findings.iter().filter(|it| it.step == Some(step));
    let mut said: Vec<Line> = on_step.map(|it| (it.rule.to_string(), it.message.clone())).collect();
    let unknown = checked.unknowns.iter().filter(|it| it.step == Some(step));
    said.extend(unknown.map(|it| (it.rule.to_string(), it.missing.clone())));
    said.sort();
    said
}

#[test]
fn live_says_what_a_check_of_the_cut_recording_says() {
    let mut calls = 0;
    let mut spoken = 0;
    for like in [Like::Faultgate, Like::Pmstack, Like::Lawbook] {
        for seed in 0..SEEDS {
            let mut dice = Dice::new(seed);
            let policy = policy(&mut dice, like);
            let session = Session::random(&mut dice, false);
            let events = session.events();
            let engine = Engine::new(vec![policy.into()], None);
            let live = said_live(&engine, &events);
            for (step, said) in live {
                let at = session.place_of(&events, step);
                let cut = said_by_check(&engine, &cut(&events, at), step);
                assert_eq!(said, cut, "seed {seed}, {like:?}, step {step}\n{events:#?}");
                calls += 1;
                spoken += usize::from(!said.is_empty());
            }
        }
    }
    assert!(spoken * 5 > calls, "the sessions must give the rules something to say");
}

/// Hindsight shows an attempt that failed, which no limit counts, and a check that is answered
/// later, which counts from its answer on.
#[test]
fn what_is_settled_of_pmstack_differs_only_where_hindsight_tells_more() {
    let (mut calls, mut differ) = (0, 0);
    for seed in 0..SEEDS {
        let mut dice = Dice::new(seed);
        let policy = std::sync::Arc::new(policy(&mut dice, Like::Pmstack));
        let events = Session::random(&mut dice, true).events();
        let engine = Engine::new(vec![policy.clone()], None);
        let checked = check(&engine, &events);
        for (step, live) in said_live(&engine, &events) {
            let on_step = checked.findings.iter().filter(|it| it.step == Some(step));
            let settled: BTreeSet<&str> = on_step.map(|it| &*it.rule).collect();
            let live: BTreeSet<&str> = live.iter().map(|it| it.0.as_str()).collect();
            calls += 1;
            for rule in settled.symmetric_difference(&live) {
                let rule = policy.rules.iter().find(|it| &*it.id == *rule).unwrap();
                let kind = rule.body.name();
                assert!(["at_most", "require_before"].contains(&kind), "{kind}, seed {seed}");
                let later = settled.contains(&*rule.id);
                assert_eq!(later, kind == "require_before", "{kind}, seed {seed}, step {step}");
                differ += 1;
            }
        }
    }
    assert!(differ * 100 > calls, "hindsight must tell more now and then");
}

#[test]
fn a_restart_before_every_event_changes_nothing() {
    for seed in 0..SEEDS / 5 {
        let mut dice = Dice::new(seed);
        let policy = policy(&mut dice, Like::Lawbook);
        let events = Session::random(&mut dice, false).events();
        let engine = Engine::new(vec![policy.into()], None);
        let whole = said_live(&engine, &events);
        for end in 1..=events.len() {
            let folded_again = said_live(&engine, &events[..end]);
            assert_eq!(whole[..folded_again.len()], folded_again[..], "seed {seed}");
        }
    }
}

#[test]
fn replay_says_what_a_naive_reading_of_the_history_says() {
    let mut spoken = 0;
    for seed in 0..SEEDS {
        let mut dice = Dice::new(seed);
        let rules = random::rules(&mut dice);
        let session = Session::random(&mut dice, true);
        let engine = Engine::new(vec![random::native(&rules).into()], None);
        for (step, said) in said_live(&engine, &session.events()) {
            let got: BTreeSet<(String, bool)> = said
                .iter()
                .map(|(rule, text)| {
                    (rule.clone(), ["result of", "key of"].iter().any(|it| text.starts_with(it)))
                })
                .collect();
            let wanted = naive(&session, &rules, step);
            assert_eq!(got, wanted, "seed {seed}, step {step}: {said:?}\n{rules:#?}\n{session:#?}");
            spoken += usize::from(!wanted.is_empty());
        }
    }
    assert!(spoken > 1_000, "the sessions must give the rules something to say");
}
