//! A recording of which something was cut away: what was refused is refused or unknown, and never
//! passes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_engine::{Engine, Ruled, check, recorded};
use lawbook_event::{
    Answer, Args, ArgsState, Call, Event, Hindsight, Path, Speaker, Start, Text, What,
};
use lawbook_rule::kinds::{ArgEquals, PathWithin, Source};
use lawbook_rule::{
    Argument, Body, Comparison, Condition, ConditionStep, Literal, Operand, Operator, Pick, Place,
    Policy, SessionPath, Tools,
};

use crate::random::{Dice, Like, rule, with_words};
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
    /// Of a result the first half is recorded.
    HalfOfResult,
    /// Words of somebody are not recorded.
    Words,
    /// Of words of somebody the first half is recorded.
    HalfOfWords,
    /// Nothing that anybody said is recorded.
    AllWords,
    /// What the session says of itself is not recorded.
    Attributes,
    /// The time of a call is not recorded.
    Time,
    /// All after an event is gone.
    Tail,
}

const CUTS: [Cut; 10] = [
    Cut::Arguments,
    Cut::HalfOfArguments,
    Cut::Result,
    Cut::HalfOfResult,
    Cut::Words,
    Cut::HalfOfWords,
    Cut::AllWords,
    Cut::Attributes,
    Cut::Time,
    Cut::Tail,
];

fn unrecorded() -> Answer<'static> {
    Answer::default()
}

fn half(text: &str) -> Cow<'static, str> {
    Cow::Owned(text.chars().take(text.chars().count() / 2).collect())
}

fn half_of(answer: &Answer<'_>) -> Answer<'static> {
    Answer { text: half(&answer.text), recorded: false, ..answer.clone().into_owned() }
}

fn cut<'e>(events: &[Event<'e>], what: Cut, dice: &mut Dice) -> Vec<Event<'e>> {
    let mut events = events.to_vec();
    let calls = events.iter().filter(|it| matches!(it.what, What::Call(_))).count();
    let wanted = u32::try_from(1 + dice.below(u64::try_from(calls).unwrap())).unwrap();
    match what {
        Cut::Tail => {
            let is_wanted =
                |it: &Event<'_>| matches!(&it.what, What::Call(call) if call.step == wanted);
            let place = events.iter().position(is_wanted).unwrap();
            events.truncate(place + 1);
            forget_what_is_gone(&mut events);
        }
        Cut::Words | Cut::HalfOfWords => cut_words(&mut events, what, dice),
        Cut::AllWords => {
            events.retain(|it| !matches!(it.what, What::User(_) | What::Agent(_)));
            change_start(&mut events, |start| start.wordless = true);
        }
        Cut::Attributes => change_start(&mut events, |start| {
            *start = Start { dropped: true, wordless: start.wordless, ..Start::default() };
        }),
        _ => {
            for event in &mut events {
                cut_event(event, what, wanted);
            }
        }
    }
    events
}

fn cut_event(event: &mut Event<'_>, what: Cut, wanted: u32) {
    match &mut event.what {
        What::Call(call) if call.step == wanted && what == Cut::Time => event.at = None,
        What::Call(call) if call.step == wanted => cut_call(call, what),
        What::Answer { step, answer } if *step == wanted => match what {
            Cut::Result => *answer = unrecorded(),
            Cut::HalfOfResult => *answer = half_of(answer),
            _ => {}
        },
        _ => {}
    }
}

fn cut_call(call: &mut Call<'_>, what: Cut) {
    match what {
        Cut::Arguments => {
            call.args = Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded };
        }
        Cut::HalfOfArguments => {
            call.args = Args { text: half(&call.args.text), state: ArgsState::Cut };
        }
        Cut::Result | Cut::HalfOfResult => {
            if let Some(Hindsight::Answered(answer)) = &mut call.hindsight {
                *answer = if what == Cut::Result { unrecorded() } else { half_of(answer) };
            }
        }
        _ => {}
    }
}

/// Cuts the words of one message, if there are any.
fn cut_words(events: &mut [Event<'_>], what: Cut, dice: &mut Dice) {
    let spoken = |it: &&mut Event<'_>| matches!(it.what, What::User(_) | What::Agent(_));
    let mut spoken: Vec<_> = events.iter_mut().filter(spoken).collect();
    if spoken.is_empty() {
        return;
    }
    let place = usize::try_from(dice.below(u64::try_from(spoken.len()).unwrap())).unwrap();
    let it = &mut spoken[place].what;
    let (who, text) = match &*it {
        What::User(text) => (Speaker::User, text),
        What::Agent(text) => (Speaker::Agent, text),
        _ => return,
    };
    let left = if what == Cut::Words { Cow::Borrowed("") } else { half(&text.text) };
    *it = What::Unheard { who, left: Text { id: Cow::Borrowed("m"), text: left } };
}

fn change_start(events: &mut [Event<'_>], change: impl Fn(&mut Start<'_>)) {
    for event in events {
        if let What::Start(start) = &mut event.what {
            change(start);
        }
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

/// A random policy, with rules that look at what the session says of itself.
fn policy(dice: &mut Dice) -> Policy {
    let mut policy = with_words(dice, Like::Lawbook);
    // Which rule speaks first changes with what is cut; each is held to its own word here.
    policy.pick = Pick::All;
    let more: [Box<dyn Body>; 2] = [
        Box::new(ArgEquals {
            tools: Tools::literal([dice.tool()]),
            argument: Argument::optional(Path::parse("k")),
            source: Source::Session {
                path: SessionPath::parse("session.metadata.place"),
                label: "place".to_owned(),
                objects: false,
            },
        }),
        Box::new(PathWithin {
            tools: Tools::literal([dice.tool()]),
            arg: Some(Path::parse("k")),
            optional: true,
            roots: vec![".".to_owned()],
        }),
    ];
    let first = policy.rules.len();
    policy.rules.extend(more.into_iter().zip(first..).map(|(body, place)| rule(place, body)));
    for rule in &mut policy.rules {
        rule.when = dice.chance(20).then(|| condition(dice));
    }
    policy
}

fn condition(dice: &mut Dice) -> Condition {
    let place = *dice.pick(&["session.metadata.place", "channel", "session.cwd"]);
    let (left, text) = match dice.chance(30) {
        true => (Place::Arg(Path::parse("n")), "1"),
        false => (Place::Session(SessionPath::parse(place)), *dice.pick(&["\"x\"", "\"sms\""])),
    };
    let operator = *dice.pick(&[Operator::Equal, Operator::NotEqual, Operator::SameText]);
    let right = Operand::Literal(Literal::parse(text).unwrap());
    let steps = vec![ConditionStep::Compare(Comparison { left, operator, right })];
    Condition { steps, text: "test".to_owned() }
}

/// A random session that says something of itself.
fn session(dice: &mut Dice) -> Vec<Event<'static>> {
    let mut events = Session::random(dice, false).events();
    let said = *dice.pick(&["x", "y"]);
    let (cwd, workspace) = *dice.pick(&[("/w", "/w"), ("/w/in", "/w"), ("/out", "/w")]);
    change_start(&mut events, |start| {
        start.metadata = Cow::Owned(format!("{{\"place\": \"{said}\"}}"));
        start.attributes = Cow::Borrowed("{\"channel\": \"sms\"}");
        (start.cwd, start.workspace) = (Some(cwd.into()), Some(workspace.into()));
    });
    events
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
    let mut wrong = Vec::new();
    for seed in 0..SEEDS {
        let mut dice = Dice::new(seed);
        let engine = Engine::new(vec![policy(&mut dice).into()], None);
        let events = session(&mut dice);
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
                if now == Ruled::Allow {
                    let rules = &engine.layers()[0].rules;
                    let rule = rules.iter().find(|it| *it.id == *key.1).unwrap();
                    wrong.push(format!("seed {seed}, {what:?}, step {}: {rule:?}", key.0));
                }
                *seen.entry((what, now)).or_default() += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{} calls pass\n{}", wrong.len(), wrong.join("\n"));
    for what in CUTS {
        let times = |ruled| seen.get(&(what, ruled)).copied().unwrap_or_default();
        assert!(times(Ruled::Deny) > 100, "{what:?}: {seen:?}");
        assert!(times(Ruled::Unknown) > 10 || what == Cut::Tail, "{what:?}: {seen:?}");
    }
}

#[test]
fn a_session_with_a_finding_is_never_clean_once_it_is_cut() {
    let mut cut_to_unknown = 0;
    for seed in 0..SEEDS {
        let mut dice = Dice::new(seed);
        let engine = Engine::new(vec![policy(&mut dice).into()], None);
        let events = session(&mut dice);
        if check(&engine, &events).findings.is_empty() {
            continue;
        }
        for what in CUTS.into_iter().filter(|it| *it != Cut::Tail) {
            let left = check(&engine, &cut(&events, what, &mut dice));
            let silent = left.findings.is_empty() && left.unknowns.is_empty();
            assert!(!silent, "seed {seed}, {what:?}");
            cut_to_unknown += u32::from(left.findings.is_empty());
        }
    }
    assert!(cut_to_unknown > 10, "{cut_to_unknown}");
}
