//! Notes of sessions: any bytes are a note or none, and a state bears every note that it folds.
//!
//! Three bytes at a time an input changes the notes of a real session: which note, which of its
//! bytes, and to what. Cut at each byte 0x1e it is also a list of notes itself.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use lawbook_dialect::{Options, load};
use lawbook_engine::{Door, Engine, Note, State};
use lawbook_event::{
    Actor, Answer, Args, ArgsState, Call, Effect, End, Event, Ran, Seal, Severity, Start, Text,
    What,
};

use crate::Target;

pub(super) const TARGET: Target = Target { name: "notes", run, seeds: SEEDS, seed_files: &[] };

const SEEDS: &[&str] = &[
    "\u{1}\u{6}\u{2}\u{5}\u{20}\u{9}\u{7}\u{3}\u{1}",
    "\u{1}\u{3}\u{1}\u{1}\u{1}\u{1}\u{4}\u{1}\u{2}\0\u{11}\u{1}\u{1}\0\u{1}b\0\0\u{2}\u{1}",
    "\u{1}\u{4}\u{3}\u{3}pay\0\u{7}\u{1}\0\0\0\0\u{1e}\u{1}\u{6}\u{3}\0\0\0\0\0\u{1e}\u{1}\u{1}\0\u{1}\0\0\0\0\u{1e}\u{1}\0\0\0\0\0",
    "\u{1}\u{3}\u{1}\0\u{2}\0\0\u{1e}\u{1}\u{8}\u{1}\u{1}\0\u{3}\0\0\u{1e}\u{1}\u{9}\0\u{4}\u{1}\u{3}end\u{2}me\0",
];

/// One rule of every kind that remembers.
const POLICY: &str = "
lawbook: 1
default: allow
rules:
  - {id: first, require_before: {tools: [pay], first: [look], same_arg: to, latest: true, voided_by: [drop], result: [{path: s, equals: ok}]}}
  - {id: often, at_most: {tools: [pay, look], max: 1, per: to, window: 60s, successes: true}}
  - {id: turn, at_most: {tools: [pay], max: 1, per: turn}}
  - {id: same, arg_equals: {tools: [pay], arg: n, result: {tool: look, path: n, same_arg: to}}}
  - {id: words, verdict: ask, confirm: {tools: [pay], bind: [to], consent: ['\\byes\\b']}}
  - {id: by, confirm: {tools: [send], by: look, same_arg: to}}
  - {id: purse, budget: {credits: 90, costs: {pay: {arg: n}, "*": 1}, per: subject, subject: session.id}}
  - {id: marks, scars: {limit: 30}}
  - {id: rate, scar: minor, at_most: {max: 50, window: 60s, per: agent}}
  - {id: people, approval: {tools: [wire], people: 2, expires: 1h}}
  - {id: high, approval_above: {tools: [pay], arg: n, max: 1, by: ask, bind: [to]}}
";

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let loaded = load("policy", POLICY.as_bytes(), &Options::default());
    let policy = loaded.policy.expect("the policy of the target loads");
    Engine::new(vec![Arc::new(policy)], None)
});

/// The notes of a session in which every rule takes something, without a seal and with one.
static NOTES: LazyLock<[Vec<Vec<u8>>; 2]> = LazyLock::new(|| {
    let state = || State::new(&ENGINE, Door::Live);
    [noted(state()), noted(state().sealed(Arc::new(Folded)))]
});

/// A digest that is as good as a target needs.
struct Folded;

impl Seal for Folded {
    fn seal(&self, text: &str) -> [u8; 16] {
        let fold = |sum: u128, it: u8| sum.rotate_left(9) ^ u128::from(it);
        text.bytes().fold(0x1e, fold).to_be_bytes()
    }
}

fn noted(mut state: State) -> Vec<Vec<u8>> {
    let text = |text| Text { id: Cow::Borrowed("m"), text: Cow::Borrowed(text) };
    let answer = |step, text| {
        let answer = Answer { text: Cow::Borrowed(text), recorded: true, ..Answer::default() };
        What::Answer { step, answer }
    };
    let events = [
        What::Start(Start::default()),
        call(1, "look", "{\"to\": \"a\"}"),
        answer(1, "{\"s\": \"ok\", \"n\": 2}"),
        call(2, "ask", "{\"to\": \"a\", \"n\": 2}"),
        answer(2, "{\"decision\": \"approved\", \"max\": 2}"),
        What::Agent(text("Shall I pay 2 to a?")),
        What::User(text("yes, $2")),
        call(3, "pay", PAY),
        answer(3, "{}"),
        call(4, "look", "{\"to\": \"b\"}"),
        answer(4, "{\"s\": \"no\"}"),
        call(5, "drop", "{\"to\": \"a\"}"),
        answer(5, "{}"),
        call(6, "look", "{}"),
        call(7, "send", "{\"to\": \"a\"}"),
        rejection(7),
        call(8, "wire", PAY),
        What::Approval { step: 8, by: Cow::Borrowed("x") },
        What::Outcome {
            step: 1,
            effect: Effect::Failure,
            by: Actor::Agent,
            detail: Cow::Borrowed("x"),
        },
        What::Scar { severity: Severity::Severe, reason: Cow::Borrowed("x"), step: None },
        What::Terminate { reason: Cow::Borrowed("over"), by: Cow::Borrowed("x") },
    ];
    let mut notes = Vec::new();
    for (message, what) in (0..).zip(events) {
        let event = event(message, what);
        let judgement = ENGINE.judge(&state, &event);
        notes.push(ENGINE.advance_noting(&mut state, &event, &judgement).encode());
    }
    notes
}

fn rejection(step: u32) -> What<'static> {
    let (by, reason) = (Cow::Borrowed("x"), Cow::Borrowed(""));
    What::Rejection { step, by, reason, scar: Some(Severity::Moderate) }
}

/// The bytes as changes to notes, and as notes.
pub fn run(data: &[u8]) {
    for notes in &*NOTES {
        let mut notes = notes.clone();
        for change in data.chunks_exact(3).take(8) {
            let [note, place, byte] = [0, 1, 2].map(|it| change.get(it).copied().unwrap_or(0));
            let which = |number: u8, count| usize::from(number).checked_rem(count);
            let note = which(note, notes.len()).and_then(|it| notes.get_mut(it));
            let Some(note) = note else { continue };
            let place = which(place, note.len()).and_then(|it| note.get_mut(it));
            if let Some(place) = place {
                *place = byte;
            }
        }
        fold(notes.iter().map(Vec::as_slice));
    }
    fold(data.split(|it| *it == 0x1e).take(40));
}

fn fold<'n>(notes: impl Iterator<Item = &'n [u8]>) {
    let engine = &*ENGINE;
    let mut state = State::new(engine, Door::Live);
    for (step, bytes) in (100_u32..).zip(notes) {
        let Ok(note) = Note::decode(bytes) else { continue };
        assert_eq!(Note::decode(&note.encode()).as_ref(), Ok(&note), "a note comes back");
        let before = state.clone();
        if engine.fold(&mut state, &note).is_err() {
            let same = format!("{state:?}") == format!("{before:?}");
            assert!(same, "a note that is refused changes nothing");
        }
        for tool in ["pay", "send", "look"] {
            let _ = engine.judge(&state, &event(u64::from(step), call(step, tool, PAY)));
        }
    }
    let _ = engine.judge(&state, &event(0, What::End(End::default())));
}

const PAY: &str = "{\"to\": \"a\", \"n\": 2}";

fn event(message: u64, what: What<'static>) -> Event<'static> {
    Event { at: None, place: message, message, what }
}

fn call(step: u32, tool: &'static str, args: &'static str) -> What<'static> {
    What::Call(Call {
        step,
        step_id: Cow::Borrowed("c"),
        id: None,
        server: None,
        tool: Cow::Borrowed(tool),
        args: Args { text: Cow::Borrowed(args), state: ArgsState::Whole },
        hindsight: None,
        ran: Ran::Yes,
        confirmed: false,
        cwd: None,
        cost: None,
    })
}
