//! A recording of which something was cut away: what was refused is refused or unknown, and never
//! passes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_engine::{Engine, Ruled, recorded};
use lawbook_event::{Answer, Args, ArgsState, Call, Event, Hindsight, What};

use crate::random::{Dice, Like, policy};
use crate::session::Session;

const SEEDS: u64 = 1_500;

/// What is cut out of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    /// The arguments of a call are not recorded.
    Arguments,
    /// Of the arguments of a call the first half is recorded.
    HalfOfArguments,
    /// A result is not recorded.
    Result,
    /// All after an event is gone.
    Tail,
}

const CUTS: [Cut; 4] = [Cut::Arguments, Cut::HalfOfArguments, Cut::Result, Cut::Tail];

fn unrecorded() -> Answer<'static> {
    Answer::default()
}

fn cut<'e>(events: &[Event<'e>], what: Cut, dice: &mut Dice) -> Vec<Event<'e>> {
    let mut events = events.to_vec();
    let calls = events.iter().filter(|it| matches!(it.what, What::Call(_))).count();
    let wanted = u32::try_from(1 + dice.below(u64::try_from(calls).unwrap())).unwrap();
    if what == Cut::Tail {
        let is_wanted =
            |it: &Event<'_>| matches!(&it.what, What::Call(call) if call.step == wanted);
        let place = events.iter().position(is_wanted).unwrap();
        events.truncate(place + 1);
        forget_what_is_gone(&mut events);
        return events;
    }
    for event in &mut events {
        match &mut event.what {
            What::Call(call) if call.step == wanted => cut_call(call, what),
            What::Answer { step, answer } if *step == wanted && what == Cut::Result => {
                *answer = unrecorded();
            }
            _ => {}
        }
    }
    events
}

fn cut_call(call: &mut Call<'_>, what: Cut) {
    match what {
        Cut::Arguments => {
            call.args = Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded };
        }
        Cut::HalfOfArguments => {
            let half = call.args.text.chars().count() / 2;
            let half: String = call.args.text.chars().take(half).collect();
            call.args = Args { text: Cow::Owned(half), state: ArgsState::Cut };
        }
        Cut::Result => {
            if let Some(Hindsight::Answered(answer)) = &mut call.hindsight {
                *answer = unrecorded();
            }
        }
        Cut::Tail => {}
    }
}

fn forget_what_is_gone(events: &mut [Event<'_>]) {
    let answered: BTreeSet<u32> = events
        .iter()
        .filter_map(|it| match &it.what {
            What::Answer { step, .. } => Some(*step),
            _ => None,
        })
        .collect();
    for event in events {
        if let What::Call(call) = &mut event.what
            && !answered.contains(&call.step)
        {
            call.hindsight = Some(Hindsight::Unanswered);
        }
    }
}

/// What each rule says of each call: that it is refused, or that it can't be told.
fn said(engine: &Engine, events: &[Event<'_>]) -> BTreeMap<(u32, String), Ruled> {
    let mut said = BTreeMap::new();
    for ruling in recorded(engine, events) {
        let Some(step) = ruling.step else { continue };
        for it in &ruling.unknowns {
            said.insert((step, it.rule.to_string()), Ruled::Unknown);
        }
        for it in &ruling.findings {
            said.insert((step, it.rule.to_string()), Ruled::Deny);
        }
    }
    said
}

#[test]
fn what_is_cut_away_never_lets_a_refused_call_pass() {
    let mut seen: BTreeMap<(Cut, Ruled), u32> = BTreeMap::new();
    for seed in 0..SEEDS {
        let mut dice = Dice::new(seed);
        let engine = Engine::new(vec![policy(&mut dice, Like::Lawbook).into()], None);
        let events = Session::random(&mut dice, false).events();
        let whole = said(&engine, &events);
        for what in CUTS {
            let less = cut(&events, what, &mut dice);
            let left = said(&engine, &less);
            let last = less.iter().rev().find_map(|it| match &it.what {
                What::Call(call) => Some(call.step),
                _ => None,
            });
            let refused = whole.iter().filter(|it| *it.1 == Ruled::Deny);
            for (key, _) in refused.filter(|it| last.is_some_and(|last| it.0.0 <= last)) {
                let now = left.get(key).copied().unwrap_or_default();
                assert_ne!(now, Ruled::Allow, "seed {seed}, {what:?}, {key:?}\n{less:#?}");
                *seen.entry((what, now)).or_default() += 1;
            }
        }
    }
    for what in CUTS {
        assert!(seen.get(&(what, Ruled::Deny)).is_some_and(|it| *it > 100), "{seen:?}");
        let unknown = seen.get(&(what, Ruled::Unknown)).is_some_and(|it| *it > 10);
        assert!(unknown || what == Cut::Tail, "{seen:?}");
    }
}
