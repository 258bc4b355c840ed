//! pmstack's steps told as events.
//!
//! The places of events are pmstack's order of steps. A call has the message number of the agent's
//! text before it if pmstack takes that text for words that come with the call; every other event
//! has a number of its own.

use std::borrow::Cow;

use lawbook_event::json::Value;
use lawbook_event::{
    Answer, Call, End, Event, Hindsight, JAVASCRIPT, Ran, Readings, RecordingPart, Start, Text,
    What,
};

use super::key::Key;
use super::log::Logged;
use super::pairing::Pairing;
use super::step::{Request, Step, Steps, Who};
use super::trace::Trace;
use super::{content, normalised, walk};
use crate::ids;

/// The events that pmstack's steps are.
pub fn events<'d>(trace: &Trace<'d>, id: &Cow<'d, str>, wanted: Readings) -> Vec<Event<'d>> {
    let (lists, responses) = trace.lists();
    let messages = lists.iter().map(|it| it.len()).fold(0, usize::saturating_add);
    let mut told = Told {
        events: Vec::with_capacity(messages.saturating_add(messages / 2).saturating_add(3)),
        pairing: Pairing::default(),
        calls: Vec::new(),
        results: Vec::new(),
        number: 0,
        steps: 0,
        before: None,
        responses,
    };
    told.push(What::Start(start(trace, id, responses, wanted)));
    if let Some(input) = trace.input(responses).filter(|it| !is_blank(it)) {
        told.push(What::User(Text { id: Cow::Borrowed("input"), text: input }));
    }
    let all = lists.iter().flat_map(|it| it.items()).enumerate();
    all.for_each(|(at, message)| walk::message(at, message, &mut told));
    told.pair();
    let log = trace.steps().into_iter().flat_map(Value::items).enumerate();
    log.for_each(|(at, entry)| told.logged(at, entry));
    let output = trace.output(responses).map(content::text);
    told.finish(output)
}

fn start<'d>(trace: &Trace<'d>, id: &Cow<'d, str>, responses: bool, wanted: Readings) -> Start<'d> {
    let metadata = trace.get("metadata").filter(|it| it.is_object());
    let (mut recording, mut normalised) = (Cow::Borrowed(""), Cow::Borrowed(""));
    // What it makes of the recording is asked for where the recording itself has nothing.
    let is_normalised = wanted.has_part(RecordingPart::Normalised);
    if is_normalised || wanted.has_part(RecordingPart::Itself) {
        recording = trace.recording(id);
    }
    if is_normalised {
        normalised = Cow::Owned(normalised::write(trace, id, responses));
    }
    Start {
        id: id.clone(),
        metadata: Cow::Borrowed(metadata.map_or("", Value::raw)),
        recording,
        normalised,
        ..Start::default()
    }
}

struct Told<'d> {
    events: Vec<Event<'d>>,
    pairing: Pairing<'d>,
    /// The events of the calls and of the results of messages, in order.
    calls: Vec<usize>,
    results: Vec<usize>,
    /// The message number of the last event.
    number: u64,
    steps: u32,
    /// The message of the agent's text that is the very last step.
    before: Option<usize>,
    responses: bool,
}

impl<'d> Steps<'d> for Told<'d> {
    fn step(&mut self, at: usize, _: Value<'d>, step: Step<'d>) {
        let before = self.before.take();
        match step {
            Step::Said { who: Who::User, text } => {
                self.push(What::User(Text { id: ids::message(at), text }));
            }
            Step::Said { who: Who::Agent(_), text } => {
                self.push(What::Agent(Text { id: ids::message(at), text }));
                self.before = Some(at);
            }
            Step::Said { who: Who::System, .. } | Step::Blank | Step::Note { .. } => {}
            Step::Call { nth, request } => {
                self.pairing.call(request);
                self.calls.push(self.events.len());
                let comes_with_text = before.is_some_and(|it| it == at || self.responses);
                if comes_with_text {
                    self.number = self.number.saturating_sub(1);
                }
                self.call(ids::call(at, nth), &request);
            }
            Step::Result { returned, .. } => {
                self.pairing.result(returned);
                self.results.push(self.events.len());
                // It becomes an answer if it finds its call.
                self.push(What::Other);
            }
        }
    }
}

impl<'d> Told<'d> {
    fn push(&mut self, what: What<'d>) {
        let place = self.events.len() as u64;
        let message = self.number;
        self.number = self.number.saturating_add(1);
        self.events.push(Event { at: None, place, message, what });
    }

    fn call(&mut self, step_id: Cow<'d, str>, request: &Request<'d>) {
        self.steps = self.steps.saturating_add(1);
        self.push(What::Call(Call {
            step: self.steps,
            step_id,
            id: request.id.text().map(Cow::Borrowed),
            server: None,
            tool: Cow::Borrowed(request.name.text().unwrap_or_default()),
            args: content::args(request.args),
            hindsight: Some(Hindsight::Unanswered),
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: None,
        }));
    }

    /// Gives each call of a message its result.
    fn pair(&mut self) {
        for (place, result) in self.pairing.pairs().into_iter().enumerate() {
            let found = result.and_then(|it| Some((it, self.pairing.returned(it)?)));
            let Some((result, returned)) = found else { continue };
            let answer = content::answer(returned.content, returned.failed);
            let (call, result) = (self.calls.get(place), self.results.get(result));
            if let (Some(call), Some(result)) = (call.copied(), result.copied()) {
                self.answer(call, result, answer);
            }
        }
    }

    fn answer(&mut self, call: usize, result: usize, answer: Answer<'d>) {
        let Some(What::Call(call)) = self.events.get_mut(call).map(|it| &mut it.what) else {
            return;
        };
        call.hindsight = Some(Hindsight::Answered(answer.clone()));
        let step = call.step;
        if let Some(event) = self.events.get_mut(result) {
            event.what = What::Answer { step, answer };
        }
    }

    /// An entry of a log of steps: a call with its result, if it is one.
    fn logged(&mut self, at: usize, entry: Value<'d>) {
        let Some(logged) = Logged::read(entry).filter(|it| it.is_call()) else { return };
        let request = Request {
            id: Key::of(entry.get("id")),
            name: logged.name,
            args: logged.args,
            filed: None,
        };
        let call = self.events.len();
        self.call(Cow::Owned(format!("s{at}")), &request);
        if let Some(answer) = content::logged(logged.output, logged.status()) {
            let result = self.events.len();
            self.push(What::Other);
            self.answer(call, result, answer);
        }
    }

    fn finish(mut self, output: Option<Cow<'d, str>>) -> Vec<Event<'d>> {
        let said = || {
            self.events.iter().rev().find_map(|it| match &it.what {
                What::Agent(text) => Some(text.text.clone()),
                _ => None,
            })
        };
        let answer = output.or_else(said).unwrap_or_default();
        self.push(What::End(End { answer, ..End::default() }));
        self.events
    }
}

fn is_blank(text: &str) -> bool {
    JAVASCRIPT.trim(text).is_empty()
}
