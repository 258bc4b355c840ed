//! What is noted is enough: a state folded from notes says what the state says that saw the events,
//! a sealed state says what an unsealed one says, and a sealed note shows nothing.

use std::borrow::Cow;
use std::sync::Arc;

use lawbook_diag::{Finding, Unknown, Verdict};
use lawbook_engine::{Door, Engine, Judgement, Note, State, without_hindsight};
use lawbook_event::{Actor, Args, Call, Effect, Event, Path, Severity, Start, Text, What};
use lawbook_rule::kinds::{
    Approval, AtMost, Budget, Cost, Ends, LeavesOut, Per, Prices, Scars, WEIGHTS,
};
use lawbook_rule::{Asks, Body, Rule, Scope, SessionPath, Share, Tools};

use crate::random::{Dice, Like, rule, with_words};
use crate::session::{Hashed, Session};

const SEEDS: u64 = 1_000;

/// Parts of texts that stand in calls, results and words, and must stand nowhere else.
const SECRETS: [&str; 5] = ["Elm Street", "Street", "ann@example", "BW1042", "quietly"];

const PROPOSALS: [&str; 8] = [
    "Shall I send 1 to 12 Elm Street?",
    "Shall I send 2 to ann@example.com for BW1042?",
    "I quietly take 1,000 from it.",
    "I send 1 to ann@example.com now.",
    "Shall I?",
    "Now for 12 Elm Street: 0, 1 or 2?",
    "BW1042 costs $2.",
    "So I send it to 12 Elm Street then?",
];

const REPLIES: [&str; 6] =
    ["yes", "yes, but 2 dollars", "no", "yes, go on quietly", "wait", "yes, $1 is fine"];

/// What happens at a live door: the session's calls and answers, richer words, and what persons say
/// to calls that wait.
pub fn live_events(dice: &mut Dice) -> Vec<Event<'static>> {
    let mut events = Vec::new();
    let metadata = Cow::Borrowed("{\"place\": \"12 Elm Street\"}");
    for event in Session::random(dice, false).events() {
        let event = with_more(dice, without_hindsight(&event));
        let step = match &event.what {
            What::Call(call) => Some(call.step),
            _ => None,
        };
        let said = |what| Event { what, at: event.at, ..event.clone() };
        let by = Cow::Borrowed("a person");
        let reason = Cow::Borrowed("quietly");
        let answer = step.and_then(|step| match dice.below(10) {
            0..4 => Some(said(What::Approval { step, by })),
            4 => Some(said(What::Rejection { step, by, reason, scar: None })),
            5 => Some(said(What::Approval { step: step + 1, by })),
            _ => None,
        });
        let of_life = step.and_then(|step| of_life(dice, step)).map(said);
        events.push(match event.what {
            What::Start(start) => {
                let start = Start { metadata: metadata.clone(), ..start };
                Event { what: What::Start(start), ..event }
            }
            _ => event,
        });
        events.extend(answer);
        events.extend(of_life);
    }
    events
}

/// What happens to the agent beside its calls.
fn of_life(dice: &mut Dice, step: u32) -> Option<What<'static>> {
    let quietly = || Cow::Borrowed("quietly");
    let second = || Cow::Borrowed("another person");
    Some(match dice.below(24) {
        0..4 => {
            let effect = *dice.pick(&[Effect::Success, Effect::Failure, Effect::Harmful]);
            let by = *dice.pick(&[Actor::Agent, Actor::Operator]);
            let step = step.saturating_sub(u32::try_from(dice.below(3)).unwrap());
            What::Outcome { step, effect, by, detail: quietly() }
        }
        4 => What::Scar { severity: *dice.pick(&MARKS), reason: quietly(), step: None },
        5 => What::Rejection { step, by: second(), reason: quietly(), scar: Some(MARKS[0]) },
        6..9 => What::Approval { step, by: second() },
        9 if dice.chance(10) => What::Terminate { reason: Cow::Borrowed("over"), by: second() },
        _ => return None,
    })
}

const MARKS: [Severity; 3] = [Severity::Minor, Severity::Moderate, Severity::Severe];

/// Rules on the life of an agent.
fn of_agents(dice: &mut Dice, like: Like) -> Vec<Box<dyn Body>> {
    let mut share = || match dice.below(3) {
        0 => Share::Agent,
        1 => Share::Session,
        _ => Share::Subject(SessionPath::parse("session.metadata.place")),
    };
    let (of_budget, of_scars) = (share(), share());
    let mut prices = Prices::otherwise(dice.below(2));
    prices.list("a", Cost::Fixed(2));
    prices.list("b", Cost::Arg(Path::parse("n")));
    let ends = *dice.pick(&[Ends::AtZero, Ends::ByPrice]);
    let credits = 4 + dice.below(12);
    let budget = Budget { tools: Tools::Every, credits, per: of_budget, prices, ends };
    let limit = 2 + u32::try_from(dice.below(30)).unwrap();
    let scars = Scars { tools: Tools::Every, limit, weights: WEIGHTS, per: of_scars };
    let cap = AtMost {
        tools: Tools::Every,
        max: 3.0,
        max_text: "3".to_owned(),
        per: dice.pick(&[Per::Session, Per::Tool]).clone(),
        exact: true,
        window_secs: Some(6.0),
        leaves_out: LeavesOut::Nothing,
        closes: false,
        scope: Scope::Agent,
        front_only: dice.chance(50),
    };
    let people = 1 + u32::from(dice.chance(50));
    let waiting_max = dice.chance(30).then_some(2);
    let asks = Asks { people, expires_secs: Some(5.0), waiting_max };
    let approval = Approval { tools: Tools::literal(["c"]), above: Vec::new(), asks };
    let rules: [Box<dyn Body>; 4] =
        [Box::new(budget), Box::new(scars), Box::new(cap), Box::new(approval)];
    // The sets of the other systems know nothing of lives.
    rules.into_iter().filter(|_| like == Like::Lawbook && dice.chance(60)).collect()
}

fn with_more(dice: &mut Dice, event: Event<'static>) -> Event<'static> {
    let words = |dice: &mut Dice, all: &[&'static str]| Text {
        id: Cow::Borrowed("m"),
        text: Cow::Borrowed(*dice.pick(all)),
    };
    let what = match event.what {
        What::Agent(_) => What::Agent(words(dice, &PROPOSALS)),
        What::User(_) => What::User(words(dice, &REPLIES)),
        What::Call(call) => {
            let to = *dice.pick(&["12 Elm Street", "ann@example.com", "BW1042", "A-1"]);
            let whose = *dice.pick(&["ann@example.com", "ben"]);
            let text = call.args.text.trim_end_matches('}');
            let text = format!("{text}, \"to\": \"{to}\", \"customer_id\": \"{whose}\"}}");
            let args = Args { text: Cow::Owned(text), ..call.args };
            What::Call(Call { args, ..call })
        }
        other => other,
    };
    Event { what, ..event }
}

pub fn engine(dice: &mut Dice, like: Like) -> Engine {
    let mut policy = with_words(dice, like);
    for rule in &mut policy.rules {
        rule.scar = dice.chance(30).then(|| *dice.pick(&MARKS));
    }
    for body in of_agents(dice, like) {
        let verdict = if body.name() == "approval" { Verdict::Ask } else { Verdict::Deny };
        policy.rules.push(Rule { verdict, ..rule(policy.rules.len(), body) });
    }
    Engine::new(vec![policy.into()], None)
}

fn sealed(engine: &Engine, door: Door) -> State {
    State::new(engine, door).sealed(Arc::new(Hashed))
}

/// All that is said, but the words.
fn wordless(judgement: &Judgement) -> (Vec<Finding>, Vec<Unknown>, Verdict) {
    let found = judgement.held.iter();
    let found = found.map(|it| Finding { message: String::new(), ..it.finding.clone() });
    (found.collect(), judgement.unknowns.clone(), judgement.verdict)
}

#[test]
fn a_sealed_session_is_judged_as_one_that_is_not() {
    let (mut spoken, mut other_words) = (0, 0);
    for like in [Like::Lawbook, Like::Faultgate, Like::Pmstack] {
        for seed in 0..SEEDS / 2 {
            let mut dice = Dice::new(seed);
            let engine = engine(&mut dice, like);
            let events = live_events(&mut dice);
            let mut plain = State::new(&engine, Door::Live);
            let mut sealed = sealed(&engine, Door::Live);
            for event in &events {
                let said = [engine.step(&mut plain, event), engine.step(&mut sealed, event)];
                let [wanted, got] = said.each_ref().map(wordless);
                assert_eq!(got, wanted, "seed {seed}, {like:?}\n{events:#?}");
                spoken += usize::from(!wanted.0.is_empty());
                let [plain, sealed] = &said;
                for (plain, sealed) in plain.held.iter().zip(&sealed.held) {
                    let kind = plain.finding.kind;
                    let same = plain.finding.message == sealed.finding.message;
                    assert!(same || kind == "require_before", "{kind}: {}", plain.finding.message);
                    other_words += usize::from(!same);
                }
            }
        }
    }
    assert!(spoken > 5_000 && other_words > 50, "{spoken} {other_words}");
}

/// A session that is taken up again before every event.
struct Resumed<'e> {
    engine: &'e Engine,
    door: Door,
    seal: bool,
    /// Whether what lies apart is there.
    apart: bool,
    notes: Vec<Vec<u8>>,
    calls: Vec<Call<'static>>,
    start: Start<'static>,
}

impl Resumed<'_> {
    fn state(&self) -> State {
        let fresh = State::new(self.engine, self.door);
        let mut state = if self.seal { fresh.sealed(Arc::new(Hashed)) } else { fresh };
        for note in &self.notes {
            let note = Note::decode(note).unwrap();
            self.engine.fold(&mut state, &note).unwrap();
        }
        if !self.notes.is_empty() {
            state.restore_start(&self.start);
        }
        for call in self.calls.iter().filter(|_| self.apart) {
            state.restore_call(call.step, call.clone());
        }
        state
    }
}

fn folding_changes_nothing(
    like: Like,
    seed: u64,
    seal: bool,
    apart: bool,
    hindsight: bool,
) -> usize {
    let mut dice = Dice::new(seed);
    let engine = engine(&mut dice, like);
    let (door, events) = match hindsight {
        true => (Door::Recorded, Session::random(&mut dice, false).events()),
        false => (Door::Live, live_events(&mut dice)),
    };
    let (notes, calls, start) = (Vec::new(), Vec::new(), Start::default());
    let mut resumed = Resumed { engine: &engine, door, seal, apart, notes, calls, start };
    let mut state = resumed.state();
    let mut held = 0;
    for event in &events {
        let folded = resumed.state();
        assert_eq!(format!("{folded:?}"), format!("{state:?}"), "seed {seed}, {like:?}, {seal}");
        let judgement = engine.judge(&state, event);
        let again = engine.judge(&folded, event);
        assert_eq!(format!("{again:?}"), format!("{judgement:?}"), "seed {seed}, {like:?}, {seal}");
        let note = engine.advance_noting(&mut state, event, &judgement);
        assert_eq!(Note::decode(&note.encode()).as_ref(), Ok(&note));
        resumed.notes.push(note.encode());
        match &event.what {
            What::Call(call) => {
                resumed.calls.push(call.clone());
                if !apart {
                    held += usize::from(state.forget_call(call.step));
                }
            }
            What::Start(start) => resumed.start = start.clone(),
            _ => {}
        }
    }
    if seal {
        shows_nothing(&resumed.notes, seed);
    }
    held
}

fn shows_nothing(notes: &[Vec<u8>], seed: u64) {
    for note in notes {
        for secret in SECRETS {
            let shown = note.windows(secret.len()).any(|it| it == secret.as_bytes());
            assert!(!shown, "seed {seed}: `{secret}` in {note:?}");
        }
    }
}

#[test]
fn folding_the_notes_before_every_event_changes_nothing() {
    for like in [Like::Lawbook, Like::Faultgate, Like::Pmstack] {
        for seed in 0..SEEDS / 20 {
            for seal in [false, true] {
                folding_changes_nothing(like, seed, seal, true, false);
                folding_changes_nothing(like, seed, seal, true, true);
            }
        }
    }
}

#[test]
fn a_call_that_was_forgotten_stands_as_one_that_is_folded_without_its_arguments() {
    let mut held = 0;
    for seed in 0..SEEDS / 5 {
        held += folding_changes_nothing(Like::Lawbook, seed, true, false, false);
    }
    assert!(held > 500, "calls must be held: {held}");
}

/// What a state remembers under a seal shows no text of others, once what lies apart is gone.
#[test]
fn a_sealed_memory_shows_nothing() {
    let mut remembered = 0;
    for seed in 0..SEEDS / 5 {
        let mut dice = Dice::new(seed);
        let engine = engine(&mut dice, Like::Lawbook);
        let mut state = sealed(&engine, Door::Live);
        for event in live_events(&mut dice) {
            engine.step(&mut state, &event);
        }
        state.restore_start(&Start::default());
        for (step, _) in state.held_calls().collect::<Vec<_>>() {
            assert!(state.forget_call(step));
        }
        let shown = format!("{state:?}");
        remembered += usize::from(shown.contains("Digest(["));
        for secret in SECRETS {
            assert!(!shown.contains(secret), "seed {seed}: `{secret}` in {shown}");
        }
    }
    assert!(remembered > 100, "{remembered}");
}

/// Until it is given back, nobody can say what rules on the session rest on.
#[test]
fn a_session_whose_beginning_is_gone_lets_no_call_through() {
    let mut dice = Dice::new(1);
    let engine = Engine::new(vec![with_words(&mut dice, Like::Lawbook).into()], None);
    let events = live_events(&mut dice);
    let mut state = State::new(&engine, Door::Live);
    let mut folded = state.clone();
    for event in &events {
        let judgement = engine.judge(&state, event);
        let again = engine.judge(&folded, event);
        if let What::Call(call) = &event.what {
            let gap = again.unknowns.iter().find(|it| it.missing == "session").unwrap();
            assert_eq!((again.verdict, gap.step), (Verdict::Deny, Some(call.step)));
        }
        let note = engine.advance_noting(&mut state, event, &judgement);
        engine.fold(&mut folded, &note).unwrap();
    }
}

/// A note whose bytes were changed is refused, or changes a state as some other note would.
#[test]
fn changed_bytes_never_end_the_machine() {
    let (mut read, mut folded, mut refused) = (0, 0, 0);
    for seed in 0..SEEDS / 2 {
        let mut dice = Dice::new(seed);
        let like = *dice.pick(&[Like::Lawbook, Like::Pmstack]);
        let engine = engine(&mut dice, like);
        let events = live_events(&mut dice);
        let mut state = State::new(&engine, Door::Live);
        let mut other = state.clone();
        for event in &events {
            let judgement = engine.judge(&state, event);
            let note = engine.advance_noting(&mut state, event, &judgement).encode();
            let _ = engine.judge(&other, event);
            let Ok(note) = Note::decode(&changed(&mut dice, note)) else { continue };
            read += 1;
            let before = format!("{other:?}");
            match engine.fold(&mut other, &note) {
                Ok(()) => folded += 1,
                Err(_) => {
                    refused += 1;
                    assert_eq!(format!("{other:?}"), before, "seed {seed}");
                }
            }
        }
    }
    assert!(read > 1_000 && folded > 500 && refused > 100, "{read} {folded} {refused}");
}

pub fn changed(dice: &mut Dice, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=dice.below(2) {
        let at = usize::try_from(dice.below(bytes.len() as u64 + 1)).unwrap();
        let byte = u8::try_from(dice.below(256)).unwrap();
        match dice.below(4) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes.insert(at, byte),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            _ if at < bytes.len() => bytes[at] ^= 1 << (byte % 8),
            _ => bytes.push(byte),
        }
    }
    bytes
}

#[test]
fn random_bytes_are_no_note() {
    for seed in 0..20 * SEEDS {
        let mut dice = Dice::new(seed);
        let bytes = (0..dice.below(40)).map(|_| u8::try_from(dice.below(256)).unwrap());
        let bytes: Vec<u8> = [1].into_iter().chain(bytes).collect();
        if let Ok(note) = Note::decode(&bytes) {
            assert_eq!(Note::decode(&note.encode()), Ok(note));
        }
    }
    for version in [0, 2, 255] {
        let note = Note::default().encode();
        let other: Vec<u8> = [version].into_iter().chain(note.into_iter().skip(1)).collect();
        assert!(Note::decode(&other).is_err());
    }
}
