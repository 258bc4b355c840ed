//! What can be cut among the events of a session, as a reader tells of it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lawbook_event::{Answer, Args, ArgsState, Call, Event, Hindsight, Speaker, Start, Text, What};

/// How many calls and how many texts of a session are cut, spread evenly.
const PLACES_MAX: usize = 3;

/// The session with one thing cut away, for each thing: what it is, and what is left.
pub fn of<'e>(events: &[Event<'e>]) -> Vec<(&'static str, Vec<Event<'e>>)> {
    let mut all = Vec::new();
    for at in places(events, |it| matches!(it, What::Call(_))) {
        for (what, cut) in CALLS {
            all.push((*what, at_call(events, at, *cut)));
        }
        all.push(("tail", tail(events, at)));
    }
    for at in places(events, |it| matches!(it, What::User(_) | What::Agent(_))) {
        all.push(("words", words(events, at, |_| Cow::Borrowed(""))));
        all.push(("half of words", words(events, at, half)));
    }
    all.push(("all words", without_words(events)));
    all.push(("attributes", start(events, nothing_said)));
    all.push(("answer", end(events)));
    all
}

type CutCall = fn(&mut Event<'_>, u32);

/// What can be cut of a call of a step and of its answer.
const CALLS: &[(&str, CutCall)] = &[
    ("arguments", |event, step| args(event, step, false)),
    ("half of arguments", |event, step| args(event, step, true)),
    ("result", |event, step| result(event, step, |_| Answer::default())),
    ("half of a result", |event, step| result(event, step, half_of)),
    ("time", |event, step| {
        if call(event).is_some_and(|it| it.step == step) {
            event.at = None;
        }
    }),
];

fn places(events: &[Event<'_>], wanted: fn(&What<'_>) -> bool) -> Vec<usize> {
    let all: Vec<usize> = (0..events.len()).filter(|at| wanted(&events[*at].what)).collect();
    let stride = all.len().div_ceil(PLACES_MAX).max(1);
    // The last ones rest on most of what came before.
    all.into_iter().rev().step_by(stride).collect()
}

fn call<'c, 'e>(event: &'c Event<'e>) -> Option<&'c Call<'e>> {
    match &event.what {
        What::Call(call) => Some(call),
        _ => None,
    }
}

fn half(text: &str) -> Cow<'static, str> {
    Cow::Owned(text.chars().take(text.chars().count() / 2).collect())
}

fn half_of(answer: &Answer<'_>) -> Answer<'static> {
    Answer { text: half(&answer.text), recorded: false, ..answer.clone().into_owned() }
}

fn at_call<'e>(events: &[Event<'e>], at: usize, cut: CutCall) -> Vec<Event<'e>> {
    let step = call(&events[at]).map_or(0, |it| it.step);
    let mut events = events.to_vec();
    events.iter_mut().for_each(|it| cut(it, step));
    events
}

fn args(event: &mut Event<'_>, step: u32, halved: bool) {
    if let What::Call(call) = &mut event.what
        && call.step == step
    {
        call.args = match halved {
            true => Args { text: half(&call.args.text), state: ArgsState::Cut },
            false => Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded },
        };
    }
}

fn result(event: &mut Event<'_>, step: u32, left: fn(&Answer<'_>) -> Answer<'static>) {
    match &mut event.what {
        What::Call(call) if call.step == step => {
            if let Some(Hindsight::Answered(answer)) = &mut call.hindsight {
                *answer = left(answer);
            }
        }
        What::Answer { step: of, answer } if *of == step => *answer = left(answer),
        _ => {}
    }
}

fn words<'e>(
    events: &[Event<'e>],
    at: usize,
    left: fn(&str) -> Cow<'static, str>,
) -> Vec<Event<'e>> {
    let mut events = events.to_vec();
    let (who, text) = match &events[at].what {
        What::User(text) => (Speaker::User, text),
        What::Agent(text) => (Speaker::Agent, text),
        _ => return events,
    };
    let left = Text { id: text.id.clone(), text: left(&text.text) };
    events[at].what = What::Unheard { who, left };
    events
}

fn without_words<'e>(events: &[Event<'e>]) -> Vec<Event<'e>> {
    let said =
        |it: &Event<'_>| matches!(it.what, What::User(_) | What::Agent(_) | What::Unheard { .. });
    let mut left = start(events, |start| start.wordless = true);
    left.retain(|it| !said(it));
    left
}

fn start<'e>(events: &[Event<'e>], change: fn(&mut Start<'_>)) -> Vec<Event<'e>> {
    let mut events = events.to_vec();
    for event in &mut events {
        if let What::Start(start) = &mut event.what {
            change(start);
        }
    }
    events
}

/// A start that says nothing of itself but that it did.
fn nothing_said(start: &mut Start<'_>) {
    *start = Start { wordless: start.wordless, dropped: true, ..Start::default() };
}

fn end<'e>(events: &[Event<'e>]) -> Vec<Event<'e>> {
    let mut events = events.to_vec();
    for event in &mut events {
        if let What::End(end) = &mut event.what {
            (end.answer, end.answer_cut) = (Cow::Borrowed(""), true);
        }
    }
    events
}

fn tail<'e>(events: &[Event<'e>], at: usize) -> Vec<Event<'e>> {
    let mut events = events[..=at].to_vec();
    let answers = events.iter().filter_map(|it| match &it.what {
        What::Answer { step, .. } => Some(*step),
        _ => None,
    });
    let answered: BTreeSet<u32> = answers.collect();
    for event in &mut events {
        if let What::Call(call) = &mut event.what
            && !answered.contains(&call.step)
        {
            call.hindsight = Some(Hindsight::Unanswered);
        }
    }
    events
}
