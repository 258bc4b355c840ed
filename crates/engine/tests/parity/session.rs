//! Random sessions: calls in messages, the user's words between them, and answers that come at once,
//! later, in another turn or never.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher};

use lawbook_event::{
    Answer, Args, Call, End, Event, Hindsight, Ran, Seal, Start, Text, Time, What,
};

use crate::random::Dice;

#[derive(Clone, Debug)]
pub struct Made {
    pub step: u32,
    pub message: u64,
    /// How often the user has spoken.
    pub turn: u64,
    pub tool: &'static str,
    /// What the agent says before it, and whether in its message.
    pub said: Option<(&'static str, bool)>,
    pub key: Option<&'static str>,
    pub n: u64,
    /// What comes back and after how many further calls; nothing if it never does.
    pub answer: Option<(Back, usize)>,
}

#[derive(Clone, Debug)]
pub struct Back {
    text: String,
    pub ok: bool,
    pub says_ok: bool,
    /// What it says to somebody who asked for an approval.
    pub decision: &'static str,
    pub n: Option<u64>,
    recorded: bool,
}

/// A random session.
#[derive(Clone, Debug)]
pub struct Session {
    pub calls: Vec<Made>,
}

impl Session {
    /// `at_once` makes every answer recorded or absent, which is all that the naive reading knows.
    pub fn random(dice: &mut Dice, at_once: bool) -> Self {
        let n = 3 + dice.below(14);
        let (mut message, mut turn) = (0, 0);
        let calls = (0..n)
            .map(|place| {
                if place == 0 || dice.chance(70) {
                    message += 1;
                    turn += u64::from(dice.chance(30));
                }
                let recorded = at_once || dice.chance(90);
                let answer = dice.chance(85).then(|| {
                    let later = if dice.chance(60) { 0 } else { dice.below(4) };
                    (back(dice, recorded), usize::try_from(later).unwrap())
                });
                Made {
                    step: u32::try_from(place + 1).unwrap(),
                    message,
                    turn,
                    tool: dice.tool(),
                    said: dice
                        .chance(25)
                        .then(|| (*dice.pick(&["Shall I?", "I do this now."]), dice.chance(50))),
                    key: *dice.pick(&[Some("\"x\""), Some("1"), Some("\"x\""), Some("1.0"), None]),
                    n: dice.below(3),
                    answer,
                }
            })
            .collect();
        Session { calls }
    }

    /// The order of things: calls by index, and each answer after the call that it waits for.
    pub fn order(&self) -> Vec<(usize, bool)> {
        let mut order = Vec::new();
        for (place, _) in self.calls.iter().enumerate() {
            order.push((place, false));
            for (asked, call) in self.calls.iter().enumerate().take(place + 1) {
                if call.answer.as_ref().is_some_and(|(_, later)| asked + later == place) {
                    order.push((asked, true));
                }
            }
        }
        order
    }

    pub fn events(&self) -> Vec<Event<'static>> {
        let mut events = vec![event(0, 0, What::Start(Start::default()))];
        let order = self.order();
        let answered: BTreeSet<usize> =
            order.iter().filter(|it| it.1).map(|(place, _)| *place).collect();
        let mut turn = 0;
        for (place, answers) in order {
            let made = &self.calls[place];
            if !answers && made.turn > turn {
                turn = made.turn;
                let words = if made.n == 1 { "go on" } else { "yes, go on" };
                let text = Text { id: Cow::Borrowed("m"), text: Cow::Borrowed(words) };
                events.push(event(i64::from(made.step), made.message + 2_000, What::User(text)));
            }
            let at = i64::from(made.step);
            if let Some((words, beside)) = made.said.filter(|_| !answers) {
                let text = Text { id: Cow::Borrowed("m"), text: Cow::Borrowed(words) };
                let message = made.message + if beside { 0 } else { 3_000 };
                events.push(event(at, message, What::Agent(text)));
            }
            events.push(if answers {
                let answer = answer(made.answer.as_ref().map(|it| &it.0).unwrap());
                event(at, made.message + 1_000, What::Answer { step: made.step, answer })
            } else {
                event(at, made.message, What::Call(call(made, answered.contains(&place))))
            });
        }
        events.push(event(100, 9_999, What::End(End::default())));
        events
    }

    pub fn place_of(&self, events: &[Event<'_>], wanted: u32) -> usize {
        events
            .iter()
            .position(|it| matches!(&it.what, What::Call(call) if call.step == wanted))
            .unwrap()
    }
}

fn back(dice: &mut Dice, recorded: bool) -> Back {
    let (ok, says_ok, n) = (dice.chance(75), dice.chance(60), dice.below(3));
    let decision = *dice.pick(&["approved", "approved", "denied", "pending"]);
    let text = if ok {
        let word = if says_ok { "ok" } else { "no" };
        format!("{{\"s\": \"{word}\", \"n\": {n}, \"decision\": \"{decision}\"}}")
    } else {
        "{\"error\": \"broken\"}".to_owned()
    };
    let text = if recorded { text } else { String::new() };
    Back { text, ok, says_ok: ok && says_ok, decision, n: ok.then_some(n), recorded }
}

fn answer(back: &Back) -> Answer<'static> {
    Answer { text: Cow::Owned(back.text.clone()), recorded: back.recorded, ..Answer::default() }
}

fn call(made: &Made, answered: bool) -> Call<'static> {
    let key = made.key.map(|it| format!("\"k\": {it}, ")).unwrap_or_default();
    let hindsight = match &made.answer {
        Some((back, _)) if answered => Hindsight::Answered(answer(back)),
        _ => Hindsight::Unanswered,
    };
    Call {
        step: made.step,
        step_id: Cow::Owned(format!("c{}", made.step)),
        id: None,
        server: None,
        tool: Cow::Borrowed(made.tool),
        args: Args { text: Cow::Owned(format!("{{{key}\"n\": {}}}", made.n)), ..Args::default() },
        hindsight: Some(hindsight),
        ran: Ran::Yes,
        confirmed: false,
        cwd: None,
        cost: None,
    }
}

fn event(secs: i64, message: u64, what: What<'static>) -> Event<'static> {
    let at = Some(Time { nanos: secs * 1_000_000_000 });
    Event { at, place: message, message, what }
}

/// A seal for tests: a hash without a secret.
pub struct Hashed;

impl Seal for Hashed {
    fn seal(&self, text: &str) -> [u8; 16] {
        let mut digest = [0; 16];
        for (half, bytes) in digest.chunks_mut(8).enumerate() {
            let mut hasher = DefaultHasher::new();
            hasher.write_usize(half);
            hasher.write(text.as_bytes());
            bytes.copy_from_slice(&hasher.finish().to_be_bytes());
        }
        digest
    }
}
