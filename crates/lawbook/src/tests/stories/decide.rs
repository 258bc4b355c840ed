//! Questions as a door for stories: before each call everything that has happened is written down
//! as chat messages, and the call is asked about.

use std::collections::BTreeMap;

use lawbook_cases::{
    Asking, Expect, Happening, Heard, Mode, Returned, Run, Standing, Step, Subject,
};
use lawbook_diag::Verdict;
use lawbook_engine::Engine;
use lawbook_event::{ArgsState, Call, Event, Ran, Start, What};
use serde_json::{Value, json};

use super::{START, heard, of_life, policy};
use crate::{Answer, Policy, decide};

/// How often a story may make one call.
const REPEAT_MAX: u32 = 200;

/// The subject.
pub struct Asked;

impl Subject for Asked {
    fn name(&self) -> &'static str {
        "decide"
    }

    fn cannot(&self, step: &Step) -> Option<&'static str> {
        match step {
            Step::Call(Asking { cost: Some(_), .. }) => Some("costs need an agent"),
            Step::Call(Asking { args_state: Some(state), .. }) if state == "cut" => {
                Some("a question has the arguments whole or not at all")
            }
            Step::Call(Asking { repeat: REPEAT_MAX.., .. }) => {
                Some("each of so many calls would take a question that holds all before it")
            }
            Step::Call(Asking { server: Some(_), .. }) => Some("chat messages name no server"),
            Step::Result(Returned { pending: true, .. }) => {
                Some("chat messages have no results that are still to come")
            }
            Step::Reject { scar: Some(_), .. } => Some("marks need an agent"),
            Step::OfAgents(_) => Some("an agent needs a ledger"),
            Step::Standing(standing) => {
                let bare = Standing { pending: standing.pending, ..Standing::default() };
                (*standing != bare).then_some("what an agent has left needs an agent")
            }
            _ => None,
        }
    }

    fn cannot_carry(
        &self,
        engine: &Engine,
        mode: Mode,
        story: &[Happening],
    ) -> Option<&'static str> {
        if mode == Mode::Observe && engine.layers().iter().any(|it| !it.waivers.is_empty()) {
            return Some("at a live door a waiver counts at once");
        }
        if let Some(reason) = of_life(engine, story) {
            return Some(reason);
        }
        let late = |it: &Happening| match &it.expect {
            Some(Expect::Said(said)) => is_yes(it) && said.verdict.as_deref() == Some("deny"),
            _ => false,
        };
        let mut rules = engine.layers().iter().flat_map(|it| &it.rules);
        if rules.any(|it| it.body.name() == "approval") && story.iter().any(late) {
            return Some("a question shows no time of its yes");
        }
        let calls = |it: &Happening| matches!(it.step, Step::Call(_));
        if story.iter().any(|it| it.expect.is_some() && !calls(it) && !is_yes(it)) {
            return Some("a question is about calls alone");
        }
        if story.iter().any(|it| matches!(it.expect, Some(Expect::Misuse(_)))) {
            return Some("a question can't follow wrongly");
        }
        let timed = engine.layers().iter().flat_map(|it| &it.rules).any(|it| it.body.past().times);
        if timed && story.iter().any(|it| calls(it) && it.at.is_none()) {
            return Some("a door has a clock, so it lacks no time");
        }
        None
    }

    fn begin<'e>(&self, engine: &'e Engine, mode: Mode) -> Box<dyn Run + 'e> {
        Box::new(Writing {
            policy: policy(engine),
            observes: mode == Mode::Observe,
            session: json!({}),
            messages: Vec::new(),
            numbers: Vec::new(),
            refused: Vec::new(),
            waiting: BTreeMap::new(),
            outside: BTreeMap::new(),
        })
    }
}

fn is_yes(happening: &Happening) -> bool {
    matches!(happening.step, Step::Approve { .. })
}

/// What a host would have written down so far.
struct Writing {
    policy: Policy,
    observes: bool,
    session: Value,
    messages: Vec<Value>,
    /// The number of the message that each of them is.
    numbers: Vec<u64>,
    refused: Vec<String>,
    /// The calls that wait for a person, by step.
    waiting: BTreeMap<u32, Value>,
    /// The calls that stand in no message, since they were not let through.
    outside: BTreeMap<u32, Value>,
}

impl Run for Writing {
    fn tell(&mut self, event: &Event<'_>) -> Heard {
        match &event.what {
            What::Start(start) => self.session = session(start),
            What::User(text) => self.write(event, json!({"role": "user", "content": text.text})),
            What::Agent(text) => {
                self.write(event, json!({"role": "assistant", "content": text.text}));
            }
            What::Call(call) => return self.call(event, call),
            What::Answer { step, answer } => {
                // What was not let through and has a result ran all the same.
                if let Some(call) = self.outside.remove(step) {
                    self.waiting.remove(step);
                    self.write_call(event, u64::MAX, call);
                }
                let mut result = json!({"role": "tool", "tool_call_id": id(*step)});
                if answer.recorded {
                    result["content"] = json!(answer.text);
                }
                if let Some(error) = answer.error {
                    result["is_error"] = json!(error);
                }
                self.write(event, result);
            }
            What::Approval { step, .. } => return self.approved(event, *step),
            What::Rejection { step, .. } => {
                self.waiting.remove(step);
            }
            What::Other
            | What::Unheard { .. }
            | What::End(_)
            | What::Outcome { .. }
            | What::Scar { .. }
            | What::Terminate { .. } => {}
        }
        Heard::default()
    }

    fn pending(&self) -> usize {
        self.waiting.len()
    }
}

impl Writing {
    fn write(&mut self, event: &Event<'_>, mut message: Value) {
        if let Some(at) = event.at {
            message["timestamp"] = json!(at.nanos);
        }
        self.messages.push(message);
        self.numbers.push(event.message);
    }

    fn write_call(&mut self, event: &Event<'_>, number: u64, call: Value) {
        let same = self.numbers.last() == Some(&number);
        match self.messages.last_mut().filter(|it| same && it.get("tool_calls").is_some()) {
            Some(message) => message["tool_calls"].as_array_mut().unwrap().push(call),
            None => {
                let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
                self.write(&Event { message: number, ..event.clone() }, message);
            }
        }
    }

    fn call(&mut self, event: &Event<'_>, call: &Call<'_>) -> Heard {
        let (written, asked) = (written(call), asked(call));
        let mut there = self.clone_for_question();
        there.write_call(event, event.message, written.clone());
        let answer = there.ask(event, &asked, json!([]));
        // A call that shares its message with none may as well stand nowhere yet.
        if self.numbers.last() != Some(&event.message) {
            let apart = self.ask(event, &asked, json!([]));
            let said = |it: &Answer| (it.verdict(), it.reply().map(str::to_owned));
            assert_eq!(said(&apart), said(&answer), "{} apart", call.tool);
        }
        let happens = call.ran == Ran::Yes && (self.observes || answer.verdict() == Verdict::Allow);
        if happens {
            self.write_call(event, event.message, written);
        } else if call.ran == Ran::No && self.observes {
            self.refused.push(id(call.step));
            self.write_call(event, event.message, written);
        } else {
            if answer.verdict() == Verdict::Ask {
                self.waiting.insert(call.step, asked);
            }
            self.outside.insert(call.step, written);
        }
        heard(&answer)
    }

    fn approved(&mut self, event: &Event<'_>, step: u32) -> Heard {
        let Some(asked) = self.waiting.remove(&step) else { return Heard::default() };
        let yes = json!([{"call": id(step), "by": "somebody"}]);
        let answer = self.ask(event, &asked, yes);
        if answer.verdict() == Verdict::Allow
            && let Some(call) = self.outside.remove(&step)
        {
            self.write_call(event, event.message, call);
        }
        heard(&answer)
    }

    fn ask(&self, event: &Event<'_>, call: &Value, approvals: Value) -> Answer {
        let question = json!({
            "session": self.session,
            "history": "complete",
            "messages": self.messages,
            "refused": self.refused,
            "approvals": approvals,
            "call": call,
        });
        decide(&self.policy, question.to_string().as_bytes(), event.at.unwrap_or(START)).unwrap()
    }

    fn clone_for_question(&self) -> Self {
        Writing {
            policy: self.policy.clone(),
            observes: self.observes,
            session: self.session.clone(),
            messages: self.messages.clone(),
            numbers: self.numbers.clone(),
            refused: self.refused.clone(),
            waiting: BTreeMap::new(),
            outside: BTreeMap::new(),
        }
    }
}

fn id(step: u32) -> String {
    format!("c{step}")
}

/// A call as a chat message holds it.
fn written(call: &Call<'_>) -> Value {
    let mut function = json!({"name": call.tool});
    if call.args.state == ArgsState::Whole {
        function["arguments"] = json!(call.args.text);
    }
    json!({"id": id(call.step), "type": "function", "function": function})
}

/// A call as a question asks about it.
fn asked(call: &Call<'_>) -> Value {
    let mut asked = json!({"id": id(call.step), "tool": call.tool});
    if call.args.state == ArgsState::Whole {
        asked["args"] = json!(call.args.text);
    }
    asked
}

fn session(start: &Start<'_>) -> Value {
    let mut session = json!({});
    let object = |text: &str| serde_json::from_str::<Value>(text).ok();
    for (key, value) in
        [("attributes", object(&start.attributes)), ("metadata", object(&start.metadata))]
    {
        if let Some(value) = value {
            session[key] = value;
        }
    }
    for (key, value) in [("cwd", &start.cwd), ("workspace", &start.workspace)] {
        if let Some(value) = value {
            session[key] = json!(value);
        }
    }
    if !start.id.is_empty() {
        session["id"] = json!(start.id);
    }
    session
}
