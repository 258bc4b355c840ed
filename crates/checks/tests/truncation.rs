//! Runs of which something was cut away: a check that found something finds it still, or can't
//! tell, and never calls the run clean.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_checks::{CHECKS, Given, Golden, Group, Outcomes, Run, Told};
use lawbook_event::{
    Answer, Args, ArgsState, Call, End, Event, Hindsight, Ran, Speaker, Start, Text, TurnEnd, What,
};

const SEEDS: u64 = 6_000;

/// A small generator of numbers (xorshift64*), so that a seed is a whole test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).unwrap()]
    }
}

/// What is cut out of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    Arguments,
    HalfOfArguments,
    Result,
    HalfOfResult,
    Prompt,
    HalfOfPrompt,
    Answer,
    HalfOfAnswer,
    /// What the recorder says of the session and of its turns.
    Attributes,
    Tail,
}

const CUTS: [Cut; 10] = [
    Cut::Arguments,
    Cut::HalfOfArguments,
    Cut::Result,
    Cut::HalfOfResult,
    Cut::Prompt,
    Cut::HalfOfPrompt,
    Cut::Answer,
    Cut::HalfOfAnswer,
    Cut::Attributes,
    Cut::Tail,
];

const SCENARIOS: [&str; 5] = [
    "",
    "{\"faultgate.scenario\": \"refund\"}",
    "{\"faultgate.scenario\": \"track\"}",
    "{\"gen_ai.agent.id\": \"track\"}",
    "{\"user.id\": \"u\"}",
];
const PROMPTS: [&str; 3] = ["where is it", "pay it back", ""];
const ANSWERS: [&str; 7] = [
    "",
    "",
    "I could not find it",
    "It is INV-42",
    "It is INV 7, I think",
    "done",
    "the order was not found anywhere",
];
const RESULTS: [&str; 7] = [
    "[]",
    "[]",
    "{\"count\": 0}",
    "ok",
    "{\"error\": \"broken\"}",
    "Error: prompt is too long",
    "{\"rows\": [], \"exit_code\": 3}",
];

fn event(what: What<'static>) -> Event<'static> {
    Event { at: None, place: 0, message: 0, what }
}

fn text(words: &str) -> Text<'static> {
    Text { id: Cow::Borrowed("m0"), text: Cow::Owned(words.to_owned()) }
}

fn run(dice: &mut Dice) -> Vec<Event<'static>> {
    let attributes = Cow::Borrowed(dice.pick(&SCENARIOS));
    let mut events = vec![event(What::Start(Start { attributes, ..Start::default() }))];
    for words in [dice.pick(&PROMPTS), dice.pick(&PROMPTS)].into_iter().filter(|it| !it.is_empty())
    {
        events.push(event(What::User(text(words))));
    }
    let calls = dice.pick(&[0, 2, 4, 12, 14]);
    let monotone = dice.chance(50).then(|| dice.pick(&RESULTS));
    let mut turns = Vec::new();
    for step in 1..=calls {
        let result = monotone.unwrap_or_else(|| dice.pick(&RESULTS));
        let answer = Answer { text: result.into(), recorded: true, ..Answer::default() };
        let args = dice.pick(&["{\"q\": 1}", "{\"q\": 1}", "{\"q\": 2}", "plain words"]);
        let call = Call {
            step,
            step_id: Cow::Owned(format!("c{step}")),
            id: None,
            server: None,
            tool: Cow::Borrowed(dice.pick(&["seek", "seek", "pay"])),
            args: Args { text: Cow::Borrowed(args), state: ArgsState::Whole },
            hindsight: Some(Hindsight::Answered(answer.clone())),
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: None,
        };
        events.push(event(What::Call(call)));
        events.push(event(What::Answer { step, answer }));
        turns.push(turn(dice, step));
    }
    let end = End {
        answer: Cow::Borrowed(dice.pick(&ANSWERS)),
        termination: Cow::Borrowed(dice.pick(&["", "", "step cap", "token limit reached"])),
        turns,
        ..End::default()
    };
    events.push(event(What::End(end)));
    events
}

fn turn(dice: &mut Dice, step: u32) -> TurnEnd<'static> {
    let steps = if dice.chance(50) { vec![step] } else { Vec::new() };
    match dice.below(40) {
        0 => TurnEnd { finish: vec!["length".into()], steps, ..TurnEnd::default() },
        1 => TurnEnd { error: Some("status error".into()), steps, ..TurnEnd::default() },
        _ => TurnEnd { steps, ..TurnEnd::default() },
    }
}

fn half(text: &str) -> Cow<'static, str> {
    Cow::Owned(text.chars().take(text.chars().count() / 2).collect())
}

fn cut(events: &[Event<'static>], what: Cut, dice: &mut Dice) -> Vec<Event<'static>> {
    let mut events = events.to_vec();
    let calls = events.iter().filter(|it| matches!(it.what, What::Call(_))).count();
    let wanted = u32::try_from(1 + dice.below(1.max(calls as u64))).unwrap();
    if what == Cut::Tail {
        events.truncate(usize::try_from(dice.below(events.len() as u64)).unwrap());
        forget_what_is_gone(&mut events);
    }
    for it in &mut events {
        let user = matches!(it.what, What::User(_));
        match &mut it.what {
            What::Start(start) if what == Cut::Attributes => {
                (start.attributes, start.dropped) = (Cow::Borrowed(""), true);
            }
            What::User(said) if matches!(what, Cut::Prompt | Cut::HalfOfPrompt) => {
                let left = if what == Cut::Prompt { "".into() } else { half(&said.text) };
                let left = Text { id: said.id.clone(), text: left };
                it.what = What::Unheard { who: Speaker::User, left };
            }
            What::Call(call) if call.step == wanted => cut_call(call, what),
            What::Answer { step, answer } if *step == wanted => cut_answer(answer, what),
            What::End(end) => cut_end(end, what),
            _ => {}
        }
        // One message is cut; what follows it is whole.
        if user && matches!(what, Cut::Prompt | Cut::HalfOfPrompt) {
            break;
        }
    }
    events
}

fn cut_call(call: &mut Call<'static>, what: Cut) {
    match what {
        Cut::Arguments => call.args = Args { text: "".into(), state: ArgsState::Unrecorded },
        Cut::HalfOfArguments => {
            call.args = Args { text: half(&call.args.text), state: ArgsState::Cut };
        }
        _ => {}
    }
    if let Some(Hindsight::Answered(answer)) = &mut call.hindsight {
        cut_answer(answer, what);
    }
}

fn cut_answer(answer: &mut Answer<'static>, what: Cut) {
    match what {
        Cut::Result => *answer = Answer::default(),
        Cut::HalfOfResult => {
            *answer = Answer { text: half(&answer.text), recorded: false, ..Answer::default() };
        }
        _ => {}
    }
}

fn cut_end(end: &mut End<'static>, what: Cut) {
    match what {
        Cut::Answer => (end.answer, end.answer_cut) = (Cow::Borrowed(""), true),
        Cut::HalfOfAnswer => (end.answer, end.answer_cut) = (half(&end.answer), true),
        Cut::Attributes => {
            end.termination = Cow::Borrowed("");
            end.turns.clear();
        }
        _ => {}
    }
}

fn forget_what_is_gone(events: &mut [Event<'static>]) {
    let answers = events.iter().filter_map(|it| match &it.what {
        What::Answer { step, .. } => Some(*step),
        _ => None,
    });
    let answered: BTreeSet<u32> = answers.collect();
    for event in events {
        if let What::Call(call) = &mut event.what
            && !answered.contains(&call.step)
        {
            call.hindsight = Some(Hindsight::Unanswered);
        }
    }
}

#[test]
fn what_is_cut_away_never_makes_a_finding_a_clean_run() {
    let golden =
        r#"{"refund": "INV-42", "track": "done", "where is it": "INV 7", "pay it back": "not"}"#;
    let golden = Golden::parse("golden", golden).unwrap();
    let outcomes = r#"{"refund": false, "track": true, "where is it": true, "pay it back": false}"#;
    let outcomes = Outcomes::parse("outcomes", outcomes).unwrap();
    let given = Given { golden: Some(&golden), outcomes: Some(&outcomes), judged: None };
    let checks = || CHECKS.iter().filter(|it| it.group() != Group::Judge);
    let (mut stayed, mut unknown) = (BTreeMap::new(), BTreeMap::new());
    let mut wrong = Vec::new();
    for seed in 0..SEEDS {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let events = run(&mut dice);
        let whole = Run::of(&events);
        let found: Vec<_> = checks()
            .filter(|it| it.of(&whole, &given).is_some_and(|told: Told| told.detected))
            .collect();
        for what in CUTS {
            let less = cut(&events, what, &mut dice);
            let less = Run::of(&less);
            for check in &found {
                let told = check.of(&less, &given).unwrap();
                if told.detected {
                    *stayed.entry(check.name()).or_insert(0) += 1;
                } else if told.is_unknown() {
                    *unknown.entry(check.name()).or_insert(0) += 1;
                } else {
                    wrong.push(format!("seed {seed}, {what:?}, {}: {told:?}", check.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} findings became clean\n{}", wrong.len(), wrong.join("\n"));
    for check in checks() {
        let times = |of: &BTreeMap<&str, u32>| of.get(check.name()).copied().unwrap_or_default();
        assert!(times(&stayed) > 100, "{} stayed {}", check.name(), times(&stayed));
        assert!(times(&unknown) > 20, "{} unknown {}", check.name(), times(&unknown));
    }
}
