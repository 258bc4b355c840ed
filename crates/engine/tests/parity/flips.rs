//! What two policies rule on differently, beside readings that remember nothing.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_engine::{
    CAUSES_TRIED_MAX, Cause, Engine, Flip, Ruled, Ruling, Side, Which, enforced, flips, recorded,
    without, without_hindsight,
};
use lawbook_event::{Call, Event, Ran, What};

use crate::naive::naive;
use crate::random::{self, Dice, Like, with_words};
use crate::session::Session;

const SEEDS: u64 = 600;

fn engine(policy: lawbook_rule::Policy) -> Engine {
    Engine::new(vec![policy.into()], None)
}

/// The policy of a seed, and the same with a rule less or with other rules.
fn two(seed: u64, like: Like) -> (Engine, Engine) {
    let of = |seed| with_words(&mut Dice::new(seed), like);
    let mut other = if seed.is_multiple_of(3) { of(seed + 7_000) } else { of(seed) };
    if seed % 3 == 1 {
        other.rules.pop();
    } else if seed % 3 == 2 {
        other.rules.drain(..other.rules.len().min(1));
    }
    (engine(of(seed)), engine(other))
}

fn events(seed: u64) -> Vec<Event<'static>> {
    Session::random(&mut Dice::new(seed + 90_000), false).events()
}

fn verdicts(rulings: &[Ruling]) -> BTreeMap<Option<u32>, Ruled> {
    rulings.iter().map(|it| (it.step, it.verdict)).collect()
}

/// What is said of each call by a machine that is shown what happened before it and nothing else.
fn over_what_happened(engine: &Engine, events: &[Event<'_>]) -> BTreeMap<Option<u32>, Ruled> {
    let (mut happened, mut refused) = (Vec::new(), BTreeSet::new());
    let mut said = BTreeMap::new();
    for event in events {
        match &event.what {
            What::Answer { step, .. } if refused.contains(step) => continue,
            _ => happened.push(event.clone()),
        }
        let What::Call(call) = &event.what else { continue };
        let verdict = recorded(engine, &happened).last().unwrap().verdict;
        said.insert(Some(call.step), verdict);
        if verdict == Ruled::Deny {
            refused.insert(call.step);
            let call = Call { hindsight: None, ran: Ran::No, ..call.clone() };
            happened.pop();
            happened.push(Event { what: What::Call(call), ..*event });
        }
    }
    said
}

#[test]
fn a_policy_beside_itself_flips_nothing() {
    for like in [Like::Faultgate, Like::Pmstack, Like::Lawbook] {
        for seed in 0..SEEDS {
            let (engine, _) = two(seed, like);
            let (events, again) = (events(seed), events(seed));
            let side = |events| Side { engine: &engine, events };
            for new in [&events, &again] {
                let compared = flips(side(&events), side(new));
                assert!(compared.flips.is_empty(), "seed {seed}, {like:?}: {:?}", compared.flips);
                assert!(compared.objections.is_empty() && compared.unpaired == 0);
            }
        }
    }
}

#[test]
fn under_enforcement_only_what_happened_counts() {
    let (mut calls, mut moved) = (0, 0);
    for like in [Like::Faultgate, Like::Pmstack, Like::Lawbook] {
        for seed in 0..SEEDS {
            let (engine, _) = two(seed, like);
            let events = events(seed);
            let as_recorded = verdicts(&recorded(&engine, &events));
            let mut said = verdicts(&enforced(&engine, &events));
            said.remove(&None);
            assert_eq!(said, over_what_happened(&engine, &events), "seed {seed}, {like:?}");
            calls += said.len();
            moved += said.iter().filter(|(step, it)| as_recorded[*step] != **it).count();
        }
    }
    assert!(moved * 100 > calls, "enforcement must change verdicts: {moved} of {calls}");
}

/// The session without some of its calls; answers keep their order beside the others.
fn thinned(session: &Session, keeps: impl Fn(u32) -> bool) -> Session {
    let kept: Vec<usize> =
        (0..session.calls.len()).filter(|it| keeps(session.calls[*it].step)).collect();
    let mut calls: Vec<_> = kept.iter().map(|it| session.calls[*it].clone()).collect();
    for (place, call) in kept.iter().zip(&mut calls) {
        if let Some((_, later)) = &mut call.answer {
            *later = kept.iter().filter(|it| (place + 1..=place + *later).contains(it)).count();
        }
    }
    Session { calls }
}

#[test]
fn under_enforcement_a_naive_reading_of_what_happened_says_the_same() {
    let mut denied = 0;
    for seed in 0..SEEDS * 2 {
        let mut dice = Dice::new(seed);
        let rules = random::rules(&mut dice);
        let session = Session::random(&mut dice, true);
        let engine = engine(random::native(&rules));
        let events: Vec<_> = session.events().iter().map(without_hindsight).collect();
        let mut refused = BTreeSet::new();
        for ruling in enforced(&engine, &events) {
            let Some(step) = ruling.step else { continue };
            let happened = thinned(&session, |it| !refused.contains(&it));
            let said = naive(&happened, &rules, step);
            let wanted = match said.iter().map(|it| it.1).min() {
                None => Ruled::Allow,
                Some(false) => Ruled::Deny,
                Some(true) => Ruled::Unknown,
            };
            assert_eq!(
                ruling.verdict, wanted,
                "seed {seed}, step {step}\n{rules:#?}\n{session:#?}"
            );
            if wanted == Ruled::Deny {
                refused.insert(step);
                denied += 1;
            }
        }
    }
    assert!(denied > 1_000, "the sessions must give the rules something to say");
}

#[test]
fn first_causes_and_knock_ons_are_all_flips() {
    let (mut firsts, mut knock_ons, mut alone) = (0, 0, 0);
    for like in [Like::Faultgate, Like::Pmstack, Like::Lawbook] {
        for seed in 0..SEEDS {
            let (old, new) = two(seed, like);
            let events = events(seed);
            let side = |engine| Side { engine, events: &events };
            let recorded = [&old, &new].map(|it| verdicts(&recorded(it, &events)));
            let enforced = [&old, &new].map(|it| verdicts(&enforced(it, &events)));
            let compared = flips(side(&old), side(&new));
            let mut got = BTreeSet::new();
            for flip in &compared.flips {
                let step = flip.new.as_ref().unwrap().step;
                assert!(got.insert(step));
                let parts = enforced[0][&step] != enforced[1][&step];
                match &flip.cause {
                    Cause::First { stands } => {
                        assert_ne!(recorded[0][&step], recorded[1][&step], "seed {seed}");
                        assert_eq!(*stands, parts);
                        firsts += 1;
                    }
                    Cause::KnockOn { side, steps, together } => {
                        assert_eq!(recorded[0][&step], recorded[1][&step], "seed {seed}");
                        assert!(parts);
                        let of = usize::from(*side == Which::New);
                        let engine = [&old, &new][of];
                        for it in steps {
                            assert!(step.is_none_or(|step| *it < step));
                            assert_eq!(enforced[of][&Some(*it)], Ruled::Deny);
                        }
                        assert!(!steps.is_empty() && (*together || steps.len() == 1));
                        if !together {
                            let gone = steps.iter().copied().collect();
                            let said = verdicts(&without(engine, &events, &gone));
                            assert_eq!(said[&step], enforced[of][&step]);
                            alone += 1;
                        }
                        knock_ons += 1;
                    }
                }
                assert_ne!(flip.from(), flip.to());
                assert!(!flip.rules().is_empty(), "{flip:?}");
            }
            let all = recorded[0].keys().filter(|it| {
                recorded[0][*it] != recorded[1][*it] || enforced[0][*it] != enforced[1][*it]
            });
            assert_eq!(got, all.copied().collect(), "seed {seed}, {like:?}");
        }
    }
    assert!(firsts > 1_000 && knock_ons > 100 && alone > 50, "{firsts}, {knock_ons}, {alone}");
}

/// A call that rests on many that are refused together has no cause of its own.
#[test]
fn causes_are_searched_within_bounds() {
    let order = |tools: &[&'static str], first: &[&'static str]| random::Plan::Before {
        tool: tools[0],
        first: first.to_vec(),
        success: false,
        contains: false,
        same: false,
        latest: false,
        voided_by: Vec::new(),
    };
    let old = engine(random::native(&[order(&["b"], &["a"])]));
    let new = engine(random::native(&[order(&["b"], &["a"]), order(&["a"], &["d"])]));
    let mut session = Session::random(&mut Dice::new(1), true);
    let one = session.calls[0].clone();
    let calls = (1..=60u32).map(|step| {
        let tool = if step <= 40 { "a" } else { "b" };
        random_call(&one, step, tool)
    });
    session.calls = calls.collect();
    let events = session.events();
    let compared =
        flips(Side { engine: &old, events: &events }, Side { engine: &new, events: &events });
    let (firsts, rest): (Vec<&Flip>, Vec<&Flip>) =
        compared.flips.iter().partition(|it| matches!(it.cause, Cause::First { .. }));
    assert_eq!((firsts.len(), rest.len()), (40, 20));
    for flip in rest {
        let Cause::KnockOn { steps, together: true, .. } = &flip.cause else {
            panic!("{:?}", flip.cause)
        };
        assert_eq!(steps.len(), CAUSES_TRIED_MAX);
        assert_eq!(steps[..3], [1, 2, 3]);
    }
}

fn random_call(of: &crate::session::Made, step: u32, tool: &'static str) -> crate::session::Made {
    crate::session::Made { step, message: u64::from(step), tool, ..of.clone() }
}
