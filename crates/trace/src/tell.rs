//! A run as events: every call once, with its arguments, its result and its batch.
//!
//! Spans tell one call up to many times: in the output of a model, in the history that later
//! models receive, as a tool's own span, and again on the other side of a wire. Here they become
//! one. Two calls that only share an id stay two.

mod answers;
mod calls;
mod earlier;
mod kin;
mod moments;
mod silent;
mod tools;
mod words;

use std::borrow::Cow;
use std::collections::BTreeSet;

use lawbook_event::{
    Call, End, Event, Hindsight, Ran, Speaker, Start, Text, Time, What, is_cut, is_hidden,
};

use crate::dialog::{Asked, Item, Message, Role};
use crate::measures;
use crate::print::Print;
use crate::run::{Run, Tool, Turn, Work};
use crate::{Note, cut};
use calls::{Calls, Known, Origin, Walk};
pub use earlier::{Before, Earlier};
use kin::Kin;
use moments::{Moment, moments};
use words::Words;

/// The events of a run, the number of its calls, and what was odd. A history may begin in a run
/// before this one.
pub fn tell<'d>(mut run: Run<'d>, before: Before<'d>) -> (Vec<Event<'d>>, u32, Vec<Note>) {
    let wordless = is_wordless(&run);
    let ended = run.ended;
    let (counted, usage) = match ended.is_empty() {
        true => Default::default(),
        false => measures::counted(&run.nodes, &ended),
    };
    let kin = Kin::of(&run.nodes);
    if !wordless {
        silent::mark(&mut run.nodes, &kin);
    }
    let timed = run.nodes.iter().any(|node| node.start != 0);
    let order = moments(&run.nodes, timed);
    let room = order.len().saturating_add(2);
    let mut teller = Teller {
        nodes: run
            .nodes
            .into_iter()
            .map(|node| (node.id, node.start, node.end, node.work))
            .collect(),
        kin,
        timed,
        events: Vec::with_capacity(room),
        message: 0,
        calls: Calls::default(),
        words: Words::default(),
        last_words: String::new(),
        last_cut: false,
        repeated_ids: 0,
    };
    let start = Start {
        id: run.id,
        attributes: Cow::Owned(run.attributes),
        metadata: Cow::Owned(run.metadata),
        wordless,
        dropped: run.dropped,
        ..Start::default()
    };
    teller.push(None, What::Start(cut::start(start)));
    for (moment, node) in order {
        teller.moment(moment, node, &before);
    }
    teller.opening(run.prompt);
    let answer = run.answer.filter(|it| !it.trim().is_empty()).unwrap_or_default();
    let (answer, answer_cut) = match answer.is_empty() {
        true => (std::mem::take(&mut teller.last_words), teller.last_cut),
        false => (answer, false),
    };
    teller.message = teller.message.saturating_add(1);
    let turns = measures::turns(counted, ended, &teller.events);
    let end = End {
        answer: answer.into(),
        answer_cut,
        termination: run.termination.into(),
        root: run.root,
        turns,
        usage,
    };
    teller.push(None, What::End(cut::end(end)));
    teller.take_back_answers();
    let notes = teller.notes();
    let calls = teller.calls.len();
    before.end(teller.calls.past());
    (teller.events, calls, notes)
}

/// Whether nothing was recorded of what anybody said: no model or agent has messages with words.
fn is_wordless(run: &Run<'_>) -> bool {
    let says = |message: &Message| {
        let of_people = matches!(message.role, Role::User | Role::Agent);
        let said = |it: &Item| match it {
            Item::Text(text) => !is_hidden(text),
            Item::Unheard(left) => !left.is_empty(),
            Item::Call(_) | Item::Answer(_) => false,
        };
        of_people && message.items.iter().any(said)
    };
    let turns = run.nodes.iter().filter_map(|node| match &node.work {
        Work::Model(turn) | Work::Agent(turn) => Some(turn),
        Work::Tool(_) | Work::Detail { .. } | Work::Other => None,
    });
    let inside = turns.flat_map(|it| it.input.iter().chain(&it.output));
    !run.prompt.iter().chain(inside).any(says)
}

/// A node without its parent: id, start, end, work.
type Bare<'d> = (Cow<'d, str>, i64, i64, Work<'d>);

struct Teller<'d> {
    nodes: Vec<Bare<'d>>,
    kin: Kin,
    timed: bool,
    events: Vec<Event<'d>>,
    message: u64,
    calls: Calls<'d>,
    words: Words<'d>,
    last_words: String,
    /// Of the last words not all is recorded.
    last_cut: bool,
    repeated_ids: u32,
}

impl<'d> Teller<'d> {
    fn push(&mut self, at: Option<Time>, what: What<'d>) {
        let place = self.events.len() as u64;
        self.events.push(Event { at, place, message: self.message, what });
    }

    fn next_message(&mut self) {
        self.message = self.message.saturating_add(1);
    }

    fn time(&self, nanos: i64) -> Option<Time> {
        (self.timed && nanos != 0).then_some(Time { nanos })
    }

    fn moment(&mut self, moment: Moment, at: usize, before: &Before<'d>) {
        let Some((id, start, end, work)) = self.nodes.get_mut(at).map(|node| {
            // What a node says is told once, and so is what a tool was given and what it gave.
            let work = match (&mut node.3, moment) {
                (Work::Model(turn) | Work::Agent(turn), Moment::Input) => {
                    Work::Model(Turn { input: std::mem::take(&mut turn.input), output: Vec::new() })
                }
                (Work::Model(turn), Moment::Output) => Work::Model(Turn {
                    input: Vec::new(),
                    output: std::mem::take(&mut turn.output),
                }),
                (Work::Agent(turn), Moment::Output) => Work::Agent(Turn {
                    input: Vec::new(),
                    output: std::mem::take(&mut turn.output),
                }),
                (Work::Tool(tool), Moment::ToolStart) => {
                    let (result, span_error) = (tool.result.take(), tool.span_error.take());
                    let (error, cut) = (tool.error, tool.cut);
                    let gave = Tool { result, span_error, error, cut, ..Tool::default() };
                    Work::Tool(std::mem::replace(tool, Box::new(gave)))
                }
                (work, _) => std::mem::take(work),
            };
            (node.0.clone(), node.1, node.2, work)
        }) else {
            return;
        };
        match (moment, work) {
            (Moment::Input, Work::Model(turn)) => self.input(at, start, turn.input, before),
            (Moment::Output, Work::Model(turn)) => {
                self.output(at, end.max(start), turn.output, false)
            }
            (Moment::Output, Work::Agent(turn)) => {
                self.output(at, end.max(start), turn.output, true)
            }
            (Moment::ToolStart, Work::Tool(tool)) => self.tool_start(at, id, start, *tool),
            (Moment::ToolEnd, Work::Tool(tool)) => self.tool_end(at, end, *tool),
            (Moment::Detail, Work::Detail { error, stopped }) => self.detail(at, error, stopped),
            _ => {}
        }
    }

    /// What a model received: new words of the user, answers, and calls that nothing else shows.
    fn input(&mut self, at: usize, start: i64, messages: Vec<Message>, before: &Before<'d>) {
        let time = self.time(start);
        let inside_tool = self.kin.tool_above(at).is_some();
        let mut walk = Walk::default();
        self.words.begin_walk();
        for message in messages {
            let number = self.message;
            let mut nth = 0_usize;
            for item in message.items {
                match item {
                    Item::Text(text) if message.role == Role::User && !inside_tool => {
                        self.user(time, text);
                    }
                    Item::Unheard(left) if message.role == Role::User && !inside_tool => {
                        self.unheard(time, Speaker::User, left);
                    }
                    Item::Text(_) | Item::Unheard(_) => {}
                    Item::Call(asked) => {
                        let print = Print::borrowed(&asked.args);
                        let known = self.calls.in_history(&asked, &print, &walk);
                        if known.is_none() && before.has(&asked, &print) {
                            walk.passed(&asked);
                            continue;
                        }
                        let call = match known {
                            Some(known) => known,
                            None => {
                                if self.message == number {
                                    self.next_message();
                                }
                                let print = print.with(asked.args.clone());
                                self.new_call(at, time, (asked, print), Origin::History, nth)
                            }
                        };
                        walk.saw(call);
                        nth = nth.saturating_add(1);
                    }
                    Item::Answer(answered) => self.answered(time, answered, &mut walk),
                }
            }
        }
    }

    fn user(&mut self, at: Option<Time>, text: String) {
        if text.trim().is_empty() || !self.words.user_is_new(&text) {
            return;
        }
        if is_cut(&text) {
            return self.unheard(at, Speaker::User, text);
        }
        self.next_message();
        let id = Cow::Owned(format!("m{}", self.message));
        self.push(at, What::User(Text { id, text: text.into() }));
    }

    /// Words of which not all is recorded, in a message of their own.
    fn unheard(&mut self, at: Option<Time>, who: Speaker, left: String) {
        self.next_message();
        self.unheard_here(at, who, left);
    }

    fn unheard_here(&mut self, at: Option<Time>, who: Speaker, left: String) {
        let left = if is_hidden(&left) { String::new() } else { left };
        if who == Speaker::Agent {
            self.last_words.clone_from(&left);
            self.last_cut = true;
        }
        let id = Cow::Owned(format!("m{}", self.message));
        let left = Text { id, text: left.into() };
        self.push(at, What::Unheard { who, left });
    }

    /// What the run itself says it was asked, when no node said it.
    fn opening(&mut self, prompt: Vec<Message>) {
        let of_user = |event: &Event<'_>| {
            matches!(event.what, What::User(_) | What::Unheard { who: Speaker::User, .. })
        };
        if self.events.iter().any(of_user) {
            return;
        }
        let mut asked: Vec<String> = Vec::new();
        for message in prompt.into_iter().filter(|it| it.role == Role::User) {
            asked.extend(message.items.into_iter().filter_map(|item| match item {
                Item::Text(text) if !text.trim().is_empty() => Some(text),
                _ => None,
            }));
        }
        let rest = self.events.split_off(1.min(self.events.len()));
        for text in asked {
            let whole = !is_cut(&text);
            let text = if is_hidden(&text) { String::new() } else { text };
            let text = Text { id: Cow::Borrowed("m0"), text: text.into() };
            self.push(
                None,
                match whole {
                    true => What::User(text),
                    false => What::Unheard { who: Speaker::User, left: text },
                },
            );
        }
        self.events.extend(rest);
        for (place, event) in self.events.iter_mut().enumerate() {
            event.place = place as u64;
        }
    }

    /// What a model or agent said and asked for.
    fn output(&mut self, at: usize, end: i64, messages: Vec<Message>, agent: bool) {
        let time = self.time(end);
        let inside_tool = self.kin.tool_above(at).is_some();
        let mut walk = Walk::default();
        let mut nth = 0_usize;
        for message in messages {
            let mut begun = false;
            for item in message.items {
                match item {
                    Item::Text(text) if matches!(message.role, Role::Agent | Role::Other) => {
                        if !inside_tool && self.words.agent_is_new(&text, at, agent, &self.kin) {
                            self.begin(&mut begun);
                            self.agent(time, text);
                        }
                    }
                    Item::Unheard(left) if message.role == Role::Agent && !inside_tool => {
                        self.begin(&mut begun);
                        self.unheard_here(time, Speaker::Agent, left);
                    }
                    Item::Text(_) | Item::Unheard(_) => {}
                    Item::Call(asked) => {
                        let print = Print::borrowed(&asked.args);
                        let told = (&asked, &print);
                        let known = self.calls.in_output(told, at, agent, &self.kin, &walk);
                        let call = match known {
                            Some(known) => known,
                            None => {
                                self.begin(&mut begun);
                                self.repeats_id(&asked);
                                let print = print.with(asked.args.clone());
                                self.new_call(at, time, (asked, print), Origin::Output(at), nth)
                            }
                        };
                        walk.saw(call);
                        nth = nth.saturating_add(1);
                    }
                    Item::Answer(answered) => self.answered(time, answered, &mut walk),
                }
            }
        }
    }

    /// Words of the agent, in the message that is being told.
    fn agent(&mut self, at: Option<Time>, text: String) {
        if is_cut(&text) {
            return self.unheard_here(at, Speaker::Agent, text);
        }
        let id = Cow::Owned(format!("m{}", self.message));
        self.last_words.clone_from(&text);
        self.last_cut = false;
        self.push(at, What::Agent(Text { id, text: text.into() }));
    }

    fn begin(&mut self, begun: &mut bool) {
        if !*begun {
            self.next_message();
            *begun = true;
        }
    }

    /// Counts a new call whose id another call has.
    fn repeats_id(&mut self, asked: &Asked) {
        if self.calls.shares_id(asked) {
            self.repeated_ids = self.repeated_ids.saturating_add(1);
        }
    }

    /// Adds a call that a message asks for.
    fn new_call(
        &mut self,
        at: usize,
        time: Option<Time>,
        (asked, print): (Asked, Print<'d>),
        origin: Origin,
        nth: usize,
    ) -> usize {
        self.last_words.clear();
        self.last_cut = false;
        let span = self.nodes.get(at).map_or("", |node| node.0.as_ref());
        let step_id = Cow::Owned(format!("{span}.c{nth}"));
        let known = Known::new(&asked, print, origin, self.events.len());
        let call = Call {
            step: self.calls.len().saturating_add(1),
            step_id,
            id: asked.id.map(Cow::Owned),
            server: asked.server.map(Cow::Owned),
            tool: Cow::Owned(asked.tool),
            args: cut::args(asked.args),
            hindsight: Some(Hindsight::Unanswered),
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: None,
        };
        self.push(time, What::Call(call));
        self.calls.add(known)
    }

    /// What says that a call did not run is no result: a result would say that it ran.
    fn take_back_answers(&mut self) {
        let stopped: BTreeSet<u32> = self
            .events
            .iter()
            .filter_map(|event| match &event.what {
                What::Call(call) if call.ran == Ran::No => Some(call.step),
                _ => None,
            })
            .collect();
        for event in &mut self.events {
            if matches!(event.what, What::Answer { step, .. } if stopped.contains(&step)) {
                event.what = What::Other;
            }
        }
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let unnamed = self
            .events
            .iter()
            .filter(|event| matches!(&event.what, What::Call(call) if call.tool.is_empty()))
            .count();
        if unnamed > 0 {
            notes.push(Note::error(format!("{unnamed} call(s) without a tool name")));
        }
        if self.repeated_ids > 0 {
            let message = format!(
                "{} call(s) use an id again with other arguments or in another place",
                self.repeated_ids
            );
            notes.push(Note::warning(message));
        }
        notes.extend(self.words.note());
        notes
    }
}

#[cfg(test)]
mod tests;
