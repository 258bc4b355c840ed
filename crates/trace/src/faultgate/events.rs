//! A trace of the model, told as events.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use lawbook_event::{
    Answer, Args, ArgsState, Call, End, Event, Hindsight, Ran, RecordingPart, RootEnd, Start, Text,
    Time, Usage, What,
};

use super::content::Contents;
use super::steps::{Step, steps};
use super::{Span, Trace, measures};
use crate::Readings;
use crate::attr::Attr;

/// The events of a trace: every call at its start, and its answer before the first call that
/// began when it was there.
pub fn tell<'d>(trace: &Trace<'d>, wanted: Readings) -> Vec<Event<'d>> {
    let contents = Contents::read(trace);
    let steps = steps(trace, &contents);
    // A call and an answer for each step, and what the run begins and ends with.
    let events = Vec::with_capacity(steps.len().saturating_mul(2).saturating_add(3));
    let mut teller = Teller { trace, first_by_id: first_by_id(trace), events, message: 0 };
    let root = trace.root();
    let attributes = root.map_or_else(String::new, |root| root.attrs.to_json(|_| true));
    let start =
        Start { id: trace.id.clone(), attributes: Cow::Owned(attributes), ..Start::default() };
    teller.push(None, What::Start(start));
    let prompt = contents.prompt().into_owned();
    if !prompt.is_empty() {
        let at = root.map_or(0, |root| root.start);
        teller
            .push(time(at), What::User(Text { id: Cow::Borrowed("m0"), text: Cow::Owned(prompt) }));
    }
    teller.steps(&steps);
    let answer = Cow::Owned(contents.answer().into_owned());
    let termination = root.map_or(Cow::Borrowed(""), |root| root.text_of("faultgate.termination"));
    let root = match root {
        None => RootEnd::Missing,
        Some(root) => RootEnd::Span { error: root.error().map(Cow::Owned), ended: root.end != 0 },
    };
    teller.message = teller.message.saturating_add(1);
    let (turns, usage) = match wanted.has_part(RecordingPart::Measures) {
        true => (measures::turns(trace, &steps), measures::usage(trace)),
        false => (Vec::new(), Usage::default()),
    };
    teller.push(None, What::End(End { answer, termination, root, turns, usage, ..End::default() }));
    teller.events
}

fn first_by_id<'t>(trace: &'t Trace<'_>) -> BTreeMap<&'t str, usize> {
    let mut first = BTreeMap::new();
    for (at, span) in trace.spans.iter().enumerate() {
        first.entry(span.id.as_ref()).or_insert(at);
    }
    first
}

fn time(nanos: i128) -> Option<Time> {
    (nanos != 0).then(|| i64::try_from(nanos).ok().map(|nanos| Time { nanos }))?
}

struct Teller<'t, 'd> {
    trace: &'t Trace<'d>,
    /// The first span of each id, which speaks for all of them.
    first_by_id: BTreeMap<&'t str, usize>,
    events: Vec<Event<'d>>,
    message: u64,
}

impl<'d> Teller<'_, 'd> {
    fn push(&mut self, at: Option<Time>, what: What<'d>) {
        let place = self.events.len() as u64;
        self.events.push(Event { at, place, message: self.message, what });
    }

    fn steps(&mut self, steps: &[Step<'d>]) {
        let mut waiting = BinaryHeap::new();
        let mut last_span = None;
        let mut number = 0_u32;
        for step in steps {
            while waiting.peek().is_some_and(|Reverse((at, _))| *at <= step.start) {
                if let Some(Reverse((at, number))) = waiting.pop() {
                    self.answer(steps, number, at);
                }
            }
            number = number.saturating_add(1);
            if last_span != Some(step.span) {
                self.message = self.message.saturating_add(1);
                last_span = Some(step.span);
            }
            self.call(step, number);
            if let Some((_, at)) = &step.result {
                waiting.push(Reverse((*at, number)));
            }
        }
        while let Some(Reverse((at, number))) = waiting.pop() {
            self.answer(steps, number, at);
        }
    }

    fn call(&mut self, step: &Step<'d>, number: u32) {
        let span = self.span_of(step);
        let confirmed =
            span.and_then(|it| it.attrs.get("faultgate.confirmed")).is_some_and(confirms);
        let error = self.error_of(step);
        // A call that nothing answers still has the error of its span, if it has one.
        let answered = step.result.is_some() || error.is_some();
        let hindsight =
            if answered { Hindsight::Answered(answer(step, error)) } else { Hindsight::Unanswered };
        let call = Call {
            step: number,
            step_id: step.step_id.clone(),
            id: step.call_id.clone().filter(|id| !id.is_empty()),
            server: None,
            tool: step.tool.clone(),
            args: Args { text: step.args.clone(), state: ArgsState::Whole },
            hindsight: Some(hindsight),
            ran: Ran::Yes,
            confirmed,
            cwd: None,
            cost: None,
        };
        self.push(time(step.start), What::Call(call));
    }

    fn answer(&mut self, steps: &[Step<'d>], number: u32, at: i128) {
        let index = usize::try_from(number).unwrap_or(usize::MAX).wrapping_sub(1);
        if let Some(step) = steps.get(index) {
            let answer = answer(step, self.error_of(step));
            self.message = self.message.saturating_add(1);
            self.push(time(at), What::Answer { step: number, answer });
        }
    }

    fn span_of(&self, step: &Step<'_>) -> Option<&Span<'d>> {
        let id = self.trace.spans.get(step.span)?.id.as_ref();
        self.trace.spans.get(*self.first_by_id.get(id)?)
    }

    fn error_of(&self, step: &Step<'_>) -> Option<String> {
        self.span_of(step).filter(|span| span.is_tool())?.error()
    }
}

fn answer<'d>(step: &Step<'d>, error: Option<String>) -> Answer<'d> {
    Answer {
        text: step.result.as_ref().map_or(Cow::Borrowed(""), |it| it.0.clone()),
        recorded: true,
        error: None,
        span_error: error.map(Cow::Owned),
        pending: false,
    }
}

/// Whether a value is true, 1, `true` or `True`.
fn confirms(value: &Attr<'_>) -> bool {
    match value {
        Attr::Text(text) => text == "true" || text == "True",
        Attr::Json(json) => {
            json == "true" || json.parse::<f64>().is_ok_and(|number| (number - 1.0).abs() == 0.0)
        }
    }
}
