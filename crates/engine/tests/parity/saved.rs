//! A state that is written to bytes and read again before every event says what one says that is
//! not.

use std::sync::Arc;

use lawbook_engine::{Door, Engine, STATE_VERSION, State};
use lawbook_event::{Call, Event, Start, What};

use crate::notes::{changed, engine, live_events};
use crate::random::{Dice, Like};
use crate::session::{Hashed, Session};

const SEEDS: u64 = 150;

/// What lies apart from a state.
#[derive(Default)]
struct Apart {
    start: Option<Start<'static>>,
    calls: Vec<Call<'static>>,
}

impl Apart {
    fn take(&mut self, event: &Event<'static>) {
        match &event.what {
            What::Call(call) => self.calls.push(call.clone()),
            What::Start(start) => self.start = Some(start.clone()),
            _ => {}
        }
    }

    fn read(&self, engine: &Engine, bytes: &[u8], seal: bool) -> State {
        let state = engine.decode_state(bytes).unwrap();
        let mut state = if seal { state.sealed(Arc::new(Hashed)) } else { state };
        if let Some(start) = &self.start {
            state.restore_start(start);
        }
        for call in &self.calls {
            state.restore_call(call.step, call.clone());
        }
        state
    }
}

fn reading_again_changes_nothing(like: Like, seed: u64, seal: bool, hindsight: bool) -> usize {
    let mut dice = Dice::new(seed);
    let engine = engine(&mut dice, like);
    let (door, events) = match hindsight {
        true => (Door::Recorded, Session::random(&mut dice, false).events()),
        false => (Door::Live, live_events(&mut dice)),
    };
    let fresh = State::new(&engine, door);
    let mut state = if seal { fresh.sealed(Arc::new(Hashed)) } else { fresh };
    let mut read = state.clone();
    let mut apart = Apart::default();
    let mut longest = 0;
    for event in &events {
        let bytes = read.encode(&engine);
        assert_eq!(bytes, state.encode(&engine), "seed {seed}, {like:?}, {seal}");
        longest = longest.max(bytes.len());
        read = apart.read(&engine, &bytes, seal);
        assert_eq!(read.encode(&engine), bytes, "seed {seed}, {like:?}, {seal}");
        assert_eq!(read.standing(&engine), state.standing(&engine));
        let [wanted, got] = [&state, &read].map(|it| engine.judge(it, event));
        assert_eq!(format!("{got:?}"), format!("{wanted:?}"), "seed {seed}, {like:?}, {seal}");
        let wanted = engine.advance_noting(&mut state, event, &wanted);
        assert_eq!(engine.advance_noting(&mut read, event, &got), wanted, "seed {seed}, {like:?}");
        apart.take(event);
    }
    longest
}

#[test]
fn reading_a_state_again_before_every_event_changes_nothing() {
    let mut longest = 0;
    for like in [Like::Lawbook, Like::Faultgate, Like::Pmstack] {
        for seed in 0..SEEDS {
            for seal in [false, true] {
                for hindsight in [false, true] {
                    longest =
                        longest.max(reading_again_changes_nothing(like, seed, seal, hindsight));
                }
            }
        }
    }
    assert!(longest > 500, "states must remember something: {longest}");
}

/// Bytes that were changed are refused or are those of some other state, which can be judged on.
#[test]
fn changed_bytes_never_end_the_machine() {
    let (mut read, mut refused) = (0, 0);
    for seed in 0..4 * SEEDS {
        let mut dice = Dice::new(seed);
        let like = *dice.pick(&[Like::Lawbook, Like::Faultgate, Like::Pmstack]);
        let engine = engine(&mut dice, like);
        let mut state = State::new(&engine, Door::Live);
        for event in &live_events(&mut dice) {
            let bytes = changed(&mut dice, state.encode(&engine));
            match engine.decode_state(&bytes) {
                Ok(mut other) => {
                    read += 1;
                    engine.step(&mut other, event);
                }
                Err(_) => refused += 1,
            }
            engine.step(&mut state, event);
        }
    }
    assert!(read > 200 && refused > 2_000, "{read} {refused}");
}

#[test]
fn a_state_of_another_version_or_of_other_policies_is_refused() {
    let mut dice = Dice::new(3);
    let [one, other] = [(); 2].map(|()| engine(&mut dice, Like::Lawbook));
    let bytes = State::new(&one, Door::Live).encode(&one);
    assert!(one.decode_state(&bytes).is_ok() && other.decode_state(&bytes).is_err());
    for version in [0, STATE_VERSION + 1] {
        let later: Vec<u8> = [version].into_iter().chain(bytes[1..].iter().copied()).collect();
        assert!(one.decode_state(&later).is_err());
    }
    for end in 0..bytes.len() {
        assert!(one.decode_state(&bytes[..end]).is_err(), "{end}");
    }
    let more: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert!(one.decode_state(&more).is_err());
}
