//! From a story to the events that the engine reads.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::{Answer, Args, ArgsState, Call, End, Event, Hindsight, Ran, Start, Text, What};

use crate::case::Story;
use crate::happening::{Asking, Happening, Step};
use crate::of_agents::OfAgents;

/// The events of a story, each with the happening that it came from.
#[derive(Debug, Default)]
pub struct Script {
    /// The events; the first is the start, which no happening stands for.
    pub events: Vec<(Option<usize>, Event<'static>)>,
}

/// Writes the script of a story. An error names a call that is not there.
pub fn write(story: &Story) -> Result<Script, String> {
    let mut writer = Writer::new();
    writer.start(story);
    for (place, happening) in story.happenings.iter().enumerate() {
        writer.happening(place, happening)?;
    }
    Ok(writer.script)
}

struct Writer {
    script: Script,
    message: u64,
    /// The batch that the last message is.
    batch: Option<String>,
    step: u32,
    calls: BTreeMap<String, u32>,
    last_words: String,
}

impl Writer {
    fn new() -> Self {
        Writer {
            script: Script::default(),
            message: 0,
            batch: None,
            step: 0,
            calls: BTreeMap::new(),
            last_words: String::new(),
        }
    }

    fn start(&mut self, story: &Story) {
        let facts = &story.session;
        let object = |it: &Option<serde_json::Map<String, serde_json::Value>>| {
            let text = it.as_ref().and_then(|it| serde_json::to_string(it).ok());
            Cow::Owned(text.unwrap_or_default())
        };
        let start = Start {
            id: Cow::Owned(facts.id.clone()),
            attributes: object(&facts.attributes),
            metadata: object(&facts.metadata),
            cwd: facts.cwd.clone().map(Cow::Owned),
            workspace: facts.workspace.clone().map(Cow::Owned),
            ..Start::default()
        };
        let at = story.happenings.iter().find_map(|it| it.at);
        let event = Event { at, place: 0, message: 0, what: What::Start(start) };
        self.script.events.push((None, event));
    }

    fn happening(&mut self, place: usize, happening: &Happening) -> Result<(), String> {
        match &happening.step {
            Step::Call(asking) => {
                for _ in 0..asking.repeat {
                    self.call(place, happening, asking);
                }
            }
            Step::User(words) => {
                let text = self.words(words);
                self.push(place, happening, What::User(text));
            }
            Step::Agent(words) => {
                self.last_words.clone_from(words);
                let text = self.words(words);
                self.push(place, happening, What::Agent(text));
            }
            Step::Result(returned) => {
                let step = self.named(&returned.id)?;
                let answer = Answer {
                    text: Cow::Owned(returned.text.clone()),
                    recorded: returned.recorded,
                    error: returned.error,
                    span_error: None,
                    pending: returned.pending,
                };
                self.push(place, happening, What::Answer { step, answer });
            }
            Step::Approve { id, by } => {
                // A yes to a call that was never made is a misuse, which the door must say.
                let step = self.calls.get(id).copied().unwrap_or(u32::MAX);
                self.push(place, happening, What::Approval { step, by: Cow::Owned(by.clone()) });
            }
            Step::Reject { id, by, reason, scar } => {
                let step = self.calls.get(id).copied().unwrap_or(u32::MAX);
                let by = Cow::Owned(by.clone());
                let reason = Cow::Owned(reason.clone());
                self.push(place, happening, What::Rejection { step, by, reason, scar: *scar });
            }
            Step::End(how) => {
                let end = End {
                    answer: Cow::Owned(self.last_words.clone()),
                    termination: Cow::Owned(how.clone()),
                    ..End::default()
                };
                self.push(place, happening, What::End(end));
            }
            Step::OfAgents(what) => self.of_agents(place, happening, what),
            Step::Standing(_) => {}
        }
        Ok(())
    }

    fn of_agents(&mut self, place: usize, happening: &Happening, what: &OfAgents) {
        // What is said of a call that was never made is a misuse, which the door must say.
        let step = |it: &String| self.calls.get(it).copied().unwrap_or(u32::MAX);
        let words = |it: &String| Cow::Owned(it.clone());
        let what = match what {
            OfAgents::Outcome { id, effect, by, detail } => {
                What::Outcome { step: step(id), effect: *effect, by: *by, detail: words(detail) }
            }
            OfAgents::Scar { severity, reason, of } => What::Scar {
                severity: *severity,
                reason: words(reason),
                step: of.as_ref().map(step),
            },
            OfAgents::Terminate { reason, by } => {
                What::Terminate { reason: words(reason), by: words(by) }
            }
            OfAgents::Restart | OfAgents::Fact => return,
        };
        self.push(place, happening, what);
    }

    fn words(&self, words: &str) -> Text<'static> {
        Text { id: Cow::Owned(format!("m{}", self.message)), text: Cow::Owned(words.to_owned()) }
    }

    fn named(&self, id: &str) -> Result<u32, String> {
        self.calls.get(id).copied().ok_or_else(|| format!("no call before has the id `{id}`"))
    }

    fn call(&mut self, place: usize, happening: &Happening, asking: &Asking) {
        self.step = self.step.saturating_add(1);
        let open = self.batch.take();
        if asking.batch.is_some() && open == asking.batch {
            // The batch is the message before this one.
            self.message = self.message.saturating_sub(1);
        }
        if let Some(id) = &asking.id {
            self.calls.insert(id.clone(), self.step);
        }
        let call = Call {
            step: self.step,
            step_id: Cow::Owned(format!("act-{}", self.step)),
            id: asking.id.clone().map(Cow::Owned),
            server: asking.server.clone().map(Cow::Owned),
            tool: Cow::Owned(asking.tool.clone()),
            args: Args {
                text: Cow::Owned(asking.args.clone()),
                state: match asking.args_state.as_deref() {
                    Some("cut") => ArgsState::Cut,
                    Some(_) => ArgsState::Unrecorded,
                    None => ArgsState::Whole,
                },
            },
            hindsight: None,
            ran: if asking.ran { Ran::Yes } else { Ran::No },
            confirmed: false,
            cwd: None,
            cost: asking.cost,
        };
        self.push(place, happening, What::Call(call));
        self.batch.clone_from(&asking.batch);
    }

    fn push(&mut self, place: usize, happening: &Happening, what: What<'static>) {
        self.batch = None;
        let number = u64::try_from(self.script.events.len()).unwrap_or(u64::MAX);
        let event = Event { at: happening.at, place: number, message: self.message, what };
        self.message = self.message.saturating_add(1);
        self.script.events.push((Some(place), event));
    }
}

/// The same events as a recording: each call knows its answer and whether it ran, and the end is
/// there even if the story does not tell it.
pub fn recorded(script: &Script, ran: impl Fn(u32) -> bool) -> Vec<Event<'static>> {
    let mut answers: BTreeMap<u32, Answer<'static>> = BTreeMap::new();
    for (_, event) in &script.events {
        if let What::Answer { step, answer } = &event.what {
            answers.entry(*step).or_insert_with(|| answer.clone());
        }
    }
    let of = |(_, event): &(Option<usize>, Event<'static>)| {
        let mut event = event.clone();
        if let What::Call(call) = &mut event.what {
            call.hindsight = Some(match answers.get(&call.step) {
                Some(answer) => Hindsight::Answered(answer.clone()),
                None => Hindsight::Unanswered,
            });
            if !ran(call.step) {
                call.ran = Ran::No;
            }
        }
        event
    };
    let mut events: Vec<Event<'static>> = script.events.iter().map(of).collect();
    if !events.iter().any(|it| matches!(it.what, What::End(_))) {
        events.push(end(&events));
    }
    events
}

fn end(events: &[Event<'static>]) -> Event<'static> {
    let words = events.iter().rev().find_map(|it| match &it.what {
        What::Agent(text) => Some(text.text.clone()),
        _ => None,
    });
    let last = events.last();
    let next = |it: Option<u64>| it.unwrap_or_default().saturating_add(1);
    Event {
        at: last.and_then(|it| it.at),
        place: next(last.map(|it| it.place)),
        message: next(last.map(|it| it.message)),
        what: What::End(End { answer: words.unwrap_or_default(), ..End::default() }),
    }
}
